"""Choose filler and mask of every payload so that the tags of a set differ in as many modules as can be.

``python -m tabletop.vision.tags.choose_patterns`` writes the data files, the same on every machine: candidates come
from a fixed sequence, and every comparison is between whole numbers.  Game after game, its new markers are chosen and
then its pieces, which keep away from each other and from all markers so far, within every set letter.
"""

from __future__ import annotations

import itertools
import json
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.rules import registry
from tabletop.vision.tags.catalogue import markers
from tabletop.vision.tags.patterns import MODULES, encode
from tabletop.vision.tags.payloads import CAPACITY, MARKER, SETS, Tag

SEED = 20
FILLERS = 48
"""How many fillers are tried for a payload, each with eight masks."""
PASSES = 3
"""How often every choice is looked at again once all are made."""
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MASKS = range(8)

Signs = NDArray[np.float32]
"""Patterns as rows of +1 and -1: the product of two rows tells in how many modules they differ, exactly."""


class Candidate(NamedTuple):
    """One way to print a payload: what follows it (``/`` and filler, or nothing), and the mask."""

    filler: str
    mask: int

    @property
    def data(self) -> str:
        """As the data files store it: the filler, then the mask's digit."""
        return f"{self.filler}{self.mask}"


class Chosen(NamedTuple):
    """What was chosen for a payload, with its four turned patterns."""

    data: str
    turned: Signs


def fillers(payload: str) -> list[str]:
    """Return the fillers to try after a payload, the same at every call: as many characters as there is room for."""
    room = CAPACITY - len(payload) - 1
    if room < 0:
        return [""]
    if room == 0:
        return ["", "/"]
    rng = random.Random(f"{SEED} {payload}")
    size = min(FILLERS, len(LETTERS) ** room)
    found: dict[str, None] = {}
    while len(found) < size:
        found["/" + "".join(rng.choice(LETTERS) for _ in range(room))] = None
    return list(found)


def mask_changes() -> NDArray[np.bool_]:
    """Return which modules differ between mask 0 and each mask, (8, 21, 21): the same for every text."""
    plain = encode("PZ:E1", 0)
    return np.array([encode("PZ:E1", mask) ^ plain for mask in MASKS])


def candidates(payload: str, changes: NDArray[np.bool_]) -> tuple[list[Candidate], Signs]:
    """Return the ways to print a payload, and their patterns as signs."""
    ways, rows = [], []
    for filler in fillers(payload):
        plain = encode(payload + filler, 0)
        for mask in MASKS:
            ways.append(Candidate(filler, mask))
            rows.append(plain ^ changes[mask])
    return ways, _signs(np.array(rows))


def choose(payloads: Sequence[str], others: Iterable[Signs], changes: NDArray[np.bool_]) -> dict[str, Chosen]:
    """Return the choice for every payload, one after the other and then looked at again, keeping off the others."""
    fixed = list(others)
    ways = {payload: candidates(payload, changes) for payload in payloads}
    # Those with little choice first: the others can keep away from them.
    order = sorted(payloads, key=lambda payload: (len(ways[payload][0]), payload))
    chosen: dict[str, Chosen] = {}
    for payload in itertools.chain.from_iterable([order] * (1 + PASSES)):
        rest = [choice.turned for other, choice in chosen.items() if other != payload]
        chosen[payload] = _best(*ways[payload], [*fixed, *rest])
    return {payload: chosen[payload] for payload in payloads}


def _best(ways: Sequence[Candidate], rows: Signs, rest: Sequence[Signs]) -> Chosen:
    """Return the way whose nearest neighbour is farthest; among equals the one with the fewest such neighbours."""
    turned = np.stack([_turn(rows, turns) for turns in range(4)], axis=1)
    own = np.einsum("ij,ikj->ik", rows, turned[:, 1:])
    near = own if not rest else np.concatenate([own, rows @ np.concatenate(rest).T], axis=1)
    worst = near.max(axis=1)
    crowd = (near >= worst[:, None]).sum(axis=1)
    best = min(range(len(ways)), key=lambda index: (int(worst[index]), int(crowd[index]), index))
    return Chosen(ways[best].data, turned[best])


def _signs(patterns: NDArray[np.bool_]) -> Signs:
    return np.where(patterns.reshape(len(patterns), -1), 1, -1).astype(np.float32)


def _turn(rows: Signs, turns: int) -> Signs:
    square = rows.reshape(len(rows), MODULES, MODULES)
    return np.ascontiguousarray(np.rot90(square, turns, axes=(1, 2))).reshape(len(rows), -1)


class TaggedGame(NamedTuple):
    """What bears tags in one game, in capitals: the markers of its table, and its pieces."""

    markers: Sequence[str]
    pieces: Sequence[str]


Looks = dict[str, dict[str, dict[str, str]]]
"""Game letters → set letter → piece → filler and mask."""


def choose_all(games: Mapping[str, TaggedGame], changes: NDArray[np.bool_]) -> Looks:
    """Return the choice for every game by its letters, one after the other: a later game changes no earlier one."""
    data: Looks = {code: {} for code in (MARKER, *games)}
    for letter in SETS:
        chosen: dict[str, Chosen] = {}
        for code, tagged in games.items():
            fresh = [name for name in tagged.markers if name not in chosen]
            chosen |= _choose_named(MARKER, letter, fresh, chosen.values(), changes)
            pieces = _choose_named(code, letter, tagged.pieces, chosen.values(), changes)
            data[code][letter] = {name: choice.data for name, choice in pieces.items()}
        data[MARKER][letter] = {name: choice.data for name, choice in chosen.items()}
    return data


def _choose_named(
    code: str, letter: str, names: Iterable[str], others: Iterable[Chosen], changes: NDArray[np.bool_]
) -> dict[str, Chosen]:
    payloads = {Tag(code, letter, name).payload: name for name in names}
    chosen = choose(list(payloads), [choice.turned for choice in others], changes)
    return {payloads[payload]: choice for payload, choice in chosen.items()}


def known_games() -> dict[str, TaggedGame]:
    """Return what bears tags in every built-in game, by its letters."""
    games = [registry.game(name) for name in registry.BUILT_IN]
    return {
        game.tag: TaggedGame(
            [marker.partition(":")[2] for marker in markers(game)], [piece.upper() for piece in game.pieces]
        )
        for game in games
    }


def main(folder: Path) -> None:
    """Write the data files into the folder."""
    for code, sets in choose_all(known_games(), mask_changes()).items():
        lines = ",\n".join(f"  {json.dumps(letter)}: {json.dumps(looks)}" for letter, looks in sets.items())
        target = folder / f"patterns-{code}.json"
        target.write_text(f'{{"sets": {{\n{lines}\n}}}}\n', encoding="ascii")
        print(target.name, len(sets), "sets", file=sys.stderr)


if __name__ == "__main__":
    main(Path(__file__).parent / "data")
