"""The scenes of the stage: before the game, play, something wrong, the end; and what only they show."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NotRequired, TypedDict

from tabletop.match.event import EventKind
from tabletop.referee.snapshot import Snapshot
from tabletop.rules.game import SeatScore
from tabletop.web.games.game_ui import AnyUI, Names
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import ngettext
from tabletop.web.seating.room import Room
from tabletop.web.views.prompts import asks_for_moves
from tabletop.web.views.score_chart import level
from tabletop.web.views.table_map import TableMap, table_map

Check = tuple[bool, str]
"""One thing before the game: whether it is done, and what it is."""


class StageFacts(TypedDict):
    """Facts for the stage besides the board.

    Before the game these are a ``checklist`` and the ``expected`` seats, which people play; at its end the ``scores``
    with the seats in their ``order``, and ``ties``: what decided between those that are level at the top.
    ``plays_as`` is the game whose templates draw them.
    """

    scene: str
    map: TableMap | None
    checklist: NotRequired[Sequence[Check]]
    expected: NotRequired[Collection[int]]
    status: NotRequired[str]
    scores: NotRequired[Sequence[SeatScore]]
    order: NotRequired[Sequence[int]]
    ties: NotRequired[Mapping[int, str]]
    plays_as: NotRequired[str]


def facts(snapshot: Snapshot, room: Room, ui: AnyUI, names: Names, *, simulated: bool) -> StageFacts:
    """Return what the stage shows besides the board.

    At a ``simulated`` table the program's hands lay the pieces: people need not deal with what is on its way.
    """
    scene = scene_of(snapshot, room, simulated=simulated)
    drawn = table_map(snapshot, ui, names) if scene in ("lobby", "setup", "wrong") else None
    shown: StageFacts = {"scene": scene, "map": drawn}
    if scene in ("lobby", "setup"):
        shown["checklist"] = checklist(snapshot, room, drawn)
        shown["expected"] = room.seating.people
    if scene == "lobby":  # people who arrive are asked in first: what chance brings can wait until all are here
        seated = len(room.seating.taken)
        shown["status"] = ngettext(
            "Take a seat: %(num)s of %(wanted)s is here.",
            "Take a seat: %(num)s of %(wanted)s are here.",
            seated,
            wanted=len(room.seating.people),
        )
    if scene == "over":
        scores = snapshot.match.scores
        order = sorted(range(len(names)), key=lambda seat: scores[seat].rank)
        shown["scores"], shown["order"], shown["plays_as"] = scores, order, ui.name
        shown["ties"] = ties(scores, ui, ended=snapshot.match.ended)
    return shown


def ties(scores: Sequence[SeatScore], ui: AnyUI, *, ended: bool) -> Mapping[int, str]:
    """Return what decided between the seats that are level at the top; nothing if the game was ``ended`` early."""
    top = max(score.points for score in scores)
    first = [seat for seat in level(scores) if scores[seat].points == top]
    decides = [seat for seat in first if scores[seat].tiebreak is not None and not ended]
    return {seat: ui.tied(scores[seat].tiebreak) for seat in decides}


def scene_of(snapshot: Snapshot, room: Room, *, simulated: bool) -> str:
    """Return which scene is on: ``lobby`` and ``setup`` until the first seat acts, ``wrong``, ``over``, or ``play``.

    A table at which nobody took a seat by phone plays without phones: it needs no lobby once a seat decides.  At a
    ``simulated`` one only what the referee asks for is wrong.
    """
    if snapshot.over:
        return "over"
    if not _has_begun(snapshot):
        waits = snapshot.position.decider is None
        if room.seating.people - room.seating.taken and (waits or room.seating.taken):
            return "lobby"
        if waits:
            return "setup"
    moved = snapshot.todo and snapshot.position.decider is not None
    return "wrong" if moved and (not simulated or asks_for_moves(snapshot)) else "play"


def _has_begun(snapshot: Snapshot) -> bool:
    """Return whether a seat has acted, or the position is one in which some have."""
    acts = [event.seat for event in snapshot.events if event.kind == EventKind.ACTION]
    if not acts:
        return len(snapshot.events) > 1 and snapshot.position.decider is not None
    return any(seat is not None for seat in acts)


def checklist(snapshot: Snapshot, room: Room, drawn: TableMap | None) -> list[Check]:
    """Return what has to be done before the game, and whether it is done."""
    chance, seated = snapshot.position.decider is None, room.seating.taken >= room.seating.people
    laid = [(bool(snapshot.scene) or not chance, _("Lay the zone cards as in the picture."))] if drawn else []
    return [
        *laid,
        (seated, _("Everyone scans the code and takes a seat.")),
        (not chance, _("Turn up and deal whatever the game starts with.")),
    ]
