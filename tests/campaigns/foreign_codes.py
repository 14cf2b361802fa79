"""Foreign codes before the bench's cameras, alone or among our tags: none may be read as one of ours.

``python -m tests.campaigns.foreign_codes --renderer raw --side 15 --light hard --first 8911 --tables 3`` lays sixty
codes on each table, as large as the pieces' tags: tags with other set letters and of other games, codes with random
text, codes with the same beginning as ours, and codes that differ from one of ours in one character.  ``--ours 25``: 25
of the sixty are our tags.  Wrong names are printed; the exit status is 1 if there are any.
"""

from __future__ import annotations

import argparse
import sys
from itertools import product

import cv2
import numpy as np

from bench.reading import GAME, LaidTable, Row, detector, is_right, read_tags
from bench.renderers import RENDERERS, to_measure
from bench.renderers.grey_levels import LEVELS
from tabletop.vision.kit import Kit
from tabletop.vision.tags.patterns import Pattern
from tabletop.vision.tags.payloads import is_marker
from tests.campaigns import strangers

SENSOR = "1080p"
CODES = 60
KINDS = (
    strangers.other_letter,
    strangers.other_game,
    strangers.random_text,
    strangers.like_ours,
    strangers.one_character,
)
FIRST_SEED = 8911


def foreign_codes(rng: np.random.Generator, count: int) -> dict[str, Pattern]:
    """Return that many foreign codes under made-up names, in equal shares of each kind."""
    kit = Kit(GAME)
    ours = strangers.OurTags(GAME, 0.0, {name: look for name, look in kit.patterns.items() if not is_marker(name)})
    known = {look.tobytes() for look in kit.patterns.values()}
    codes: dict[str, Pattern] = {}
    while len(codes) < count:
        code = KINDS[len(codes) % len(KINDS)](rng, ours)
        if code is not None and code.tobytes() not in known:
            codes[f"foreign {len(codes)}"] = code
    return codes


def laid(row: Row, light: str, renderer: str, seed: int, ours: int = 0) -> LaidTable:
    """Return a table with foreign codes, ``ours`` of them replaced by tags of the game."""
    rng, kit = np.random.default_rng((seed, 97)), Kit(GAME)
    pieces = [name for name in kit.patterns if not is_marker(name)]
    codes = {str(name): kit.patterns[str(name)] for name in rng.permutation(pieces)[:ours]}
    return LaidTable(row, light, seed, RENDERERS[renderer], codes | foreign_codes(rng, CODES - ours))


def judged(table: LaidTable, row: Row) -> tuple[int, list[str]]:
    """Return how many of our tags are read in the right place, and the names given to anything else."""
    read, _ = read_tags(detector(row.side), table.pictures(row.shots))
    lying = {each.payload: each for each in table.lying}
    wrong = [name for name, corners in read.items() if not is_right(corners, lying.get(name))]
    return len(read) - len(wrong), wrong


def main() -> int:
    """Print a line for each combination asked for; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    again = "may be given again"
    parser.add_argument("--renderer", choices=RENDERERS, action="append", help=f"all; {again}")
    parser.add_argument("--light", choices=LEVELS, action="append", help=f"hard; {again}")
    parser.add_argument("--side", type=float, action="append", help=f"mm, quiet zone included (20); {again}")
    parser.add_argument("--pictures", type=int, default=1, help="pictures of each table (1)")
    parser.add_argument("--ours", type=int, default=0, help="tags of ours among the sixty codes (0)")
    parser.add_argument("--first", type=int, default=FIRST_SEED, help=f"seed of the first table ({FIRST_SEED})")
    parser.add_argument("--tables", type=int, default=1, help="tables a line (1)")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    print("| renderer | side | light | pictures | foreign codes | wrong names | ours read |")
    print("|---|---|---|---|---|---|---|")
    false = 0
    for renderer, side, light in product(to_measure(asked.renderer), asked.side or [20.0], asked.light or ["hard"]):
        row, read, wrong = Row(SENSOR, side, shots=asked.pictures), 0, []
        for seed in range(asked.first, asked.first + asked.tables):
            right, names = judged(laid(row, light, renderer, seed, asked.ours), row)
            read += right
            wrong += [f"{name} (table {seed})" for name in names]
        false += len(wrong)
        every, foreign = asked.ours * asked.tables, (CODES - asked.ours) * asked.tables
        said = f"{read} of {every}" if every else "–"
        print(f"| {renderer} | {side:.0f} mm | {light} | {asked.pictures} | {foreign} | {len(wrong)} | {said} |")
        if wrong:
            print("WRONG:", ", ".join(wrong), flush=True)
    return 1 if false else 0


if __name__ == "__main__":
    sys.exit(main())
