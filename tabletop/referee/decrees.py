"""What the host decides about the evening: whether it may be, and whether it says anything new."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.referee.match import FORMS, Match
from tabletop.referee.words import SENTENCES
from tabletop.rules.game import Illegal, Position

DECREES = frozenset(FORMS)
"""The kinds of event that somebody decides without touching the game's position."""


def refusal(match: Match, kind: str, data: Mapping[str, Any]) -> Illegal | None:
    """Return why it cannot be decided now, None where it can."""
    if kind not in DECREES or not FORMS[kind](data, len(match.position.names)):
        return Illegal("bad-request", "That cannot be decided about a game.")
    if kind == "score":
        return None if match.over else Illegal("wrong-phase", SENTENCES["going-on"])
    return over(match) if kind not in ("names", "note") else None


def is_news(match: Match, kind: str, data: Mapping[str, Any]) -> bool:
    """Tell whether it changes anything; what is said of a game after its end does not."""
    match kind:
        case "pause" | "resume":
            return match.paused == (kind == "resume")
        case "deputy":
            return frozenset(data["seats"]) != match.deputed
        case "names":
            return tuple(data["names"]) != match.names and not match.over
        case "score":
            return data != match.counted
    return not match.over


def halted(match: Match) -> Illegal | None:
    """Return why nobody can act now: the game was ended, or is paused."""
    if match.ended:
        return over(match)
    if match.paused:
        return Illegal("paused", SENTENCES["halted"])
    return None


def adopted(match: Match, places: Mapping[str, str]) -> Position:
    """Return the position in which the pieces lie in these places.  Raises Illegal where it cannot be had."""
    table = match.game.table
    if refused := halted(match) or over(match):
        raise refused
    if table is None or not table.places(match.position):
        raise Illegal("bad-request", SENTENCES["no-table"])
    position = table.adopt(match.position, places)
    if position == match.position:
        raise Illegal("bad-request", SENTENCES["agrees"])
    return position


def over(match: Match) -> Illegal | None:
    """Return that the game is over, where it is."""
    return Illegal("game-over", SENTENCES["over"]) if match.over else None
