"""A message that is kept in a file can be rendered in another language when it is read again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tabletop.messages import Message, PieceRef, SeatRef, render, stored
from tests.messages.samples import SAMPLES, German, show


@pytest.mark.parametrize(("message", "english", "german"), [one for one in SAMPLES if ":." not in one[0].template])
def test_a_stored_message_renders_as_before(message: Message, english: str, german: str) -> None:
    """Template, plural and facts survive being stored and read."""
    again = stored.from_data(json.loads(json.dumps(stored.to_data(message))))
    assert again == english
    assert render(again, German(), show) == german


def test_a_plain_text_of_an_older_version_stays_as_it_is() -> None:
    """A message stored as plain English by an older version is shown as it is."""
    assert render(stored.from_data("a tile"), German()) == "a tile"


@pytest.mark.parametrize(
    "data",
    [
        None, 7, [], {}, "x" * 401, {"template": "x"},
        {"template": "{a}", "many": "", "number": 1, "facts": {}},
        {"template": "{a.__class__}", "many": "", "number": 1, "facts": {"a": 1}},
        {"template": "{a:999999999}", "many": "", "number": 1, "facts": {"a": 1}},
        {"template": "{a", "many": "", "number": 1, "facts": {"a": 1}},
        {"template": "{a}", "many": "", "number": 1, "facts": {"a": None}},
    ],
)  # fmt: skip
def test_data_that_is_not_a_message_is_refused(data: Any) -> None:
    """Stored data that is not a message is refused with ValueError: a file from outside may hold anything."""
    with pytest.raises(ValueError, match=r"message"):
        stored.from_data(data)


def test_deeply_nested_messages_are_refused() -> None:
    """Messages nested too deeply in a file are refused instead of being followed without end."""
    data: Any = "x"
    for _ in range(1000):
        data = {"template": "{a}", "many": "", "number": 1, "facts": {"a": data}}
    with pytest.raises(ValueError, match="message"):
        stored.from_data(data)


def test_seats_and_pieces_keep_their_types() -> None:
    """A stored seat or piece is read back as one, so that the page renders it."""
    facts = stored.from_data(stored.to_data(Message("{a}{b}", a=SeatRef(1, "Ben"), b=PieceRef("B1.1")))).facts
    assert (type(facts["a"]), facts["a"].name, type(facts["b"])) == (SeatRef, "Ben", PieceRef)
