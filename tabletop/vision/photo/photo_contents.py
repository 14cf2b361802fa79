"""What was read in a photograph of a table: its pieces, which of them count, and the areas in which more may lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from tabletop.rules.table import Zone, ZoneShape
from tabletop.vision.frame import Floats
from tabletop.vision.geometry.boxes import Box, axes_at, corners_of
from tabletop.vision.geometry.columns import Placed, facing
from tabletop.vision.geometry.outlines import outlines, piece_outlines
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.geometry.zones import marker_poses, of_kind, seat_areas
from tabletop.vision.image.glare import WHITE_GREY, paper_colour, paper_of
from tabletop.vision.image.load import Picture
from tabletop.vision.kit import Kit
from tabletop.vision.scene import Sighting

COVERING_SHAPES = frozenset({ZoneShape.PILE, ZoneShape.HEAP, ZoneShape.STORE})
"""Shapes of zones in which pieces may cover one another."""
CARD_REACH_MM, CARD_EDGE_MM = 50.0, 8.0
"""Distance from a zone's area to the edge of its card, mm: on the side of its marker, and on the others."""
ZONE_MARGIN_MM = 20.0
"""Margin, mm, around a zone's card in which a tag-like place may count for the zone."""


class CountedPieces(Protocol):
    """The pieces of a game that count at its end, and their arrangement."""

    @property
    def kind(self) -> str:
        """The kind of pieces that count."""

    @property
    def zones(self) -> tuple[str, ...]:
        """The zones in which a seat's pieces lie, each without the seat's number: neighbours on one card."""

    @property
    def directed(self) -> bool:
        """True if all pieces of a seat face the same way: pieces that face another way belong to another seat."""

    @property
    def apart(self) -> bool:
        """True if pieces lie side by side and show all of their faces; False if one may lie on another."""

    @property
    def everywhere(self) -> bool:
        """True if pieces in any zone count, not only in those of seats."""

    def places(self, tags: Sequence[Placed]) -> Sequence[Placed]:
        """Return the middles of pieces, given by their tags, in the same order."""

    def size(self, placed: Sequence[Placed]) -> tuple[float, float]:
        """Return height and width in mm of the pieces, given by their middles."""

    def sizes(self, placed: Sequence[Placed]) -> Sequence[tuple[float, float]]:
        """Return the possible heights and widths in mm of the pieces, given by their middles."""


@dataclass(frozen=True, slots=True)
class PhotoContents:
    """What was read in a picture, from which to find what else is there that would count.

    ``kit``: the pieces that may be there; ``tally``: which of them count.
    """

    picture: Picture
    kit: Kit
    plane: Plane
    sightings: Sequence[Sighting]
    tally: CountedPieces

    @property
    def zones(self) -> Sequence[Zone]:
        """The zones of a table with as many seats as the game can have."""
        game = self.kit.game
        return game.table.zones(max(game.seat_range)) if game.table is not None else ()

    def placed(self) -> Sequence[Placed]:
        """Return the pieces that count and were read, each at the middle of the piece, not of its tag."""
        pieces = of_kind(self.sightings, self.kit.game, self.tally.kind)
        return self.tally.places([Placed(piece, each.x, each.y, each.angle) for each, piece in pieces])

    def faces(self) -> list[Array]:
        """Return the outlines (n, 2), mm, of everything that was read; those that count have their estimated size."""
        placed = self.placed()
        return [*outlines(self.sightings, self.kit), *piece_outlines(placed, self.tally.size(placed))]

    def cards(self) -> list[Array]:
        """Return the areas of all zones whose markers are seen, with their cards, mm."""
        return self._areas(self.zones, (-CARD_REACH_MM, -CARD_EDGE_MM, CARD_EDGE_MM, CARD_EDGE_MM))

    def open_areas(self) -> list[Array]:
        """Return the areas, mm, of the zones in which every tag should be visible and whose markers are seen."""
        return self._areas(zone for zone in self.zones if zone.shape not in COVERING_SHAPES)

    def seats(self) -> list[Array]:
        """Return the areas of the seats whose markers are seen, mm from their own top left, clockwise."""
        return self._areas(seat_areas(self.zones, self.tally.zones).values())

    def papers(self) -> Array:
        """Return the middles of the tags that were read, px, and the grey levels of their paper and ink, (n, 4)."""
        papers = [paper_of(self.picture.grey, np.array(each.corners)) for each in self.sightings]
        return np.array([paper for paper in papers if paper is not None]).reshape(-1, 4)

    def paper(self) -> Floats | None:
        """Return the colour (3,) of paper, None if no tag shows it."""
        return paper_colour(self.picture.colour, [np.array(each.corners) for each in self.sightings])

    def white(self) -> float:
        """Return the grey level of paper."""
        papers = self.papers()
        return float(np.median(papers[:, 2])) if len(papers) else WHITE_GREY

    def _areas(self, zones: Iterable[Zone], beyond: Box = (0.0, 0.0, 0.0, 0.0)) -> list[Array]:
        """Return the areas, mm, of those zones whose markers are seen, each extended by ``beyond``."""
        poses = marker_poses(self.sightings, self.zones)
        return [poses[zone.name].outline((*np.add(zone.area, beyond),)) for zone in zones if zone.name in poses]


def counted_areas(seen: PhotoContents) -> list[Array]:
    """Return the areas, mm, in which pieces count: those of seats whose markers are seen, else around the pieces."""
    return seen.seats() or surroundings(seen.placed(), seen.tally)


def surroundings(placed: Sequence[Placed], tally: CountedPieces) -> list[Array]:
    """Return the areas around the pieces in which another piece of theirs may lie, one for each way they face."""
    areas = []
    for group in facing(placed) if tally.directed else [placed] if placed else []:
        height, width = tally.size(placed)
        # Pieces on a grid may be turned by quarters.
        quarters = 1 if tally.directed else 4
        turn = np.angle(np.exp(1j * quarters * np.radians([each.angle for each in group])).sum()) / quarters
        axes = axes_at(turn)
        places = np.array([(each.x, each.y) for each in group]) @ axes.T
        reach = 1.5 * np.array((width, height))
        (left, top), (right, bottom) = places.min(axis=0) - reach, places.max(axis=0) + reach
        areas.append(corners_of((left, top, right, bottom)) @ axes)
    return areas


def is_near(zone: Array, place: Array) -> bool:
    """Return whether a place may count in a zone (n, 2), mm."""
    x, y = float(place[0]), float(place[1])
    return cv2.pointPolygonTest(zone.astype(np.float32), (x, y), measureDist=True) >= -ZONE_MARGIN_MM
