"""The pieces of Palazzo and their values, from the text of the rules alone: payments, tie-break, palazzi."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

CURRENCIES = "RNG"
TILES = [f"{m}{f}.{w}" for m in "BSM" for f in range(1, 6) for w in range(1, 4) if (f, w) != (3, 1)]
TILES += [f"{m}3.1{twin}" for m in "BSM" for twin in "ab"]
ENDS = [f"E{n}" for n in range(1, 6)]
CARDS = [f"{c}{v}{copy_}" for c in CURRENCIES for v in range(3, 8) for copy_ in "abc"] + [
    f"C2{x}" for x in "abcdefghij"
]
PIECES = {*TILES, *ENDS, *CARDS, "C3", "ARCH"}


def floor(tile: str) -> int:
    return int(tile[1])


def windows(tile: str) -> int:
    return int(tile[3])


def value(card: str) -> int:
    return int(card[1])


def readings(cards: list[str]) -> list[tuple[int, set[str], int]]:
    """Return every way to split cards into groups and loose ones: (value, loose currencies, loose certificates)."""
    faces = Counter(card[:2] for card in cards)
    certificates = faces["C2"]
    most = [range(min(faces[f"{c}{v}"] for c in CURRENCIES) + 1) for v in range(3, 8)]
    found = []
    for groups in product(*most, range(certificates // 3 + 1)):
        worth = 15 * sum(groups)
        loose = set()
        for v, grouped in zip(range(3, 8), groups, strict=False):
            for c in CURRENCIES:
                left = faces[f"{c}{v}"] - grouped
                worth += v * left
                if left:
                    loose.add(c)
        alone = certificates - 3 * groups[-1]
        found.append((worth + 2 * alone, loose, alone))
    return found


def read(options: dict[str, Any], cards: list[str], fixed: str | None = None) -> tuple[int, str | None] | str:
    """Return the best legal reading of one act as (value, currency), or the code of the refusal if there is none."""
    one = [(worth, loose, alone) for worth, loose, alone in readings(cards) if len(loose) <= 1]
    if not one:
        return "mixed-currencies"
    fitting = [reading for reading in one if not (fixed and reading[1] - {fixed})]
    if not fitting:
        return "currency-locked"
    allowed = [
        (worth, next(iter(loose), fixed))
        for worth, loose, alone in fitting
        if options["certificates_alone"] or not alone or loose or fixed
    ]
    return max(allowed, key=lambda reading: reading[0]) if allowed else "not-a-payment"


def points(palazzo: list[str]) -> int:
    height, seen = len(palazzo), sum(windows(tile) for tile in palazzo)
    base = {1: -5, 2: 0, 3: seen, 4: seen + 3, 5: seen + 6}[height]
    pure = len({tile[0] for tile in palazzo}) == 1
    return base + ({3: 3, 4: 3, 5: 6}.get(height, 0) if pure else 0)


def tiebreak(options: dict[str, Any], hand: list[str]) -> int:
    """Return the highest single payment the hand could make, trying every split into groups and currency."""
    certificates = [card for card in hand if card[0] == "C"]
    best = 0
    groups_count = options["tiebreak_groups"]
    faces = Counter(card[:2] for card in hand)
    most = [min(faces[f"{c}{v}"] for c in CURRENCIES) if groups_count else 0 for v in range(3, 8)]
    threes = len(certificates) // 3 if groups_count else 0
    counts = product(product(*(range(n + 1) for n in most)), range(threes + 1), CURRENCIES)
    for groups, trios, currency in counts:
        left = [(v, faces[f"{currency}{v}"] - used) for v, used in zip(range(3, 8), groups, strict=True)]
        loose = 2 * (len(certificates) - 3 * trios)
        if not options["certificates_alone"] and not any(n for _, n in left):
            loose = 0
        best = max(best, 15 * (sum(groups) + trios) + sum(v * n for v, n in left) + loose)
    return best
