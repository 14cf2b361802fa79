"""A fake reader of photographs that returns what a test sets; and helpers that send photographs through the pages."""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from doubles.pages import HOST, Phone
from tabletop.messages import Message
from tabletop.rules import registry
from tabletop.rules.game import Game
from tabletop.rules.layout import Layout
from tabletop.web.views.photo_queue import UnreadablePhoto

PICTURE = b"\xff\xd8drawn"


@dataclass
class Sight:
    """What the fake reader finds in a photograph."""

    pieces: Sequence[str] = ()
    doubts: Sequence[tuple[int, str]] = ()
    layout: Layout = field(default_factory=lambda: Layout({}))
    unsure: frozenset[str] = frozenset()
    score: Mapping[str, Any] | None = None
    named: frozenset[int] = frozenset()
    carriers: frozenset[str] = frozenset()
    shots: Sequence[Any] = ("shot",)
    pictures: Sequence[tuple[int, bytes]] = ((0, PICTURE),)


def scored(*columns: list[str], sure: bool = True) -> dict[str, Any]:
    """Return the output of `tabletop score` for seats with one palazzo each."""
    return {
        "sound": sure,
        "seats": [
            {
                "seat": number, "points": 5, "sure": sure, "pictures": [0], "parts": [],
                "palazzi": [{"tiles": column, "points": 5, "faults": []}],
            }
            for number, column in enumerate(columns)
        ],
        "unread": [] if sure else [{"picture": 0, "reason": "glare", "message": "Light is mirrored here."}],
        "notes": [],
    }  # fmt: skip


class FakePhotoReader:
    """Returns ``sight`` for every photograph; ``asked`` lists the requests that it got.

    ``bearing`` are the pieces of any game on which one without a tag can stand, ``called`` the names that the last
    pictures were to show.
    """

    def __init__(self, sight: Sight | None = None) -> None:
        self.sight = sight or Sight()
        self.bearing: Collection[str] = ()
        self.called: Mapping[str, str] = {}
        self.asked: list[tuple[Any, ...]] = []
        self.kept: list[tuple[str, list[str], Mapping[str, Any]]] = []

    def open(self) -> None:
        self.asked.append(("open",))

    def pieces(self, data: bytes) -> Sight:
        return self._look("pieces", data)

    def table(self, data: bytes) -> Sight:
        return self._look("table", data)

    def scored(self) -> Sequence[Game]:
        return [registry.game(name) for name in registry.BUILT_IN]

    def score(
        self, data: bytes, game: str, agreed: Mapping[str, Any], before: Sequence[Any], called: Mapping[str, str]
    ) -> Sight:
        self.called = called
        return self._look("score", data, game, agreed, tuple(before))

    def score_again(
        self, game: str, agreed: Mapping[str, Any], shots: Sequence[Any], called: Mapping[str, str]
    ) -> Sight:
        self.called = called
        return self._look("score_again", b"", game, agreed, tuple(shots))

    def carriers(self, game: str) -> Collection[str]:
        return self.bearing

    def keep(self, game: str, names: Sequence[str], score: Mapping[str, Any]) -> str:
        self.kept.append((game, list(names), score))
        return "kept"

    def _look(self, what: str, data: bytes, *more: Any) -> Sight:
        if data == b"bad":
            raise UnreadablePhoto(Message("the file is empty."))
        self.asked.append((what, data, *more))
        return self.sight


def send(phone: Phone, purpose: str, data: bytes = b"a photograph", *, script: bool = False, **fields: str) -> Any:
    """Send a photograph as the form of a page does, or with ``script`` as its script does."""
    path = purpose if purpose.startswith("/") else f"/photo/{purpose}"
    form = {"photo": (io.BytesIO(data), "IMG_0001.jpg"), **fields}
    accept = "*/*" if script else "text/html,application/xhtml+xml,*/*;q=0.8"
    return phone.client.post(path, data=form, base_url=HOST, headers={"Origin": HOST, "Accept": accept})


def confirm(phone: Phone, path: str, **fields: Any) -> Any:
    """Submit the form of a page that shows what was understood."""
    fields = {name.replace("__", "[]"): value for name, value in fields.items()}
    return phone.client.post(path, data=fields, base_url=HOST, headers={"Origin": HOST, "Accept": "text/html"})
