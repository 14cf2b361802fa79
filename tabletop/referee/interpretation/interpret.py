"""How a still scene is interpreted: as expected, a legal action done, one under way, an earlier position, or wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import takewhile
from typing import NamedTuple

from tabletop.match.match import Act, Match
from tabletop.messages import EMPTY, Message
from tabletop.referee.interpretation.layout_diff import (
    PieceMove,
    completed_layout,
    differences,
    moved_pieces,
    spots,
    without_pieces,
)
from tabletop.rules.game import Action, Illegal, Position
from tabletop.rules.layout import Anywhere, Hidden, Layout
from tabletop.rules.table import Table, Zone, ZoneShape
from tabletop.vision.geometry.zones import marker_poses, zone_at
from tabletop.vision.scene import Point, Scene

BOX_ZONE = "box"
"""The zone in which a layout keeps the pieces that are out of the game."""
MAX_EARLIER_POSITIONS = 12
"""How many earlier positions are compared with a scene before it counts as wrong."""


class AskedAbout(StrEnum):
    """The things that the referee cannot see and asks about before an action counts."""

    TAKEN = "taken"
    """Pieces that lay there and were not seen to be taken: are they still there?"""
    UNREAD = "unread"
    """Something that cannot be read where a seat shows what it holds: does it count?"""
    GONE = "gone"
    """Pieces that leave the game while something cannot be read: are they really gone?"""


class Doubt(NamedTuple):
    """The subject of a question that the referee asks."""

    about: AskedAbout
    pieces: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Interpretation:
    """The meaning of a scene.

    ``acts`` are the actions it shows, each legal after the one before; ``refused`` is why the next one is not legal.
    ``moves`` are pieces that must be moved for the table to agree with the position after the actions; ``waiting`` and
    ``question`` are sentences for players, usually the game's; ``doubt`` is the subject of a question that the referee
    asks itself; ``confirms`` are the buttons that would confirm or answer; ``earlier`` is the number of the earlier
    event whose position the table shows.
    """

    acts: tuple[Act, ...] = ()
    refused: Illegal | None = None
    moves: tuple[PieceMove, ...] = ()
    waiting: Message = EMPTY
    question: Message = EMPTY
    confirms: frozenset[str] = frozenset()
    earlier: int | None = None
    doubt: Doubt | None = None

    def answers(self, before: Interpretation) -> bool:
        """Return whether this reading answers an OK: it shows acts or a refusal, or says something else than before."""
        said = (self.waiting, self.question) != (before.waiting, before.question)
        return bool(self.acts or self.refused or said)


def interpret(
    match: Match, seen: Layout, intent: str | None, confirmed: bool, unseen: frozenset[str] = frozenset()
) -> Interpretation:
    """Return what the seen layout means for the match; ``confirmed`` is True for a scene that answers an OK.

    ``unseen`` are pieces that the camera need not see where the record has them, such as those laid by a page or a
    button and not seen since: not seeing them does not show that they were taken away.
    """
    found = meaning(match.position, seen, intent, confirmed, unseen)
    silent = found.moves and not found.acts and not found.refused
    return replace(found, earlier=_earlier(match, seen)) if silent else found


def meaning(
    position: Position, seen: Layout, intent: str | None, confirmed: bool, unseen: frozenset[str] = frozenset()
) -> Interpretation:
    """Return what the seen layout means for a position; like :func:`interpret`, but without earlier positions."""
    table = position.game.table
    if table is None:
        return Interpretation()
    done: list[Act] = []
    while True:
        reading = table.read(position, completed_layout(position.layout(), seen, unseen), intent, confirmed)
        # The scene lay there before a later act could begin, so it does not confirm one that needs confirmation.
        actions = _unconfirmed(table, reading.actions) if done else reading.actions
        accepted, refused = _follow(position, actions)
        done += accepted
        if refused or not accepted:
            position = accepted[-1].position if accepted else position
            break
        # One scene can show several actions in a row (a card laid, then the next); an OK confirms only the first.
        position, intent, confirmed = accepted[-1].position, None, False
    moves = tuple(
        replace(move, rule=table.rule(move.belongs, move.piece))
        for move in differences(position.layout(), seen)
        if reading.underway.isdisjoint((move.piece, move.lies, move.belongs))
    )
    return Interpretation(tuple(done), refused, moves, reading.waiting, reading.question, reading.confirms)


def interpret_photo(position: Position, zones: Layout) -> Interpretation:
    """Return the meaning of a photograph that shows ``zones`` as a whole; everything else lies as the record says.

    The photograph counts as confirmed unless pieces would leave the game by that: they may lie outside the picture.
    """
    seen = beside_record(position, zones)
    found = meaning(position, seen, None, confirmed=True)
    return meaning(position, seen, None, confirmed=False) if discarded_pieces(position, found.acts) else found


def beside_record(position: Position, zones: Layout) -> Layout:
    """Return the record's open zones, with ``zones`` in place of theirs; a piece seen there lies nowhere else."""
    there = zones.zone_of().keys()
    rest = {
        zone: without_pieces(arrangement, there)
        for zone, arrangement in position.layout().items()
        if zone not in zones and not isinstance(arrangement, Hidden | Anywhere)
    }
    return Layout({**rest, **zones})


def discarded_pieces(position: Position, acts: Sequence[Act]) -> frozenset[str]:
    """Return the pieces that a sequence of acts puts out of the game."""
    return acts[-1].position.layout().pieces(BOX_ZONE) - position.layout().pieces(BOX_ZONE) if acts else frozenset()


def unread_buildings(match: Match, scene: Scene) -> bool:
    """Return whether something unread lies in a zone for building (columns or a grid), not elsewhere."""
    return any(zone.shape in (ZoneShape.COLUMNS, ZoneShape.GRID) for zone, _ in _unread(match, scene))


def unread_shown(match: Match, scene: Scene, past: Sequence[Point] = ()) -> list[tuple[Zone, Point]]:
    """Return zone and place of each unread thing in the zones where the deciding seat shows what it holds.

    ``past`` are places where something was not read before.  What looks like no tag may be a coin in a dark corner.
    """
    table, seat = match.game.table, match.position.decider
    shown = {f"{zone}{seat}" for zone in table.shows.values()} if table is not None else ()
    return [(zone, place) for zone, place in _unread(match, scene, (*past, *scene.spots)) if zone.name in shown]


def zones_at(match: Match, scene: Scene, places: Sequence[Point]) -> list[Zone | None]:
    """Return the zone of the table in which each place lies, None outside all zones."""
    table = match.game.table
    zones = {zone.name: zone for zone in table.zones(len(match.position.names))} if table is not None and places else {}
    poses = marker_poses(scene.sightings, zones.values())
    return [zones.get(zone_at(*place, zones.values(), poses)) for place in places]


def _unread(match: Match, scene: Scene, past: Sequence[Point] = ()) -> list[tuple[Zone, Point]]:
    """Return zone and place of each unread thing that lies in a zone, including those at ``past`` places."""
    places = [*(spot.place for spot in scene.unreadable if not spot.payload), *past]
    zoned = zip(zones_at(match, scene, places), places, strict=True)
    return [(zone, place) for zone, place in zoned if zone is not None]


def _unconfirmed(table: Table, actions: Sequence[Action]) -> Sequence[Action]:
    """Return the actions before the first that counts only once it is confirmed."""
    return [*takewhile(lambda action: action.do not in table.confirmed, actions)]


def _follow(position: Position, actions: Sequence[Action]) -> tuple[list[Act], Illegal | None]:
    """Do the actions while they are legal; return those done, and the refusal of the next one if there was one."""
    accepted: list[Act] = []
    for action in actions:
        try:
            position = position.after(action)
        except Illegal as illegal:
            return accepted, illegal
        accepted.append(Act(action, position))
    return accepted, None


def _earlier(match: Match, seen: Layout) -> int | None:
    """Return the number of the newest earlier event whose position the table shows exactly.

    A piece that was moved since and lies where it belongs now shows that what was done then still stands.
    """
    now, lies = match.position.layout(), spots(seen)
    belongs = spots(now)
    for event, position in reversed(match.steps[-1 - MAX_EARLIER_POSITIONS : -1]):
        layout = position.layout()
        if layout != now and not differences(layout, seen):
            moved = moved_pieces(layout, now) & lies.keys()
            if all(lies[piece] != belongs.get(piece) for piece in moved):
                return event.number
    return None
