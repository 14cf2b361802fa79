"""Where every piece should lie in a position (the architect is shown by the quarry lights and lies in no zone)."""

from __future__ import annotations

from tabletop.rules.layout import Anywhere, Arrangement, Columns, Hidden, Layout, Pile, Spread
from tabletop.rules.palazzo.components import START
from tabletop.rules.palazzo.state import State


def layout(state: State) -> Layout:
    """Return every piece in exactly one zone; the start certificate lies in the warehouse outside auctions."""
    opened = state.laid is not None and bool(state.laid[state.active].acts)
    zones: dict[str, Arrangement] = {
        "warehouse": Spread(frozenset(state.warehouse if opened else (*state.warehouse, START))),
        **{f"quarry{number}": Spread(frozenset(tiles)) for number, tiles in enumerate(state.quarries, start=1)},
        "row": Spread(frozenset(state.row)),
        "discards": Pile(state.discards),
        "end": Spread(frozenset(state.end_tiles)),
    }
    for seat in range(state.seats):
        acts = state.laid[seat].acts if state.laid is not None else ()
        zones[f"seat{seat}"] = Columns(frozenset(state.palazzi[seat]))
        zones[f"bid{seat}"] = Spread(frozenset(card for act in acts for card in act))
        zones[f"hand{seat}"] = Hidden(frozenset(state.hands[seat]))
    zones["deck"] = Hidden(frozenset(state.deck))
    for number, tiles in enumerate(state.unseen, start=1):
        zones[f"stack{number}"] = Hidden(frozenset(tiles))
    zones["box"] = Hidden(frozenset(state.box))
    zones["pending"] = Anywhere(frozenset(state.pending))
    return Layout(zones)
