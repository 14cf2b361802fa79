"""What tests of photographs ask of a table and of phones."""

from __future__ import annotations

import json
from typing import Any

from doubles.fake_photo_reader import FakePhotoReader, Sight, send
from doubles.pages import Pages, Phone
from tabletop.rules.game import Illegal, Position
from tabletop.rules.layout import Layout
from tabletop.web.games import ui_of

CARDS = ["C2a", "G7c", "N4b", "R5a"]


def due(pages: Pages) -> int:
    """Return the seat whose turn it is."""
    position = pages.mailbox.snapshot.position
    return ui_of(position.game).concerned(position)


def on(pages: Pages) -> str:
    return str(pages.mailbox.snapshot.number)


def looked_at(pages: Pages, phone: Phone, reader: FakePhotoReader, layout: dict[str, Any], **more: Any) -> str:
    """Return the path of the page about a photograph of these zones."""
    reader.sight = Sight(layout=Layout(layout), **more)
    return str(send(phone, "table").headers["Location"])


def exchanged(position: Position, one: str, other: str) -> Position | None:
    """Return the position in which two pieces have swapped places, or None if it is not valid."""
    data = position.to_json()
    agreed = {"edition": data["edition"]} if "edition" in data else {}
    text = json.dumps(data)
    for old, new in ((one, "?"), (other, one), ("?", other)):
        text = text.replace(f'"{old}"', f'"{new}"')
    try:
        return position.game.load({**json.loads(text), **agreed})
    except Illegal:
        return None
