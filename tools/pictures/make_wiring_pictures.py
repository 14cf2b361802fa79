"""Make the two photographs of hardware/wiring.md: tags on pieces, and a table that is ready to play.

    .venv/bin/python -m tools.pictures.make_wiring_pictures

Both are of a simulated table.  The drawings of that page are made by ``./play panel --svg hardware``.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from tabletop.rules.palazzo import GAME
from tabletop.simulator.camera.lens import CameraModel
from tabletop.simulator.world import World
from tools.pictures.make_score_pictures import MIDDLE, final, standing, taken

FOLDER = Path(__file__).parents[2] / "hardware"
WIDTH = 1200


def main() -> None:
    """Take both photographs of one table."""
    end = final(seed=4, names=("Anna", "Ben", "Cleo"))
    table = World(GAME, end.names, seed=1, harsh=0, size=(640, 360), clock=lambda: 0.0)
    table.arrange(end)
    keep(table, standing(MIDDLE, 1080, tilt=38, azimuth=90), "table")
    keep(table, standing(table.table.marks["TT:SEAT1"].out(75, -30), 210, tilt=25, azimuth=80), "pieces")


def keep(table: World, eye: CameraModel, name: str) -> None:
    """Write a photograph at the width of the page."""
    image = Image.open(taken(table, eye, harsh=0))
    size = WIDTH, round(image.height * WIDTH / image.width)
    image.resize(size, Image.Resampling.LANCZOS).save(FOLDER / f"{name}.webp", quality=72)


if __name__ == "__main__":
    main()
