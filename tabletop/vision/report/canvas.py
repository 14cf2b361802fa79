"""Draws on pictures: lines with an edge, labels and lines of text, and encodes the result as JPEG."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from PIL import Image, ImageDraw, ImageFont

Rgb: TypeAlias = tuple[int, int, int]
Place: TypeAlias = tuple[float, float]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""

WHITE, BLACK = (255, 255, 255), (0, 0, 0)
REFERENCE_SIDE_PX = 1600
"""Longer side, px, of the reference picture in whose px widths and sizes are given."""
MIN_LETTER_PX = 9
"""Least size of readable letters, px."""


class Canvas:
    """Draws on one image; places are in px of it, widths and sizes in px of the reference picture."""

    def __init__(self, image: Image.Image) -> None:
        self.image = image
        self._draw = ImageDraw.Draw(image)
        self._scale = max(image.size) / REFERENCE_SIDE_PX
        self._drawn: list[Box] = []
        """The boxes of the outlines and labels so far."""

    def line(self, places: Sequence[Place], colour: Rgb, width: float, edge: Rgb | None = WHITE) -> None:
        """Draw a line through the places, with a thin edge unless it is None."""
        if edge is not None:
            self._draw.line([*places], fill=edge, width=self._px(width + 2.5), joint="curve")
        self._draw.line([*places], fill=colour, width=self._px(width), joint="curve")

    def outline(self, corners: Sequence[Place], colour: Rgb, width: float, edge: Rgb | None = WHITE) -> None:
        """Draw a closed line."""
        self.line([*corners, corners[0], corners[1]], colour, width, edge)
        x, y = zip(*corners, strict=True)
        self._drawn.append((min(x), min(y), max(x), max(y)))

    def label_where_free(
        self, middles: Sequence[Place], text: str, colour: Rgb, size: float, min_letters: float = 0.0
    ) -> None:
        """Write a label at the one of the ``middles`` where it hides least of the existing outlines and labels.

        The letters have at least ``min_letters`` px of the image.
        """
        letters = max(float(self._px(size)), min_letters)
        best = min(middles, key=lambda middle: self._hidden(self._label_box(middle, text, letters)))
        self.label(best, text, colour, letters)

    def label(self, middle: Place, text: str, colour: Rgb, size: float, ink: Rgb = WHITE) -> None:
        """Write a label centred at a place, kept inside the image; ``size``: that of the letters, px of the image."""
        if size < MIN_LETTER_PX:
            return
        font, edge = _font(size), _edge(size)
        left, top, _, _ = self._draw.textbbox((0, 0), text, font=font)
        box = self._label_box(middle, text, size)
        self._draw.rounded_rectangle(box, edge, fill=colour, outline=WHITE, width=max(1, round(size / 14)))
        self._draw.text((box[0] + edge - left, box[1] + edge - top), text, fill=ink, font=font)
        self._drawn.append(box)

    def label_within(self, middle: Place, text: str, colour: Rgb, size: float, width: float) -> None:
        """Write a label centred at a place, in letters smaller than ``size`` if it would be wider, px of the image.

        They stay readable, so that a long label may still reach beyond the width.
        """
        box = self._label_box((0.0, 0.0), text, size)
        self.label(middle, text, colour, max(MIN_LETTER_PX, min(size, size * width / (box[2] - box[0]))))

    def _label_box(self, middle: Place, text: str, size: float) -> Box:
        """Return the box of a label centred at a place, kept inside the image."""
        left, top, right, bottom = self._draw.textbbox((0, 0), text, font=_font(size))
        wide, high = right - left + 2 * _edge(size), bottom - top + 2 * _edge(size)
        x = min(max(middle[0] - wide / 2, 0.0), self.image.width - wide)
        y = min(max(middle[1] - high / 2, 0.0), self.image.height - high)
        return x, y, x + wide, y + high

    def _hidden(self, label: Box) -> float:
        """Return the area that a label would hide of what was drawn, px²."""
        return sum(
            max(0.0, min(label[2], box[2]) - max(label[0], box[0]))
            * max(0.0, min(label[3], box[3]) - max(label[1], box[1]))
            for box in self._drawn
        )

    def _px(self, length: float) -> int:
        return max(1, round(length * self._scale))


@lru_cache(maxsize=64)
def _font(size: float) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    return ImageFont.load_default(size)


def _edge(size: float) -> float:
    """Return the width of a label's padding for letters of a size, px."""
    return max(2.0, size / 4)


def lines_of_text(lines: Sequence[tuple[Rgb, str]], width: int, size: float) -> Image.Image:
    """Return lines of text on white, each after a disc of its colour, wrapped to a width in px."""
    font, gap = _font(size), round(size * 0.7)
    left = round(size * 2)
    rows = [
        (colour if not row else None, words)
        for colour, text in lines
        for row, words in _rows(text, font, width - left - size)
    ]
    step = round(size * 1.45)
    image = Image.new("RGB", (width, step * len(rows) + 2 * gap), "white")
    draw = ImageDraw.Draw(image)
    for number, (colour, words) in enumerate(rows):
        y = gap + number * step
        if colour is not None:
            draw.ellipse((size * 0.6, y + size * 0.2, size * 1.4, y + size), fill=colour)
        draw.text((left, y), words, fill=BLACK, font=font)
    return image


def _rows(text: str, font: ImageFont.ImageFont | ImageFont.FreeTypeFont, width: float) -> list[tuple[int, str]]:
    rows = [""]
    for word in text.split():
        longer = f"{rows[-1]} {word}".strip()
        if rows[-1] and font.getlength(longer) > width:
            rows.append(word)
        else:
            rows[-1] = longer
    return [*enumerate(rows)]


def jpeg(image: Image.Image, quality: int) -> bytes:
    """Return an image as JPEG."""
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality)
    return out.getvalue()
