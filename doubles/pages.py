"""The pages of a table in memory, and the phones that open them."""

from __future__ import annotations

import itertools
from types import CodeType
from typing import Any

from flask.testing import FlaskClient
from jinja2.bccache import Bucket, BytecodeCache
from werkzeug.routing import Rule

from doubles.memory_table import MemoryTable
from tabletop.web.app import PageLimits, create_app
from tabletop.web.pages import session
from tabletop.web.seating.room import Room

HOST = "http://192.168.1.20:8000"
CODE = "K7MPX2"
HOST_CODE = "HOST42"
ONE_HOUSE = PageLimits(per_address=400)
"""Limits for tests, in which all phones have one address."""


class CompiledTemplates(BytecodeCache):
    """Caches compiled templates, so that a worker compiles each of them once and not for each test."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._kept.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._kept[bucket.key, bucket.checksum] = bucket.code


COMPILED = CompiledTemplates()


def keep_compiled_routes() -> None:
    """Cache the compiled address builders of routes, so that a worker compiles each once and not for each test."""
    compiled: Any = Rule._compile_builder
    kept: dict[Any, Any] = {}

    def compile_builder(rule: Rule, append_unknown: bool = True) -> Any:
        key = (rule.rule, repr(rule.defaults), append_unknown)
        if key not in kept:
            kept[key] = compiled(rule, append_unknown)
        return kept[key]

    Rule._compile_builder = compile_builder  # type: ignore[assignment,method-assign]


keep_compiled_routes()


class Pages:
    """The pages of one table, and phones that open them."""

    def __init__(self, mailbox: MemoryTable, limits: PageLimits = ONE_HOUSE, **more: Any) -> None:
        self.mailbox = mailbox
        self.now = 1000.0
        numbers = itertools.count()
        room = {"seats": range(len(mailbox.snapshot.position.names)), **more.pop("room", {})}
        self.room = Room(CODE, host_code=HOST_CODE, token=lambda: f"token-{next(numbers):040d}", **room)
        self.presses: list[str] = []
        usual = {
            "press": lambda button, held: self.presses.append(f"{button} held" if held else button),
            "picture": lambda: b"\xff\xd8picture",
            "addresses": [HOST, "http://table.local:8000"],
        }
        parts = session.TableParts(mailbox=mailbox, room=self.room, **{**usual, **more})
        self.app = create_app(parts, limits, clock=lambda: self.now)
        self.app.jinja_env.bytecode_cache = COMPILED

    def phone(self, seat: int | None = None, *, host: bool = False) -> Phone:
        """Return a browser, on request one that holds a seat or is the host."""
        phone = Phone(self.app.test_client())
        if seat is not None:
            phone.client.set_cookie("seat", self.room.claim(seat), domain="192.168.1.20")
        if host:
            token = self.room.hosts.admit(HOST_CODE)
            assert token
            phone.client.set_cookie("host", token, domain="192.168.1.20")
        return phone

    def close(self) -> None:
        self.app.extensions[session.EXTENSION_KEY].hub.close()


def decider(pages: Pages) -> int:
    """Return the seat that decides."""
    seat = pages.mailbox.snapshot.position.decider
    assert seat is not None
    return seat


class Phone:
    """One browser at the table's numeric address."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.sent = 0

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(path, base_url=HOST, headers=headers)

    def post(self, path: str, data: Any, *, address: str = "", **headers: str) -> Any:
        own, more = {"Origin": HOST, **headers}, {"REMOTE_ADDR": address} if address else {}
        return self.client.post(path, json=data, base_url=HOST, headers=own, environ_overrides=more)

    def act(self, action: dict[str, Any], on: int, id: str = "") -> Any:
        self.sent += 1
        return self.post("/seat/act", {"action": action, "on": on, "id": id or f"request-{self.sent:04d}"})
