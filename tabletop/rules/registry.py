"""Which games there are: the built-in ones, and any that an installed package offers."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from importlib.metadata import entry_points

from tabletop.rules.game import Game, Illegal

GROUP = "tabletop.games"
"""The entry-point group in which a package offers its games: ``name = "package.module:GAME"``."""

BUILT_IN: Mapping[str, str] = {
    "palazzo": "tabletop.rules.palazzo:GAME",
    "patrician": "tabletop.rules.patrician:GAME",
    "piecepack": "tabletop.rules.piecepack:GAME",
}
"""The games of this project, found also where the package runs without being installed."""


def names() -> list[str]:
    """Return the names of all games, the built-in ones first."""
    offered = sorted(point.name for point in entry_points(group=GROUP))
    return [*BUILT_IN, *(name for name in offered if name not in BUILT_IN)]


def game(name: str) -> Game:
    """Return the game of that name.  Raises Illegal (``bad-request``) naming the games there are."""
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        found = getattr(importlib.import_module(module), attribute, None)
    else:
        points = entry_points(group=GROUP, name=name)
        found = next(iter(points)).load() if points else None
    if not isinstance(found, Game):
        known = ", ".join(names())
        raise Illegal("bad-request", f"There is no game {name[:40]!r}; there are: {known}.")
    return found
