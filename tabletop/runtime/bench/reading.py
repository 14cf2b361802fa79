"""The time to read a table at each size of picture: the still check, a part of the table, the whole of it."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterator

from tabletop.hardware.diagnostics.linux import memory_mb
from tabletop.rules.game import Game
from tabletop.runtime.bench.figures import Figure, figure, time_repeatedly
from tabletop.simulator.world import World
from tabletop.vision.frame import Frame
from tabletop.vision.geometry.boxes import Box
from tabletop.vision.kit import Kit
from tabletop.vision.live.tracker import TableTracker
from tabletop.vision.live.tracker_for import tracker_for
from tabletop.vision.tags.payloads import is_marker

PICTURE_SIZES_PX = ((1280, 720), (1920, 1080), (2304, 1296), (4608, 2592))
"""The sizes of pictures that cameras give; the last two are those of a Camera Module 3."""
SEAT_NAMES = ("Ann", "Bob", "Cleo")
PART_MM = 100.0
"""The side of the part of the table that is read by itself."""
BYTES_PER_PX = 60
"""The memory per pixel while a picture is read, including the bench's own drawing; measured at 4608 × 2592."""
FRAME_INTERVAL_S = 0.2
WARM_UP_FRAMES = 30
"""A table is shown for this many frames before it is measured: by then even hard places have been tried again."""


def laid_world(game: Game, size: tuple[int, int]) -> World:
    """Return a simulated table with everything laid as at the first decision of a game."""
    world = World(game, SEAT_NAMES, seed=1, size=size)
    position, rng = game.new(list(SEAT_NAMES)), random.Random(1)
    while position.decider is None:
        position = position.after(game.draw(position, rng))
    world.arrange(position)
    return world


def size_figures(game: Game, size: tuple[int, int], seconds: float) -> Iterator[Figure]:
    """Iterate over the figures of one size of picture, all of them within about ``seconds``."""
    world, tracker = laid_world(game, size), tracker_for(Kit(game), len(SEAT_NAMES))
    numbers = itertools.count()
    shown = [world.camera.frame(number * FRAME_INTERVAL_S) for number in range(3)]  # each with noise of its own

    def look() -> None:
        number = next(numbers)
        seen = shown[number % len(shown)]
        tracker.look(Frame(seen.grey, seen.small, number * FRAME_INTERVAL_S, number))

    for _ in range(WARM_UP_FRAMES):
        look()
    grey, plane = shown[0].grey, tracker.plane
    assert plane is not None, "the simulated table could not be read"
    words = f"{size[0]} × {size[1]}"
    yield figure(f"still check, {words}", time_repeatedly(look, seconds / 3))
    part = _part(tracker)
    region = time_repeatedly(lambda: tracker.detector.region(grey, plane, part, markers=False), seconds / 3)
    yield figure(f"part of {PART_MM:.0f} mm, {words}", region)
    yield figure(f"whole table, {words}", time_repeatedly(lambda: tracker.detector.detect(grey, plane), seconds / 3))


def _part(tracker: TableTracker) -> Box:
    """Return a part of the table with a piece in its middle: a part without pieces would be read too fast."""
    assert tracker.standing is not None
    pieces = [sighting for sighting in tracker.standing.sightings if not is_marker(sighting.payload)]
    piece, half = pieces[len(pieces) // 2], PART_MM / 2
    return (piece.x - half, piece.y - half, piece.x + half, piece.y + half)


def fits(size: tuple[int, int]) -> bool:
    """Return whether this machine has enough free memory for pictures of that size."""
    free = memory_mb("MemAvailable")
    return not free or size[0] * size[1] * BYTES_PER_PX / 2**20 < free


def sizes(game: Game, seconds: float, say: Callable[[str], None]) -> Iterator[Figure | str]:
    """Iterate over the figures of every size, within about ``seconds``, and sentences on sizes that were left out."""
    end = time.monotonic() + seconds
    for number, size in enumerate(PICTURE_SIZES_PX):
        say(f"Reading tables of {size[0]} × {size[1]} px …")
        if not fits(size):
            yield f"Pictures of {size[0]} × {size[1]} px were left out: this machine has too little free memory."
            continue
        yield from size_figures(game, size, max(0.0, (end - time.monotonic()) / (len(PICTURE_SIZES_PX) - number) * 0.7))
