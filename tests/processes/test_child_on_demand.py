"""A process on demand runs when it is needed, and none starts once it has been closed."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence

import pytest

from doubles.clock import PATIENCE
from tabletop.processes import child_on_demand
from tabletop.processes.child import Child
from tabletop.processes.child_on_demand import ChildOnDemand

WAITS = (sys.executable, "-c", "import sys; sys.stdin.read()")
ENDS = (sys.executable, "-c", "")


@pytest.fixture
def waiting() -> Iterator[ChildOnDemand]:
    process = ChildOnDemand(WAITS)
    yield process
    process.close()
    process.end()


def test_the_same_process_serves_until_it_is_ended(waiting: ChildOnDemand) -> None:
    """The first call starts a process, later calls return it, and another one starts after it was ended."""
    assert waiting.child is None
    first = waiting.running()
    assert waiting.running() is first
    waiting.end()
    assert not first.running
    assert waiting.running() is not first


def test_a_process_that_has_ended_by_itself_is_replaced() -> None:
    process = ChildOnDemand(ENDS)
    first = process.running()
    first._process.wait(PATIENCE)
    assert process.running() is not first
    process.close()
    process.end()


def test_nothing_starts_after_it_was_closed(waiting: ChildOnDemand) -> None:
    """Closing kills the running process, from any thread, and no other one starts."""
    child = waiting.running()
    waiting.close()
    child._process.wait(PATIENCE)
    with pytest.raises(OSError, match="it was closed"):
        waiting.running()


def test_a_process_that_is_just_being_started_is_killed_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing waits for a process that is being started and kills it; its user would have to wait for a time-out."""
    starting, started = threading.Event(), threading.Event()

    def slow(command: Sequence[str]) -> Child:
        starting.set()
        assert started.wait(PATIENCE)
        return Child(command)

    monkeypatch.setattr(child_on_demand, "Child", slow)
    process = ChildOnDemand(WAITS)
    asking, closing = threading.Thread(target=process.running), threading.Thread(target=process.close)
    asking.start()
    assert starting.wait(PATIENCE)
    closing.start()
    started.set()
    for thread in (asking, closing):
        thread.join(PATIENCE)
    assert process.child is not None
    process.child._process.wait(PATIENCE)
    process.end()
