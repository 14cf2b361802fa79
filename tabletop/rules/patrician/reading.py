"""From data to an action: keys, types, and the names of cards, cities and sites are checked here, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tabletop.rules.game import Illegal, Json
from tabletop.rules.patrician.actions import FLOOR, MOVE, PLAY, REVEAL, SKIP, TAKE, Deal, Move, PatricianAction
from tabletop.rules.patrician.components import CITY_OF, NUMBER, SITES

LONGEST = 60
"""More cards than this no action names."""


def bad(message: str) -> Illegal:
    """Return the refusal of a malformed action."""
    return Illegal("bad-request", message)


def _known(card: Json, key: str) -> str:
    if not isinstance(card, str):
        raise bad(f"{key} must be the name of a card.")
    if card not in CITY_OF:
        name = card if len(card) <= 20 else card[:17] + "..."
        raise Illegal("unknown-piece", f"There is no card {name!r} in this game.", "Components", {"piece": name})
    return card


def _card(data: Mapping[str, Json], key: str) -> str:
    if key not in data:
        raise bad(f"The action needs the key {key}.")
    return _known(data[key], key)


def _one_of(data: Mapping[str, Json], key: str, names: Mapping[str, int]) -> int:
    name = data.get(key)
    if not isinstance(name, str) or name not in names:
        raise bad(f"{key} must be one of {', '.join(names)}.")
    return names[name]


def _deal(data: Mapping[str, Json]) -> Deal:
    if type(data.get("seat")) is not int:
        raise bad("deal needs the seat as a whole number from 0.")
    cards = data.get("cards")
    if not isinstance(cards, list) or len(cards) > LONGEST:
        raise bad(f"cards must be a list of at most {LONGEST} cards.")
    return Deal(data["seat"], tuple(sorted(_known(card, "cards") for card in cards)))


def _move(data: Mapping[str, Json]) -> Move:
    return MOVE[2 * _one_of(data, "city", NUMBER) + _one_of(data, "from", _SITE)]


_SITE = {site: number for number, site in enumerate(SITES)}

READERS: Mapping[str, Callable[[Mapping[str, Json]], PatricianAction]] = {
    "deal": _deal,
    "reveal": lambda data: REVEAL[_card(data, "piece")],
    "play": lambda data: PLAY[_card(data, "card")],
    "floor": lambda data: FLOOR[_one_of(data, "site", _SITE)],
    "move": _move,
    "skip": lambda _: SKIP,
    "take": lambda data: TAKE[_card(data, "card")],
}


def action(data: Json) -> PatricianAction:
    """Return the action; raises Illegal (``unknown-action``, ``bad-request``, ``unknown-piece``)."""
    if not isinstance(data, dict):
        raise bad("An action must be an object.")
    kind = data.get("do")
    if not isinstance(kind, str):
        raise bad("An action needs the key do.")
    if kind not in READERS:
        raise Illegal("unknown-action", f"There is no action {kind[:20]!r} in this game.", "A turn")
    return READERS[kind](data)
