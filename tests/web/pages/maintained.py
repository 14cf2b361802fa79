"""The pages of a table without a game, for tests."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from typing import Any

from werkzeug.test import TestResponse

from doubles.pages import HOST, HOST_CODE, Phone
from tabletop.config import Config
from tabletop.hardware.panel.panel_file import load as wiring
from tabletop.messages import EMPTY, Message
from tabletop.rules import registry
from tabletop.setup.wizard import SetupWizard
from tabletop.web.pages.health import HealthActions
from tabletop.web.pages.safe_mode import create_maintenance_app
from tabletop.web.seating.room import Room

CHECKS = [
    {
        "check": "disk",
        "state": "ok",
        "fact": Message("{bind} port {port} is free", bind="::", port=80),
        "fix": EMPTY,
    },
    {
        "check": "power",
        "state": "warning",
        "fact": Message("At this moment: {troubles}.", troubles=(Message("throttled"),)),
        "fix": Message("Free some space."),
    },
    {"check": "camera", "state": "fault", "fact": Message("It is <not> there."), "fix": Message("Reseat the cable.")},
]


class Bench:
    """The pages of a table in safe mode, without a game."""

    def __init__(self, folder: Path, why: str = "", *, leaves: bool = True) -> None:
        self.left, self.leaving = 0, threading.Event()
        self.wanted: list[bool] = []
        self.checks: list[dict[str, Any]] = CHECKS
        self.wizard = SetupWizard(Config(), folder / "table.toml", wiring())
        self.picture: bytes | None = None
        self.room = Room("K7MPX2", seats=(), host_code=HOST_CODE)
        self.app = app = create_maintenance_app(
            self.wizard,
            HealthActions(lambda: self.checks, self._report, self._leave if leaves else None),
            room=self.room,
            addresses=[HOST],
            why=why,
            picture=lambda: self.picture,
            games=[registry.game(name) for name in registry.BUILT_IN],
        )
        self.guest = Phone(app.test_client())
        self.host = Phone(app.test_client())
        token = self.room.hosts.admit(HOST_CODE)
        assert token
        self.host.client.set_cookie("host", token, domain="192.168.1.20")

    def _report(self, pictures: bool) -> bytes:
        self.wanted.append(pictures)
        return b"PK report"

    def _leave(self) -> None:
        self.left += 1
        self.leaving.set()

    def do(self, what: str, **more: Any) -> TestResponse:
        answer: TestResponse = self.host.post("/setup/do", {"what": what, **more})
        return answer

    def press(self, **what: str) -> None:
        """Press the button of the current step whose data contain these."""
        sent = map(json.loads, re.findall(r"data-json='(.+?)'", self.host.get("/setup/step").text))
        assert self.do(**next(data for data in sent if what.items() <= data.items())).status_code == 200

    def step(self) -> str:
        return " ".join(re.sub(r"<[^>]+>", " ", self.host.get("/setup/step").text).split())
