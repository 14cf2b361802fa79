"""What a game declares about its print sheets: how its pieces are drawn, and what is special about its sheets."""

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

    ``needed`` returns the pieces that a number of seats plays with.  ``note`` returns the text for the area of a zone,
    empty for none.  ``extras`` draws the parts without tags, for a number of seats.  ``faces`` returns, for the data of
    an edition (None: the shipped one), the function that draws its pieces and a note about them; a game without it
    always draws pieces the same way.
    """

    needed: Callable[[int], frozenset[str]] | None = None
    note: Callable[[str], str] = lambda _zone: ""
    extras: Callable[[Document, int, str], None] | None = None
    faces: Callable[[Json], tuple[Face, str]] | None = None


FACES: Layer[Face] = Layer("tabletop.games.printing", "tabletop.printing.{game}", "face", FunctionType)
"""The functions that draw a game's pieces; the pieces of a game without one show their name."""
SHEETS: Layer[GameSheets] = Layer("tabletop.games.sheets", "tabletop.printing.{game}", "SHEETS", GameSheets)
"""What is special about a game's sheets."""


def sheets_of(game: Game) -> GameSheets:
    """Return what is special about a game's sheets: nothing, unless it says so."""
    return SHEETS.part(game.name) or GameSheets()
