"""What the watchdog checks: a hung referee or panel does not answer, a live one does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from doubles.clock import PATIENCE
from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.hardware.panel.gpio import Panel
from tabletop.hardware.panel.lights import Pattern
from tabletop.hardware.panel.loop import PanelLoop
from tabletop.hardware.panel.panel_file import load
from tabletop.hardware.panel.pin_factories import mock_factory
from tabletop.referee.mailbox import Mailbox

NEVER = 0.05


class Stuck:
    """A referee that hangs at a press until it is released."""

    snapshot = None
    disk_refuses = False

    def __init__(self) -> None:
        self.go = threading.Event()

    def press(self, press: Press, light: Callable[[Mapping[str, Pattern]], None]) -> None:
        self.go.wait()


@pytest.fixture
def referee() -> Iterator[Stuck]:
    made = Stuck()
    yield made
    made.go.set()


def test_a_referee_that_hangs_does_not_answer(referee: Any) -> None:
    with Mailbox(referee) as mailbox:
        assert mailbox.answers(PATIENCE)
        mailbox.press(Press("OK", Kind.PRESS, 0.0))
        assert not mailbox.answers(NEVER)
        referee.go.set()
        assert mailbox.answers(PATIENCE)


def test_a_panel_answers_as_long_as_its_loop_goes_round() -> None:
    stuck, hangs, go = threading.Event(), threading.Event(), threading.Event()

    def signals() -> dict[str, Any]:
        if stuck.is_set():
            hangs.set()
            go.wait()
        return {}

    panel = PanelLoop(Panel(load(), mock_factory(), lambda: 0.0), signals, lambda _: None, lambda _: None, lambda: 0.0)
    assert not panel.answers(NEVER)
    panel.start()
    assert panel.answers(PATIENCE)
    stuck.set()
    panel.wake()
    assert hangs.wait(PATIENCE)
    assert not panel.answers(NEVER)
    go.set()
    panel.stop()
