"""Messages as plain data, for files that may be read again in another language."""

from __future__ import annotations

import re
from typing import Any

from tabletop.messages.message import Message, PieceRef, SeatRef, foreign

MAX_TEXT_LENGTH = 400
"""The longest template, or text among the facts, in characters; no sentence of ours is longer."""
MAX_DEPTH = 4
"""How deeply messages may be nested."""
TEMPLATE_PATTERN = re.compile(r"(?:[^{}]|\{\{|\}\}|\{[a-z_]\w*\})*")
"""A template whose gaps contain only names."""


def to_data(text: str) -> Any:
    """Return a message as plain data; any other text is its own data."""
    if not isinstance(text, Message):
        return str(text)
    facts = {key: _fact(fact) for key, fact in text.facts.items() if not (text.many and key == "count")}
    return {"template": text.template, "many": text.many, "number": text.number, "facts": facts}


def from_data(data: Any) -> Message:
    """Return the message of plain data.  Raises ValueError if the data are not a message."""
    return _message(data, MAX_DEPTH)


def _fact(fact: Any) -> Any:
    if isinstance(fact, tuple):
        return {"items": [_fact(part) for part in fact]}
    if isinstance(fact, SeatRef):
        return {"seat": int(fact), "name": fact.name}
    if isinstance(fact, PieceRef):
        return {"piece": str(fact)}
    return to_data(fact) if isinstance(fact, str) else fact


def _message(data: Any, levels: int) -> Message:
    if isinstance(data, str) and len(data) <= MAX_TEXT_LENGTH:
        return foreign(data)
    match data:
        case {"template": str(one), "many": str(many), "number": int(number), "facts": dict(facts)} if levels and all(
            len(text) <= MAX_TEXT_LENGTH and TEMPLATE_PATTERN.fullmatch(text) for text in (one, many)
        ):
            known = {str(key): _read_fact(fact, levels - 1) for key, fact in facts.items()}
            try:
                return Message.plural(one, many, number, **known) if many else Message(one, **known)
            except (KeyError, TypeError) as error:
                raise ValueError(f"the message lacks {error}") from error
    raise ValueError("this is not a message")


def _read_fact(data: Any, levels: int) -> Any:
    match data:
        case {"items": list(items)} if levels:
            return tuple(_read_fact(item, levels - 1) for item in items)
        case {"seat": int(seat), "name": str(name)}:
            return SeatRef(seat, name)
        case {"piece": str(piece)}:
            return PieceRef(piece)
        case str() | int() | float():
            return data
    return _message(data, levels)
