"""Whatever parts a table loses, one or two at a time, its pages say what is wrong, and it recovers each of them."""

from __future__ import annotations

import html
import itertools
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from doubles.clock import PATIENCE
from tabletop.hardware.cameras.camera import Camera
from tabletop.hardware.errors import CameraLost, PinsError
from tabletop.hardware.panel.gpio import Panel
from tabletop.hardware.panel.loop import RETRY_INTERVAL_S
from tabletop.hardware.panel.panel_file import load
from tabletop.hardware.panel.pin_factories import mock_factory
from tabletop.match import store
from tabletop.match.errors import write_trouble
from tabletop.match.event import EventKind
from tabletop.messages import Message
from tabletop.rules.palazzo import GAME
from tabletop.runtime import network
from tabletop.runtime.panel_actions import admission_at
from tabletop.runtime.running_table import CameraSetup, Clocks, PanelSetup, RunningTable
from tabletop.vision.frame import Frame
from tabletop.web.seating.room import Room
from tests.end_to_end.mock_table import BASE

SAID = {
    "pins": "The game continues on the pages, without buttons and lights.",
    "camera": "The camera gives no picture.",
    "network": "The table has no network yet.",
    "disk": "The record of the game could not be written: disk full.",
}
"""Lost part → the words on the table's page that report it."""
FULL = write_trouble(Path("games"), OSError("disk full"))
LOSSES = [*itertools.combinations(SAID, 1), *itertools.combinations(SAID, 2)]


class GreyCamera:
    """A camera whose every frame is uniformly grey."""

    name = about = "grey"

    def capture(self, after: float, timeout: float) -> Frame:
        return Frame(np.full((720, 1280), 128, np.uint8), np.full((360, 640), 128, np.uint8), after + 1e-3, 1)

    def close(self) -> None:
        """Do nothing: it holds no device."""


class Machine:
    """A machine that serves a table and can lose parts of itself, whose names are in ``lost``."""

    def __init__(self, folder: Path, lost: tuple[str, ...]) -> None:
        self.lost, self._ahead, self._pins = set(lost), 0.0, mock_factory()
        journal, match = store.start(folder, GAME, ["Ann", "Bob"], 0.0)
        append = journal.append
        journal.append = lambda facts: self._write(append, facts)  # type: ignore[method-assign]
        journal.refusal = lambda: FULL if "disk" in self.lost else None  # type: ignore[method-assign]
        self.table = RunningTable(
            journal, match, lambda panel: Room("CODE42", seats=range(2), admission=admission_at(panel)),
            clocks=Clocks(time.time, lambda: time.monotonic() + self._ahead),
            panel=PanelSetup(self._panel), camera=CameraSetup(self._camera, rate=50.0),
        )  # fmt: skip
        addresses = network.addresses_of(
            "0.0.0.0", [], 8000, lambda: "127.0.0.1" if "network" in self.lost else "192.168.1.20"
        )
        self._phone: FlaskClient = self.table.pages(addresses).test_client()

    def _panel(self) -> Panel:
        if "pins" in self.lost:
            raise PinsError(Message("No GPIO chip has the header."), Message("Name it."))
        return Panel(load(), self._pins, time.monotonic)

    def _camera(self) -> Camera:
        if "camera" in self.lost:
            raise CameraLost("opencv:0", "The camera {camera} is not there.")
        return GreyCamera()

    def _write(self, append: Callable[[Any], Any], facts: Any) -> Any:
        if "disk" in self.lost:
            raise FULL
        return append(facts)

    def all_come_back(self) -> None:
        """Give back everything that was lost, and let the time pass after which it is tried again."""
        self.lost.clear()
        self._ahead += 2 * RETRY_INTERVAL_S
        self.table.panel.wake()

    def act(self, kind: EventKind) -> bool:
        """Pause or resume the game as its host; return whether the journal recorded it."""
        return self.table.mailbox.decide(kind, {}, id=f"{kind}{self.table.mailbox.snapshot.revision}").ok

    def page(self) -> str:
        """Return the text of the table's page, without its markup."""
        answer = self._phone.get("/", base_url=BASE)
        assert answer.status_code == 200
        return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", answer.text)).split())

    def says(self, wanted: set[str]) -> None:
        """Wait until the losses that the page reports are exactly these."""
        end = time.monotonic() + PATIENCE
        revision = -1
        while (told := {one for one, words in SAID.items() if words in self.page()}) != wanted:
            assert time.monotonic() < end, (wanted, told, self.page())
            # This waits for the next snapshot, at most half a second.
            news = self.table.mailbox.wait(revision, 0.5)
            revision = news.revision if news is not None else revision


@pytest.fixture
def machine(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Machine]:
    machine = Machine(tmp_path, request.param)
    with machine.table:
        yield machine


@pytest.mark.parametrize("machine", LOSSES, ids="+".join, indirect=True)
def test_a_table_that_lost_something_serves_its_pages_and_says_what(machine: Machine) -> None:
    """Only what was lost is reported, nothing that the disk refused is acknowledged, and everything recovers."""
    lost = set(machine.lost)
    machine.says(lost)
    assert machine.act(EventKind.PAUSE) is ("disk" not in lost)
    machine.says(lost)
    machine.all_come_back()
    if "disk" in lost:
        assert machine.act(EventKind.PAUSE)
    assert machine.act(EventKind.RESUME)
    machine.says(set())
