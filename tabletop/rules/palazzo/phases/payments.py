"""What cards are worth when they are laid: groups, certificates, one currency.

A payment is any number of groups, any number of certificates and any number of cards of one currency.  Three cards of
one value, one of each currency, are a group; so are three certificates; a group is worth exactly 15.  A set of cards
can be read in one way only: each value makes as many groups as its rarest currency allows, since every card left over
must be of one currency; and certificates are worth most in threes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import inf
from typing import NamedTuple, TypeAlias

from tabletop.rules.palazzo.components import CURRENCIES, START_CERTIFICATE, VALUE

Cards: TypeAlias = tuple[str, ...]
Payment: TypeAlias = tuple[int, Cards]
"""What the cards are worth, and the cards in their order."""
Loose: TypeAlias = tuple[int, int, Cards]
"""Loose cards of one currency: their value, their smallest face, the cards."""
Piles: TypeAlias = dict[int, list[Cards]]
"""Face -> its first card, its first two …; small faces first."""
Groups: TypeAlias = Mapping[int, int]
"""Face -> how many groups of that face; groups of certificates are not included."""

GROUP_VALUE = 15
CERTIFICATE_VALUE = 2
NO_CARDS: Cards = ()
CURRENCY_LETTERS = "".join(sorted(CURRENCIES))
"""The currencies in the order of their cards in a hand."""


class PaymentReading(NamedTuple):
    """How cards laid in one act are read: their value, the currency of the loose ones, the loose certificates."""

    value: int
    currency: str | None
    certificates: int


def worth(certificates: int) -> int:
    """Return what that many certificates laid together are worth: 15 for each three, 2 for each left over."""
    return GROUP_VALUE * (certificates // 3) + CERTIFICATE_VALUE * (certificates % 3)


def read(cards: Sequence[str]) -> PaymentReading | None:
    """Return how the cards are read when laid together; None if currencies are mixed."""
    certificates = value = 0
    letters = set()
    for card in cards:
        if card[0] != "C":
            letters.add(card[0])
            value += VALUE[card]
        elif card != START_CERTIFICATE:
            certificates += 1
        else:
            value += VALUE[START_CERTIFICATE]
    if len(letters) == 2:  # no group without the third currency
        return None
    if len(letters) == 3:
        faces = [[VALUE[card] for card in cards if card[0] == letter] for letter in CURRENCY_LETTERS]
        groups = _groups(*faces)
        # Each group takes one card of its face from every currency.
        left = {
            letter: rest
            for letter, own in zip(CURRENCY_LETTERS, faces, strict=True)
            if (rest := sum(own) - sum(groups))
        }
        if len(left) > 1:
            return None
        letters, value = {*left}, GROUP_VALUE * len(groups) + sum(left.values())
    return PaymentReading(worth(certificates) + value, letters.pop() if letters else None, certificates % 3)


def _groups(first: list[int], second: list[int], third: list[int]) -> list[int]:
    """Return the face of each group that cards of three currencies make, given by their faces."""
    return [face for face in {*first} for _ in range(min(first.count(face), second.count(face), third.count(face)))]


class CountedHand:
    """A hand sorted for counting out: the certificates, and of each currency, face by face, the cards in piles.

    The piles of a face are its first card, its first two, its first three: like cards are interchangeable, so these
    are all the ways to lay some of them.
    """

    __slots__ = ("certificates", "currencies")

    def __init__(self, hand: Sequence[str]) -> None:
        certificates: Cards = ()
        currencies: dict[str, Piles] = {"G": {}, "N": {}, "R": {}}
        for card in hand:  # every hand is sorted
            if card[0] == "C":
                certificates = (*certificates, card)
                continue
            faces, face = currencies[card[0]], VALUE[card]
            if face in faces:
                piles = faces[face]
                piles.append((*piles[-1], card))
            else:
                faces[face] = [(card,)]
        self.certificates = certificates
        self.currencies = currencies

    def group_choices(self, most: int = 18) -> list[Groups]:
        """Return every choice of at most that many groups to lay, the empty one first."""
        first, second, third = self.currencies.values()
        choices: list[Groups] = [{}]
        for face in [face for face in first if face in second and face in third]:
            here = range(1, min(len(first[face]), len(second[face]), len(third[face])) + 1)
            choices += [
                {**groups, face: number}
                for groups in choices
                for number in here
                if sum(groups.values(), number) <= most
            ]
        return choices

    def grouped(self, letters: str, groups: Groups) -> Cards:
        """Return the cards that these groups take from these currencies, always the first copies."""
        every = [self.currencies[letter] for letter in letters]
        return tuple([card for piles in every for face, number in groups.items() for card in piles[face][number - 1]])

    def loose(self, letters: Sequence[str], groups: Groups, reach: float = inf) -> list[Loose]:
        """Return every choice of loose cards of one of the currencies, at least one, with the cards of the groups.

        Cards are chosen from the largest face down, and none is added once they are worth ``reach``: without the
        smallest card, the last one chosen, they would be worth less.
        """
        every: list[Loose] = []
        before = after = NO_CARDS
        for letter in letters:
            if groups:
                before, after = [self.grouped(others, groups) for others in CURRENCY_LETTERS.split(letter)]
            choices: list[Loose] = [(0, 0, after)]
            for face, piles in reversed(self.currencies[letter].items()):
                reached, left = choices[:], piles
                if face in groups:
                    grouped, left = piles[groups[face] - 1], piles[groups[face] :]
                    choices = [(value, smallest, grouped + cards) for value, smallest, cards in choices]
                for value, _, cards in reached:
                    for pile in left:
                        if value >= reach:
                            break
                        value += face
                        choices.append((value, face, pile + cards))
            del choices[0]
            every += [(value, smallest, before + cards) for value, smallest, cards in choices] if before else choices
        return every


def payments(
    hand: Sequence[str], locked: str | None = None, certificates_alone: bool = True, least: int = 0
) -> list[Payment]:
    """Return every set of cards that can be laid in one act for ``least`` or more, interchangeable cards once.

    ``locked`` is the currency that this seat's earlier acts have fixed; ``certificates_alone`` is the option.
    """
    stock = CountedHand(hand)
    neutral = [(worth(number), stock.certificates[:number]) for number in range(len(stock.certificates) + 1)]
    alone = neutral if certificates_alone or locked else neutral[::3]
    every: list[Payment] = []
    for groups in stock.group_choices():
        laid, grouped = (
            (GROUP_VALUE * sum(groups.values()), stock.grouped(CURRENCY_LETTERS, groups)) if groups else (0, NO_CARDS)
        )
        loose = stock.loose(locked or CURRENCY_LETTERS, groups)
        every += [(laid + value, cards + grouped) for value, cards in alone if laid + value >= least]
        for more, cards in neutral:
            base = laid + more
            short = least - base
            every += [(base + value, cards + other) for value, _, other in loose if value >= short]
    return every


@lru_cache(maxsize=4096)
def best(hand: Cards, groups: bool = True, certificates_alone: bool = True) -> int:
    """Return the highest single payment that the hand could make (the tie-break).

    A group is worth more than any card of it, so all groups are laid, then the best currency; loose certificates are
    added if a loose card of that currency is laid or the option allows them alone.
    """
    stock = CountedHand(hand)
    most: Groups = max(stock.group_choices(), key=lambda choice: sum(choice.values())) if groups else {}
    loose = max(
        sum(face * (len(piles) - most.get(face, 0)) for face, piles in faces.items())
        for faces in stock.currencies.values()
    )
    threes, single = divmod(len(stock.certificates), 3) if groups else (0, len(stock.certificates))
    if not (certificates_alone or loose):
        single = 0
    return GROUP_VALUE * (sum(most.values()) + threes) + CERTIFICATE_VALUE * single + loose
