"""The live loop: frame after frame in, a Scene out whenever the table stands still and looks different."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tabletop.rules.layout import Layout
from tabletop.vision.frame import Frame
from tabletop.vision.reader import Reader, Reading
from tabletop.vision.scene import Scene, Sighting
from tabletop.vision.stillness import Stillness
from tabletop.vision.tags import Pattern

Arrange = Callable[[Sequence[Sighting]], Layout]
"""How sightings become a layout: the zones of one game, with their markers among the sightings."""


class Eyes:
    """Looks at one table.

    ``patterns`` and ``sizes`` (mm) tell what may lie there, by payload, markers included; ``arrange`` makes the
    layout.  Time comes with the frames.
    """

    def __init__(
        self,
        patterns: Mapping[str, Pattern],
        sizes: Mapping[str, float],
        arrange: Arrange,
        stillness: Stillness | None = None,
    ) -> None:
        self.reader = Reader(patterns, sizes)
        self.arrange = arrange
        self.stillness = stillness or Stillness()
        self._reading: Reading | None = None
        self._told: Scene | None = None
        self._read = -1.0
        self._standing: Scene | None = None

    @property
    def standing(self) -> Scene | None:
        """The scene as it stood in the last frame, at that frame's time; None while anything moves.

        What answers a press is a table seen after it, whether or not it changed since the scene before.
        """
        return self._standing

    def look(self, frame: Frame) -> Scene | None:
        """Take the newest frame; return a Scene when the table stands still and differs from the scene before."""
        still = self.stillness.see(frame.small, frame.time)
        self._standing = None
        if not still.still:
            self._read = -1.0
            return None
        if self._read == still.since:
            self._standing = replace(self._told, time=frame.time) if self._told is not None else None
            return None
        self._read = still.since
        before = self._reading.plane if self._reading is not None else None
        self._reading = self.reader.read(frame.grey, before)
        return self._tell(frame, self._reading)

    def _tell(self, frame: Frame, reading: Reading) -> Scene | None:
        layout = self.arrange(reading.sightings)
        scene = Scene(
            frame.time,
            frame.number,
            layout,
            reading.sightings,
            reading.unreadable,
            reading.foreign,
            reading.doubles,
            reading.notes,
        )
        told, self._standing = self._told, scene
        if told is not None and (told.layout, told.doubles) == (scene.layout, scene.doubles):
            return None
        self._told = scene
        return scene
