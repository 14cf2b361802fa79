"""Reads from a layout where structures and the turret of the piecepack were placed, and says how to lay them."""

from __future__ import annotations

from typing import TypeAlias

from tabletop.messages import EMPTY, N_, Message, PieceRef
from tabletop.rules.game import Action
from tabletop.rules.look import Look
from tabletop.rules.piecepack.actions import BUILD, KEEP, TURRET
from tabletop.rules.piecepack.components import TURRETS
from tabletop.rules.piecepack.position import PiecepackPosition
from tabletop.rules.table import TableReading, perhaps_done

PiecepackLook: TypeAlias = Look[PiecepackPosition]


def placements(look: PiecepackLook) -> list[Action]:
    """Return how bought structures were placed: kept ones first, before built ones could make room for them."""
    pending, cells = look.position.pending, look.position.palazzo.cells
    plot = look.plot(f"seat{look.seat}")
    # Beside a structure that was pushed onto another cell, or while all are out of sight, the cells are uncertain.
    unsure = look.strays(f"seat{look.seat}") or (cells and plot.keys().isdisjoint(cells))
    certain = [] if unsure else pending
    new = [structure for structure in certain if structure in plot and plot[structure] not in cells.values()]
    built = [BUILD[structure][plot[structure] if cells else (0, 0)] for structure in (new if cells else new[:1])]
    kept = [KEEP[structure] for structure in pending if look.lies(structure) == f"reserve{look.seat}"]
    done, left = look.in_order([*kept, *built])
    moved = look.went("yard") + look.went(f"reserve{look.seat}") + look.went(f"seat{look.seat}", "structure")
    # While something else is on its way, it may yet make the rest legal, so the rest is waited for.
    return done if moved or len(new) + len(kept) < len(pending) else [*done, *left]


def lifted(look: PiecepackLook) -> frozenset[str]:
    """Return the seat's turret while it is not where the record has it: it may be on its way."""
    turret = TURRETS[look.seat]
    return frozenset({turret} if look.upon(turret) != look.position.turrets[look.seat] else ())


def turret_reading(look: PiecepackLook, begun: frozenset[str]) -> TableReading:
    """Return the reading of whether the seat's turret stands on another structure."""
    on, away = look.upon(TURRETS[look.seat]), bool(begun.intersection(TURRETS))
    if on is None or not away:
        text = EMPTY
        if away:
            text = perhaps_done(Message("Your turret cannot be seen on a structure: lay it on one."))
        elif look.position.palazzo.cells and not look.lies(TURRETS[look.seat]):
            text = perhaps_done(Message("Your turret cannot be seen: lay it on a structure, or beside your die."))
        return TableReading(underway=begun, waiting=how_to_lay(look) or text)
    if on not in look.position.palazzo:
        text = Message("{name}: your turret stands in another palazzo.", name=look.name(look.seat))
        return TableReading(underway=begun, question=text)
    return TableReading([TURRET[on]], begun)


def how_to_lay(look: PiecepackLook, *named: str) -> Message:
    """Return what to do about a structure (one of these) that is unseen, off its cell, or touches two palazzi."""
    own = f"seat{look.seat}"
    if askew := sorted(piece for piece in look.askew(own) if not named or piece in named):
        onto, edge = N_("Push {structure} onto a single structure."), N_("Push {structure} edge to edge.")
        return Message(onto if askew[0] in TURRETS else edge, structure=PieceRef(askew[0]))
    if strays := look.strays(own):
        return Message("Lay {structure} back where it lay in your palazzo.", structure=PieceRef(strays[0]))
    if apart := [piece for piece in named if look.lies(piece) not in {"", own, "yard"}]:
        return Message("Lay {structure} in your reserve or palazzo, touching no other.", structure=PieceRef(apart[0]))
    lay = N_("Lay {structure} in your palazzo or your reserve.")
    return perhaps_done(Message(lay, structure=PieceRef(named[0]))) if named else EMPTY
