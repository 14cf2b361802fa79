"""Draws a score into a picture: tiles outlined, palazzi joined, with their points, and doubts marked and explained."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from PIL import Image

from tabletop.rules.game import Game
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.outlines import rectangle_of
from tabletop.vision.geometry.plane import Array, Plane
from tabletop.vision.geometry.zones import of_kind
from tabletop.vision.image.load import Picture
from tabletop.vision.photo.read_photo import PhotoReading
from tabletop.vision.report.canvas import Rgb, lines_of_text
from tabletop.vision.report.photo_crop import DOUBT_COLOUR, Box, PhotoCrop, box_around, crop, longer_side, shorter_side
from tabletop.vision.scene import Unreadable
from tabletop.vision.score.score import Score, SeatPalazzi, in_points
from tabletop.vision.score.tally import ScoredGroup, Tally

SEAT_COLOURS: Sequence[Rgb] = ((0, 125, 92), (0, 96, 160), (170, 70, 140), (176, 100, 0), (70, 70, 70))
"""Colours of the seats, distinguishable with any colour vision; seats are also named in words."""
INK: Rgb = (70, 70, 70)
FAULT_COLOUR: Rgb = (205, 30, 30)
SHOWN_SIDE_PX = 2000
"""Longer side, px, of the part of the photograph that is drawn: legible on a phone as well."""
MARGIN_MM = 45.0
"""Margin of the table around the pieces that count, mm."""
MIN_SPREAD_RATIO = 1.7
"""Least ratio of the size of a picture of all seats to that of one at which seats are shown one by one."""
GAP_PX = 12
"""Distance between two parts, px."""


class ScorePicture:
    """Draws what was recognised into one still picture; seats that are far apart are shown one by one.

    ``picture`` may be smaller than the one that ``reading`` was read from; ``bare``: write no sentences into it;
    ``called``: piece → what people call it, for pieces that are not named by their ids.
    """

    def __init__(
        self,
        picture: Picture,
        reading: PhotoReading,
        score: Score,
        number: int,
        game: Game,
        tally: Tally,
        *,
        bare: bool = False,
        called: Mapping[str, str] | None = None,
    ) -> None:
        self._called = called or {}
        self._title, self._wrong = ("{}: {}{}", "!") if bare else ("Seat {}: {}{}", "wrong")
        self._picture, self._tally, self._plane = picture, tally, reading.plane
        height, width = reading.plane.shape if reading.plane is not None else picture.grey.shape
        self._read_size, self._shrunk = (width, height), picture.size[0] / width
        pieces = of_kind(reading.sightings, game, tally.kind)
        tags = [Placed(piece, each.x, each.y, each.angle) for each, piece in pieces]
        self._by_piece = {placed.piece: placed for placed in tally.places(tags)}
        self._seats = [seat for seat in score.seats if number in seat.pictures]
        doubts = [unread for where, unread in score.unread if where == number]
        self._notes = score.notes
        self._listed_doubts = [*{unread.message: unread for unread in doubts}.values()]
        named = {tile for seat in self._seats for group in seat.palazzi for tile in group.tiles}
        self._doubts = [
            (self._number(unread), np.array(unread.corners), unread.piece in named)
            for unread in doubts
            if unread.corners
        ]
        self._size = tally.size([each for seat in self._seats for each in self._pieces(seat)])

    def panels(self) -> list[Image.Image]:
        """Return the parts of the picture that matter with everything drawn in."""
        boxes = self._boxes()
        side = SHOWN_SIDE_PX if len(boxes) == 1 else SHOWN_SIDE_PX // 2
        return [self._panel(box, side) for box in boxes]

    def understood(self) -> Image.Image:
        """Return the parts of the picture that matter with everything drawn in, and an explanation in words below."""
        panels = self.panels()
        rows = [panels[first : first + 2] for first in range(0, len(panels), 2)]
        width = max(sum(panel.width for panel in row) + GAP_PX * (len(row) - 1) for row in rows)
        words = self._words(max(width, SHOWN_SIDE_PX // 2))
        height = sum(max(panel.height for panel in row) + GAP_PX for row in rows)
        whole = Image.new("RGB", (max(width, words.width), height + words.height), "white")
        y = 0
        for row in rows:
            x = 0
            for panel in row:
                whole.paste(panel, (x, y))
                x += panel.width + GAP_PX
            y += max(panel.height for panel in row) + GAP_PX
        whole.paste(words, (0, y))
        return whole

    def _words(self, width: int) -> Image.Image:
        lines = [(_ink(seat), _sum_in_words(seat)) for seat in self._seats]
        lines += [
            (FAULT_COLOUR, fault.message) for seat in self._seats for group in seat.palazzi for fault in group.faults
        ]
        lines += [
            (DOUBT_COLOUR, f"?{number}  {unread.message}") for number, unread in enumerate(self._listed_doubts, start=1)
        ]
        lines += [(INK, note) for note in self._notes]
        if not self._seats:
            lines.append((DOUBT_COLOUR, "No seat was understood in this picture."))
        return lines_of_text(lines, width, max(18.0, width / 55))

    def _number(self, doubt: Unreadable) -> int:
        """Return the number of a doubt's sentence, from 1."""
        return 1 + next(number for number, known in enumerate(self._listed_doubts) if known.message == doubt.message)

    def _pieces(self, seat: SeatPalazzi) -> list[Placed]:
        """Return the pieces of a seat that this picture shows."""
        pieces = [tile for group in seat.palazzi for tile in group.tiles]
        return [self._by_piece[piece] for piece in pieces if piece in self._by_piece]

    # -- what is shown ---------------------------------------------------------------------------------------------

    def _boxes(self) -> list[Box]:
        """Return the parts of the picture to show: one around all that matters, or one per seat if they lie apart."""
        seats = [self._around(seat) for seat in self._seats if self._pieces(seat)] if self._plane is not None else []
        boxes = [box_around(spots, self._read_size) for spots in seats]
        for _, corners, _ in self._doubts:
            middle, doubt_box = corners.mean(axis=0), box_around(corners, self._read_size)
            if not boxes:
                boxes.append(doubt_box)
            else:
                # A doubt beside a seat is shown together with it: in a picture of all seats its tiles would be small.
                nearest = min(range(len(boxes)), key=lambda number: _distance_px(boxes[number], middle))
                boxes[nearest] = _around_all([boxes[nearest], doubt_box])
        if not boxes:
            return [(0, 0, *self._read_size)]
        whole = _around_all(boxes)
        return boxes if longer_side(whole) > MIN_SPREAD_RATIO * max(longer_side(box) for box in boxes) else [whole]

    def _around(self, seat: SeatPalazzi) -> Array:
        """Return points, px, that a seat's part of the picture has to contain."""
        assert self._plane is not None
        tall, wide = (side + 2 * MARGIN_MM for side in self._size)
        return np.concatenate([self._plane.to_px(rectangle_of(each, tall, wide)) for each in self._pieces(seat)])

    def _panel(self, box: Box, side: int) -> Image.Image:
        """Return a part of the picture with everything in it drawn."""
        view = crop(self._picture, box, side, self._shrunk)
        if self._plane is not None:
            for seat in self._seats:
                self._draw_seat(view, seat, self._plane)
        for number, corners, named in self._doubts:
            view.doubt(corners, number, aside=named)
        if self._plane is not None:
            for seat in self._seats:
                self._draw_title(view, seat, self._plane)
        return view.canvas.image

    # -- drawing ---------------------------------------------------------------------------------------------------

    def _draw_seat(self, view: PhotoCrop, seat: SeatPalazzi, plane: Plane) -> None:
        if self._shown(view, seat, plane):
            for group in seat.palazzi:
                self._draw_group(view, group, _ink(seat), plane)

    def _draw_title(self, view: PhotoCrop, seat: SeatPalazzi, plane: Plane) -> None:
        seen = self._shown(view, seat, plane)
        if seen:
            spots = view.places(plane.to_px(_title_spots(seen, self._size)))
            tile = view.places(plane.to_px(rectangle_of(seen[0], *self._size)))
            title = self._title.format(seat.seat + 1, seat.points, "" if seat.sure else " ?")
            view.canvas.label_where_free(spots, title, _ink(seat), 34, min_letters=0.6 * shorter_side(tile))

    def _shown(self, view: PhotoCrop, seat: SeatPalazzi, plane: Plane) -> list[Placed]:
        """Return the pieces of a seat that lie in this part of the picture."""
        return [each for each in self._pieces(seat) if view.shows(plane.to_px(np.array([(each.x, each.y)]))[0])]

    def _draw_group(self, view: PhotoCrop, group: ScoredGroup, ink: Rgb, plane: Plane) -> None:
        colour = FAULT_COLOUR if group.faults else ink
        height, width = self._size
        seen = [self._by_piece[tile] for tile in group.tiles if tile in self._by_piece]
        if not seen:
            return
        outlines = [view.places(plane.to_px(rectangle_of(each, height, width))) for each in seen]
        middles = view.places(plane.to_px(np.array([(each.x, each.y) for each in seen])))
        for outline in outlines:
            view.canvas.outline(outline, colour, 4)
        if self._tally.directed and len(middles) > 1:
            view.canvas.line(middles, colour, 9)
        for each, outline, middle in zip(seen, outlines, middles, strict=True):
            side, name = shorter_side(outline), self._called.get(each.piece, each.piece)
            view.canvas.label_within(middle, _in_lines(name), colour, 0.3 * side, side)
        if self._tally.directed:
            ends = rectangle_of(seen[-1], height, width)
            above = ends[:2].mean(axis=0) + 0.62 * (ends[:2].mean(axis=0) - ends.mean(axis=0))
            size = max(0.46 * shorter_side(outlines[-1]), 16.0)
            view.canvas.label(view.places(plane.to_px(above[None]))[0], _points(group, self._wrong), colour, size)


def _in_lines(name: str) -> str:
    """Return a piece's name with a line for each word."""
    return "\n".join(name.split())


def _distance_px(box: Box, px: Array) -> float:
    """Return the distance of a point from a part of the photograph, px, 0 inside."""
    return float(np.hypot(*np.maximum(np.maximum(np.array(box[:2]) - px, px - np.array(box[2:])), 0)))


def _around_all(boxes: Sequence[Box]) -> Box:
    left, top = (min(box[side] for box in boxes) for side in (0, 1))
    right, bottom = (max(box[side] for box in boxes) for side in (2, 3))
    return left, top, right, bottom


def _ink(seat: SeatPalazzi) -> Rgb:
    return SEAT_COLOURS[seat.seat % len(SEAT_COLOURS)]


def _points(group: ScoredGroup, wrong: str = "wrong") -> str:
    return wrong if group.points is None else f"{group.points:+d}" if group.points else "0"


def _sum_in_words(seat: SeatPalazzi) -> str:
    """Return a seat's points in words, with the terms that they are the sum of."""
    terms = [f"{_points(group)} ({' '.join(group.tiles)})" for group in seat.palazzi]
    terms += [f"{part.points:+d} ({part.title})" for part in seat.parts]
    doubt = "" if seat.sure else ", in doubt"
    return f"Seat {seat.seat + 1}: {in_points(seat.points)}{doubt} = {', '.join(terms)}"


def _title_spots(seen: Iterable[Placed], size: tuple[float, float]) -> Array:
    """Return places for a seat's title, seen from the seat: below its tiles, beside them, above their points.

    The more distant ones are for tiles that are so small in the picture that the title would cover them.
    """
    pieces = [*seen]
    turn = np.radians(np.array([each.angle for each in pieces]))
    down = np.array([-np.sin(turn).mean(), np.cos(turn).mean()])
    down /= np.linalg.norm(down) + 1e-9
    places = np.array([(each.x, each.y) for each in pieces])
    middle = places.mean(axis=0)
    height, width = size
    right = np.array([down[1], -down[0]])
    near = ((down, 1.05 * height), (right, 1.6 * width), (-right, 1.6 * width), (-down, 2 * height))
    far = ((down, 2.2 * height), (-down, 3.2 * height), (right, 2.6 * width), (-right, 2.6 * width))
    spots: Array = np.array(
        [middle + direction * (float(((places - middle) @ direction).max()) + off) for direction, off in near + far]
    )
    return spots
