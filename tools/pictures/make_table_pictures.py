"""Make the pictures of the tables of Patrician and the piecepack: simulated tables in the middle of a game.

    .venv/bin/python -m tools.pictures.make_table_pictures

The pictures are written to ``docs/pictures/tables/``; commit those that changed for the better.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image

from tabletop.rules import registry
from tabletop.rules.game import Position
from tabletop.simulator.camera.lens import CameraModel, hold_phone
from tabletop.simulator.camera.simulated_camera import SimulatedCamera
from tabletop.simulator.conditions import conditions
from tabletop.simulator.world import World, modules

PICTURES = Path(__file__).parents[2] / "docs" / "pictures" / "tables"
NAMES = ("Anna", "Ben", "Cleo")
SIZE = (2016, 1512)
WIDTH = 1200
"""The width of the pictures, px."""
QUALITY = 72


class View(NamedTuple):
    """One picture: its name, the game, the make, the number of random actions and their seed, and the camera.

    ``crop`` is the part of the height that is kept, as fractions.
    """

    name: str
    game: str
    make: str
    acts: int
    seed: int
    eye: Callable[[World], CameraModel]
    crop: tuple[float, float] = (0.0, 1.0)


def whole(distance: float) -> Callable[[World], CameraModel]:
    """Return the function that makes a camera that sees all of a table from the near side."""
    return lambda world: hold_phone(
        (world.table.extent[0] / 2, world.table.extent[1] / 2 + 15), distance, tilt=24, azimuth=90
    )


def near(zone: str, distance: float, azimuth: float) -> Callable[[World], CameraModel]:
    """Return the function that makes a camera that looks at one zone."""
    return lambda world: hold_phone(world.table.centre(zone), distance, tilt=32, azimuth=azimuth)


def played(name: str, acts: int, seed: int) -> Position:
    """Return the position of a game after ``acts`` random actions, or a few more so that a turn begins."""
    game, rng = registry.game(name), random.Random(seed)
    position = game.new(NAMES)
    done = 0
    while done < acts or position.phase not in ("play", "action"):
        legal = [*position.legal.thrifty()] if position.decider is not None else []
        position = position.after(rng.choice(legal) if legal else game.draw(position, rng))
        done += 1
    return position


VIEWS = (
    View("patrician", "patrician", "printed", 150, 5, whole(900), (0.06, 0.95)),
    View("patrician-city", "patrician", "printed", 150, 5, near("siteROMA", 400, 80)),
    View("patrician-wood", "patrician", "box", 150, 5, near("siteROMA", 400, 80)),
    View("piecepack", "piecepack", "printed", 140, 29, whole(990), (0.06, 0.96)),
    View("piecepack-seat", "piecepack", "printed", 140, 29, near("seat0", 460, 80)),
)


def taken(view: View) -> Image.Image:
    """Return the picture of a view."""
    position = played(view.game, view.acts, view.seed)
    world = World(position.game, NAMES, 2, 0, (640, 360), make=view.make, clock=lambda: 0.0)
    world.arrange(position)
    camera = SimulatedCamera(
        world.table, modules, size=SIZE, given=conditions(0), seed=1, colour=True, clock=lambda: 0.0
    )
    eye = view.eye(world)
    camera.stand(replace(eye, size=SIZE, focal=eye.focal * SIZE[0] / eye.size[0]))
    colour = camera.frame(0.0).colour
    assert colour is not None
    image = Image.fromarray(np.ascontiguousarray(colour[..., ::-1]))
    top, bottom = (round(part * image.height) for part in view.crop)
    image = image.crop((0, top, image.width, bottom))
    return image.resize((WIDTH, round(image.height * WIDTH / image.width)), Image.Resampling.LANCZOS)


def main() -> None:
    """Take all pictures, or those that are named."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for view in VIEWS:
        if not sys.argv[1:] or view.name in sys.argv[1:]:
            taken(view).save(PICTURES / f"{view.name}.webp", quality=QUALITY, method=6)


if __name__ == "__main__":
    main()
