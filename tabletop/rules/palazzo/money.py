"""What cards are worth when they are laid: groups, certificates, one currency.

A payment is any number of groups, any number of certificates and any number of cards of one currency.  Three cards of
one value, one of each currency, are a group; so are three certificates; a group is worth exactly 15.  A set of cards
can be read in one way only: of each value as many groups as its rarest currency allows, since every card left over
must be of one currency; and certificates are worth most in threes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from tabletop.rules.palazzo.components import CURRENCIES, FACES

Cards: TypeAlias = tuple[str, ...]
Payment: TypeAlias = tuple[int, Cards]
"""What the cards are worth, and the cards in their order."""
Loose: TypeAlias = tuple[int, int, Cards]
"""Loose cards of one currency: their value, their smallest face, the cards."""
Groups: TypeAlias = Mapping[int, int]
"""Face -> how many groups of that face; certificates are not among them."""

GROUP = 15
CERTIFICATE = 2
START_VALUE = 3
_KIND = itemgetter(slice(2))
LETTERS = tuple(sorted(CURRENCIES))
"""The currencies in the order of their cards in a hand."""


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
    certificates = value = 0
    letters = set()
    for card in cards:
        letter, face = card[0], int(card[1])
        if letter != "C":
            letters.add(letter)
            value += face
        elif face == CERTIFICATE:
            certificates += 1
        else:
            value += START_VALUE
    if len(letters) > 1:
        loose = _without_groups(cards)
        letters = {card[0] for card in loose}
        if len(letters) > 1:
            return None
        grouped = sum([card[0] != "C" for card in cards]) - len(loose)
        value = GROUP * grouped // 3 + sum([int(card[1]) for card in loose])
    return Reading(worth(certificates) + value, letters.pop() if letters else None, certificates % 3)


def _without_groups(cards: Sequence[str]) -> list[str]:
    """Return the cards of currencies that are left when every group is taken out."""
    counts = Counter([card[:2] for card in cards if card[0] != "C"])
    left: list[str] = []
    for face in FACES:
        kinds = [f"{letter}{face}" for letter in LETTERS]
        groups = min([counts[kind] for kind in kinds])
        left += [kind for kind in kinds for _ in range(counts[kind] - groups)]
    return left


class Stock:
    """A hand sorted for counting out: the certificates, and of each currency (face, copies), small faces first.

    ``reach`` is the highest amount that will be asked for.
    """

    __slots__ = ("_ungrouped", "certificates", "currencies", "reach")

    def __init__(self, hand: Sequence[str], reach: int = 1000) -> None:
        self.reach = reach
        self._ungrouped: dict[str, list[Loose]] = {}
        self.certificates: Cards = ()
        self.currencies: dict[str, list[tuple[int, Cards]]] = {letter: [] for letter in LETTERS}
        for kind, cards in groupby(hand, _KIND):  # every hand is sorted
            if kind == "C2":
                self.certificates = tuple(cards)
            else:
                self.currencies[kind[0]].append((int(kind[1]), tuple(cards)))

    def group_choices(self, most: int = 18) -> list[Groups]:
        """Return every choice of at most so many groups to lay, the empty one first."""
        first, second, third = map(dict, self.currencies.values())
        choices: list[Groups] = [{}]
        for face in sorted(first.keys() & second.keys() & third.keys()):
            here = range(1, min(len(first[face]), len(second[face]), len(third[face])) + 1)
            choices += [
                {**groups, face: number}
                for groups in choices
                for number in here
                if sum(groups.values(), number) <= most
            ]
        return choices

    def group_cards(self, groups: Groups) -> list[Cards]:
        """Return the cards of these groups, of each currency its own: the first copies."""
        return [
            tuple([card for face, copies in faces for card in copies[: groups.get(face, 0)]])
            for faces in self.currencies.values()
        ]

    def loose(self, letter: str, groups: Groups) -> list[Loose]:
        """Return every choice of at least one card of a currency that is not in the groups.

        Once a card could go and the rest would still reach far enough, no more cards are added.
        """
        if groups:
            return self._loose(letter, groups)
        if letter not in self._ungrouped:
            self._ungrouped[letter] = self._loose(letter, groups)
        return self._ungrouped[letter]

    def _loose(self, letter: str, groups: Groups) -> list[Loose]:
        needed = self.reach
        found: list[Loose] = [(0, 0, ())]
        for face, copies in self.currencies[letter]:
            left = copies[groups[face] :] if face in groups else copies
            more = [(value, smallest or face, cards) for value, smallest, cards in found if value - smallest < needed]
            for number, _ in enumerate(left, start=1):
                found += [(value + face * number, smallest, cards + left[:number]) for value, smallest, cards in more]
        return found[1:]


def payments(hand: Sequence[str], locked: str | None = None, certificates_alone: bool = True) -> list[Payment]:
    """Return every set of cards of the hand that can be laid in one act, like cards once, the empty one first.

    ``locked`` is the currency that this seat's earlier acts have fixed; ``certificates_alone`` is the option.
    """
    stock = Stock(hand)
    neutral = [(worth(number), stock.certificates[:number]) for number in range(len(stock.certificates) + 1)]
    alone = neutral if certificates_alone or locked else neutral[::3]
    found: list[Payment] = []
    for groups in stock.group_choices():
        here = list(alone)
        for letter in LETTERS if locked is None else locked:
            loose = stock.loose(letter, groups)
            here += [(more + value, cards + other) for value, _, other in loose for more, cards in neutral]
        if groups:
            base, grouped = GROUP * sum(groups.values()), sum(stock.group_cards(groups), ())
            here = [(base + value, tuple(sorted(cards + grouped))) for value, cards in here]
        found += here
    return found


def best(hand: Sequence[str], groups: bool = True, certificates_alone: bool = True) -> int:
    """Return the highest single payment that the hand could make (the tie-break).

    A group is worth more than any card of it, so all are laid; then the best currency; certificates go along where a
    card of that currency, or the option, lets them.
    """
    stock = Stock(hand)
    most: Groups = max(stock.group_choices(), key=lambda choice: sum(choice.values())) if groups else {}
    loose = max(
        sum(face * (len(copies) - most.get(face, 0)) for face, copies in stock.currencies[letter]) for letter in LETTERS
    )
    threes, single = divmod(len(stock.certificates), 3) if groups else (0, len(stock.certificates))
    if not (certificates_alone or loose):
        single = 0
    return GROUP * (sum(most.values()) + threes) + CERTIFICATE * single + loose
