"""Auction: the architect moves on, seats bid or pass; four or more tiles are handed out."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tabletop.rules.game import Json
from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.position import PalazzoPosition
from tests.refusals import nearest_of, refused
from tests.rules.palazzo.board import auction, do, lay, lines, of, why

HAND = ["R4a", "N4a", "G4a", "C2a", "C2b", "C2c", "G6a", "N5a"]


def choosing(quarries: Sequence[Sequence[str]], architect: int = 1, **more: Json) -> PalazzoPosition:
    return lay(
        phase="choose", quarries=quarries, architect=architect, drawn=["E1", "E2"], end_tiles=["E1", "E2"], **more
    )


@pytest.mark.parametrize(
    ("quarries", "architect", "goal"),
    [
        ([[], ["B1.1"], ["B1.2"], []], 1, 2),
        ([[], [], ["B1.2"], []], 1, 3),
        ([["B1.1"], [], [], []], 4, 1),
        ([["B1.1"], ["B1.2"], [], []], 1, 2),
        ([["B1.1"], [], [], []], 1, 1),
    ],
)
def test_the_architect_moves_clockwise_to_the_next_quarry_that_holds_a_tile(
    quarries: Sequence[Sequence[str]], architect: int, goal: int
) -> None:
    position = do(choosing(quarries, architect), "auction")
    assert (position.architect, position.phase) == (goal, "bid")


def test_without_a_tile_in_any_quarry_an_auction_does_nothing() -> None:
    position = choosing([[], [], [], []], 3)
    assert lines(position.legal) == ["auction"]
    position = do(position, "auction")
    assert (position.architect, position.phase, position.decider) == (3, "action", 1)


def test_the_opening_bid_is_the_start_certificate_and_the_next_seat_decides() -> None:
    position = do(choosing([[], ["B1.1"], [], []], seats=3, seat=2, active=2), "auction")
    assert position.to_json()["auction"] == {"laid": {"2": [["C3"]]}, "out": []}
    assert position.decider == 0
    assert position.highest == 3
    assert position.layout().pieces("bid2") == {"C3"}


def test_each_seat_raises_above_the_highest_or_passes() -> None:
    position = auction({0: [["C3"]]}, [[], ["R3a", "R4a", "N5a"]], seat=1)
    assert lines(position.legal) == ["bid N5a", "bid R3a+R4a", "bid R4a", "pass"]
    assert lines(position.legal.thrifty()) == ["bid N5a", "bid R4a", "pass"]
    assert why(position, "bid R3a") == "too-little"


def test_cards_laid_stay_laid_and_only_what_is_added_is_named() -> None:
    position = auction({0: [["C3"], ["R4a"]], 1: [["N7a"]], 2: [["G7a", "C2a"]]}, [["R5a", "R3a"], [], []], seat=0)
    position = do(position, "bid R3a")
    assert position.laid is not None
    assert position.laid[0].acts == (("C3",), ("R4a",), ("R3a",))
    assert position.bid_of(0) == 10
    assert position.decider == 1


def test_a_seat_that_passes_takes_its_cards_back_and_is_out() -> None:
    position = auction({0: [["C3"], ["R4a"]], 1: [["N7a", "C2a"]], 2: [["G7a", "G3a"]]}, [["R5a"], [], []], seat=0)
    position = do(position, "pass")
    assert position.hands[0] == ("R4a", "R5a")
    assert position.out == (0,)
    assert (position.phase, position.decider) == ("bid", 1)
    assert "C3" in position.layout().pieces("warehouse")
    assert position.to_json()["auction"]["laid"] == {"1": [["N7a", "C2a"]], "2": [["G7a", "G3a"]]}


def test_a_seat_that_is_out_is_not_asked_again() -> None:
    position = auction({0: [["C3"]], 1: [], 2: [["R7a"]]}, [["R4a", "R5a"], [], []], seat=0, out=[1])
    assert do(position, "bid R4a+R5a").decider == 2


def test_the_last_seat_left_discards_what_it_laid_and_takes_all_the_tiles() -> None:
    quarry = ["B5.1", "S5.1", "M5.1"]
    position = auction({0: [["C3"], ["R4a"]], 1: [["N7a"], ["N3a"]]}, [["R5a"], ["G3a"]], seat=0, quarry=quarry)
    position = do(position, "pass")
    assert set(position.discards) == {"N7a", "N3a"}
    assert position.pending == tuple(quarry)
    assert position.quarries[0] == ()
    assert (position.phase, position.decider, position.active) == ("place", 1, 0)
    assert "auction" not in position.to_json()
    position = do(position, "place S5.1", "scrap B5.1", "place M5.1")
    assert position.palazzi[1] == (("S5.1",), ("M5.1",))
    assert (position.phase, position.decider) == ("action", 1)


def test_the_next_turn_is_the_seats_after_the_active_one_no_matter_who_won() -> None:
    position = auction({0: [["C3"]], 1: [], 2: [["R7a"]]}, [[], [], []], seat=0, out=[1])
    position = do(position, "pass", "place B5.1")
    assert (position.decider, position.active) == (1, 1)


def test_nobody_raises_and_the_active_seat_has_them_for_nothing_else() -> None:
    position = auction({0: [["C3"]]}, [["R5a"], []], seat=1)
    assert lines(position.legal) == ["pass"]
    position = do(position, "pass")
    assert (position.decider, position.pending, position.discards, position.hands[0]) == (0, ("B5.1",), (), ("R5a",))
    assert "C3" in position.layout().pieces("warehouse")


def monika(highest: int, laid: Sequence[Sequence[str]] = (), cards: Sequence[str] = HAND) -> PalazzoPosition:
    """Return Monika's turn with this much bid by the other seat."""
    acts = {15: [["R7a", "R5a", "R3a"]], 24: [["R7a", "R7b", "R7c", "R3a"]], 31: [["R7a", "R7b", "R7c", "R6a", "R4b"]]}
    return auction({0: [["C3"], *laid], 1: acts[highest]}, [list(cards), []], seat=0)


def test_worked_example_3() -> None:
    position = monika(15)
    assert why(position, "bid G4a+N4a+R4a") is None
    assert do(position, "bid G4a+N4a+R4a").bid_of(0) == 18
    rest = ["C2a", "C2b", "C2c", "G6a", "N5a"]
    group = [["R4a", "N4a", "G4a"]]
    position = monika(24, group, rest)
    assert why(position, "bid C2a+C2b+C2c") is None
    assert do(position, "bid C2a+C2b+C2c").bid_of(0) == 33
    assert do(position, "bid C2a+G6a").bid_of(0) == 26
    position = monika(31, [*group, ["G6a", "C2a"]], ["C2b", "C2c", "N5a"])
    assert lines(position.legal) == ["pass"]
    assert refused(position.refusal(GAME.parse("bid C2b+C2c"))).facts["value"] == 30
    assert why(position, "bid C2b+C2c") == "too-little"
    assert why(position, "bid N5a") == "currency-locked"


def test_cards_laid_earlier_never_complete_a_group() -> None:
    position = auction({0: [["C3"], ["C2a"]], 1: [["R7a"]]}, [["C2b", "C2c"], []], seat=0)
    assert do(position, "bid C2b+C2c").bid_of(0) == 3 + 2 + 4


def test_the_first_card_of_a_currency_fixes_it_and_groups_and_certificates_do_not() -> None:
    free = auction({0: [["C3"], ["R4a", "N4a", "G4a"], ["C2a"]], 1: [["R7a"]]}, [["N7a"], []], seat=0)
    assert free.locked is None
    assert why(free, "bid N7a") is None
    fixed = auction(
        {0: [["C3"], ["G6a", "C2a"]], 1: [["R7a", "R5a"]]}, [["N7a", "G7a", "R3a", "N3a", "G3a"], []], seat=0
    )
    assert fixed.locked == "G"
    assert why(fixed, "bid N7a") == "currency-locked"
    assert why(fixed, "bid G7a") is None
    assert why(fixed, "bid G3a+N3a+R3a") is None


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("bid -", "not-a-payment"),
        ("bid R5a", "not-in-hand"),
        ("bid C3", "not-in-hand"),
        ("bid N7a+N7a", "not-in-hand"),
        ("bid B5.1", "not-in-hand"),
        ("bid N7a+R7b", "mixed-currencies"),
        ("bid G3a+N3a+N7a", "mixed-currencies"),
        ("bid N7a", "currency-locked"),
        ("bid G3a", "too-little"),
    ],
)
def test_refusals_come_in_the_order_hand_reading_amount(line: str, code: str) -> None:
    position = auction({0: [["C3"], ["G6a"]], 1: [["R7a", "R6a"]]}, [["N7a", "G3a", "R7b", "N3a"], []], seat=0)
    assert why(position, line) == code


def test_a_bid_too_low_is_refused_with_the_numbers_and_what_would_help() -> None:
    position = auction({0: [["C3"]]}, [[], ["R3a", "R4a", "N5a"]], seat=1)
    reason = position.refusal(GAME.parse("bid R3a"))
    assert reason is not None
    assert (reason.facts["value"], reason.facts["highest"], reason.facts["short"]) == (3, 3, 1)
    assert GAME.format(nearest_of(reason)) == "bid R3a+R4a"
    assert reason.message.endswith("1 short, add R4.")


def test_option_certificates_alone_false_looks_at_all_acts_of_the_seat() -> None:
    strict = {"certificates_alone": False}
    opened = auction({0: [["C3"], ["R7a"]], 1: [["G4a"]]}, [["R3a"], ["C2a", "C2b", "C2c"]], seat=1, options=strict)
    assert why(opened, "bid C2a+C2b+C2c") is None
    backed = auction({0: [["C3"]], 1: [["G7a"]], 2: [["R7a"]]}, [["C2a"], [], []], seat=0, options=strict)
    assert why(backed, "bid C2a") == "not-a-payment"
    backed = auction({0: [["C3"], ["R4a"]], 1: [["G7a", "N3a", "R3a", "G3a"]]}, [["C2a"], []], seat=0, options=strict)
    assert why(backed, "bid C2a") == "too-little"
    backed = auction({0: [["C3"], ["R6a"]], 1: [["G7a", "G3a"]]}, [["C2a"], []], seat=0, options=strict)
    assert why(backed, "bid C2a") is None


# ---- hand-out


FIVE = ["B1.1", "B3.1a", "B3.1b", "S1.1", "M1.1"]


def handed(quarry: Sequence[str] = FIVE, seats: int = 3, **more: Json) -> PalazzoPosition:
    return do(choosing([[], quarry, [], []], seats=seats, **more), "auction")


def test_four_tiles_are_handed_out_and_three_auctioned() -> None:
    assert handed(FIVE[:4]).phase == "claim"
    assert handed(FIVE[:3]).phase == "bid"


def test_worked_example_4_each_of_three_seats_takes_one_of_five_and_two_go_to_the_box() -> None:
    position = handed(seat=1, active=1)
    assert position.to_json()["handout"] == [1, 2, 0]
    for seat, tile in ((1, "B1.1"), (2, "B3.1b"), (0, "M1.1")):
        assert (position.phase, position.decider) == ("claim", seat)
        position = do(position, f"claim {tile}")
        assert (position.phase, position.decider, position.pending) == ("place", seat, (tile,))
        position = do(position, f"place {tile}")
    assert set(position.box) == {"B3.1a", "S1.1"}
    assert position.quarries[1] == ()
    assert (position.phase, position.decider) == ("action", 2)
    assert "handout" not in position.to_json()


def test_leftover_tiles_are_boxed_only_after_the_last_placement() -> None:
    position = do(handed(FIVE, seats=2), "claim B1.1", "place B1.1", "claim S1.1")
    assert position.to_json()["handout"] == []
    assert position.quarries[1] == ("B3.1a", "B3.1b", "M1.1")
    assert do(position, "scrap S1.1").box == ("S1.1", "B3.1a", "B3.1b", "M1.1")


def test_twins_that_are_handed_out_are_copies() -> None:
    assert len(of(handed().legal, "claim")) == 4


def test_only_a_tile_of_the_architects_quarry_is_claimed() -> None:
    assert why(handed(), "claim S1.2") == "not-on-quarry"


def test_option_handout_discard_false_makes_a_handed_out_tile_be_built() -> None:
    position = do(handed(options={"handout_discard": False}), "claim B1.1")
    assert lines(position.legal) == ["place B1.1"]
    assert why(position, "scrap B1.1") == "wrong-phase"
    assert why(do(handed(), "claim B1.1"), "scrap B1.1") is None


def test_option_handout_discard_false_lets_bought_and_won_tiles_go() -> None:
    position = do(auction({0: [["C3"]]}, [[], []], seat=1, options={"handout_discard": False}), "pass")
    assert why(position, "scrap B5.1") is None
