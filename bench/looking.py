"""The cost of the tracker: processor time of each frame of a still and of a changed table, and its memory.

``python -m bench.looking [SENSOR …]`` prints one table per sensor, each measured in a separate process.  The table is
that of :mod:`bench.reading`: sixty tags of 20 mm among printed cards, in moderate light; the small stream is provided,
as a camera does.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Iterator

import cv2
import numpy as np

from bench.painting import SENSORS, Lying
from bench.renderers.grey_levels import LEVELS, Camera, table
from tabletop.rules import registry
from tabletop.vision.frame import Frame
from tabletop.vision.kit import Kit
from tabletop.vision.live.tracker import TableTracker
from tabletop.vision.live.tracker_for import tracker_for
from tabletop.vision.tags.payloads import is_marker

SEED = 9201
FRAMES = 10
"""The number of frames for which each picture is shown."""
STILL = 50
"""The number of frames for which the first picture is shown."""
REGION = 100.0
"""Side of a part of the table that is read by itself, mm."""


def pictured(sensor: str) -> tuple[np.ndarray, list[Lying]]:
    patterns = Kit(registry.game("palazzo")).patterns
    rng = np.random.default_rng(SEED)
    pieces = [str(one) for one in rng.permutation([payload for payload in patterns if not is_marker(payload)])[:60]]
    marks = [str(one) for one in rng.permutation([payload for payload in patterns if is_marker(payload)])[:8]]
    return table(rng, patterns, pieces, marks, Camera(SENSORS[sensor]), LEVELS["moderate"])


def shown(grey: np.ndarray, truth: list[Lying]) -> Iterator[tuple[str, np.ndarray, int]]:
    """Yield the events at the table: their names, the picture, and for how many frames it stays."""
    yield "first read", grey, 2
    yield "still", grey, STILL
    moved = with_one_moved(grey, next(tag for tag in truth if not is_marker(tag.payload)))
    yield "one moved", moved, FRAMES
    height, width = grey.shape
    hand = moved.copy()
    cv2.line(hand, (width // 2, height), (width // 2, height // 2), 150, height // 9, cv2.LINE_AA)
    yield "hand in", hand, FRAMES
    yield "hand out", moved, FRAMES
    dim = (moved * 0.7).astype(np.uint8)
    yield "dimmer light", dim, FRAMES
    turned = cv2.getRotationMatrix2D((width / 2, height / 2), 1.5, 1.0)
    yield "camera moved", cv2.warpAffine(dim, turned, (width, height)), FRAMES


def with_one_moved(grey: np.ndarray, moved: Lying) -> np.ndarray:
    """Return the picture with a tag and its surroundings moved a tile's width to the side."""
    x, y = moved.corners.mean(axis=0).astype(int)
    reach = int(np.linalg.norm(moved.corners[1] - moved.corners[0]) * 0.7)
    out = grey.copy()
    out[y - reach : y + reach, x - reach : x + reach] = np.median(grey)
    out[y - reach : y + reach, x + reach : x + 3 * reach] = grey[y - reach : y + reach, x - reach : x + reach]
    return out


def milliseconds(tracker: TableTracker, picture: np.ndarray, frames: int, first: int) -> list[float]:
    spent = []
    for number in range(first, first + frames):
        noise = np.random.default_rng(number % 3).normal(0, 2, picture.shape).astype(np.int8)
        grey = np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), np.uint8)
        small = cv2.resize(grey, (640, round(320 * grey.shape[0] / grey.shape[1]) * 2), interpolation=cv2.INTER_AREA)
        frame = Frame(grey, np.asarray(small, np.uint8), number * 0.2, number)
        begun = time.process_time()
        tracker.look(frame)
        spent.append((time.process_time() - begun) * 1000)
    return spent


def parts(tracker: TableTracker, grey: np.ndarray) -> str:
    """Return in words the cost of reading one part of the table and of checking one known tag."""
    plane = tracker.plane
    assert plane is not None
    boxes = [(x, y, x + REGION, y + REGION) for x in (-300, -50, 200) for y in (-200, -50, 100)]
    begun = time.process_time()
    read = [tracker.detector.region(grey, plane, box, markers=False)[0] for box in boxes]
    each = (time.process_time() - begun) / len(boxes) * 1000
    known = [found for region in read for found in region]
    begun = time.process_time()
    there = tracker.detector.still_there(grey, plane, known)
    check = (time.process_time() - begun) / max(1, len(known)) * 1000
    return f"a part of {REGION:.0f} mm {each:.1f} ms; a known tag {check:.2f} ms ({sum(there)} of {len(known)} there)"


def measure(sensor: str) -> None:
    cv2.setNumThreads(1)
    grey, truth = pictured(sensor)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    tracker = tracker_for(Kit(registry.game("palazzo")), 3)
    number = 1
    for name, picture, frames in shown(grey, truth):
        spent = milliseconds(tracker, picture, frames, number)
        number += frames
        tags_seen = len(tracker.standing.sightings) if tracker.standing is not None else 0
        print(f"{sensor:6} {name:13} worst {max(spent):6.1f} ms  mean {np.mean(spent):6.2f} ms  {tags_seen} tags")
        if name == "first read":
            print(f"{sensor:6} {parts(tracker, grey)}")
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{sensor:6} peak memory {after:.0f} MB, of which the bench's own painting needed {before:.0f} MB", flush=True
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sensors", nargs="*", metavar="SENSOR", help=f"of {', '.join(SENSORS)}; without: three of them")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        measure(asked.sensors[0])
        return
    for sensor in asked.sensors or ("1080p", "2304", "4608"):
        subprocess.run([sys.executable, "-m", "bench.looking", "--one", sensor], check=True)


if __name__ == "__main__":
    main()
