"""Scores Palazzo: columns of tiles, each worth its own points."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from tabletop.messages import N_, Message, PieceRef
from tabletop.rules.palazzo.components import FLOOR
from tabletop.rules.palazzo.phases.palazzi import points
from tabletop.rules.palazzo.table.declaration import SIZES
from tabletop.vision.geometry.columns import (
    MAX_TURN_DEG,
    Placed,
    ambiguous_neighbours,
    columns,
    missing_between,
    spacing,
    turned,
)
from tabletop.vision.geometry.marker_pose import MarkerPose
from tabletop.vision.score import merge
from tabletop.vision.score.tally import BuildingFault, Built, ScoredGroup, Scoring, Tally, Worth

MAX_EXCESS = 0.3
"""Largest excess of the distance between the game's own tiles over their height, as a fraction of it, because of gaps
between them."""
MIN_GAP_FRACTION, GAP_FRACTION = 0.05, 0.1
"""Range of the usual gap between tiles, as a fraction of a tile: if there is more, they may be larger tiles."""
TRIED_SIZES = 4
"""Number of sizes that are tried between the smallest and the largest possible one."""
MAX_SHORTFALL = 0.07
"""Largest shortfall of that distance, as a fraction of the height; tiles that are closer are smaller ones, because the
game's own would lie on each other."""
MIN_DOUBLE_STEPS = 3
"""Number of steps from tile to tile at twice the height of the game's own tiles that cannot all be gaps."""
MIN_ASIDE_WIDTHS = 0.9
"""Least sideways distance of tiles of two columns, in widths: nearer ones lie on each other."""
MIN_RISE_HEIGHTS = 0.7
"""Upward distance, in heights, below which tiles are side by side and not in one column, where gaps make distances
larger by ``MAX_EXCESS`` at most."""
OWN_SIZE = SIZES["tile"]


class PalazzoTally(Tally):
    """The tally of Palazzo: columns of tiles, each worth its own points."""

    kind = N_("tile")
    zones = ("seat",)
    directed = True
    apart = True

    def astride(self, seats: Mapping[int, Sequence[Placed]]) -> Mapping[str, int]:
        """Return tile → another seat, for tiles above or below one of that seat in a column."""
        owners = {each.piece: seat for seat, placed in seats.items() for each in placed}
        tiles = [each for placed in seats.values() for each in placed]
        pairs = [pair for column in columns(tiles, *self._known(tiles)) for pair in itertools.pairwise(column)]
        return {
            one: owners[other] for pair in pairs for one, other in (pair, pair[::-1]) if owners[one] != owners[other]
        }

    def built(self, pictures: Sequence[Sequence[Placed]]) -> Built:
        """Return the merged columns of several pictures."""
        columns_of_all = merge.columns(columns(placed, *self._known(placed)) for placed in pictures)
        return Built(columns_of_all.columns, {}, columns_of_all.contradicting)

    def missing_between(self, placed: Sequence[Placed]) -> list[tuple[str, str]]:
        """Return pairs of tiles that stand one above the other with room for one tile between them."""
        return missing_between(placed, *self._known(placed))

    def ambiguous_neighbours(self, placed: Sequence[Placed]) -> list[tuple[str, str]]:
        """Return pairs of tiles for which it is ambiguous whether the upper stands on the lower or beside it."""
        return ambiguous_neighbours(placed, *self._known(placed))

    def worth(self, seats: Mapping[int, Built]) -> Mapping[int, Worth]:
        """Return each seat's palazzi with their points or their faults."""
        return {seat: Worth(tuple(judge(column) for column in built.groups)) for seat, built in seats.items()}

    def size(self, placed: Sequence[Placed]) -> tuple[float, float]:
        """Return height and width of a tile, mm."""
        height, width = self._known(placed)
        height = height or spacing(placed) or OWN_SIZE.height
        return height, width or OWN_SIZE.width / OWN_SIZE.height * height

    def sizes(self, placed: Sequence[Placed]) -> Sequence[tuple[float, float]]:
        """Return the possible heights and widths of tiles, mm, that explain their distances with different gaps."""
        step, (known, _) = spacing(placed), self._known(placed)
        if step is None:
            return [self.size(placed)]
        if known is None and abs(step / OWN_SIZE.height - 2) <= MAX_EXCESS:
            # They may be the game's own, with one face down between any two.
            return [self.size(placed), (OWN_SIZE.height, OWN_SIZE.width)]
        smallest = known or (1 - GAP_FRACTION) * step
        if not (1 + MIN_GAP_FRACTION) * smallest < step <= (1 + MAX_EXCESS) * smallest:
            return [self.size(placed)]
        return [
            (height, OWN_SIZE.width / OWN_SIZE.height * height)
            for height in np.linspace(smallest, step, TRIED_SIZES).tolist()
        ]

    def _known(self, placed: Sequence[Placed]) -> tuple[float, float] | tuple[None, None]:
        """Return height and width of the game's own tiles, mm, or None for both if the picture shows other tiles."""
        step = spacing(placed)
        ratio = step / OWN_SIZE.height if step is not None else 1.0
        # An unread tile looks like tiles of twice the height if there are only a few, or no room for such tiles.
        few = len(placed) - len(columns(placed)) < MIN_DOUBLE_STEPS
        gap = abs(ratio - 2) <= MAX_EXCESS and (few or _crowded(placed, min(ratio, 2)))
        if gap or -MAX_SHORTFALL <= ratio - 1 <= MAX_EXCESS:
            return OWN_SIZE.height, OWN_SIZE.width
        return None, None


def _crowded(placed: Sequence[Placed], ratio: float) -> bool:
    """Return whether tiles this many times as high and as wide as the game's own would lie on each other."""
    height, width = ratio * OWN_SIZE.height, ratio * OWN_SIZE.width
    for one, other in itertools.combinations(placed, 2):
        across, down = MarkerPose(one.x, one.y, one.angle).local(other.x, other.y)
        overlapping = abs(across) < MIN_ASIDE_WIDTHS * width and abs(down) < MIN_RISE_HEIGHTS * height
        if overlapping and turned(one.angle, other.angle) <= MAX_TURN_DEG:
            return True
    return False


def judge(column: Sequence[str]) -> ScoredGroup:
    """Return a palazzo, given by its tiles from the bottom up, with its points or its faults."""
    faults = []
    floors: dict[int, str] = {}
    for tile in column:
        floor = FLOOR[tile]
        if floor in floors:
            faults.append(
                BuildingFault(
                    "duplicate-floor",
                    Message(
                        "{one} and {other} are both floor {floor} of one palazzo.",
                        one=PieceRef(floors[floor]),
                        other=PieceRef(tile),
                        floor=floor,
                    ),
                )
            )
        floors.setdefault(floor, tile)
    for lower, upper in itertools.pairwise(column):
        if FLOOR[upper] < FLOOR[lower]:
            faults.append(
                BuildingFault(
                    "not-on-top",
                    Message(
                        "{upper} stands on {lower}, but floors go up from bottom to top.",
                        upper=PieceRef(upper),
                        lower=PieceRef(lower),
                    ),
                )
            )
    return ScoredGroup(tuple(column), None if faults else points(tuple(column)), tuple(faults))


SCORING = Scoring(lambda _told: PalazzoTally())
