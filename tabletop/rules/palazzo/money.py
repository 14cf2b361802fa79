"""What cards are worth when they are laid: groups, certificates, one currency.

A payment is any number of groups, any number of certificates and any number of cards of one currency.  Three cards of
one value, one of each currency, are a group; so are three certificates; a group is worth exactly 15.  A set of cards
can be read in one way only: of each value as many groups as its rarest currency allows, since every card left over
must be of one currency; and certificates are worth most in threes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

from tabletop.rules.palazzo.components import CURRENCIES, FACES

Cards: TypeAlias = tuple[str, ...]
Payment: TypeAlias = tuple[int, Cards]
"""What the cards are worth, and the cards in their order."""

GROUP = 15
CERTIFICATE = 2
START_VALUE = 3
_LETTERS = tuple(CURRENCIES)


class Reading(NamedTuple):
    """How cards laid in one act are read: their value, the currency of the loose ones, the loose certificates."""

    value: int
    currency: str | None
    certificates: int


def worth(certificates: int) -> int:
    """Return what so many certificates laid together are worth: 15 for each three, 2 for each left over."""
    return GROUP * (certificates // 3) + CERTIFICATE * (certificates % 3)


def read(cards: Sequence[str]) -> Reading | None:
    """Return how the cards are read when laid together; None where currencies are mixed."""
    counts: dict[str, int] = {}
    for card in cards:
        kind = card[:2]
        counts[kind] = counts.get(kind, 0) + 1
    start = counts.pop("C3", 0)
    certificates = counts.pop("C2", 0)
    value = worth(certificates) + START_VALUE * start
    letters = {kind[0] for kind in counts}
    if len(letters) == 3:
        value += GROUP * _take_groups(counts)
        letters = {kind[0] for kind, count in counts.items() if count}
    if len(letters) > 1:
        return None
    value += sum(int(kind[1]) * count for kind, count in counts.items())
    return Reading(value, letters.pop() if letters else None, certificates % 3)


def _take_groups(counts: dict[str, int]) -> int:
    """Take every group out of the counts and return how many there were."""
    groups = 0
    for face in FACES:
        kinds = [f"{letter}{face}" for letter in _LETTERS]
        here = min(counts.get(kind, 0) for kind in kinds)
        if here:
            groups += here
            for kind in kinds:
                counts[kind] -= here
    return groups


class _Stock:
    """A hand sorted for counting out: ``certificates``, and per currency ``face -> copies``."""

    __slots__ = ("certificates", "currencies")

    def __init__(self, hand: Sequence[str]) -> None:
        self.certificates: Cards = ()
        self.currencies: dict[str, dict[int, Cards]] = {letter: {} for letter in _LETTERS}
        for card in hand:
            letter = card[0]
            if letter == "C":
                self.certificates += (card,)
            else:
                copies = self.currencies[letter]
                face = int(card[1])
                copies[face] = (*copies.get(face, ()), card)

    def group_choices(self) -> Iterator[dict[int, int]]:
        """Iterate over every choice of groups to lay (face -> how many), the empty one first."""
        first, second, third = self.currencies.values()
        faces = [face for face in first if face in second and face in third]
        if not faces:
            yield {}
            return
        most = [min(len(first[face]), len(second[face]), len(third[face])) for face in faces]
        for numbers in product(*(range(n + 1) for n in most)):
            yield {face: n for face, n in zip(faces, numbers, strict=True) if n}

    def group_cards(self, groups: dict[int, int]) -> Cards:
        """Return the cards of the chosen groups, the first copies of each."""
        return tuple(
            card for face, n in groups.items() for copies in self.currencies.values() for card in copies[face][:n]
        )

    def loose(self, letter: str, groups: dict[int, int]) -> list[tuple[int, Cards]]:
        """Return (face, copies left when the groups are laid) of one currency, small faces first."""
        copies = self.currencies[letter]
        return [(face, copies[face][groups.get(face, 0) :]) for face in sorted(copies)]


def payments(hand: Sequence[str], locked: str | None = None, certificates_alone: bool = True) -> list[Payment]:
    """Return every set of cards of the hand that can be laid in one act, like cards once, the empty one first.

    ``locked`` is the currency that this seat's earlier acts have fixed; ``certificates_alone`` is the option.
    """
    stock = _Stock(hand)
    neutral = [(worth(n), stock.certificates[:n]) for n in range(len(stock.certificates) + 1)]
    alone = neutral if certificates_alone or locked else neutral[::3]
    letters = (locked,) if locked else _LETTERS
    found: list[Payment] = []
    for groups in stock.group_choices():
        base = GROUP * sum(groups.values())
        fixed = stock.group_cards(groups)
        here = list(alone) if not fixed else [(base + value, cards + fixed) for value, cards in alone]
        backed = neutral if not fixed else [(base + value, cards + fixed) for value, cards in neutral]
        for letter in letters:
            loose: list[Payment] = [(0, ())]
            for face, copies in stock.loose(letter, groups):
                loose += [
                    (value + face * n, cards + copies[:n]) for n in range(1, len(copies) + 1) for value, cards in loose
                ]
            here += [(value + more, cards + others) for more, others in loose[1:] for value, cards in backed]
        found += here if not fixed else [(value, tuple(sorted(cards))) for value, cards in here]
    return found


def best(hand: Sequence[str], groups: bool = True, certificates_alone: bool = True) -> int:
    """Return the highest single payment that the hand could make (the tie-break).

    Each group is worth more than any card of it, so all are laid; then the best currency; certificates always go
    along where a card of that currency, or the option, lets them.
    """
    stock = _Stock(hand)
    most: dict[int, int] = max(stock.group_choices(), key=lambda choice: sum(choice.values())) if groups else {}
    loose = max(sum(face * len(copies) for face, copies in stock.loose(letter, most)) for letter in _LETTERS)
    number = len(stock.certificates)
    threes, single = divmod(number, 3) if groups else (0, number)
    if not (certificates_alone or loose):
        single = 0
    return GROUP * (sum(most.values()) + threes) + CERTIFICATE * single + loose
