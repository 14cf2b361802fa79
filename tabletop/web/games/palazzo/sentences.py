"""The sentences of Palazzo's pages, each marked for translation."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.messages import N_

DECIDES: Mapping[str, tuple[str, str]] = {
    "action": (N_("Your turn: money, build or rebuild"), N_("%(name)s chooses: money, build or rebuild")),
    "take": (N_("Take a money card"), N_("%(name)s takes a money card")),
    "choose": (N_("Your turn: buy or auction"), N_("%(name)s chooses: buy or auction")),
    "bid": (N_("Your bid: raise or pass"), N_("%(name)s bids or passes")),
    "claim": (N_("Hand-out: take one tile"), N_("Hand-out: %(name)s takes one tile")),
    "place": (N_("Build your tile"), N_("%(name)s builds a tile")),
}
"""Phase → the status line for the seat that decides, and for everybody else."""

SECOND_CARD = (N_("Take your second money card"), N_("%(name)s takes a second money card"))
"""The status line, likewise, while the seat that turned up the cards takes the second of its two."""
BUILD_ALL = N_("Build your tiles")
"""The status line if more than one tile is to be built."""

PLACES: Mapping[str, str] = {
    "quarry": N_("quarry %(number)s"),
    "seat": N_("%(name)s’s palazzi"),
    "bid": N_("%(name)s’s bid"),
    "warehouse": N_("the warehouse"),
    "row": N_("the money row"),
    "discards": N_("the discards"),
    "end": N_("the end tiles"),
    "deck": N_("the deck"),
    "stack": N_("stack %(number)s"),
    "box": N_("the box"),
}
"""Zones as people call them, without their numbers."""
OWN_PLACES: Mapping[str, str] = {"seat": N_("your palazzi"), "bid": N_("your bid")}

SETUP_PLACES = (
    N_("Turn up a tile and put it on quarry 1."),
    N_("Turn up a tile and put it on quarry 2."),
    N_("Turn up a tile and put it on quarry 3."),
    N_("Turn up a tile and put it on quarry 4."),
    N_("Turn up a tile and put it in the warehouse."),
)
"""What the setup waits for, indexed by how many quarries hold a tile."""
