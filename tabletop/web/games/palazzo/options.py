"""Palazzo's options in words: how this table plays where the rules leave a choice."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.messages import N_
from tabletop.rules.game import Json

OPTIONS: Mapping[str, Mapping[Json, str]] = {
    "price_basis": {
        "start_of_buy": N_("A tile just added to the warehouse already lowers the price."),
        "start_of_turn": N_("The price is worked out before the new tile is added."),
    },
    "min_price": {
        0: N_("A tile in the warehouse can be free."),
        1: N_("A tile in the warehouse costs at least 1."),
    },
    "certificates_alone": {
        True: N_("Single certificates may be played on their own."),
        False: N_("Single certificates must be played with a currency card."),
    },
    "handout_discard": {
        True: N_("A tile from the hand-out may be discarded."),
        False: N_("A tile from the hand-out must be built."),
    },
    "tiebreak_groups": {
        True: N_("Groups of three count in the tie-break."),
        False: N_("Groups of three do not count in the tie-break."),
    },
    "stacks": {
        "synthetic": N_("Which tile is in which stack is made up and may differ from the printed backs."),
        "unknown": N_("It is not known which tile is in which stack; any tile may be turned up."),
    },
}
"""Option → value → what it means."""
ANY_VALUE: Mapping[str, str] = {
    "stacks": N_("Which tile is in which stack: %(value)s."),
    "architect": N_("The architect starts at quarry %(value)s."),
}
"""Option → what any other ``value`` of it means."""
