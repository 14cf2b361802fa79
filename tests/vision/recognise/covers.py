"""What covers a part of a tag."""

from __future__ import annotations

import numpy as np

from bench.painting import Painter

SIDE_MM = 20.0


PLACES = [(x, y) for y in (-120.0, -60.0, 0.0, 60.0, 120.0) for x in (-180.0, -108.0, -36.0, 36.0, 108.0, 180.0)]


def cover(painter: Painter, x: float, y: float, part: float) -> None:
    """Cover a part of a tag with paper, cloth or wood from a random direction."""
    rng = painter.rng
    way, tone = float(rng.uniform(0, 2 * np.pi)), int(rng.integers(30, 230))
    off = SIDE_MM * (1.2 - part)
    sheet = np.full((200, 200), tone, np.uint8)
    painter.paste(sheet, x + off * np.cos(way), y + off * np.sin(way), float(np.degrees(way)), SIDE_MM * 1.4)
