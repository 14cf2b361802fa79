"""The scenes of the stage: before the game, play, something wrong, the end; and what only they show."""

from __future__ import annotations

from typing import Any

from tabletop.referee.snapshot import Snapshot
from tabletop.web.games.game_ui import GameUI, Names
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import ngettext
from tabletop.web.seating.room import Room
from tabletop.web.views.table_map import TableMap, table_map

Check = tuple[bool, str, str]
"""One thing before the game: whether it is done, what it is, and more about it."""


def facts(snapshot: Snapshot, room: Room, part: GameUI, names: Names, *, simulated: bool) -> dict[str, Any]:
    """Return what the stage shows besides the board.

    At a ``simulated`` table the program's hands lay the pieces: what is on its way there is no matter for people.
    """
    scene = scene_of(snapshot, room, simulated=simulated)
    drawn = table_map(snapshot, part, names) if scene in ("lobby", "setup", "wrong") else None
    found: dict[str, Any] = {"scene": scene, "map": drawn}
    if scene in ("lobby", "setup"):
        found["checklist"] = checklist(snapshot, room, drawn)
    if scene == "over":
        scores = snapshot.match.scores
        order = sorted(range(len(names)), key=lambda seat: scores[seat].rank)
        found |= {"scores": scores, "order": order, "plays_as": part.name}
    return found


def scene_of(snapshot: Snapshot, room: Room, *, simulated: bool) -> str:
    """Return which scene is on: ``lobby`` and ``setup`` until the first seat acts, ``wrong``, ``over``, or ``play``.

    A table at which nobody took a seat by phone plays without phones: it needs no lobby once a seat decides.  At a
    ``simulated`` one only what the referee asks about is wrong.
    """
    if snapshot.over:
        return "over"
    if not _has_begun(snapshot):
        waits = snapshot.position.decider is None
        if room.seats - room.taken and (waits or room.taken):
            return "lobby"
        if waits:
            return "setup"
    moved = snapshot.todo and snapshot.position.decider is not None
    light = snapshot.signals.get("illegal")
    asks = not simulated or (light is not None and light.name == "FAST")
    return "wrong" if moved and asks else "play"


def _has_begun(snapshot: Snapshot) -> bool:
    """Return whether a seat has acted, or the position is one in which some have."""
    if snapshot.position.phase in ("setup", "deal") or len(snapshot.events) == 1:
        return False
    acts = [event.seat for event in snapshot.events if event.kind == "action"]
    return not acts or any(seat is not None for seat in acts)


def checklist(snapshot: Snapshot, room: Room, drawn: TableMap | None) -> list[Check]:
    """Return what is done before the game and what is not."""
    found: list[Check] = []
    chance = snapshot.position.decider is None
    if drawn is not None:
        found.append((bool(snapshot.scene) or not chance, _("Lay the zone cards as in the picture."), ""))
    seated, wanted = len(room.taken), len(room.seats)
    here = ngettext("%(num)s of %(wanted)s is here.", "%(num)s of %(wanted)s are here.", seated, wanted=wanted)
    found.append((seated == wanted, _("Everyone scans the code and takes a seat."), here))
    found.append((not chance, _("Turn up and deal what the game begins with."), ""))
    return found
