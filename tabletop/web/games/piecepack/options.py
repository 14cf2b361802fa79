"""The piecepack's options in words: how this table plays where the rules leave a choice."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.messages import N_
from tabletop.rules.game import Json

OPTIONS: Mapping[str, Mapping[Json, str]] = {
    "coin_null": {6: N_("A null coin is worth 6."), 0: N_("A null coin is worth nothing.")},
    "exchange_same_cell": {
        True: N_("An exchange uses the same cell."),
        False: N_("An exchange may put the structure in another cell."),
    },
    "reserve_only_if_unplaceable": {
        True: N_("A bought structure may be kept only if it fits nowhere."),
        False: N_("A bought structure may always be kept."),
    },
    "yard_refill": {
        "end_of_turn": N_("The yard is filled at the end of the turn."),
        "immediate": N_("The yard is filled right after a purchase."),
    },
    "holes": {
        "enclosed_4": N_("An empty cell must have a way out across edges."),
        "enclosed_8": N_("An empty cell may also open across a corner."),
    },
    "final_action_includes_ender": {
        True: N_("The last buyer also gets a last action."),
        False: N_("The last buyer gets no last action."),
    },
}
"""Option → value → what it means."""
