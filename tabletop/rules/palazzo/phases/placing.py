"""Building or discarding the tiles that were bought, won or handed out."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.rules.palazzo.actions import Place, Scrap
from tabletop.rules.palazzo.components import FLOOR, TILES
from tabletop.rules.palazzo.phases.chance import copy_of, one_of_each
from tabletop.rules.palazzo.phases.palazzi import Column, goes_on, has_floor, home
from tabletop.rules.palazzo.state import State, end_turn
from tabletop.rules.phase import Why, why
from tabletop.rules.value import without

PLACE_ALONE: Mapping[str, Place] = {tile: Place(tile, None) for tile in TILES}
"""Each tile as a new palazzo."""
SCRAPS: Mapping[str, Scrap] = {tile: Scrap(tile) for tile in TILES}


def places(state: State) -> list[Place]:
    """Return each pending tile as a new palazzo and on top of every palazzo that can take it."""
    palazzi, actions = state.palazzi[state.seat], []
    for tile in one_of_each(state.pending):
        actions.append(PLACE_ALONE[tile])
        actions += [Place(tile, column[-1]) for column in palazzi if goes_on(column, tile)]
    return actions


def why_not_place(state: State, action: Place) -> Why | None:
    """Return why a tile cannot be placed: a pending one goes on top of an own palazzo whose floors are all lower."""
    tile, onto = action.tile, action.onto
    if tile not in state.pending:
        other = copy_of(tile, state.pending)
        return why("not-pending", PLACE_ALONE[other] if other else None, tile=tile)
    if onto is None:
        return None
    column = home(state.palazzi[state.seat], onto)
    alone = PLACE_ALONE[tile]
    if column is None:
        return why("not-own", alone, tile=onto)
    if has_floor(column, tile):
        return why("duplicate-floor", alone, tile=tile, floor=FLOOR[tile])
    if column[-1] != onto:
        top = Place(tile, column[-1]) if goes_on(column, tile) else alone
        return why("not-the-top", top, onto=onto)
    if not goes_on(column, tile):
        return why("too-low", alone, floor=FLOOR[tile], top=FLOOR[onto])
    return None


def place(state: State, action: Place) -> State:
    """Build the tile."""
    tile = action.tile
    palazzi = state.palazzi[state.seat]
    grown: tuple[Column, ...]
    if action.onto is None:
        grown = (*palazzi, (tile,))
    else:
        grown = tuple((*column, tile) if column[-1] == action.onto else column for column in palazzi)
    return _go_on(state, tile, palazzi=state.put_palazzi(grown))


def _may_scrap(state: State) -> bool:
    return state.handout is None or state.options.handout_discard


def scraps(state: State) -> list[Scrap]:
    """Return the discard of each pending tile; of a handed-out one only if the option allows it."""
    return [SCRAPS[tile] for tile in one_of_each(state.pending)] if _may_scrap(state) else []


def why_not_scrap(state: State, action: Scrap) -> Why | None:
    """Return why a tile cannot be discarded: it is not pending, or is handed out and the option forbids it."""
    if not _may_scrap(state):
        return why("handout-scrap", PLACE_ALONE[state.pending[0]], tile=action.tile)
    if action.tile in state.pending:
        return None
    other = copy_of(action.tile, state.pending)
    return why("not-pending", SCRAPS[other] if other else None, tile=action.tile)


def scrap(state: State, action: Scrap) -> State:
    """Discard the tile to the box."""
    return _go_on(state, action.tile, box=(*state.box, action.tile))


def _go_on(state: State, tile: str, **fields: object) -> State:
    """Go on to the next pending tile, the next seat of a hand-out, or the next turn.

    Tiles that are left at the end of a hand-out go to the box.
    """
    pending = without(state.pending, tile)
    if pending:
        return state.change(pending=pending, **fields)
    if state.handout:
        return state.change(pending=pending, phase="claim", decider=state.handout[0], **fields)
    if state.handout is None:
        return end_turn(state, pending=pending, **fields)
    box = fields.pop("box", state.box)
    assert isinstance(box, tuple)
    quarries = state.put_quarry(state.architect, ())
    return end_turn(state, pending=pending, handout=None, box=box + state.quarry, quarries=quarries, **fields)
