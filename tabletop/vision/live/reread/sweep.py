"""Goes over a table part by part, to find tags that were missed in bad light."""

from __future__ import annotations

from tabletop.vision.geometry.boxes import Box

SWEEP_MM = 100.0
"""Side, mm, of the part of the table that is read again at each step of the sweep."""


class Sweep:
    """The parts of a table in turn; after the last one it begins again."""

    def __init__(self) -> None:
        self._step = 0

    def next_part(self, bounds: Box) -> tuple[Box, bool]:
        """Return the next part, mm, of a table with these bounds, and whether to search it for markers as well.

        Every other round searches only for pieces: a marker that was missed may wait.
        """
        left, top, right, bottom = bounds
        columns, rows = int((right - left) // SWEEP_MM) + 1, int((bottom - top) // SWEEP_MM) + 1
        self._step = (self._step + 1) % (columns * rows * 2)
        lap, cell = divmod(self._step, columns * rows)
        x, y = left + cell % columns * SWEEP_MM, top + cell // columns * SWEEP_MM
        return (x, y, x + SWEEP_MM, y + SWEEP_MM), lap == 1
