"""Palazzo by Reiner Knizia: columns of tiles, money in three currencies, an architect who walks the quarries."""

from random import Random

from tabletop.rules.game import Json
from tabletop.rules.palazzo.game import GAME
from tabletop.rules.playthrough import Playthrough, begin

__all__ = ["GAME", "new"]


def new(*names: str, chance: Random | None = None, edition: Json = None, **options: Json) -> Playthrough:
    """Begin a game of Palazzo; ``chance`` draws pieces by itself, without it the caller reports what comes.

    Raises Illegal for wrong names, options or edition.
    """
    return begin(GAME, names, chance, edition, options)
