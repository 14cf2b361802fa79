"""Money: the value of cards laid in one act, compared with brute force over all subsets."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.rules.palazzo.components import MONEY
from tabletop.rules.palazzo.phases.payments import best, payments, read
from tabletop.rules.palazzo.phases.thrift import thrifty


def kind(cards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(card[:2] for card in cards))


def value(cards: tuple[str, ...], locked: str | None = None, alone: bool = True) -> int | None:
    """Return the value of the cards in one act; None if they are not a payment."""
    reading = read(cards)
    if reading is None or (reading.currency and locked and reading.currency != locked):
        return None
    return reading.value if alone or locked or reading.currency or not reading.certificates else None


def subsets(hand: tuple[str, ...], locked: str | None = None, alone: bool = True) -> dict[tuple[str, ...], int]:
    """Return every payment of the hand by kinds, found by trying every subset."""
    every = (cards for number in range(len(hand) + 1) for cards in combinations(hand, number))
    return {kind(cards): worth for cards in every if (worth := value(cards, locked, alone)) is not None}


hands = st.lists(st.sampled_from(MONEY), max_size=8, unique=True).map(lambda cards: tuple(sorted(cards)))
few_faces = st.lists(st.sampled_from([card for card in MONEY if card[1] in "267"]), max_size=9, unique=True).map(
    lambda cards: tuple(sorted(cards))
)
locks = st.sampled_from([None, "R", "N", "G"])


@pytest.mark.parametrize(
    ("cards", "worth"),
    [
        ("R5a", 5),
        ("R5a R7a", 12),
        ("C2a", 2),
        ("C2a C2b", 4),
        ("C2a C2b C2c", 15),
        ("C2a C2b C2c C2d", 17),
        ("R4a N4a G4a", 15),
        ("R7a N7a G7a", 15),
        ("R4a N4a G4a C2a", 17),
        ("R4a N4a G4a R4b", 19),
        ("R4a N4a G4a R3a N3a G3a C2a C2b C2c", 45),
        ("R4a N4a G4a R6a R7a C2a", 30),
        ("C3", 3),
        ("", 0),
    ],
)
def test_groups_certificates_and_one_currency_add_up(cards: str, worth: int) -> None:
    reading = read(cards.split())
    assert reading is not None
    assert reading.value == worth


@pytest.mark.parametrize("cards", ["R5a N5a", "R4a N4a G5a", "R4a N4a G4a R6a N6a", "R4a R4b N4a G4a N5a"])
def test_two_currencies_outside_groups_are_not_a_payment(cards: str) -> None:
    assert read(cards.split()) is None


def test_no_joker_stands_in_for_a_card_of_a_group() -> None:
    assert read(["R4a", "N4a", "C2a"]) is None


def test_a_group_is_worth_15_whatever_its_faces_say() -> None:
    readings = [read([f"R{face}a", f"N{face}a", f"G{face}a"]) for face in "34567"]
    assert {reading.value for reading in readings if reading is not None} == {15}
    assert None not in readings


@given(hands | few_faces, locks, st.booleans())
def test_the_listing_of_payments_equals_brute_force(hand: tuple[str, ...], locked: str | None, alone: bool) -> None:
    listed = payments(hand, locked, alone)
    assert Counter(kind(cards) for _, cards in listed) == Counter(list(subsets(hand, locked, alone)))
    for worth, cards in listed:
        assert worth == value(cards, locked, alone)
        assert cards == tuple(sorted(cards))
        assert set(cards) <= set(hand)


@given(hands | few_faces, st.integers(0, 40), locks, st.booleans())
def test_no_part_of_a_thrifty_payment_would_be_enough(
    hand: tuple[str, ...], needed: int, locked: str | None, alone: bool
) -> None:
    enough = [Counter(cards) for cards, worth in subsets(hand, locked, alone).items() if worth >= needed]
    least = [cards for cards in enough if not any(other != cards and other <= cards for other in enough)]
    (listed,) = thrifty(hand, [needed], locked, alone)
    assert Counter(map(kind, listed)) == Counter(tuple(sorted(cards.elements())) for cards in least)


@given(hands | few_faces, st.booleans())
def test_the_tie_break_is_the_highest_single_payment(hand: tuple[str, ...], alone: bool) -> None:
    assert best(tuple(hand), True, alone) == max(subsets(hand, None, alone).values())


@given(hands | few_faces, st.booleans())
def test_without_groups_the_tie_break_counts_faces_of_one_currency_and_certificates(
    hand: tuple[str, ...], alone: bool
) -> None:
    loose = max(sum(int(card[1]) for card in hand if card[0] == letter) for letter in "RNG")
    certificates = 2 * sum(card[0] == "C" for card in hand)
    assert best(hand, False, alone) == loose + (certificates if alone or loose else 0)
