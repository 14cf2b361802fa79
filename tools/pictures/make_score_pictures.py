"""Make the pictures of docs/scoring.md: photographs of a simulated final table, and what was read in them.

    .venv/bin/python -m tools.pictures.make_score_pictures

The pictures are written to ``docs/pictures/scoring/``; commit those that changed for the better.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from doubles.final_table import final_position, laid_table
from tabletop.rules.game import Position
from tabletop.rules.palazzo import GAME
from tabletop.simulator.camera.lens import hold_phone
from tabletop.simulator.world import World
from tabletop.vision.kit import Kit
from tabletop.vision.report.score_files import Read, Scorer, tally_of

PICTURES = Path(__file__).parents[2] / "docs" / "pictures" / "scoring"
WIDTH = 1200
"""The width of the pictures, px."""


def main() -> None:
    """Take and draw all pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    end = final_position(GAME, ("Anna", "Ben", "Cleo"), seed=1)
    scorer = Scorer(Kit(GAME), tally_of(GAME))
    world = laid_table(end, harsh=1)
    photo = world.photograph(hold_phone(world.table.middle, 1300, tilt=45, azimuth=65))
    keep(Image.open(io.BytesIO(photo)), "table-photograph")
    understood(scorer, [photo], "table")
    wrong(scorer, world)
    doubtful(scorer, end)


def wrong(scorer: Scorer, world: World) -> None:
    """Photograph one seat with two tiles in the wrong order and another tile turned over."""
    table = world.table
    columns = sorted(table.columns("seat1"), key=len)
    upper, lower = columns[-1][-1], columns[-1][-2]
    poses = {tile: table.lying[tile].pose for tile in (upper, lower)}
    table.put_at(upper, poses[lower], "seat1")
    table.put_at(lower, poses[upper], "seat1")
    table.turn(columns[-2][-1], face_up=False)
    place = table.marks["TT:SEAT2"].out(170, -65)
    understood(scorer, [world.photograph(hold_phone(place, 520, tilt=30, azimuth=-80))], "wrong")


def doubtful(scorer: Scorer, end: Position) -> None:
    """Photograph the table in exceptionally bad light from one side, then from the other."""
    world = laid_table(end, harsh=3)
    near = world.photograph(hold_phone(world.table.middle, 1200, tilt=40, azimuth=80))
    far = world.photograph(hold_phone(world.table.middle, 1200, tilt=40, azimuth=-100))
    understood(scorer, [near], "doubt")
    understood(scorer, [near, far], "united")


def understood(scorer: Scorer, photos: Sequence[bytes], name: str) -> None:
    """Write a picture with what was read in photographs drawn into the last of them, and print the score."""
    read: list[Read] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, photo in enumerate(photos):
            path = Path(folder) / f"{number}.jpg"
            path.write_bytes(photo)
            read.append(scorer.read(path))
    score = scorer.score(read)
    sys.stdout.write(f"{name}\n{score.in_words()}\n\n")
    keep(scorer.drawn(read, score, len(read) - 1), name)


def keep(image: Image.Image, name: str) -> None:
    """Write a picture at the width of the page."""
    height = round(image.height * WIDTH / image.width)
    image.resize((WIDTH, height), Image.Resampling.LANCZOS).save(PICTURES / f"{name}.jpg", quality=82)


if __name__ == "__main__":
    main()
