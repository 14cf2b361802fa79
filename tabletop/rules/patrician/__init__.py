"""Patrician by Michael Schacht: towers in ten cities, built by playing cards."""

from random import Random

from tabletop.rules.game import Json
from tabletop.rules.patrician.game import GAME, Patrician
from tabletop.rules.patrician.position import PatricianPosition
from tabletop.rules.playthrough import Playthrough, begin

__all__ = ["GAME", "Patrician", "PatricianPosition", "new"]


def new(*names: str, chance: Random | None = None, edition: Json = None, **options: Json) -> Playthrough:
    """Begin a game of Patrician; ``chance`` draws cards by itself, without it the caller reports what comes.

    Raises Illegal for wrong names, options or edition.
    """
    return begin(GAME, names, chance, edition, options)
