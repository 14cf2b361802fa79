"""A position as one line of text: the protocol's data in a shorter form.

``game=lantern seats=[(name=Ada hand=[L1 L2]) (name=Ben hand=[])] turn=1 drawn=null``: an object is a sequence of
``key=value`` in parentheses (the outermost has none); a list stands in brackets; a text is quoted as in JSON unless it
is a plain word.  Options and an edition that are a new game's defaults are left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from tabletop.messages import Message
from tabletop.rules.game import Game, Illegal, Json, Position

MAX_POSITION_LENGTH = 50_000
"""The longest line that is read, in characters; the positions of this project's games have a tenth of that."""
MAX_DEPTH = 12
"""How deeply objects and lists may be nested; deeper ones are refused."""

_CONSTANTS: Mapping[str, Json] = {"true": True, "false": False, "null": None}
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,14})", re.ASCII)
_PLAIN = re.compile(r"[A-Za-z0-9_.-]+", re.ASCII)
_TOKEN = re.compile(r'[()=\[\]]|"(?:[^"\\]|\\.)*"|[A-Za-z0-9_.-]+')


def format_position(position: Position) -> str:
    """Return the position as one line; ``parse_position`` is its inverse."""
    data, usual = position.to_json(), {}
    if isinstance(data.get("seats"), list):  # else the line does not tell how many seats a new game would have
        usual = _usual(position.game, len(position.names))
    options, own = usual.get("options", {}), data.get("options", {})
    if isinstance(own, dict):
        own = {name: value for name, value in own.items() if options.get(name) != value}
    shown = {
        key: own if key == "options" else value
        for key, value in data.items()
        if key not in usual or usual[key] != value
    }
    return format_line(shown)


def parse_position(game: Game, text: str) -> Position:
    """Return the position that the line describes.  Raises Illegal (``bad-position``) naming what is wrong."""
    data = parse_line(text)
    seats = data.get("seats")
    if isinstance(seats, list) and len(seats) in game.seat_range:
        usual = _usual(game, len(seats))
        own = data.get("options", {})
        data = usual | data | ({"options": usual.get("options", {}) | own} if isinstance(own, dict) else {})
    return game.load(data)


def _usual(game: Game, seats: int) -> dict[str, Json]:
    """Return the options and the edition of a new game with that many seats."""
    data = game.new(["?"] * seats).to_json()
    return {key: data[key] for key in ("options", "edition") if key in data}


def format_line(data: Mapping[str, Json]) -> str:
    """Return the data as one line; ``parse_line`` is its inverse."""
    return " ".join(f"{_word(key)}={_write(value)}" for key, value in data.items())


def _write(value: Json) -> str:
    if isinstance(value, dict):
        return f"({format_line(value)})"
    if isinstance(value, list | tuple):
        return f"[{' '.join(map(_write, value))}]"
    if isinstance(value, str):
        quoted = value in _CONSTANTS or _NUMBER.fullmatch(value)
        return json.dumps(value) if quoted else _word(value)
    return json.dumps(value)


def _word(text: str) -> str:
    """Return a text unchanged if it is a plain word, else quoted so that it stays on one line."""
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=not text.isprintable())


def parse_line(text: str) -> dict[str, Json]:
    """Return the data that the line describes.  Raises Illegal (``bad-position``) naming the place."""
    if len(text) > MAX_POSITION_LENGTH:
        raise wrong(
            "The line has {number} characters; a position has at most {most}.",
            number=len(text),
            most=MAX_POSITION_LENGTH,
        )
    return _object(_Tokens(text), "", 1)


def wrong(what: str, **facts: Json) -> Illegal:
    """Return the refusal of a line; the facts fill the gaps of the sentence."""
    return Illegal("bad-position", Message(what, **facts))


class _Tokens:
    """The tokens of a line with one token of lookahead; the empty token is the end."""

    def __init__(self, text: str) -> None:
        self._rest = self._split(text)
        self.next, self.at = next(self._rest)

    @staticmethod
    def _split(text: str) -> Iterator[tuple[str, int]]:
        at = 0
        while at < len(text):
            if text[at].isspace():
                at += 1
                continue
            token = _TOKEN.match(text, at)
            if token is None:
                raise wrong(
                    "Character {at} of the line, {found}, is not allowed there.", at=at + 1, found=repr(text[at])
                )
            yield token[0], at
            at = token.end()
        yield "", len(text)

    def take(self) -> str:
        """Return the next token and go on to the one after it."""
        word = self.next
        if word:
            self.next, self.at = next(self._rest)
        return word

    def refuse(self, wanted: str) -> NoReturn:
        """Raise Illegal, naming the next token and what was expected instead."""
        at, word = self.at + 1, repr(self.next[:20])
        if not self.next:
            raise wrong("The line ends at character {at}, where {wanted} is expected.", at=at, wanted=wanted)
        raise wrong("At character {at} of the line, {wanted} is expected, not {word}.", at=at, wanted=wanted, word=word)


def _object(tokens: _Tokens, end: str, depth: int) -> dict[str, Json]:
    data: dict[str, Json] = {}
    while tokens.next != end:
        if not tokens.next or tokens.next in "()[]=":
            tokens.refuse(Message("a key"))
        key = _text(tokens.take())
        if key in data:
            raise wrong("The key {key} appears twice in one object.", key=repr(key[:40]))
        if tokens.next != "=":
            tokens.refuse(Message("an = after the key"))
        tokens.take()
        data[key] = _value(tokens, depth)
    return data


def _value(tokens: _Tokens, depth: int) -> Json:
    if depth > MAX_DEPTH:
        raise wrong("Objects and lists are nested more than {most} deep.", most=MAX_DEPTH)
    word = tokens.next
    if word == "(":
        tokens.take()
        found: Any = _object(tokens, ")", depth + 1)
        tokens.take()
        return found
    if word == "[":
        tokens.take()
        found = []
        while tokens.next != "]":
            found.append(_value(tokens, depth + 1))
        tokens.take()
        return found
    if not word or word in ")]=":
        tokens.refuse(Message("a value"))
    tokens.take()
    if word in _CONSTANTS:
        return _CONSTANTS[word]
    return int(word) if _NUMBER.fullmatch(word) else _text(word)


def _text(word: str) -> str:
    """Return the text of a word or of a quoted text."""
    if not word.startswith('"'):
        return word
    try:
        text: str = json.loads(word)
    except ValueError:
        raise wrong("{word} is not a text as JSON quotes it.", word=word[:40]) from None
    return text
