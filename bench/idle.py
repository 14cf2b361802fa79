"""The cost of a still table: the share of one core that ``serve`` takes, compared with decoding every frame.

``python -m bench.idle`` runs a whole table (camera, tracker, referee, panel on mock pins, pages) on a device that gives
one JPEG picture thirty times a second, as a USB camera does, and prints what its process takes once the table is still.
The share depends on the machine; its ratio to the decoding loop's much less.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import threading
import time
from pathlib import Path

import cv2
import numpy as np

from bench.painting import decoded
from tabletop.hardware.cameras.v4l2 import V4l2Camera
from tabletop.hardware.panel import panel_file
from tabletop.hardware.panel.gpio import Panel
from tabletop.hardware.panel.pin_factories import mock_factory
from tabletop.match import store
from tabletop.rules.palazzo import GAME
from tabletop.runtime import page_server
from tabletop.runtime.panel_actions import admission_at
from tabletop.runtime.running_table import CameraSetup, Clocks, PanelSetup, RunningTable
from tabletop.simulator.world import World
from tabletop.web.seating.room import Room
from tabletop.web.seating.tokens import new_code

SEATS = ("Ann", "Bob", "Cleo")
SIZES = ((1280, 720), (1920, 1080), (3840, 2160))
SETTLING = 6.0
"""Seconds until everything has been read and nothing new happens."""


class Playback:
    """A V4L2 device with OpenCV's interface: one JPEG picture, ``rate`` times a second, decoded unless ``raw``."""

    def __init__(self, jpeg: np.ndarray, rate: float, *, raw: bool) -> None:
        self._jpeg, self._period, self._due, self._raw = jpeg, 1 / rate, time.monotonic(), raw

    def grab(self) -> bool:
        """Wait for the next picture."""
        self._due = max(self._due + self._period, time.monotonic())
        time.sleep(max(0.0, self._due - time.monotonic()))
        return True

    def retrieve(self) -> tuple[bool, np.ndarray]:
        """Return the picture."""
        return True, self._jpeg if self._raw else decoded(self._jpeg, cv2.IMREAD_COLOR)

    def get(self, prop: int) -> float:
        """Return when the picture was taken, in ms."""
        return self._due * 1000

    def release(self) -> None:
        """Do nothing."""


def share(seconds: float) -> float:
    """Let time pass and return this process's share of one core, in percent."""
    begun, spent = time.monotonic(), time.process_time()
    time.sleep(seconds)
    return 100 * (time.process_time() - spent) / (time.monotonic() - begun)


def served(jpeg: np.ndarray, width: int, rate: float, seconds: float) -> tuple[float, int]:
    """Return the processor share of a whole table, in percent, and how many pieces it sees."""
    with tempfile.TemporaryDirectory() as folder:
        journal, match = store.start(Path(folder), GAME, SEATS, time.time())
        app = RunningTable(
            journal,
            match,
            lambda panel: Room(new_code(), seats=range(len(SEATS)), admission=admission_at(panel)),
            clocks=Clocks(time.time, time.monotonic),
            panel=PanelSetup(lambda: Panel(panel_file.load(), mock_factory(), time.monotonic)),
            camera=CameraSetup(lambda: V4l2Camera("bench", Playback(jpeg, rate, raw=True), time.monotonic, jpeg=width)),
        )
        ended = threading.Event()
        with app:
            pages = app.pages(["http://127.0.0.1"])
            server = threading.Thread(target=page_server.serve, args=(pages, "127.0.0.1", 0, ended))
            server.start()
            time.sleep(SETTLING)
            taken, scene = share(seconds), app.mailbox.snapshot.scene
            ended.set()
            server.join()
    return taken, len(scene.sightings) if scene else 0


def decoding(jpeg: np.ndarray, rate: float, seconds: float) -> float:
    """Return the processor share, in percent, of a loop that only decodes every frame to grey."""
    device, ended = Playback(jpeg, rate, raw=False), threading.Event()

    def run() -> None:
        while not ended.is_set():
            device.grab()
            cv2.cvtColor(device.retrieve()[1], cv2.COLOR_BGR2GRAY)

    loop = threading.Thread(target=run)
    loop.start()
    taken = share(seconds)
    ended.set()
    loop.join()
    return taken


def main() -> None:
    """Print one line for each size of picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each figure is measured")
    parser.add_argument("--rate", type=float, default=30.0, help="pictures a second that the camera gives")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    print(f"{'picture':>12}  pieces  serve, still table  every frame decoded   (% of one core)")
    for size in SIZES:
        world = World(GAME, SEATS, 1, 1, size, colour=True)
        position = GAME.new(list(SEATS))
        rng = random.Random(1)
        while position.phase == "setup":
            position = position.after(GAME.draw(position, rng))
        world.arrange(position)
        picture = world.camera.frame(0.0).colour
        assert picture is not None
        jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].reshape(1, -1)
        taken, pieces = served(jpeg, size[0], options.rate, options.seconds)
        loop = decoding(jpeg, options.rate, options.seconds)
        print(f"{size[0]:>7}×{size[1]:<4}  {pieces:>6}  {taken:>18.1f}  {loop:>19.1f}", flush=True)


if __name__ == "__main__":
    main()
