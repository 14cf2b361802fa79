"""Draws words, boxes and pictures in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

LINE, YES, NO, DARK = "#444", "#2e7d4f", "#c0392b", "#27313f"


class Picture(NamedTuple):
    """One picture: its file's name, its size in px, a title that describes it, and its parts in SVG."""

    name: str
    width: int
    height: int
    title: str
    parts: Sequence[str]

    def svg(self) -> str:
        """Return the picture as the text of an SVG file."""
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
        head += f'width="{self.width}" height="{self.height}" font-family="sans-serif" role="img">'
        head += f"<title>{self.title}</title>"
        ground = f'<rect width="{self.width}" height="{self.height}" fill="#fbfaf6"/>'
        return "\n".join([head, ground, *self.parts, "</svg>"]) + "\n"


def text(x: float, y: float, words: str, size: int = 13, colour: str = "#222", anchor: str = "middle") -> str:
    """Return words at a place, as SVG."""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}" text-anchor="{anchor}">{words}</text>'


def box(x: float, y: float, width: float, height: float, fill: str, more: str = "") -> str:
    """Return a rectangle with round corners."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" fill="{fill}" stroke="#444" {more}/>'
    )


def verdict(x: float, y: float, legal: bool) -> str:
    """Return a tick or a cross."""
    return text(x, y, "✓", 20, YES) if legal else text(x, y, "✗", 20, NO)


def arrow(path: str, x: float, y: float) -> str:
    """Return a dashed path that ends with an arrowhead pointing down at a place."""
    line = f'<path d="{path}" fill="none" stroke="{DARK}" stroke-width="3" stroke-dasharray="6 5"/>'
    return line + f'<path d="M{x - 8:g} {y - 12:g} l8 12 8 -12z" fill="{DARK}"/>'
