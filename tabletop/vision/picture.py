"""A picture of what was understood: tiles outlined, palazzi joined, their points beside, doubts marked and told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from PIL import Image

from tabletop.rules.game import Game
from tabletop.vision import tags
from tabletop.vision.columns import Placed
from tabletop.vision.pen import BLACK, Pen, Place, Rgb, written
from tabletop.vision.pictures import Picture
from tabletop.vision.plane import Array, Plane
from tabletop.vision.score import Score, SeatPalazzi
from tabletop.vision.still import Still, Unread
from tabletop.vision.tally.tally import Palazzo, Tally

SEATS: Sequence[Rgb] = ((0, 125, 92), (0, 96, 160), (170, 70, 140), (176, 100, 0), (70, 70, 70))
"""Colours of the seats that people with any colour vision can tell apart; seats are also named in words."""
WRONG: Rgb = (205, 30, 30)
DOUBT: Rgb = (255, 196, 0)
LEFT = 0.86
"""How much of the photograph's contrast is left under the drawing."""
SHOWN_PX = 2000
"""The longer side of the part of the photograph that is drawn: for people to look at, on a phone as well."""
MARGIN_MM = 45.0
"""What is shown of the table around the pieces that count."""


class Drawing:
    """One still picture with what was understood drawn in."""

    def __init__(self, picture: Picture, still: Still, score: Score, number: int, game: Game, tally: Tally) -> None:
        self._score, self._number, self._tally, self._plane = score, number, tally, still.plane
        self._by_piece: dict[str, Placed] = {}
        for each in still.sightings:
            piece = tags.piece_of(game, each.payload)
            if piece is not None:
                self._by_piece[piece] = Placed(piece, each.x, each.y, each.angle)
        self._seats = [seat for seat in score.seats if number in seat.pictures]
        self._doubts = [unread for where, unread in score.unread if where == number]
        self._size = tally.size(self._counted())
        box = self._box(picture)
        self._corner, self._scale = np.array(box[:2]), SHOWN_PX / max(box[2] - box[0], box[3] - box[1])
        photo = Image.fromarray(np.ascontiguousarray(picture.colour[box[1] : box[3], box[0] : box[2], ::-1]))
        size = (max(1, round(photo.width * self._scale)), max(1, round(photo.height * self._scale)))
        photo = photo.resize(size, Image.Resampling.LANCZOS)
        self._pen = Pen(Image.blend(Image.new("RGB", size, "white"), photo, LEFT))

    def understood(self) -> Image.Image:
        """Return the part of the picture that matters with everything drawn in, and what it says in words below."""
        if self._plane is not None:
            for seat in self._seats:
                self._seat(seat, self._plane)
        told = self._told()
        for number, unread in enumerate(told, start=1):
            for each in (one for one in self._doubts if one.message == unread.message and one.corners):
                spots = [self._px(np.array(corner)) for corner in each.corners]
                self._pen.outline(spots, DOUBT, 5)
                middle = np.mean(spots, axis=0)
                self._pen.plate((middle[0], middle[1]), f"?{number}", DOUBT, 26, BLACK)
        return self._with_words(told)

    def _with_words(self, told: Sequence[Unread]) -> Image.Image:
        lines = [(_ink(seat), _sum(seat)) for seat in self._seats]
        lines += [
            (WRONG, fault.message) for seat in self._seats for palazzo in seat.palazzi for fault in palazzo.faults
        ]
        lines += [(DOUBT, f"?{number}  {unread.message}") for number, unread in enumerate(told, start=1)]
        if not self._seats:
            lines.append((DOUBT, "No seat was understood in this picture."))
        photo = self._pen.image
        words = written(lines, photo.width, max(18.0, photo.width / 55))
        whole = Image.new("RGB", (photo.width, photo.height + words.height), "white")
        whole.paste(photo, (0, 0))
        whole.paste(words, (0, photo.height))
        return whole

    def _told(self) -> list[Unread]:
        """Return one doubt for each sentence."""
        return [*{unread.message: unread for unread in self._doubts}.values()]

    def _counted(self) -> list[Placed]:
        """Return the pieces in this picture that count."""
        pieces = [tile for seat in self._seats for palazzo in seat.palazzi for tile in palazzo.tiles]
        return [self._by_piece[piece] for piece in pieces if piece in self._by_piece]

    def _box(self, picture: Picture) -> tuple[int, int, int, int]:
        """Return left, top, right, bottom in px of what is shown: all that counts or is doubted, and a margin."""
        width, height = picture.size
        spots = [np.array(unread.corners) for unread in self._doubts if unread.corners]
        if self._plane is not None:
            tall, wide = (side + 2 * MARGIN_MM for side in self._size)
            spots += [self._plane.to_px(_outline(each, tall, wide)) for each in self._counted()]
        if not spots:
            return 0, 0, width, height
        every = np.concatenate(spots)
        low = np.clip(np.floor(every.min(axis=0)), 0, (width - 32, height - 32)).astype(int)
        high = np.clip(np.ceil(every.max(axis=0)), low + 32, (width, height)).astype(int)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])

    def _seat(self, seat: SeatPalazzi, plane: Plane) -> None:
        for palazzo in seat.palazzi:
            self._palazzo(palazzo, _ink(seat), plane)
        seen = [self._by_piece[tile] for palazzo in seat.palazzi for tile in palazzo.tiles if tile in self._by_piece]
        if seen:
            place = self._px(plane.to_px(_title_spot(seen, self._size[0])[None])[0])
            self._pen.plate(place, f"Seat {seat.seat + 1}: {seat.points}{'' if seat.sure else ' ?'}", _ink(seat), 34)

    def _palazzo(self, palazzo: Palazzo, ink: Rgb, plane: Plane) -> None:
        colour = WRONG if palazzo.faults else ink
        height, width = self._size
        seen = [self._by_piece[tile] for tile in palazzo.tiles if tile in self._by_piece]
        if not seen:
            return
        outlines = [[self._px(px) for px in plane.to_px(_outline(each, height, width))] for each in seen]
        middles = [self._px(px) for px in plane.to_px(np.array([(each.x, each.y) for each in seen]))]
        for outline in outlines:
            self._pen.outline(outline, colour, 4)
        if self._tally.directed and len(middles) > 1:
            self._pen.line(middles, colour, 9)
        for each, outline, middle in zip(seen, outlines, middles, strict=True):
            self._pen.plate_px(middle, each.piece, colour, 0.3 * _least_side(outline))
        if self._tally.directed:
            self._verdict(seen[-1], outlines[-1], palazzo, colour, plane)

    def _verdict(self, top: Placed, outline: Sequence[Place], palazzo: Palazzo, colour: Rgb, plane: Plane) -> None:
        """Write a palazzo's points beyond its top tile."""
        ends = _outline(top, self._size[0], self._size[1])
        above = ends[:2].mean(axis=0) + 0.62 * (ends[:2].mean(axis=0) - ends.mean(axis=0))
        size = max(0.46 * _least_side(outline), 16.0)
        self._pen.plate_px(self._px(plane.to_px(above[None])[0]), _points(palazzo), colour, size)

    def _px(self, point: Array) -> Place:
        x, y = (point - self._corner) * self._scale
        return float(x), float(y)


def _ink(seat: SeatPalazzi) -> Rgb:
    return SEATS[seat.seat % len(SEATS)]


def _points(palazzo: Palazzo) -> str:
    return "wrong" if palazzo.points is None else f"{palazzo.points:+d}" if palazzo.points else "0"


def _sum(seat: SeatPalazzi) -> str:
    """Return how a seat's points come about."""
    terms = [f"{_points(palazzo)} ({' '.join(palazzo.tiles)})" for palazzo in seat.palazzi]
    terms += [f"{part.points:+d} ({part.title})" for part in seat.parts]
    doubt = "" if seat.sure else ", in doubt"
    return f"Seat {seat.seat + 1}: {seat.points} points{doubt} = {', '.join(terms)}"


def _outline(placed: Placed, height: float, width: float) -> Array:
    """Return the corners of a rectangle around a tag, mm, from its own top left, clockwise."""
    turn = np.radians(placed.angle)
    right, down = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    middle = np.array([placed.x, placed.y])
    ways = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    corners: Array = np.array([middle + x * width / 2 * right + y * height / 2 * down for x, y in ways])
    return corners


def _title_spot(seen: Iterable[Placed], height: float) -> Array:
    """Return the place of a seat's title: below its tiles, as the seat looks at them."""
    there = [*seen]
    turn = np.radians(np.array([each.angle for each in there]))
    down = np.array([-np.sin(turn).mean(), np.cos(turn).mean()])
    down /= np.linalg.norm(down) + 1e-9
    places = np.array([(each.x, each.y) for each in there])
    middle = places.mean(axis=0)
    spot: Array = middle + down * (float(((places - middle) @ down).max()) + 1.05 * height)
    return spot


def _least_side(outline: Sequence[Place]) -> float:
    corners = np.array(outline)
    return float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).min())
