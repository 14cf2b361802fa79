"""What the heart asks: a referee or a panel that hangs does not answer, one that lives does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tabletop.hardware.loop import PanelLoop
from tabletop.hardware.panel import Kind, Press
from tabletop.hardware.pins import Panel, mock_factory
from tabletop.hardware.wiring import load
from tabletop.referee.mailbox import Mailbox

SOON, NEVER = 5.0, 0.05


class Stuck:
    """A referee that hangs at a press until it is let go."""

    snapshot = None

    def __init__(self) -> None:
        self.go = threading.Event()

    def press(self, press: Press) -> None:
        self.go.wait()


@pytest.fixture
def referee() -> Iterator[Stuck]:
    made = Stuck()
    yield made
    made.go.set()


def test_a_referee_that_hangs_does_not_answer(referee: Any) -> None:
    with Mailbox(referee) as desk:
        assert desk.answers(SOON)
        desk.press(Press("OK", Kind.PRESS, 0.0))
        assert not desk.answers(NEVER)
        referee.go.set()
        assert desk.answers(SOON)


def test_a_panel_answers_as_long_as_its_loop_goes_round() -> None:
    go = threading.Event()
    stuck = threading.Event()

    def signals() -> dict[str, Any]:
        if stuck.is_set():
            go.wait()
        return {}

    panel = PanelLoop(Panel(load(), mock_factory(), lambda: 0.0), signals, lambda _: None, lambda _: None, lambda: 0.0)
    assert not panel.answers(NEVER)
    panel.start()
    assert panel.answers(SOON)
    stuck.set()
    panel.answers(NEVER)
    assert not panel.answers(NEVER)
    go.set()
    panel.stop()
