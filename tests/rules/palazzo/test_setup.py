"""Setup: five tiles of stack I, then four cards for every seat."""

from __future__ import annotations

import pytest

from tabletop.rules.game import Illegal
from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.position import PalazzoPosition
from tests.rules.palazzo.board import do, lines, of, why

NEW = GAME.new(["A", "B"])
TILES = ("B1.1", "B1.2", "B1.3", "S1.1", "S1.2")


def set_up(position: PalazzoPosition = NEW) -> PalazzoPosition:
    return do(position, *(f"reveal {tile}" for tile in TILES))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_to_four_seats_play(seats: int) -> None:
    assert len(GAME.new(list("ABCD")[:seats]).names) == seats


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_any_other_number_of_seats_is_refused(seats: int) -> None:
    with pytest.raises(Illegal) as caught:
        GAME.new(list("ABCDE")[:seats])
    assert caught.value.code == "bad-request"


def test_first_seat_and_first_quarry_are_settings() -> None:
    position = GAME.new(["A", "B"], {"first_seat": 1, "architect": 3})
    assert (position.active, position.architect) == (1, 3)
    assert (NEW.active, NEW.architect) == (0, 1)


def test_one_tile_is_turned_up_on_each_quarry_then_one_in_the_warehouse() -> None:
    data = set_up().to_json()
    assert (data["quarries"], data["warehouse"]) == ([["B1.1"], ["B1.2"], ["B1.3"], ["S1.1"]], ["S1.2"])
    assert data["turn"] == {"phase": "deal", "seat": None}


def test_chance_may_turn_up_any_tile_of_stack_i_and_no_other() -> None:
    assert lines(NEW.legal) == sorted(f"reveal {tile}" for tile in NEW.unseen[0])
    assert why(NEW, "reveal B5.1") == "not-in-pool"
    assert why(do(NEW, "reveal B1.1"), "reveal B1.1") == "not-in-pool"


def test_every_seat_is_dealt_four_cards_in_order() -> None:
    position = do(set_up(), "deal 0 R3a+R3b+C2a+N7a", "deal 1 R3c+G3a+C2b+N7b")
    assert position.hands == (("C2a", "N7a", "R3a", "R3b"), ("C2b", "G3a", "N7b", "R3c"))
    assert (position.phase, position.decider) == ("action", 0)
    assert len(position.deck) == 55 - 8


def test_the_turn_after_the_deal_is_the_first_seats() -> None:
    position = do(set_up(GAME.new(["A", "B"], {"first_seat": 1})), "deal 0 R3a+R3b+C2a+N7a", "deal 1 R3c+G3a+C2b+N7b")
    assert position.decider == 1


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("deal 1 R3a+R3b+C2a+N7a", "not-your-turn"),
        ("deal 0 R3a+R3b+C2a", "bad-request"),
        ("deal 0 R3a+R3b+C2a+C2a", "not-in-pool"),
        ("deal 0 R3a+R3b+C2a+C3", "not-in-pool"),
        ("reveal S1.3", "wrong-phase"),
        ("money", "wrong-phase"),
    ],
)
def test_any_other_deal_is_refused(line: str, code: str) -> None:
    assert why(set_up(), line) == code


def test_a_card_dealt_to_one_seat_is_not_dealt_to_another() -> None:
    assert why(do(set_up(), "deal 0 R3a+R3b+C2a+N7a"), "deal 1 R3a+G3a+C2b+N7b") == "not-in-pool"


def test_every_hand_of_four_is_listed_once() -> None:
    # Of 15 kinds with 3 copies and one with 10: choose 4 with repetition, less the 15 of four equal cards.
    assert len(of(set_up().legal, "deal")) == 3876 - 15


def test_with_unknown_stacks_any_unseen_tile_may_come_but_no_end_tile_in_the_setup() -> None:
    position = GAME.new(["A", "B"], {"stacks": "unknown"})
    assert len(of(position.legal, "reveal")) == 45
    assert why(position, "reveal E1") == "not-in-pool"
    assert why(position, "reveal M5.3") is None
