"""The cost of reading: processor time of one core for each frame or photograph, and memory.

``python -m bench.cost`` prints the tables.  Frames come from the bench's own camera; photographs from the simulator, of
final tables and of a table without tags.  AprilTag, if installed, reads its own markers in the places of our tags.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from math import hypot
from pathlib import Path

import cv2
import numpy as np

from bench.painting import decoded
from bench.reading import GAME, LaidTable, Row, detector, shots
from bench.rivals import marker_readers, markers
from tabletop.hardware.diagnostics.linux import memory_mb
from tabletop.rules import registry
from tabletop.rules.layout import Layout
from tabletop.vision.frame import Frame, Grey
from tabletop.vision.geometry.boxes import corners_of
from tabletop.vision.kit import Kit
from tabletop.vision.live.ground.overview import Overview
from tabletop.vision.live.tracker import TableTracker
from tabletop.vision.report.read_tags import read_file
from tabletop.vision.scene import Sighting
from tabletop.vision.tags import payloads
from tabletop.vision.tags.payloads import is_marker

SEED = 9005
"""Determines where the pieces lie on the table that is read."""
SMALL_WIDTH_PX = 640
"""Width of the small pictures."""
PART_MM = 100.0
"""Side of a part of the table that is read by itself."""
MASK_WIDTH_PX = 240
"""Width of the mask that shows which part changed."""
PART_STEP = 3
"""Every n-th piece is the middle of such a part."""
FRAME_ROUNDS, PHOTOGRAPH_ROUNDS = 7, 3
"""How often each time is measured; the median is printed."""
DISTANCE_MM, TILT_DEG = 1300, 30
"""A phone's distance from the middle of the simulated table, and its angle from straight above."""


def tables() -> Iterator[str]:
    """Iterate over the lines of all tables as Markdown."""
    yield "| camera | whole table | 100 mm of it | still | one piece moved | hand in | most memory |"
    yield "|---|---|---|---|---|---|---|"
    for sensor in ("1080p", "2304", "4056"):
        (grey,), _ = shots(Row(sensor), "moderate", SEED)
        times = [_whole(grey), _part(grey), *_live(grey)]
        yield f"| {sensor} | {' | '.join(f'{value:.1f} ms' for value in times)} | {_memory(grey):.0f} MB |"
    yield "\n| photograph, 12 megapixels | tags | read | most memory |\n|---|---|---|---|"
    for name, picture in _photographs():
        tags, seconds, memory = _read_apart(picture)
        yield f"| {name} | {tags:.0f} | {seconds:.2f} s | {memory:.0f} MB |"
    yield "\n| one frame at 1080p, plane known | tags read | all | for each tag |\n|---|---|---|---|"
    yield from _beside_apriltag()


def _timed(do: Callable[[], object], rounds: int = FRAME_ROUNDS) -> float:
    """Return the median processor time in ms; a first run is not counted."""
    do()
    spent = []
    for _ in range(rounds):
        begun = time.process_time()
        do()
        spent.append((time.process_time() - begun) * 1000)
    return float(np.median(spent))


def _whole(grey: Grey) -> float:
    ours = detector(20.0)
    plane = ours.detect(grey).plane
    return _timed(lambda: ours.detect(grey, plane))


def _part(grey: Grey) -> float:
    """Return the mean cost of reading a 100 mm part of the table that changed entirely, with a piece in its middle."""
    ours = detector(20.0)
    seen = ours.detect(grey)
    plane = seen.plane
    assert plane is not None
    places = [(sighting.x, sighting.y) for sighting in seen.sightings if not is_marker(sighting.payload)][::PART_STEP]
    parts = [(x - PART_MM / 2, y - PART_MM / 2, x + PART_MM / 2, y + PART_MM / 2) for x, y in places]
    overview = Overview(plane, (round(MASK_WIDTH_PX * grey.shape[0] / grey.shape[1]), MASK_WIDTH_PX))
    masks = [overview.covering([corners_of(part)]) for part in parts]
    for (x, y), part, where in zip(places, parts, masks, strict=True):
        # Reading a part without a tag would cost little.
        tags, _ = ours.region(grey, plane, part, markers=False, where=where)
        assert any(hypot(tag.place[0] - x, tag.place[1] - y) < 1 for tag in tags)

    def every() -> None:
        for part, where in zip(parts, masks, strict=True):
            ours.region(grey, plane, part, markers=False, where=where)

    return _timed(every) / len(parts)


def _live(grey: Grey) -> list[float]:
    """Return the mean cost of a frame: of a still table, after a piece was moved, and with a hand coming in."""
    sizes = Kit(GAME).sides
    tracker = TableTracker(Kit(GAME).patterns, sizes, _no_layout)
    clock = iter(range(100000))
    k = grey.shape[1] / 1920
    moved, hand = grey.copy(), grey.copy()
    part = grey[int(500 * k) : int(560 * k), int(900 * k) : int(975 * k)].copy()
    moved[int(500 * k) : int(560 * k), int(900 * k) : int(975 * k)] = 120
    moved[int(420 * k) : int(420 * k) + part.shape[0], int(1000 * k) : int(1000 * k) + part.shape[1]] = part
    cv2.line(hand, (int(960 * k), grey.shape[0]), (int(1000 * k), int(600 * k)), 150, int(180 * k), cv2.LINE_AA)

    def show(picture: Grey, frames: int) -> float:
        spent = 0.0
        for _ in range(frames):
            frame = _frame(picture, next(clock))
            begun = time.process_time()
            tracker.look(frame)
            spent += time.process_time() - begun
        return spent / frames * 1000

    # The first frames are not counted: they are read twice because the table was only just found.
    show(grey, 60)
    still = show(grey, 40)
    one_moved = [show(picture, 5) for picture in (moved, grey) * 3]
    handled = [show(picture, 5) for picture in (hand, grey) * 3]
    return [still, float(np.median(one_moved)), float(np.median(handled))]


def _no_layout(_: Sequence[Sighting]) -> Layout:
    return Layout({})


def _frame(grey: Grey, number: int) -> Frame:
    size = (SMALL_WIDTH_PX, round(SMALL_WIDTH_PX * grey.shape[0] / grey.shape[1]))
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.int16)
    noise = np.asarray(np.random.default_rng(number).normal(0, 0.7, size[::-1]))
    small += noise.round().astype(np.int16)
    return Frame(grey, np.clip(small, 0, 255).astype(np.uint8), number * 0.2, number)


def _memory(grey: Grey) -> float:
    """Return the peak memory, MB, of a process that only follows one still table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "frame.png"
        cv2.imwrite(str(path), grey)
        (memory,) = _in_own_process("--frame", path)
    return memory


def _read_apart(photograph: bytes) -> tuple[float, float, float]:
    """Return the number of tags in a photograph, and the seconds and MB that a process needs to read it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "photograph.jpg"
        path.write_bytes(photograph)
        runs = [_in_own_process("--photograph", path) for _ in range(PHOTOGRAPH_ROUNDS)]
    tags, seconds, memory = np.median(runs, axis=0).tolist()
    return tags, seconds, memory


def _in_own_process(option: str, path: Path) -> list[float]:
    command = [sys.executable, "-m", "bench.cost", option, str(path)]
    return [float(each) for each in subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()]


def _follow_frame(path: Path) -> None:
    """Read one frame as the tracker does when it first sees a table, and print the memory of this process."""
    grey = decoded(np.fromfile(path, np.uint8))
    tracker = TableTracker(Kit(GAME).patterns, Kit(GAME).sides, _no_layout)
    for number in range(10):
        tracker.look(_frame(grey, number))
    print(_most_memory())


def _read_photograph(path: Path) -> None:
    """Read one photograph as ``tabletop read`` does; print its tags, the seconds, and the memory of this process."""
    games = registry.games()
    ids = payloads.ids(games)
    begun = time.process_time()
    tags = read_file(path, ids, games)["tags"]
    print(len(tags), time.process_time() - begun, _most_memory())


def _most_memory() -> float:
    """Return the peak memory of this process, MB; ``getrusage`` would include that of its parent."""
    return memory_mb("VmHWM", file="proc/self/status")


def _photographs() -> Iterator[tuple[str, bytes]]:
    """Iterate over (name, photograph) of final tables, and of one without tags."""
    # Imported only here, because a process that reads must not load the simulator.
    from doubles.final_table import final_position, laid_table
    from tabletop.simulator.camera.lens import hold_phone

    end = final_position(GAME, ("Anna", "Ben", "Cleo"), seed=1)
    for name, harsh, tagged in (("good light", 1, True), ("hardest light", 3, True), ("without tags", 1, False)):
        world = laid_table(end, harsh)
        if not tagged:
            world.table.lying.clear()
            world.table.zones.clear()
        yield name, world.photograph(hold_phone(world.table.middle, DISTANCE_MM, tilt=TILT_DEG, azimuth=65))


def _beside_apriltag() -> Iterator[str]:
    """Iterate over lines about the cost of our tags, and of AprilTag's own markers in the same places."""
    readers, row = marker_readers(), Row("1080p")
    ours, (grey,) = detector(row.side), LaidTable(row, "moderate", SEED).pictures(1)
    plane = ours.detect(grey).plane
    yield _per_tag("tabletop", lambda: len(ours.detect(grey, plane).sightings))
    if (april := readers.get("AprilTag")) is not None:
        (other,) = LaidTable(row, "moderate", SEED, codes=markers()).pictures(1)
        yield _per_tag("AprilTag 3", lambda: len(april(other)))


def _per_tag(name: str, read: Callable[[], int]) -> str:
    count, spent = read(), _timed(read)
    return f"| {name} | {count} | {spent:.0f} ms | {spent / max(1, count):.2f} ms |"


def main() -> None:
    """Print all tables, or measure one picture in this process."""
    parser = argparse.ArgumentParser(description=__doc__)
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--frame", type=Path, help="only the memory that following this frame takes, MB")
    one.add_argument("--photograph", type=Path, help="only the tags, seconds and MB of reading this photograph")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    if asked.frame is not None:
        _follow_frame(asked.frame)
    elif asked.photograph is not None:
        _read_photograph(asked.photograph)
    else:
        for line in tables():
            print(line, flush=True)


if __name__ == "__main__":
    main()
