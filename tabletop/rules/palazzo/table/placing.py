"""Reads from a layout where tiles were built, or that they were discarded."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from tabletop.messages import N_, Message, PieceRef, listed_pieces
from tabletop.rules.game import Action
from tabletop.rules.look import Look
from tabletop.rules.palazzo.actions import Place, Scrap
from tabletop.rules.palazzo.components import FLOOR
from tabletop.rules.palazzo.position import PalazzoPosition
from tabletop.rules.table import OK_BUTTON, TableReading, perhaps_done


class Placements(NamedTuple):
    """The placements of tiles that can be seen, bottom up.

    ``doubtful`` are those of columns that start a new palazzo unless they stand on one that is out of sight.
    """

    certain: list[Action]
    doubtful: list[Place]


def placements(look: Look[PalazzoPosition], tiles: Collection[str]) -> Placements:
    """Return the placements of these tiles."""
    found = Placements([], [])
    for column in sorted(look.columns(f"seat{look.seat}")):
        doubtful = column[0] in tiles and _hidden_tops(look, column[0])
        built = [Place(tile, below) for below, tile in zip((None, *column), column, strict=False) if tile in tiles]
        (found.doubtful if doubtful else found.certain).extend(built)
    return found


def placed(look: Look[PalazzoPosition], tiles: Sequence[str], *before: Action) -> TableReading:
    """Return the reading of how tiles were placed after these actions.

    A tile that cannot be seen is discarded only if OK confirms it.  One that stands alone while a palazzo on which it
    may have been laid is out of sight starts a new palazzo only if OK confirms it.
    """
    certain, doubtful = placements(look, tiles)
    gone = sorted(tile for tile in tiles if tile not in look.lying)
    # An OK that answers the question of where a tile stands discards no other one.
    confirmed: Sequence[Action] = (doubtful or [Scrap(tile) for tile in gone]) if look.confirmed else []
    if certain or confirmed:
        return TableReading([*before, *certain, *confirmed], frozenset(tiles))
    if doubtful:
        question = _question(look, doubtful[0].tile)
        return TableReading(underway=frozenset(tiles), question=question, confirms=OK_BUTTON)
    if not gone:
        astray = next((tile for tile in tiles if look.lies(tile) != f"quarry{look.position.architect}"), None)
        if astray is None:
            return TableReading(underway=frozenset(tiles))
        outside = N_(
            "{tile} lies outside your palazzi: build it there, or take it off the table and press OK to discard it."
        )
        bought = N_(
            "{tile} lies in the warehouse: build it in your palazzi, or take it off the table and press OK to discard "
            "it."
        )
        text = bought if look.lies(astray) == "warehouse" else outside
        return TableReading(underway=frozenset(tiles), waiting=Message(text, tile=PieceRef(astray)))
    waiting = Message.plural(
        "{pieces} cannot be seen: build it, or press OK to discard it to the box.",
        "{pieces} cannot be seen: build them, or press OK to discard them to the box.",
        len(gone),
        pieces=listed_pieces(gone),
    )
    return TableReading(underway=frozenset(tiles), waiting=perhaps_done(waiting), confirms=OK_BUTTON)


def _hidden_tops(look: Look[PalazzoPosition], tile: str) -> list[str]:
    """Return the tops of the seat's palazzi that are out of sight and on which a tile could stand, sorted."""
    tops = (column[-1] for column in look.position.palazzi[look.seat])
    return sorted(top for top in tops if top not in look.lying and FLOOR[top] < FLOOR[tile])


def _question(look: Look[PalazzoPosition], tile: str) -> Message:
    """Return the question whether a tile stands alone or on a palazzo that is out of sight."""
    hidden = _hidden_tops(look, tile)
    return Message.plural(
        "{pieces} cannot be seen. If {tile} is built on it, lay both so that they can be seen; if {tile} starts a new "
        "palazzo, press OK.",
        "{pieces} cannot be seen. If {tile} is built on one of them, lay them so that all can be seen; if {tile} "
        "starts a new palazzo, press OK.",
        len(hidden),
        pieces=listed_pieces(hidden),
        tile=PieceRef(tile),
    )
