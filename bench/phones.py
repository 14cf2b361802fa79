"""Photographs from phones: time and memory for one of twelve megapixels, and how fast presses are answered meanwhile.

``python -m bench.phones [PHOTO.jpg]``; without a photograph, it reads a table of tags from above, and a simulated final
table of 45 tiles seen at an angle.
"""

from __future__ import annotations

import random
import resource
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from doubles.final_table import final_position, laid_table
from doubles.flat_photograph import jpeg, laid
from tabletop.hardware.panel.gpio import Panel
from tabletop.hardware.panel.lights import Pattern
from tabletop.hardware.panel.mock_fingers import MockFingers
from tabletop.hardware.panel.panel_file import load
from tabletop.hardware.panel.pin_factories import mock_factory
from tabletop.match import store
from tabletop.rules.palazzo import GAME
from tabletop.runtime.panel_actions import admission_at
from tabletop.runtime.photo_worker import PhotoWorker
from tabletop.runtime.running_table import Clocks, PanelSetup, RunningTable
from tabletop.simulator.camera.lens import hold_phone
from tabletop.vision.kit import Kit
from tabletop.vision.report import phone_photo
from tabletop.vision.report.score_files import tally_of
from tabletop.vision.tags import payloads
from tabletop.web.seating.room import Room
from tabletop.web.seating.tokens import new_code

SIZE = (4032, 3024)
TIMES = 5
PRESSES = 40


def main() -> None:
    """Print the measurements; all are slower on a busy machine."""
    worker = PhotoWorker(Kit(GAME), lambda: 3, Path("unused"))
    worker.open()  # before pictures are rendered: a process's peak memory includes that of its parent
    photos = {name: Path(name).read_bytes() for name in sys.argv[1:2]}
    shown = photos or {"tags from above": flat(), "a final table aslant": final_photograph()}
    for what, data in shown.items():
        for name, read in reading(worker, data).items():
            times = [timed(read) for _ in range(TIMES)]
            print(f"{what}, {name}: {statistics.median(times):.2f} s, at worst {max(times):.2f}")
    here: dict[str, Callable[[], object]] = {
        "nothing": lambda: time.sleep(1),
        "one in a process of its own": reading(worker, data)["table"],
        "one in a thread here": lambda: phone_photo.table_of(data, Kit(GAME), 3),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, read in here.items():
            waits = presses(Path(folder), read)
            print(f"press to light while {name} is read: {statistics.median(waits):.1f} ms, at worst {max(waits):.1f}")
    took = worker.read(resource.getrusage, resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"the process that reads photographs took {took} MB")
    worker.close()


def reading(worker: PhotoWorker, data: bytes) -> dict[str, Callable[[], object]]:
    """Return purpose → the function that reads a photograph for it."""
    kit = Kit(GAME)
    return {
        "cards": lambda: worker.read(phone_photo.pieces_of, data, kit),
        "table": lambda: worker.read(phone_photo.table_of, data, kit, 3),
        "score": lambda: worker.read(phone_photo.score_of, data, kit, tally_of(GAME)),
    }


def final_photograph() -> bytes:
    """Return a photograph of the final table of a game for three."""
    world = laid_table(final_position(GAME, ("Anna", "Ben", "Cleo"), seed=1), harsh=1)
    return world.photograph(hold_phone(world.table.middle, 1300, tilt=45, azimuth=65))


def flat() -> bytes:
    """Return a photograph of all money cards and tiles side by side."""
    pieces = [piece for piece in GAME.pieces if payloads.payload_of(GAME, piece)][:100]
    placed = {
        payloads.payload_of(GAME, piece): (100 + 380 * (at % 10), 60 + 290 * (at // 10))
        for at, piece in enumerate(pieces)
    }
    return jpeg(laid(placed, SIZE))


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that something takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def table(folder: Path, panel: Panel) -> RunningTable:
    """Return a table that is played on this panel and on its pages."""
    rng = random.Random(1)
    journal, match = store.start(folder, GAME, ["a", "b", "c"], time.time(), {})
    return RunningTable(
        journal,
        match,
        lambda panel: Room(new_code(), seats=range(3), admission=admission_at(panel)),
        clocks=Clocks(time.time, time.monotonic),
        panel=PanelSetup(lambda: panel),
        draw=lambda now: now.game.draw(now.position, rng),
    )


def presses(folder: Path, work: Callable[[], object]) -> list[float]:
    """Return the ms from each press to the light that answers it, while ``work`` is repeated."""
    factory, wiring = mock_factory(), load()
    app = table(folder, Panel(wiring, factory, time.monotonic))
    fingers, lit, done = MockFingers(wiring, factory), threading.Event(), threading.Event()
    wanted: list[str | None] = [None]

    lights = app._actions.lights

    def shown(signals: Mapping[str, Pattern]) -> Mapping[str, Pattern]:
        if app.mailbox.snapshot.intent == wanted[0]:
            lit.set()
        return lights(signals)

    def busy() -> None:
        while not done.is_set():
            work()

    app._actions.lights = shown  # type: ignore[method-assign]
    waits = []
    with app:
        thread = threading.Thread(target=busy)
        thread.start()
        for _ in range(PRESSES):
            wanted[0] = None if app.mailbox.snapshot.intent else "rebuild"
            lit.clear()
            begun = time.perf_counter()
            fingers.press("REBUILD")
            lit.wait(5)
            waits.append(1000 * (time.perf_counter() - begun))
            time.sleep(0.06)
            fingers.release("REBUILD")
            time.sleep(0.06)
        done.set()
        thread.join()
    return waits


if __name__ == "__main__":
    main()
