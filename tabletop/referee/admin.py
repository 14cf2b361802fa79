"""Which decisions about the game the host and the seats may make, and whether one changes anything."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.match.event import EventKind, Source
from tabletop.match.event_checks import EVENT_CHECKS
from tabletop.match.match import Match
from tabletop.messages import Declined, Message
from tabletop.referee.messages import SENTENCES, seat_of
from tabletop.referee.snapshot import Answer
from tabletop.rules.game import Position
from tabletop.rules.secrecy import secret_zones
from tabletop.rules.validate import unfit

log = logging.getLogger(__name__)

DECISION_KINDS = frozenset(EVENT_CHECKS)
"""The kinds of event that record a decision and leave the game's position alone."""


def refusal(match: Match, kind: EventKind, data: Mapping[str, Any]) -> Declined | None:
    """Return why a decision of this kind, with this data, is refused now, or None if it is allowed."""
    if kind not in DECISION_KINDS or not EVENT_CHECKS[kind](data, len(match.position.names)):
        return Declined("bad-request", Message("There is no such decision about a game."))
    if kind == EventKind.NAMES and unfit(data["names"]):
        return Declined("bad-request", SENTENCES["unfit-name"])
    if kind == EventKind.SCORE:
        return None if match.over else Declined("wrong-phase", SENTENCES["going-on"])
    return why_over(match) if kind not in (EventKind.NAMES, EventKind.NOTE) else None


def is_news(match: Match, kind: EventKind, data: Mapping[str, Any]) -> bool:
    """Return whether a decision changes anything; names and notes for a game that is over do not."""
    match kind:
        case EventKind.PAUSE | EventKind.RESUME:
            return match.paused == (kind == EventKind.RESUME)
        case EventKind.DEPUTY:
            return frozenset(data["seats"]) != match.deputed
        case EventKind.NAMES:
            return tuple(data["names"]) != match.names and not match.over
        case EventKind.SCORE:
            return data != match.counted
    return not match.over


def require_playing(match: Match) -> None:
    """Raise Declined unless the game is being played: it is not paused, and not over."""
    if refusal := why_halted(match) or why_over(match):
        raise refusal


def why_halted(match: Match) -> Declined | None:
    """Return why nobody can act now (the game was ended, or is paused), None if it is running."""
    if match.ended:
        return why_over(match)
    if match.paused:
        return Declined("paused", SENTENCES["halted"])
    return None


class Secret(Declined):
    """A correction named a secret place, or a piece in one; the refusal does not reveal whether it was right."""

    def __init__(self) -> None:
        super().__init__("bad-request", SENTENCES["secret-place"])


def movable_places(position: Position) -> Mapping[str, Sequence[str]]:
    """Return, for each piece whose place everybody may know, the public places that a correction can name for it."""
    table = position.game.table
    offered = table.places(position) if table is not None else {}
    secret = secret_zones(position) if offered else frozenset()
    lies = position.layout().zone_of()
    return {
        piece: [place for place in places if zone_of(place) not in secret]
        for piece, places in offered.items()
        if lies.get(piece) not in secret
    }


def zone_of(place: str) -> str:
    """Return the zone of a place; the rest of the place says where within the zone it is."""
    return place.partition("/")[0]


def adopted_position(match: Match, places: Mapping[str, str]) -> Position:
    """Return the position in which the pieces lie in these places.

    Raises Declined if there is no such position; Secret, before any check that depends on where pieces lie, if one of
    them is said to lie in a secret zone or lies in one by the record.
    """
    table = match.game.table
    require_playing(match)
    if table is None or not table.places(match.position):
        raise Declined("bad-request", SENTENCES["no-table"])
    secret, lies = secret_zones(match.position), match.position.layout().zone_of()
    if any(zone_of(place) in secret or lies.get(piece) in secret for piece, place in places.items()):
        raise Secret
    position = table.adopt(match.position, places)
    if position == match.position:
        raise Declined("bad-request", SENTENCES["agrees"])
    return position


def log_adoption(places: Mapping[str, str], source: Source, answer: Answer) -> None:
    """Log who let the table win over the record: refused attempts are not in the journal but should leave a trace."""
    outcome = "done" if answer.ok else "stale" if answer.stale else f"refused: {answer.error}"
    said = ", ".join(f"{piece!a} in {place!a}" for piece, place in places.items())
    level = logging.INFO if answer.ok else logging.WARNING
    log.log(level, "The table was to win over the record (%s): %.500s: %s", source, said, outcome)


def why_over(match: Match) -> Declined | None:
    """Return the refusal for a game that is over, None if it is not over."""
    return Declined("game-over", SENTENCES["over"]) if match.over else None


def not_decider(position: Position) -> Declined:
    """Return the refusal for a seat that is not to decide now: another seat is, or chance."""
    if position.decider is None:
        return Declined("wrong-phase", Message("Chance decides now: turn up what is due first."))
    text = Message("It is {name}’s turn to decide.", name=seat_of(position, position.decider))
    return Declined("not-your-turn", text, facts={"name": position.names[position.decider]})
