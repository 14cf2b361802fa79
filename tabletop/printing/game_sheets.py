"""What a game says about its print sheets, apart from how its pieces are drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import TypeAlias

from tabletop.printing.paper import Document, Page, Rect
from tabletop.rules.game import Game, Json
from tabletop.rules.registry import Layer

Face: TypeAlias = Callable[[Page, Rect, Rect, str], None]
"""Draws the face of a piece into its box, around its tag's box."""


@dataclass(frozen=True, slots=True)
class GameSheets:
    """What is special about a game's sheets.

    ``needed`` returns the pieces that a number of seats plays with.  ``note`` is what is written into the area of a
    zone, empty for nothing.  ``extras`` draws what has no tag, for a number of seats.  ``faces`` draws pieces as the
    data of an edition says (None: the shipped one), with the name of that edition; a game without it draws them the
    same way always.
    """

    needed: Callable[[int], frozenset[str]] | None = None
    note: Callable[[str], str] = lambda _zone: ""
    extras: Callable[[Document, int, str], None] | None = None
    faces: Callable[[Json], tuple[Face, str]] | None = None


FACES: Layer[Face] = Layer("tabletop.games.printing", "tabletop.printing.{game}", "face", FunctionType)
"""How a game's pieces are drawn; those of a game that brings nothing show their name."""
SHEETS: Layer[GameSheets] = Layer("tabletop.games.sheets", "tabletop.printing.{game}", "SHEETS", GameSheets)
"""What is special about a game's sheets."""


def sheets_of(game: Game) -> GameSheets:
    """Return what is special about a game's sheets: nothing, unless it says so."""
    return SHEETS.part(game.name) or GameSheets()
