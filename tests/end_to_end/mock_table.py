"""A table with its pages on mock pins, whose panel loop is stepped by hand: for buttons, lights and pages together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from doubles.clock import Clock
from tabletop.hardware.cameras.camera import Camera
from tabletop.hardware.panel.gpio import Panel
from tabletop.hardware.panel.mock_fingers import MockFingers
from tabletop.hardware.panel.panel_file import Wiring, load
from tabletop.hardware.panel.pin_factories import mock_factory
from tabletop.match import store
from tabletop.match.event import EventKind
from tabletop.referee.referee import Draw
from tabletop.rules.game import Game
from tabletop.rules.palazzo import GAME
from tabletop.runtime.running_table import CameraSetup, Clocks, PanelSetup, RunningTable
from tabletop.web.seating.claims import CONFIRMED
from tabletop.web.seating.room import Room

BASE = "http://127.0.0.1:8000"
NAMES = ["Ann", "Bob", "Cyd"]
OPTIONS = {"min_price": 1, "first_seat": 2}


class Table:
    """A running table on mock pins: its referee runs in its thread, and its panel loop advances in ``hold``."""

    def __init__(
        self,
        folder: Path,
        draw: Draw | None = None,
        game: Game = GAME,
        open_camera: Callable[[], Camera] | None = None,
    ) -> None:
        self.folder, self.clock, factory, wiring = folder, Clock(), mock_factory(), load()
        self.journal, match = store.start(folder, game, NAMES, 0.0, OPTIONS if game is GAME else {})
        self.app = RunningTable(
            self.journal, match, self._room, clocks=Clocks(lambda: self.clock.now, self.clock),
            panel=PanelSetup(lambda: Panel(wiring, factory, self.clock)),
            camera=None if open_camera is None else CameraSetup(open_camera), draw=draw,
        )  # fmt: skip
        self.room, self.votes = self.app.room, self.app.votes
        self.tokens = [self.room.claim(seat) for seat in range(3)]
        for seat in range(3):
            self.room.accept(seat, tell=False)
        self.fingers = MockFingers(wiring, factory)
        self.app.mailbox.__enter__()

    def _room(self, panel: Wiring | None) -> Room:
        assert panel is not None
        return Room("CODE42", seats=range(3), admission=CONFIRMED, store=self.folder / "seats.json", clock=self.clock)

    def hold(self, button: str, seconds: float) -> None:
        """Hold a button down for a time and release it, advancing the clock and the panel loop."""
        for move, length in ((self.fingers.press, seconds), (self.fingers.release, 0.1)):
            move(button)
            end = self.clock.now + length
            while (step := self.app.panel.turn()) and self.clock.now + step <= end:
                self.clock.now += step + 1e-6
            self.clock.now = end
            self.app.panel.turn()

    def end(self) -> None:
        assert self.app.mailbox.decide(EventKind.END, {}, id="the-end-of-it").ok

    def close(self) -> None:
        self.app.mailbox.__exit__(None, None, None)
        self.journal.close()
        self.app.panel.panel.close()


def post(phone: FlaskClient, path: str, **data: Any) -> tuple[int, dict[str, Any]]:
    """Send a request as a page of the table does, and return the status and the JSON answer."""
    answer = phone.post(path, json=data, base_url=BASE, headers={"Origin": BASE})
    return answer.status_code, answer.json or {}
