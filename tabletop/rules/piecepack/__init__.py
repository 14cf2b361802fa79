"""Palazzo for the piecepack by Lerche: a grid of structures, coins and a die."""

from random import Random

from tabletop.rules.game import Json
from tabletop.rules.piecepack.game import GAME, Piecepack
from tabletop.rules.piecepack.position import PiecepackPosition
from tabletop.rules.playthrough import Playthrough, begin

__all__ = ["GAME", "Piecepack", "PiecepackPosition", "new"]


def new(*names: str, chance: Random | None = None, edition: Json = None, **options: Json) -> Playthrough:
    """Begin a game of Palazzo for the piecepack; ``chance`` draws by itself, without it the caller reports what comes.

    Raises Illegal for wrong names, options or edition.
    """
    return begin(GAME, names, chance, edition, options)
