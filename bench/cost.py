"""What reading takes: processor time of one core a frame, and memory, on tables of the bench's own camera."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from math import hypot
from pathlib import Path

import cv2
import numpy as np

from bench.reading import GAME, Row, detector, shots
from tabletop.rules.layout import Layout
from tabletop.vision.frame import Frame, Grey
from tabletop.vision.geometry.boxes import Box
from tabletop.vision.kit import Kit
from tabletop.vision.live.overview import Overview
from tabletop.vision.live.tracker import TableTracker
from tabletop.vision.scene import Sighting
from tabletop.vision.tags.payloads import is_marker

SMALL = 640
"""Width of the small pictures, px."""
PART = 100.0
"""Side of the part of the table that is read by itself, mm."""
MASK = 240
"""Width of the mask that tells which part changed, px."""
PART_EVERY = 3
"""The middle of every so-manieth piece is that of such a part."""
ROUNDS = 7
"""How often each time is taken; the median is told."""


def measured() -> Iterator[str]:
    """Iterate over lines with times (ms of processor time) and memory (MB)."""
    yield "| camera | whole table | 100 mm of it | still | one moved | hand in | most memory |"
    yield "|---|---|---|---|---|---|---|"
    for sensor in ("1080p", "2304", "4056"):
        (grey,), _ = shots(Row(sensor), "moderate", 9005)
        times = [_whole(grey), _part(grey), *_live(grey)]
        yield f"| {sensor} | {' | '.join(f'{value:.1f} ms' for value in times)} | {_memory(grey):.0f} MB |"


def _timed(do: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the median processor time in ms, one first time left out."""
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
    """Return what one part of 100 mm costs, all of which changed, a piece in its middle: the mean over the table."""
    ours = detector(20.0)
    seen = ours.detect(grey)
    plane = seen.plane
    assert plane is not None
    places = [(one.x, one.y) for one in seen.sightings if not is_marker(one.payload)][::PART_EVERY]
    parts = [(x - PART / 2, y - PART / 2, x + PART / 2, y + PART / 2) for x, y in places]
    overview = Overview(plane, (round(MASK * grey.shape[0] / grey.shape[1]), MASK))
    masks = [overview.covering([_outline(part)]) for part in parts]
    for (x, y), part, where in zip(places, parts, masks, strict=True):
        # What finds nothing costs little.
        found, _ = ours.region(grey, plane, part, markers=False, where=where)
        assert any(hypot(one.place[0] - x, one.place[1] - y) < 1 for one in found)

    def every() -> None:
        for part, where in zip(parts, masks, strict=True):
            ours.region(grey, plane, part, markers=False, where=where)

    return _timed(every) / len(parts)


def _outline(part: Box) -> np.ndarray:
    left, top, right, bottom = part
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def _live(grey: Grey) -> list[float]:
    """Return what a frame costs on the average: of a still table, after a piece was moved, with a hand coming in."""
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

    # What is read twice because the table was just found is left out.
    show(grey, 60)
    still = show(grey, 40)
    one_moved = [show(picture, 5) for picture in (moved, grey) * 3]
    handled = [show(picture, 5) for picture in (hand, grey) * 3]
    return [still, float(np.median(one_moved)), float(np.median(handled))]


def _no_layout(_: Sequence[Sighting]) -> Layout:
    return Layout({})


def _frame(grey: Grey, number: int) -> Frame:
    size = (SMALL, round(SMALL * grey.shape[0] / grey.shape[1]))
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.int16)
    small += np.random.default_rng(number).normal(0, 0.7, small.shape).round().astype(np.int16)
    return Frame(grey, np.clip(small, 0, 255).astype(np.uint8), number * 0.2, number)


def _memory(grey: Grey) -> float:
    """Return the most memory, MB, of a process that does nothing but read one picture."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        cv2.imwrite(str(path), grey)
        command = [sys.executable, "-m", "bench.cost", str(path)]
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _alone(path: Path) -> None:
    """Read one picture as the eyes do at first sight and print the process's most memory, MB."""
    cv2.setNumThreads(1)
    grey = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    tracker = TableTracker(Kit(GAME).patterns, Kit(GAME).sides, _no_layout)
    for number in range(10):
        tracker.look(_frame(grey, number))
    # What the system counts for a process begins with what its parent held: this is of the process alone.
    most = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    print(int(most.split()[1]) / 1024)


if __name__ == "__main__":
    _alone(Path(sys.argv[1]))
