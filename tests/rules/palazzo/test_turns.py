"""A turn: money, build or rebuild."""

from __future__ import annotations

import pytest

from tabletop.rules.game import Json
from tabletop.rules.palazzo.position import PalazzoPosition
from tests.refusals import code_of, nearest_of
from tests.rules.palazzo.board import do, lay, lines, of, why

# ---- money


def test_money_turns_up_seats_plus_one_cards() -> None:
    position = do(lay(seats=3), "money", "reveal R3a", "reveal N4a", "reveal C2a")
    assert (position.phase, position.decider) == ("reveal", None)
    position = do(position, "reveal G7a")
    assert (position.phase, position.decider) == ("take", 0)
    assert position.row == ("R3a", "N4a", "C2a", "G7a")


def test_the_active_seat_takes_two_and_the_others_clockwise_one_each() -> None:
    position = do(lay(seats=3, seat=1, active=1), "money", *(f"reveal {card}" for card in ("R3a", "N4a", "C2a", "G7a")))
    takers = []
    for card in ("R3a", "N4a", "C2a", "G7a"):
        takers.append(position.decider)
        position = do(position, f"take {card}")
    assert takers == [1, 1, 2, 0]
    assert position.hands == (("G7a",), ("N4a", "R3a"), ("C2a",))
    assert (position.phase, position.decider, position.active) == ("action", 2, 2)


def test_a_forced_last_take_is_still_asked_for() -> None:
    position = lay(phase="take", seat=1, row=["R3a"])
    assert lines(position.legal) == ["take R3a"]


def test_like_cards_of_the_row_are_one_action() -> None:
    position = lay(phase="take", row=["R3a", "R3b", "C2a"])
    assert {line[:7] for line in lines(position.legal)} == {"take R3", "take C2"}
    assert len(position.legal) == 2
    assert why(position, "take R3a") is None is why(position, "take R3b")


def test_only_cards_in_the_row_can_be_taken() -> None:
    assert why(lay(phase="take", row=["R3a", "R3b", "C2a"]), "take G7a") == "not-in-pool"


def test_the_discards_become_the_deck_when_a_card_is_needed_and_not_sooner() -> None:
    discards = ["G3a", "N3a", "R4a"]
    rest = [card for card in lay().deck if card not in {*discards, "R3a"}]
    position = do(lay(hands=[[], rest], deck=["R3a"], discards=discards), "money", "reveal R3a")
    assert (position.deck, position.discards) == ((), ("G3a", "N3a", "R4a"))
    assert lines(position.legal) == ["reveal G3a", "reveal N3a", "reveal R4a"]
    position = do(position, "reveal N3a")
    assert (position.deck, position.discards) == (("G3a", "R4a"), ())


@pytest.mark.parametrize(("there", "code"), [(2, "deck-too-short"), (3, None)])
def test_money_is_illegal_only_if_deck_and_discards_hold_fewer_than_seats_plus_one(
    there: int, code: str | None
) -> None:
    deck = lay().deck
    position = lay(hands=[[], deck[there:]], deck=deck[:1], discards=deck[1:there])
    assert why(position, "money") == code
    assert ("money" in lines(position.legal)) == (code is None)


# ---- build


def test_the_first_tile_goes_to_the_warehouse_and_the_second_windows_steps_clockwise_of_the_architect() -> None:
    for architect in range(1, 5):
        for windows in (1, 2, 3):
            position = do(lay(architect=architect), "build", "reveal S1.3", f"reveal B1.{windows}")
            assert position.warehouse == ("S1.3",)
            where = (architect - 1 + windows) % 4 + 1
            assert [number for number, tiles in enumerate(position.quarries, 1) if tiles] == [where]
            assert where != architect
            assert (position.phase, position.decider) == ("choose", 0)
            assert position.to_json()["drawn"] == ["S1.3", f"B1.{windows}"]


def test_the_last_tile_of_stack_i_may_be_followed_by_the_first_of_ii() -> None:
    every = lay()
    unseen = {"I": ["B1.1"], "II": ["B4.1"], "III": [*every.unseen[2]]}
    box = [tile for tile in (*every.unseen[0], *every.unseen[1]) if tile not in ("B1.1", "B4.1")]
    position = do(lay(unseen=unseen, box=box), "build")
    assert lines(position.legal) == ["reveal B1.1"]
    position = do(position, "reveal B1.1")
    assert lines(position.legal) == ["reveal B4.1"]


def end_game(ends: int, **more: Json) -> PalazzoPosition:
    """Return a position in which stack III is current and that many end tiles have been turned up."""
    every = lay()
    come = [f"E{number}" for number in range(1, ends + 1)]
    unseen = {"I": [], "II": [], "III": [piece for piece in every.unseen[2] if piece not in come]}
    return lay(unseen=unseen, box=[*every.unseen[0], *every.unseen[1]], end_tiles=come, **more)


def test_an_end_tile_is_laid_aside_and_not_replaced_and_the_other_tile_keeps_its_place() -> None:
    position = do(end_game(0), "build", "reveal E1", "reveal B5.1")
    assert (position.warehouse, position.quarries[1], position.end_tiles) == ((), ("B5.1",), ("E1",))
    assert position.phase == "choose"
    position = do(end_game(0), "build", "reveal B5.1", "reveal E1")
    assert (position.warehouse, position.quarries, position.end_tiles) == (("B5.1",), ((), (), (), ()), ("E1",))


def test_end_tiles_are_one_kind() -> None:
    assert sum(line.startswith("reveal E") for line in lines(do(end_game(0), "build").legal)) == 1


def test_the_fifth_end_tile_ends_the_game_at_once_and_no_second_tile_is_turned_up() -> None:
    position = do(end_game(4), "build", "reveal E5")
    assert (position.phase, position.decider, position.over) == ("over", None, True)
    assert list(position.legal) == []
    assert not position.legal
    assert why(position, "build") == "game-over"
    assert why(position, "reveal B5.1") == "game-over"


def test_the_fifth_end_tile_as_the_second_ends_the_game_too() -> None:
    position = do(end_game(4), "build", "reveal B5.1", "reveal E5")
    assert position.over
    assert position.warehouse == ("B5.1",)


# ---- rebuild


PALAZZI = [["B1.3 S2.1 B5.2", "M3.1a", "B2.3 B4.2", "S5.1"], ["M1.1"]]


def rebuilding(**more: Json) -> PalazzoPosition:
    return lay(**(dict[str, Json]({"hands": [["R5a", "R5b", "C2a"], ["N3a"]], "palazzi": PALAZZI}) | more))


def test_rebuilding_costs_one_card_of_choice_which_is_discarded() -> None:
    position = do(rebuilding(), "rebuild lift S2.1 pay C2a")
    assert (position.hands[0], position.discards) == (("R5a", "R5b"), ("C2a",))
    assert (position.phase, position.decider) == ("action", 1)


def test_rebuilding_without_a_card_is_refused() -> None:
    position = rebuilding(hands=[[], ["N3a"]])
    assert of(position.legal, "rebuild") == []
    assert why(position, "rebuild lift S2.1 pay N3a") == "no-money-left"


@pytest.mark.parametrize("tile", ["B1.3", "S2.1", "B5.2"])
def test_a_tile_of_any_floor_is_lifted_and_stands_alone(tile: str) -> None:
    position = do(rebuilding(), f"rebuild lift {tile} pay R5a")
    rest = tuple(other for other in ("B1.3", "S2.1", "B5.2") if other != tile)
    assert position.palazzi[0] == (rest, ("M3.1a",), ("B2.3", "B4.2"), ("S5.1",), (tile,))


def test_a_lone_tile_is_put_under_between_or_on_top() -> None:
    assert do(rebuilding(), "rebuild insert M3.1a onto B5.2 pay R5a").palazzi[0][0] == ("B1.3", "S2.1", "M3.1a", "B5.2")
    assert do(rebuilding(), "rebuild insert M3.1a onto B2.3 pay R5a").palazzi[0][1] == ("B2.3", "M3.1a", "B4.2")
    assert do(rebuilding(), "rebuild insert M3.1a onto S5.1 pay R5a").palazzi[0][2] == ("M3.1a", "S5.1")
    assert do(rebuilding(), "rebuild insert S5.1 onto B2.3 pay R5a").palazzi[0][2] == ("B2.3", "B4.2", "S5.1")


def test_the_target_may_be_named_by_any_of_its_tiles_and_is_listed_once() -> None:
    position = rebuilding()
    for onto in ("B1.3", "S2.1", "B5.2"):
        assert why(position, f"rebuild insert M3.1a onto {onto} pay R5a") is None
    inserts = [line for line in of(position.legal, "rebuild") if "insert M3.1a" in line and "C2" in line]
    assert len(inserts) == 3


def test_a_lone_tile_is_discarded_to_the_box() -> None:
    position = do(rebuilding(), "rebuild scrap M3.1a pay R5a")
    assert "M3.1a" in position.box
    assert position.palazzi[0] == (("B1.3", "S2.1", "B5.2"), ("B2.3", "B4.2"), ("S5.1",))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("rebuild lift M3.1a pay R5a", "stands-alone"),
        ("rebuild scrap S2.1 pay R5a", "not-alone"),
        ("rebuild insert S2.1 onto B2.3 pay R5a", "not-alone"),
        ("rebuild insert M3.1a onto M3.1a pay R5a", "stands-alone"),
        ("rebuild insert S5.1 onto B1.3 pay R5a", "duplicate-floor"),
        ("rebuild insert M3.1a onto M1.1 pay R5a", "not-your-palazzo"),
        ("rebuild lift M1.1 pay R5a", "not-your-palazzo"),
        ("rebuild scrap B5.1 pay R5a", "not-your-palazzo"),
        ("rebuild scrap M3.1a pay R5c", "not-in-hand"),
        ("rebuild scrap M3.1a pay N3a", "not-in-hand"),
        ("rebuild scrap M1.1 pay N3a", "not-your-palazzo"),
        ("rebuild insert S5.1 onto B1.3 pay N3a", "duplicate-floor"),
    ],
)
def test_every_other_rebuild_is_refused_the_tile_before_the_card(line: str, code: str) -> None:
    assert why(rebuilding(), line) == code


def test_a_rebuilding_with_a_card_of_others_names_one_of_the_seats_hand() -> None:
    reason = rebuilding().refusal(rebuilding().game.parse("rebuild scrap M3.1a pay N3a"))
    assert reason is not None
    assert rebuilding().game.format(nearest_of(reason)) == "rebuild scrap M3.1a pay C2a"


def test_never_straight_from_one_palazzo_to_another_lift_it_first() -> None:
    reason = rebuilding().refusal(rebuilding().game.parse("rebuild insert S2.1 onto M3.1a pay R5a"))
    assert code_of(reason) == "not-alone"
    assert reason is not None
    assert rebuilding().game.format(nearest_of(reason)) == "rebuild lift S2.1 pay R5a"


def test_twins_in_different_palazzi_are_two_actions_and_each_palazzo_is_a_target_of_its_own() -> None:
    alone = lay(hands=[["R5a"]], palazzi=[["M3.1a", "M3.1b"]])
    assert len(of(alone.legal, "rebuild")) == 2
    with_a_third = lay(hands=[["R5a"]], palazzi=[["M3.1a", "M3.1b", "B1.1"]])
    assert len([line for line in of(with_a_third.legal, "rebuild") if "insert" in line]) == 4
    apart = lay(hands=[["R5a"]], palazzi=[["B1.1 M3.1a", "S1.1 M3.1b"]])
    assert len([line for line in of(apart.legal, "rebuild") if "M3.1" in line]) == 2


@pytest.mark.parametrize(
    "line", ["take R5a", "buy B1.1 pay -", "auction", "bid R5a", "pass", "claim B1.1", "place B1.1"]
)
def test_actions_of_another_phase_are_refused(line: str) -> None:
    assert why(lay(), line) == "wrong-phase"
