"""From data to an action: keys, types, and the names of cards, cities and sites are checked here, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tabletop.rules.actions import Data, Deal, bad, known, many, read, seat, value
from tabletop.rules.game import Json
from tabletop.rules.patrician.actions import FLOOR, MOVE, PLAY, REVEAL, SKIP, TAKE, Move, PatricianAction
from tabletop.rules.patrician.components import CITY_OF, NUMBER, SITES


def _card(data: Data, key: str) -> str:
    return known(value(data, key), key, CITY_OF)


def _one_of(data: Data, key: str, names: Mapping[str, int]) -> int:
    name = data.get(key)
    if not isinstance(name, str) or name not in names:
        raise bad(f"{key} must be one of {', '.join(names)}.")
    return names[name]


def _move(data: Data) -> Move:
    return MOVE[2 * _one_of(data, "city", NUMBER) + _one_of(data, "from", _SITE)]


_SITE = {site: number for number, site in enumerate(SITES)}

READERS: Mapping[str, Callable[[Data], PatricianAction]] = {
    "deal": lambda data: Deal(seat(data), tuple(sorted(many(data, "cards", CITY_OF)))),
    "reveal": lambda data: REVEAL[_card(data, "piece")],
    "play": lambda data: PLAY[_card(data, "card")],
    "floor": lambda data: FLOOR[_one_of(data, "site", _SITE)],
    "move": _move,
    "skip": lambda _: SKIP,
    "take": lambda data: TAKE[_card(data, "card")],
}


def action(data: Json) -> PatricianAction:
    """Return the action; raises Illegal (``unknown-action``, ``bad-request``, ``unknown-piece``)."""
    return read(data, READERS)
