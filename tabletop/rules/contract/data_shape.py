"""Contract checks of a game's data: it has the shape that pages need, and ``load`` refuses malformed data."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence

from tabletop.rules.game import Action, Game, Illegal, Json, Position

WRONG_VALUES: Sequence[Json] = (None, True, 1.5, "", "?", -1, [], {}, [[]])
"""Values that replace each value of an action or a position in turn."""
HOSTILE_VALUES: Sequence[Json] = (*WRONG_VALUES, 10**30, float("inf"), "\ud800")
"""The same for a position, with a huge number, an infinite one and a lone surrogate."""
LEFT_OUT: Json = object()
"""Stands for a value that is left out."""
MAX_SPOILT_PLACES = 30
"""The most places of a position that are spoilt, one at a time."""
TAG_PATTERN = re.compile(r"[A-Z]{2}")
PIECE_PATTERN = re.compile(r"[A-Z0-9.]{1,6}")
"""A piece's id in capitals; with the game's letters and a set's letter it just fits on a tag."""
MARKER = "TT"
"""The letters of table markers."""


class ContractBroken(AssertionError):
    """A promise that a game does not keep: ``promise`` names it, ``fact`` is what was found."""

    def __init__(self, promise: str, fact: str) -> None:
        super().__init__(f"{promise}: {fact}")
        self.promise = promise
        self.fact = fact


def check_tags(game: Game) -> None:
    """The game's letters and its pieces' ids can be printed as tags, and no two pieces share a tag."""
    if not TAG_PATTERN.fullmatch(game.tag) or game.tag == MARKER:
        raise ContractBroken("tags", f"{game.tag!r} is not two capital letters other than {MARKER}")
    for key, piece in game.pieces.items():
        if piece.id != key or not PIECE_PATTERN.fullmatch(key.upper()):
            raise ContractBroken("tags", f"{key!r} is not an id of at most six letters, digits and dots")
    if len({key.upper() for key in game.pieces}) < len(game.pieces):
        raise ContractBroken("tags", "two pieces differ by capital letters alone")


def check_shape(position: Position) -> None:
    """A position contains what pages and records need from any game, in the promised types."""
    seats, data = len(position.names), position.to_json()
    for seat in (position.active, position.decider):
        if seat is not None and (type(seat) is not int or not 0 <= seat < seats):
            raise ContractBroken("shape", f"{seat!r} is active or decides, and is not a seat")
    if data.get("game") != position.game.name or not _is_plain(data):
        raise ContractBroken("shape", "to_json is not plain data that names its game")
    if data.get("turn") != {"phase": position.phase, "seat": position.decider}:
        raise ContractBroken("shape", "to_json does not tell the turn: its phase and who decides")
    if not isinstance(data.get("options"), dict) or set(data["options"]) != set(position.game.options):
        raise ContractBroken("shape", "to_json must list exactly the game's options")
    for seat in (None, *range(seats)):
        if not _is_plain(dict(position.view(seat))):
            raise ContractBroken("shape", "a view is not plain data")
    scores = position.score()
    if len(scores) != seats or not all(type(score.points) is int and type(score.rank) is int for score in scores):
        raise ContractBroken("shape", "score does not give each seat its points and its rank")
    if not all(_is_plain(dict(part)) for score in scores for part in score.parts):
        raise ContractBroken("shape", "a part of the score is not plain data")


def check_action_shape(game: Game, action: Action) -> None:
    """An action's data names its kind; its notation is one line."""
    data = action.to_json()
    if data.get("do") != action.do or not _is_plain(data):
        raise ContractBroken("shape", f"{action} does not name its kind in plain data")
    if len(game.format(action).splitlines()) != 1:
        raise ContractBroken("shape", f"the notation of {action} is not one line")


def check_hostile_data(position: Position, rng: random.Random) -> None:
    """Data with an arbitrary value in any place is either refused as ``bad-position`` or is an ordinary position."""
    for spoilt in _spoilt(position.to_json(), rng):
        try:
            loaded = position.game.load(spoilt)
        except Illegal as refusal:
            if refusal.code != "bad-position" or not refusal.message.strip():
                raise ContractBroken("hostile data", f"it is refused with {refusal.code}, not bad-position") from None
            continue
        except Exception as error:
            raise ContractBroken("hostile data", f"load raises {error!r}") from error
        try:
            check_shape(loaded)
            json.dumps(loaded.to_json(), ensure_ascii=False).encode()
            fits = loaded.game.load(loaded.to_json()) == loaded and bool(loaded.legal) != loaded.over
            loaded.layout()
        except Exception as error:
            raise ContractBroken("hostile data", f"load takes what is not a position: {error!r}") from error
        if not fits:
            raise ContractBroken("hostile data", "load takes a position that cannot be played or written")


def _spoilt(data: Json, rng: random.Random) -> Iterator[Json]:
    """Yield the data with one value replaced or left out, at a sample of its places; then other types of data."""
    paths = list(_paths(data))
    for path in rng.sample(paths, min(MAX_SPOILT_PLACES, len(paths))):
        for value in (*HOSTILE_VALUES, LEFT_OUT):
            yield _replaced(data, path, value)
    yield from HOSTILE_VALUES


def _replaced(data: Json, path: tuple[Json, ...], value: Json) -> Json:
    """Return a copy of the data with the value at a path replaced or left out; parts off the path are shared."""
    key, *rest = path
    changed = data.copy()
    if rest:
        changed[key] = _replaced(data[key], tuple(rest), value)
    elif value is LEFT_OUT:
        del changed[key]
    else:
        changed[key] = value
    return changed


def _paths(data: Json, path: tuple[Json, ...] = ()) -> Iterator[tuple[Json, ...]]:
    """Yield the path to every value in the data."""
    inside = data.items() if isinstance(data, Mapping) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        yield (*path, key)
        yield from _paths(value, (*path, key))


def _is_plain(data: Json) -> bool:
    """Return whether data survives a round trip through JSON: no tuples, only strings as keys."""
    try:
        return bool(json.loads(json.dumps(data)) == data)
    except (TypeError, ValueError):
        return False
