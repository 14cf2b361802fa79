"""Scores Palazzo for the piecepack from pictures: palazzi on a grid, the turrets on them, and suits."""

from tabletop.rules.piecepack.options import ENCLOSED_8
from tabletop.vision.score.piecepack.tally import PiecepackTally
from tabletop.vision.score.tally import Scoring

SCORING = Scoring(
    lambda facts: PiecepackTally(facts.carriers, facts.make, diagonal=facts.options.get("holes") == ENCLOSED_8),
    carrier_kind="structure",
)
