"""Patrician's options in words: how this table plays where the rules leave a choice."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.messages import N_
from tabletop.rules.game import Json

OPTIONS: Mapping[str, Mapping[Json, str]] = {
    "move_may_empty_site": {
        True: N_("You may move the only floor of a site."),
        False: N_("You may not move the only floor of a site."),
    },
    "open_heads": {
        True: N_("Everyone may look through all played piles."),
        False: N_("Only the top card of a played pile can be seen."),
    },
}
"""Option → value → what it means."""
