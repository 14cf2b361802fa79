"""The camera's pictures in the guest: the simulator's view of a scenario after each step at the table.

They are drawn on this machine, which does in a second what takes the emulated one a minute.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2

from tabletop.rules.palazzo import GAME
from tabletop.simulator.play.scenario import parse, step_of
from tabletop.simulator.table.hands import Push
from tabletop.simulator.world import World

SIZE = (1280, 720)


def draw(script: Path, folder: Path) -> None:
    """Write ``N.jpg`` for each line N after which the table looks different; ``0.jpg`` shows the beginning."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    scenario = parse(script.read_text(encoding="utf-8"), GAME)
    world = World(GAME, scenario.seats, seed=1, harsh=0, size=SIZE)
    _write(world, folder / "0.jpg")
    for line in scenario.lines:
        step = step_of(line, world.table.centre)
        if step is not None and not isinstance(step, Push):
            world.perform(step)
            _write(world, folder / f"{line.number}.jpg")


def _write(world: World, path: Path) -> None:
    cv2.imwrite(str(path), world.camera.frame(0.0).grey, [cv2.IMWRITE_JPEG_QUALITY, 90])
