"""How well the eyes read, beside the decoders alone, on frames of this bench's own camera model.

``python -m bench.reading`` prints the quick tables (under a minute on a quiet machine); ``python -m bench.reading
--full`` prints every sensor and size.  Seeds are none of those that thresholds were set on.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Iterable, Sequence

import cv2
import numpy as np
import zxingcpp

from bench.rendering import LEVELS, SENSORS, Camera, Lying, table
from tabletop.rules import registry
from tabletop.vision import tags
from tabletop.vision.plane import Plane
from tabletop.vision.reader import Reader, is_marker
from tabletop.vision.readers import Readers, available

SEEDS = (9001, 9002, 9003, 9004)


def decoders() -> dict[str, Callable[[np.ndarray], set[str]]]:
    """Return the decoders by name, each from a picture to the payloads that it reads."""
    found: dict[str, Callable[[np.ndarray], set[str]]] = {"zxing": zxing, "zxing x2+unsharp": zxing_twice}
    readers: Readers = available()
    if readers.second is not None:
        second = readers.second
        found["zbar"] = lambda grey: _payloads(code.text for code in second.read(grey).codes)
    return found


def zxing(grey: np.ndarray) -> set[str]:
    return _payloads(code.text for code in zxingcpp.read_barcodes(np.ascontiguousarray(grey)))


def zxing_twice(grey: np.ndarray) -> set[str]:
    large = cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    return zxing(cv2.addWeighted(large, 2.5, cv2.GaussianBlur(large, (0, 0), 2.5), -1.5, 0))


def _payloads(texts: Iterable[str]) -> set[str]:
    parsed = (tags.parse(text) for text in texts)
    return {tag.payload for tag in parsed if tag is not None}


def measure(sensor: str, side: float, seeds: Sequence[int], cover: tuple[float, float] | None = None) -> None:
    """Print one line a level: how many of the wholly visible tags were read, by what."""
    game = registry.game("palazzo")
    patterns = tags.patterns(game)
    sizes = {payload: entry.size_mm for payload, entry in tags.catalogue(game, size_mm=side).items()}
    pieces = [payload for payload in patterns if not is_marker(payload)]
    marks = [payload for payload in patterns if is_marker(payload)]
    reader = Reader(patterns, sizes)
    for name, level in LEVELS.items():
        hits = dict.fromkeys(["eyes", *decoders()], 0)
        total, false, spent, off = 0, 0, [], []
        for seed in seeds:
            rng = np.random.default_rng(seed)
            camera = Camera(SENSORS[sensor])
            some = [str(one) for one in rng.permutation(pieces)[:60]]
            grey, truth = table(
                rng, patterns, some, [str(one) for one in rng.permutation(marks)[:8]], camera, level, side, cover
            )
            lying = {one.payload: one for one in truth if not is_marker(one.payload)}
            first = reader.read(grey)
            if first.plane is None:
                total += len(lying)
                continue
            begun = time.process_time()
            again = reader.read(grey, first.plane)
            spent.append((time.process_time() - begun) * 1000)
            read = {one.payload: np.array(one.corners) for one in again.sightings if not is_marker(one.payload)}
            total += len(lying)
            right = {payload for payload, corners in read.items() if _is_right(corners, lying.get(payload))}
            hits["eyes"] += len(right)
            false += len(read) - len(right)
            off += [_millimetres(first.plane, read[payload], lying[payload]) for payload in right]
            for decoder, decode in decoders().items():
                hits[decoder] += len(decode(grey) & lying.keys())
        shares = "  ".join(f"{name} {100 * count / total:5.1f} %" for name, count in hits.items())
        covered = f" covered {cover[0]:.0%}-{cover[1]:.0%}" if cover else ""
        where = f"{np.median(off):.2f}" if off else "-"
        print(
            f"{sensor:7} {side:.0f} mm{covered} {name:9} n={total:4}  {shares}  false {false}  "
            f"off {where} mm  {np.median(spent or [0]):.0f} ms",
            flush=True,
        )


def _is_right(corners: np.ndarray, lying: Lying | None) -> bool:
    if lying is None:
        return False
    side = float(np.linalg.norm(lying.corners[1] - lying.corners[0]))
    return bool(np.linalg.norm(corners.mean(axis=0) - lying.corners.mean(axis=0)) < side / 4)


def _millimetres(plane: Plane, corners: np.ndarray, lying: Lying) -> float:
    middle, real = plane.to_mm(np.array([corners.mean(axis=0), lying.corners.mean(axis=0)]))
    return float(np.linalg.norm(middle - real))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="every sensor and size, four tables each")
    full = parser.parse_args().full
    cv2.setNumThreads(1)
    seeds = SEEDS if full else SEEDS[:1]
    for sensor in SENSORS if full else ("1080p",):
        for side in (15.0, 20.0, 25.0) if full else (20.0, 15.0):
            measure(sensor, side, seeds)
    measure("1080p", 20.0, seeds, (0.05, 0.25))
    if full:
        measure("4608", 20.0, seeds, (0.05, 0.25))
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
