"""End and score: what palazzi are worth, ranks and the tie-break."""

from __future__ import annotations

import pytest

from tabletop.rules.palazzo.phases.palazzi import points
from tests.rules.palazzo.board import auction, lay

EXAMPLES = [
    ("S3.3", -5),
    ("B2.3 B4.2", 0),
    ("B1.3 S2.1 B5.2", 6),
    ("S2.2 S3.2 S4.2 S5.1", 13),
    ("M1.3 M2.1 M3.2 S4.3 M5.2", 17),
    ("B1.1 B2.2 B3.3 B4.1 B5.1", 20),
    ("M2.2 M3.1a M4.2", 8),
    ("B2.3 S3.3 B4.2", 8),
]
"""The worked examples; the last one is the first inserted into the second."""


@pytest.mark.parametrize(("palazzo", "worth"), EXAMPLES)
def test_worked_example_1(palazzo: str, worth: int) -> None:
    assert points(tuple(palazzo.split())) == worth


def test_the_parts_are_the_palazzi_and_add_up_to_the_points() -> None:
    position = lay(palazzi=[["S3.3", "B2.3 B4.2", "M2.2 M3.1a M4.2"], []])
    first, second = position.score()
    assert first.parts == [
        {"palazzo": ["S3.3"], "points": -5},
        {"palazzo": ["B2.3", "B4.2"], "points": 0},
        {"palazzo": ["M2.2", "M3.1a", "M4.2"], "points": 8},
    ]
    assert first.points == 3
    assert (second.points, second.parts) == (0, [])


def test_ranks_start_at_1_with_gaps_and_the_hand_breaks_ties() -> None:
    position = lay(seats=4, hands=[["R5a"], ["R5b"], ["R3a", "C2a"], ["N7a"]], palazzi=[[], [], [], ["S3.3"]])
    assert [seat.rank for seat in position.score()] == [1, 1, 1, 4]
    position = lay(seats=3, hands=[["R5a"], ["R5b", "N7a"], ["R3a", "C2a"]])
    assert [seat.rank for seat in position.score()] == [2, 1, 2]


def test_the_tie_break_counts_groups_certificates_and_one_currency() -> None:
    hand = ["R4a", "N4a", "G4a", "C2a", "C2b", "C2c", "C2d", "G6a", "N5a"]
    assert lay(hands=[hand]).score()[0].tiebreak == 15 + 15 + 2 + 6


def test_option_tiebreak_groups_false_counts_one_currency_and_certificates_only() -> None:
    hand = ["R4a", "N4a", "G4a", "C2a", "C2b", "C2c", "G6a"]
    assert lay(hands=[hand], options={"tiebreak_groups": False}).score()[0].tiebreak == 4 + 6 + 6


def test_the_tie_break_obeys_certificates_alone() -> None:
    position = lay(hands=[["C2a", "C2b"], ["C2c", "C2d", "C2e", "C2f"]], options={"certificates_alone": False})
    assert [seat.tiebreak for seat in position.score()] == [0, 15]
    position = lay(hands=[["C2a", "C2b"], ["C2c", "C2d", "C2e", "C2f"]])
    assert [seat.tiebreak for seat in position.score()] == [4, 17]


def test_the_tie_break_value_counts_the_hand_only_and_not_what_is_laid() -> None:
    position = auction({0: [["C3"], ["R7a"]], 1: []}, [["R3a"], ["N3a"]], seat=1)
    assert [seat.tiebreak for seat in position.score()] == [3, 3]
