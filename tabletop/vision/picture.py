"""A picture of what was understood: tiles outlined, palazzi joined, their points beside, doubts marked."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from tabletop.rules.game import Game
from tabletop.vision import tags
from tabletop.vision.columns import TILE_SHAPE, Placed, pitch
from tabletop.vision.pictures import Picture
from tabletop.vision.plane import Array, Plane
from tabletop.vision.scene import Sighting
from tabletop.vision.score import Score, SeatPalazzi, tile_size
from tabletop.vision.still import Still

SEATS = ((0, 158, 115), (0, 114, 178), (204, 121, 167), (230, 159, 0), (86, 180, 233))
"""Colours of the seats that people with any colour vision can tell apart; seats are also named in words."""
WRONG = (213, 40, 40)
DOUBT = (255, 196, 0)
MARK = (120, 120, 120)
FADE = 0.55
"""How much of the photograph is left under the drawing."""
MOST_PX = 2400
"""The longer side of the drawn picture: for people to look at, on a phone as well."""


class Drawing:
    """One still picture with what was understood drawn in."""

    def __init__(self, picture: Picture) -> None:
        width, height = picture.size
        self.scale = min(1.0, MOST_PX / max(width, height))
        size = (max(1, round(width * self.scale)), max(1, round(height * self.scale)))
        photo = Image.fromarray(np.ascontiguousarray(picture.colour[:, :, ::-1])).resize(size)
        self.image = Image.blend(Image.new("RGB", size, "white"), photo, FADE)
        self.pen = ImageDraw.Draw(self.image)

    def understood(self, still: Still, score: Score, game: Game, number: int) -> Image.Image:
        """Return the picture with the palazzi of its seats; ``number`` is its place among the pictures of the score."""
        if still.plane is not None:
            by_piece = {self._id(each, game): each for each in still.sightings}
            for seat in score.seats:
                if seat.picture == number:
                    self._seat(seat, by_piece, still.plane, game)
            for each in still.sightings:
                if tags.marker_of(each.payload) is not None:
                    self._outline(np.array(each.corners), MARK, 2)
        for _, unread in (each for each in score.unread if each[0] == number and each[1].corners):
            corners = np.array(unread.corners)
            self._outline(corners, DOUBT, 5)
            self._label(corners.mean(axis=0), "?", DOUBT, 26, (0, 0, 0))
        return self.image

    def _id(self, sighting: Sighting, game: Game) -> str:
        return tags.piece_of(game, sighting.payload) or sighting.payload

    def _seat(self, seat: SeatPalazzi, by_piece: dict[str, Sighting], plane: Plane, game: Game) -> None:
        ink = SEATS[seat.seat % len(SEATS)]
        tiles = [tile for palazzo in seat.palazzi for tile in palazzo.tiles]
        if not tiles:
            return
        placed = [Placed(tile, by_piece[tile].x, by_piece[tile].y, by_piece[tile].angle) for tile in tiles]
        height, width = tile_size(placed, game) or _unknown_size(placed)
        for palazzo in seat.palazzi:
            colour = WRONG if palazzo.faults else ink
            seen = [by_piece[tile] for tile in palazzo.tiles]
            middles = plane.to_px(np.array([(each.x, each.y) for each in seen]))
            if len(seen) > 1:
                self.pen.line([self._px(middle) for middle in middles], fill=colour, width=self._thick(9))
            for each, middle in zip(seen, middles, strict=True):
                self._outline(plane.to_px(_tile(each, height, width)), colour, 4)
                self._label(middle, self._id(each, game), colour, 15)
            top = _tile(seen[-1], height, width)
            above = top[:2].mean(axis=0) + 0.45 * (top[:2].mean(axis=0) - top.mean(axis=0))
            self._label(plane.to_px(above[None])[0], _verdict(palazzo.points), colour, 24)
        corner = plane.to_px(np.array([_title_spot([by_piece[tile] for tile in tiles], height)]))[0]
        self._label(corner, f"Seat {seat.seat + 1}: {seat.points}", ink, 30)

    def _outline(self, corners: Array, colour: tuple[int, int, int], thick: int) -> None:
        spots = [self._px(corner) for corner in corners]
        self.pen.line([*spots, spots[0], spots[1]], fill=colour, width=self._thick(thick), joint="curve")

    def _label(
        self,
        middle: Array,
        text: str,
        colour: tuple[int, int, int],
        size: int,
        ink: tuple[int, int, int] = (255, 255, 255),
    ) -> None:
        """Write on a plate that stays inside the picture."""
        font = ImageFont.load_default(self._thick(size))
        left, top, right, bottom = self.pen.textbbox((0, 0), text, font=font)
        wide, high, edge = right - left, bottom - top, self._thick(5)
        x, y = self._px(middle)
        x = min(max(x - wide / 2, edge), self.image.width - wide - edge)
        y = min(max(y - high / 2, edge), self.image.height - high - edge)
        self.pen.rounded_rectangle((x - edge, y - edge, x + wide + edge, y + high + edge), edge, fill=colour)
        self.pen.text((x - left, y - top), text, fill=ink, font=font)

    def _px(self, point: Array) -> tuple[float, float]:
        return float(point[0]) * self.scale, float(point[1]) * self.scale

    def _thick(self, width: int) -> int:
        """Return a width that looks alike in large and small pictures."""
        return max(1, round(width * max(self.image.size) / 1600))


def _tile(sighting: Sighting, height: float, width: float) -> Array:
    """Return the corners of a tile around its tag, mm, from its own top left, clockwise."""
    turn = np.radians(sighting.angle)
    right, down = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    middle = np.array([sighting.x, sighting.y])
    corners: Array = np.array(
        [middle + x * width / 2 * right + y * height / 2 * down for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    )
    return corners


def _title_spot(seen: list[Sighting], height: float) -> tuple[float, float]:
    """Return the place of a seat's title: below its tiles, as the seat looks at them."""
    turn = np.radians(np.array([each.angle for each in seen]))
    down = np.array([-np.sin(turn).mean(), np.cos(turn).mean()])
    down /= np.linalg.norm(down) + 1e-9
    places = np.array([(each.x, each.y) for each in seen])
    middle = places.mean(axis=0)
    x, y = middle + down * (float(((places - middle) @ down).max()) + 1.1 * height)
    return float(x), float(y)


def _unknown_size(placed: list[Placed]) -> tuple[float, float]:
    height = pitch(placed) or tags.TAG_MM
    return height, TILE_SHAPE * height


def _verdict(points: int | None) -> str:
    return "wrong" if points is None else f"{points:+d}" if points else "0"
