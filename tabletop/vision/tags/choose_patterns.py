"""Choose filler and mask of every payload so that the tags of a set differ in as many modules as possible.

``python -m tabletop.vision.tags.choose_patterns`` adds missing names to the data files, with the same result on every
machine: candidates come from a fixed sequence, and all comparisons are between integers.  **Stored choices have been
printed and never change**: only new names are chosen, so that they differ from everything stored.  For one game after
another, first its new markers are chosen and then its new pieces; they have to differ from each other, from the game's
stored pieces and from all markers so far, within every set letter.
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
from tabletop.vision.tags.patterns import CODE_MODULES, encode
from tabletop.vision.tags.payloads import MARKER, MAX_PAYLOAD_LENGTH, SET_LETTERS, Tag

PATTERN_SEED = 20
FILLER_COUNT = 48
"""Number of fillers that are tried for a payload, each with eight masks."""
PASS_COUNT = 3
"""Number of times that every choice is made again after the first round."""
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MASKS = range(8)

Signs = NDArray[np.float32]
"""Patterns as rows of +1 and -1: the product of two rows gives the exact number of modules in which they differ."""


class Candidate(NamedTuple):
    """One way to print a payload: what follows it (``/`` and filler, or nothing), and the mask."""

    filler: str
    mask: int

    @property
    def data(self) -> str:
        """The form stored in the data files: the filler, then the mask's digit."""
        return f"{self.filler}{self.mask}"


class Chosen(NamedTuple):
    """The choice for a payload, with its pattern in the four quarter turns."""

    data: str
    turned: Signs


def fillers(payload: str) -> list[str]:
    """Return the fillers to try after a payload, the same at every call; they use all the remaining characters."""
    room = MAX_PAYLOAD_LENGTH - len(payload) - 1
    if room < 0:
        return [""]
    if room == 0:
        return ["", "/"]
    rng = random.Random(f"{PATTERN_SEED} {payload}")
    size = min(FILLER_COUNT, len(LETTERS) ** room)
    found: dict[str, None] = {}
    while len(found) < size:
        found["/" + "".join(rng.choice(LETTERS) for _ in range(room))] = None
    return list(found)


def mask_changes() -> NDArray[np.bool_]:
    """Return the modules that differ between mask 0 and each mask, (8, 21, 21), which are the same for every text."""
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
    """Return the choice for every payload, made in several rounds to differ from the rest and from ``others``."""
    fixed = list(others)
    ways = {payload: candidates(payload, changes) for payload in payloads}
    # Payloads with few candidates first: the others can avoid them.
    order = sorted(payloads, key=lambda payload: (len(ways[payload][0]), payload))
    chosen: dict[str, Chosen] = {}
    for payload in itertools.chain.from_iterable([order] * (1 + PASS_COUNT)):
        rest = [choice.turned for other, choice in chosen.items() if other != payload]
        chosen[payload] = _best(*ways[payload], [*fixed, *rest])
    return {payload: chosen[payload] for payload in payloads}


def _best(ways: Sequence[Candidate], rows: Signs, rest: Sequence[Signs]) -> Chosen:
    """Return the candidate whose nearest neighbour is farthest; if equal, the one with the fewest such neighbours."""
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
    square = rows.reshape(len(rows), CODE_MODULES, CODE_MODULES)
    return np.ascontiguousarray(np.rot90(square, turns, axes=(1, 2))).reshape(len(rows), -1)


class TaggedGame(NamedTuple):
    """The names that have tags in one game, in capitals: the markers of its table, and its pieces."""

    markers: Sequence[str]
    pieces: Sequence[str]


Looks = dict[str, dict[str, dict[str, str]]]
"""Game letters → set letter → piece → filler and mask."""


def choose_all(games: Mapping[str, TaggedGame], stored: Looks, changes: NDArray[np.bool_]) -> Looks:
    """Return the stored choices, followed by new ones for all names in the games that they lack.

    Games are handled one after the other, by their letters; a later game does not change an earlier one.
    """
    data: Looks = {code: {**stored.get(code, {})} for code in (MARKER, *games)}
    for letter in SET_LETTERS:
        markers = _stored(MARKER, letter, stored)
        for code, tagged in games.items():
            pieces = _stored(code, letter, stored)
            markers |= _choose_named(MARKER, letter, tagged.markers, markers, pieces, changes)
            pieces |= _choose_named(code, letter, tagged.pieces, pieces, markers, changes)
            data[code][letter] = {name: choice.data for name, choice in pieces.items()}
        data[MARKER][letter] = {name: choice.data for name, choice in markers.items()}
    return data


Named = dict[str, Chosen]
"""Piece, or marker without its prefix → its choice."""


def _stored(code: str, letter: str, stored: Looks) -> Named:
    """Return the stored choices for a game's set."""
    choices = stored.get(code, {}).get(letter, {})
    payloads = {name: Tag(code, letter, name).payload for name in choices}
    return {name: _chosen(data, encode(payloads[name] + data[:-1], int(data[-1]))) for name, data in choices.items()}


def _choose_named(
    code: str, letter: str, names: Iterable[str], beside: Named, others: Named, changes: NDArray[np.bool_]
) -> Named:
    """Return a choice for those names that are not in ``beside``, different from that of all names in both."""
    payloads = {Tag(code, letter, name).payload: name for name in names if name not in beside}
    taken = [choice.turned for choice in (*beside.values(), *others.values())]
    chosen = choose(list(payloads), taken, changes)
    return {payloads[payload]: choice for payload, choice in chosen.items()}


def _chosen(data: str, pattern: NDArray[np.bool_]) -> Chosen:
    rows = _signs(pattern[None])
    return Chosen(data, np.concatenate([_turn(rows, turns) for turns in range(4)]))


def known_games() -> dict[str, TaggedGame]:
    """Return the names that have tags in every built-in game, by its letters."""
    games = [registry.game(name) for name in registry.BUILT_IN]
    return {
        game.tag: TaggedGame(
            [marker.partition(":")[2] for marker in markers(game)], [piece.upper() for piece in game.pieces]
        )
        for game in games
    }


def read_stored(folder: Path) -> Looks:
    """Return the contents of the data files in a folder, by game letters."""
    files = sorted(folder.glob("patterns-*.json"))
    return {file.stem.removeprefix("patterns-"): json.loads(file.read_text(encoding="ascii"))["sets"] for file in files}


def main(folder: Path) -> None:
    """Add the missing choices to the data files in a folder."""
    for code, sets in choose_all(known_games(), read_stored(folder), mask_changes()).items():
        lines = ",\n".join(f"  {json.dumps(letter)}: {json.dumps(looks)}" for letter, looks in sets.items())
        target = folder / f"patterns-{code}.json"
        target.write_text(f'{{"sets": {{\n{lines}\n}}}}\n', encoding="ascii")
        print(target.name, len(sets), "sets", file=sys.stderr)


if __name__ == "__main__":
    main(Path(__file__).parent / "data")
