"""Make the pictures of docs/scoring.md: photographs of a simulated final table, and what is understood of them.

    .venv/bin/python -m tools.pictures.make_score_pictures

The pictures are written to ``docs/pictures/scoring/``; commit those that changed to the better.
"""

from __future__ import annotations

import math
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from tabletop.bots.strategy import strategy_of
from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.position import PalazzoPosition
from tabletop.simulator.camera.lens import CameraModel
from tabletop.simulator.camera.simulated_camera import SimulatedCamera
from tabletop.simulator.conditions import conditions
from tabletop.simulator.world import World, modules
from tabletop.vision.kit import Kit
from tabletop.vision.report.score_files import Read, Scorer, tally_of

PICTURES = Path(__file__).parents[2] / "docs" / "pictures" / "scoring"
SIZE = (4032, 3024)
"""px of a phone with 12 megapixels."""
FIELD = 66.0
"""Degrees that it sees across."""
WIDTH = 1200
"""px of the pictures that are kept."""
MIDDLE = (575.0, 340.0)
"""The middle of the simulated table, mm."""


def main() -> None:
    """Take and draw all pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    end = final(seed=1, names=("Anna", "Ben", "Cleo"))
    scorer = Scorer(Kit(GAME), tally_of(GAME))
    table = World(GAME, end.names, seed=1, harsh=1, size=(640, 360), clock=lambda: 0.0)
    table.arrange(end)
    photo = taken(table, standing(MIDDLE, 1300, tilt=45, azimuth=65), harsh=1)
    keep(Image.open(photo), "table-photograph")
    understood(scorer, [photo], "table")
    wrong(scorer, table)
    doubtful(scorer, end)


def wrong(scorer: Scorer, table: World) -> None:
    """Photograph one seat with a tile in the wrong order, and another turned over."""
    columns = sorted(table.table.columns("seat1"), key=len)
    upper, lower = columns[-1][-1], columns[-1][-2]
    poses = {tile: table.table.lying[tile].pose for tile in (upper, lower)}
    table.table.put_at(upper, poses[lower], "seat1")
    table.table.put_at(lower, poses[upper], "seat1")
    table.table.turn(columns[-2][-1], face_up=False)
    place = table.table.marks["TT:SEAT2"].out(170, -65)
    photo = taken(table, standing(place, 520, tilt=30, azimuth=-80), harsh=1)
    understood(scorer, [photo], "wrong")


def doubtful(scorer: Scorer, end: PalazzoPosition) -> None:
    """Take a photo of the table in light worse than life from one side, then from the other."""
    table = World(GAME, end.names, seed=1, harsh=3, size=(640, 360), clock=lambda: 0.0)
    table.arrange(end)
    near = taken(table, standing(MIDDLE, 1200, tilt=40, azimuth=80), harsh=3)
    far = taken(table, standing(MIDDLE, 1200, tilt=40, azimuth=-100), harsh=3)
    understood(scorer, [near], "doubt")
    understood(scorer, [near, far], "united")


def final(seed: int, names: Sequence[str]) -> PalazzoPosition:
    """Return the end of a game between thrifty bots."""
    rng = random.Random(seed)
    strategy = strategy_of(GAME.name)
    position = GAME.new(names)
    while not position.over:
        if position.decider is None:
            position = position.after(GAME.draw(position, rng))
        else:
            position = position.after(strategy.act(position, rng))
    assert isinstance(position, PalazzoPosition)
    return position


def standing(target: tuple[float, float], distance: float, tilt: float, azimuth: float) -> CameraModel:
    """Return the camera of a phone that looks at a point of the table (mm) from so many mm and degrees aside."""
    lean, way = math.radians(tilt), math.radians(azimuth)
    height, aside = distance * math.cos(lean), distance * math.sin(lean)
    x, y = target[0] + aside * math.cos(way), target[1] + aside * math.sin(way)
    forward = np.array([target[0] - x, target[1] - y, height]) / distance
    right = np.array([math.sin(way), -math.cos(way), 0.0])
    turn = np.stack([right, np.cross(forward, right), forward])
    return CameraModel(SIZE, x, y, height, turn, SIZE[0] / 2 / math.tan(math.radians(FIELD) / 2), 0.03)


def taken(world: World, eye: CameraModel, harsh: int) -> Path:
    """Return the file of a photograph."""
    camera = SimulatedCamera(
        world.table, modules, size=SIZE, given=conditions(harsh), seed=1, colour=True, clock=lambda: 0.0
    )
    camera.stand(eye)
    with tempfile.NamedTemporaryFile(suffix=".jpg", delete=False) as file:
        file.write(camera.photograph())
    return Path(file.name)


def understood(scorer: Scorer, photos: Sequence[Path], name: str) -> None:
    """Keep what is understood of photographs, drawn into the last of them, and say it."""
    read: list[Read] = [scorer.read(photo) for photo in photos]
    found = scorer.score(read)
    sys.stdout.write(f"{name}\n{found.in_words()}\n\n")
    keep(scorer.drawn(read, found, len(read) - 1), name)


def keep(image: Image.Image, name: str) -> None:
    """Write a picture at the width of the page."""
    height = round(image.height * WIDTH / image.width)
    image.resize((WIDTH, height), Image.Resampling.LANCZOS).save(PICTURES / f"{name}.jpg", quality=82)


if __name__ == "__main__":
    main()
