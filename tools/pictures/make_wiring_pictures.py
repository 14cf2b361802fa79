"""Make the two photographs of hardware/wiring.md: tags on pieces, and a table that is ready to play.

    .venv/bin/python -m tools.pictures.make_wiring_pictures

Both are of a simulated table.  The drawings of that page are made by ``./play panel --svg hardware``.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from doubles.final_table import final_position, laid_table
from tabletop.rules.palazzo import GAME
from tabletop.simulator.camera.lens import CameraModel, hold_phone
from tabletop.simulator.world import World

FOLDER = Path(__file__).parents[2] / "hardware"
WIDTH = 1200


def main() -> None:
    """Take both photographs of one table."""
    world = laid_table(final_position(GAME, ("Anna", "Ben", "Cleo"), seed=4), harsh=0)
    keep(world, hold_phone(world.table.middle, 1080, tilt=38, azimuth=90), "table")
    keep(world, hold_phone(world.table.marks["TT:SEAT1"].out(75, -30), 210, tilt=25, azimuth=80), "pieces")


def keep(world: World, phone: CameraModel, name: str) -> None:
    """Write a photograph at the width of the page."""
    image = Image.open(io.BytesIO(world.photograph(phone)))
    size = WIDTH, round(image.height * WIDTH / image.width)
    image.resize(size, Image.Resampling.LANCZOS).save(FOLDER / f"{name}.webp", quality=72)


if __name__ == "__main__":
    main()
