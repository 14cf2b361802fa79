"""A turn, always in this order: play, place, move, take, refill."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tabletop.rules.game import Json
from tabletop.rules.patrician import GAME
from tabletop.rules.patrician.position import PatricianPosition
from tests.refusals import nearest_of
from tests.rules.patrician.board import begun, board, data, do, legal, refused, walk

# In the shipped edition: ROM1 has two crests, ROM3 a head, LUC5 and FIR7 a move, BOL6 any.


# 1 Play


def test_a_card_is_played_from_the_hand_onto_the_seats_pile() -> None:
    position = begun(3)
    card = position.hands[0][0]
    assert legal(position) == sorted(f"play {held}" for held in position.hands[0])
    after = do(position, f"play {card}")
    assert after.played == ((card,), (), ())
    assert card not in after.hands[0]
    assert after.to_json()["pending"] == {"card": card, "floors": 1}


def test_only_cards_of_the_seats_hand_can_be_played() -> None:
    position = begun(3)
    for card in (position.hands[1][0], position.deck[0], position.market[0], "PIS1"):
        assert refused(position, f"play {card}").code == "not-in-hand"


# 2 Place


@pytest.mark.parametrize(("card", "crests"), [("ROM1", 2), ("ROM3", 1)])
def test_as_many_floors_are_placed_as_the_card_shows_crests(card: str, crests: int) -> None:
    position = do(board(hands=[[card]], market={"ROM": "VER1"}), f"play {card}")
    for _ in range(crests):
        assert position.phase == "floor"
        assert legal(position) == ["floor A", "floor B"]
        position = do(position, "floor A")
    assert position.phase == "take"
    assert position.supply[0] == 29 - crests


def test_two_floors_go_on_one_site_or_are_split() -> None:
    start = do(board(hands=[["ROM1"]]), "play ROM1")
    for first, second, sites in (("A", "A", ["bb", ""]), ("A", "B", ["b", "b"]), ("B", "B", ["", "bb"])):
        city = do(start, f"floor {first}", f"floor {second}").to_json()["cities"]["ROM"]
        assert [len(city["A"]), len(city["B"])] == [len(site) for site in sites]
        assert set(city["A"] + city["B"]) == {"black"}


def test_floors_come_from_the_seats_supply_and_go_on_top_of_any_colour() -> None:
    position = do(board(hands=[["ROM3"]], towers={"ROM": ("wr", "")}), "play ROM3", "floor A")
    assert position.to_json()["cities"]["ROM"]["A"] == ["white", "red", "black"]
    assert position.supply == (28, 28, 28)


def test_the_last_floor_of_a_city_must_go_on_the_empty_site() -> None:
    position = do(board(hands=[["LUC3"]], towers={"LUC": ("bwbwbw", "")}), "play LUC3")
    assert legal(position) == ["floor B"]
    refusal = refused(position, "floor A")
    assert refusal.code == "must-use-empty-site"
    assert refusal.facts == {"capacity": 7, "city": "Lucca", "other": "B"}
    assert refusal.nearest in position.legal


def test_only_the_floor_that_reaches_the_capacity_must_use_the_empty_site() -> None:
    position = do(board(hands=[["LUC1"]], towers={"LUC": ("", "bwbwb")}), "play LUC1")
    assert legal(position) == ["floor A", "floor B"]
    position = do(position, "floor B")
    assert legal(position) == ["floor A"]


def test_with_floors_on_both_sites_the_last_floor_goes_anywhere() -> None:
    position = do(board(hands=[["LUC3"]], towers={"LUC": ("bwbwb", "w")}), "play LUC3")
    assert legal(position) == ["floor A", "floor B"]


def test_a_full_city_takes_no_floor() -> None:
    full = board(hands=[["LUC3"]], towers={"LUC": ("bwbwb", "w")}).change(card="LUC3", left=1, phase="floor")
    full = full.change(towers=(*full.towers[:6], (0, 1, 0, 1, 0), (1, 1), *full.towers[8:]))
    assert list(full.legal) == []
    assert refused(full, "floor A").code == "city-full"


def test_a_seat_out_of_pieces_places_what_is_left() -> None:
    towers = {"BOL": ("bbbbbb", "b"), "FIR": ("bbbbbb", "b"), "MIL": ("bbbbbb", "")}
    position = board(4, hands=[["ROM1"]], towers=towers)
    assert position.supply[0] == 1
    position = do(position, "play ROM1")
    assert position.to_json()["pending"] == {"card": "ROM1", "floors": 1}
    position = do(position, "floor A")
    assert position.phase != "floor"
    assert position.supply[0] == 0


def test_a_seat_without_pieces_goes_on_and_takes_the_card_beside_the_played_cards_city() -> None:
    towers = {"BOL": ("bbbbbb", "b"), "FIR": ("bbbbbb", "b"), "MIL": ("bbbbbb", ""), "SIE": ("b", "")}
    position = do(board(4, hands=[["ROM1"]], towers=towers, market={"ROM": "VER1", "BOL": "VER2"}), "play ROM1")
    assert position.phase == "take"
    assert position.to_json()["pending"] == {"card": "ROM1", "floors": 0}
    assert legal(position) == ["take VER1"]


def test_a_seat_without_pieces_cannot_move_in_the_played_cards_city() -> None:
    towers = {"BOL": ("bbbbbb", "b"), "FIR": ("bbbbbb", "b"), "MIL": ("bbbbbb", ""), "LUC": ("b", "")}
    position = do(board(4, hands=[["LUC5"]], towers=towers), "play LUC5")
    assert position.phase == "move"
    assert refused(position, "move LUC from A").code == "own-city-just-built"


def test_a_full_city_is_scored_at_once() -> None:
    position = board(hands=[["LUC3"], ["ROM3"]], towers={"LUC": ("wwww", "bb")}, market={"LUC": "VER1"})
    assert position.to_json()["seats"][1]["tokens"] == []
    after = do(position, "play LUC3", "floor B")
    assert after.phase == "take"
    assert after.to_json()["cities"]["LUC"]["scored"] is True
    assert [seat["tokens"] for seat in after.to_json()["seats"]] == [[4], [7], []]


# 3 Move


def test_a_card_that_shows_no_move_gives_none() -> None:
    position = do(board(hands=[["ROM3"]], towers={"MIL": ("b", "")}, market={"ROM": "VER1"}), "play ROM3", "floor A")
    assert position.phase == "take"


def mary(**fields: Json) -> PatricianPosition:
    """Mary, red, has played Lucca with a move; she has no floor in Parma, and one under a black one in Milano."""
    towers = {"LUC": ("b", "w"), "PAR": ("bw", "w"), "MIL": ("rb", "")}
    position = board(active=2, hands=[[], [], ["LUC5"]], towers=towers, market={"LUC": "VER1"}, **fields)
    return do(position, "play LUC5", "floor A")


def test_mary_may_not_move_in_parma_where_she_has_no_floor() -> None:
    assert refused(mary(), "move PAR from A").code == "no-own-floor"


def test_mary_may_not_move_in_lucca_where_she_has_just_built() -> None:
    refusal = refused(mary(), "move LUC from A")
    assert refusal.code == "own-city-just-built"
    assert "Lucca" in refusal.message


def test_a_refused_move_says_where_one_is_legal_and_names_the_nearest() -> None:
    for line in ("move PAR from A", "move LUC from A", "move MIL from B"):
        refusal = refused(mary(), line)
        assert "Milano" in refusal.message
        assert GAME.format(nearest_of(refusal)) == "move MIL from A"
    refusal = refused(mary(), "move MIL from B")
    assert refusal.message == "Site B of Milano is empty: its floors are on site A."


def test_mary_moves_a_black_top_floor_in_milano_to_the_empty_site() -> None:
    assert legal(mary()) == ["move MIL from A", "skip"]
    after = do(mary(), "move MIL from A")
    assert after.to_json()["cities"]["MIL"] == {"A": ["red"], "B": ["black"], "scored": False}
    assert after.phase == "take"


def test_the_move_is_only_made_if_wished() -> None:
    after = do(mary(), "skip")
    assert after.phase == "take"
    assert after.towers == mary().towers


def test_only_the_top_floor_moves_and_it_lands_on_top() -> None:
    towers = {"LUC": ("", ""), "MIL": ("rbw", "b")}
    position = do(board(active=2, hands=[["ROM3"], [], ["LUC5"]], towers=towers), "play LUC5", "floor A")
    after = do(position, "move MIL from A")
    assert after.to_json()["cities"]["MIL"] == {"A": ["red", "black"], "B": ["black", "white"], "scored": False}


def test_nothing_moves_in_a_scored_city() -> None:
    towers = {"MIL": ("rbwr", "bbb"), "FER": ("r", "")}
    position = do(board(active=2, hands=[[], [], ["LUC5"]], towers=towers), "play LUC5", "floor A")
    assert refused(position, "move MIL from A").code == "city-scored"
    assert legal(position) == ["move FER from A", "skip"]


def test_a_city_just_filled_counts_as_just_built_before_it_counts_as_scored() -> None:
    towers = {"LUC": ("bbbb", "ww"), "FER": ("r", "")}
    position = do(board(active=2, hands=[[], [], ["LUC5"]], towers=towers), "play LUC5", "floor A")
    assert refused(position, "move LUC from A").code == "own-city-just-built"


def test_an_empty_site_has_no_floor_to_move() -> None:
    assert refused(mary(), "move MIL from B").code == "empty-site"


@pytest.mark.parametrize("towers", [{}, {"PAR": ("bw", "")}, {"MIL": ("rbwr", "bbb")}])
def test_where_no_move_is_legal_the_move_is_lost_and_not_asked_for(towers: Mapping[str, tuple[str, str]]) -> None:
    position = board(active=2, hands=[[], [], ["LUC5"]], towers=towers, market={"LUC": "VER1"})
    assert do(position, "play LUC5", "floor A").phase == "take"


def test_a_move_may_empty_a_site() -> None:
    towers = {"MIL": ("r", "b")}
    position = do(board(active=2, hands=[[], [], ["LUC5"]], towers=towers), "play LUC5", "floor A")
    assert legal(position) == ["move MIL from A", "move MIL from B", "skip"]
    assert do(position, "move MIL from A").to_json()["cities"]["MIL"]["A"] == []


def test_option_a_move_may_not_empty_a_site() -> None:
    towers = {"MIL": ("rb", "b"), "FER": ("r", "")}
    position = board(active=2, hands=[[], [], ["LUC5"]], towers=towers, move_may_empty_site=False)
    position = do(position, "play LUC5", "floor A")
    assert legal(position) == ["move MIL from A", "skip"]
    for line in ("move MIL from B", "move FER from A"):
        assert refused(position, line).code == "empty-site"


def test_option_a_move_that_may_not_be_made_does_not_count_as_possible() -> None:
    towers = {"MIL": ("r", "b")}
    position = board(
        active=2, hands=[[], [], ["LUC5"]], towers=towers, market={"LUC": "VER1"}, move_may_empty_site=False
    )
    assert do(position, "play LUC5", "floor A").phase == "take"


def test_an_own_floor_anywhere_in_the_city_will_do() -> None:
    towers = {"MIL": ("b", "rb")}
    position = do(board(active=2, hands=[[], [], ["LUC5"]], towers=towers), "play LUC5", "floor A")
    assert legal(position) == ["move MIL from A", "move MIL from B", "skip"]


# 4 Take


def test_the_market_card_beside_the_city_just_built_in_is_taken() -> None:
    position = board(hands=[["ROM3"]], market={"ROM": "VER1", "BOL": "VER2"})
    position = do(position, "play ROM3", "floor A")
    assert legal(position) == ["take VER1"]
    refusal = refused(position, "take VER2")
    assert refusal.code == "wrong-market"
    assert refusal.nearest in position.legal
    assert refused(position, "take VER3").code == "not-in-market"
    assert do(position, "take VER1").hands[0] == ("VER1",)


def test_with_any_the_card_beside_any_city_may_be_taken() -> None:
    position = board(hands=[["BOL6"]], market={"BOL": "VER1", "ROM": "VER2", "MIL": "VER3"})
    position = do(position, "play BOL6", "floor A")
    assert legal(position) == ["take VER1", "take VER2", "take VER3"]


def test_where_the_space_is_empty_the_card_beside_any_city_is_taken() -> None:
    position = board(hands=[["ROM3"]], market={"BOL": "VER1", "MIL": "VER3"})
    position = do(position, "play ROM3", "floor A")
    assert legal(position) == ["take VER1", "take VER3"]
    assert refused(position, "take VER2").code == "not-in-market"


def test_without_any_market_card_taking_is_skipped() -> None:
    position = do(board(hands=[["ROM3"], ["BOL3"]]), "play ROM3", "floor A")
    assert (position.phase, position.decider) == ("play", 1)


# 5 Refill


def test_the_emptied_space_is_filled_from_the_deck() -> None:
    position = board(hands=[["BOL6"], ["FIR3"]], market={"BOL": "VER1", "ROM": "VER2"}, deck=["PAR1", "PAR2"])
    position = do(position, "play BOL6", "floor A", "take VER2")
    assert (position.phase, position.decider) == ("reveal", None)
    assert "pending" not in position.to_json()
    assert legal(position) == ["reveal PAR1", "reveal PAR2"]
    assert refused(position, "reveal PAR3").code == "not-in-pool"
    position = do(position, "reveal PAR2")
    assert position.to_json()["market"]["ROM"] == "PAR2"
    assert (position.phase, position.decider) == ("play", 1)


def test_full_cities_are_refilled_too() -> None:
    position = board(hands=[["LUC3"]], towers={"LUC": ("wwww", "bb")}, market={"LUC": "VER1"}, deck=["PAR1"])
    position = do(position, "play LUC3", "floor B", "take VER1", "reveal PAR1")
    assert position.to_json()["cities"]["LUC"]["scored"] is True
    assert position.to_json()["market"]["LUC"] == "PAR1"


def test_with_an_empty_deck_refilling_is_skipped() -> None:
    position = board(hands=[["ROM3"], ["FIR3"]], market={"ROM": "VER1", "BOL": "VER2"})
    position = do(position, "play ROM3", "floor A", "take VER1")
    assert position.to_json()["market"]["ROM"] is None
    assert (position.phase, position.decider) == ("play", 1)


# The order


@pytest.mark.parametrize("seed", range(3))
def test_every_other_order_is_illegal(seed: int) -> None:
    """In each phase the actions of every other phase are refused."""
    lines = {
        "play": "play ROM3",
        "floor": "floor A",
        "move": "move MIL from A",
        "take": "take ROM3",
        "reveal": "reveal ROM3",
        "deal": "deal 0 BOL3+BOL4+FIR3",
    }
    for position in walk(seed, 3):
        for phase, line in lines.items():
            if phase != position.phase and not (phase == "reveal" and position.phase == "setup"):
                assert refused(position, line).code == ("game-over" if position.over else "wrong-phase")
        if position.phase != "move":
            assert refused(position, "skip").code == ("game-over" if position.over else "wrong-phase")


def test_turns_go_clockwise_and_a_seat_without_cards_is_passed() -> None:
    position = board(hands=[["ROM3"], [], ["FIR3"]])
    position = do(position, "play ROM3", "floor A")
    assert position.decider == 2


def test_play_goes_on_until_every_hand_is_empty() -> None:
    position = do(board(hands=[["ROM3"], [], []]), "play ROM3", "floor A")
    assert position.over
    assert position.decider is None
    assert list(position.legal) == []
    assert refused(position, "play ROM3").code == "game-over"


def test_a_forced_single_action_is_still_asked_for() -> None:
    position = do(board(hands=[["LUC3"]], towers={"LUC": ("bwbwbw", "")}), "play LUC3")
    assert len(position.legal) == 1


def test_no_position_changes_when_an_action_is_done() -> None:
    position = begun(3)
    before = position.to_json()
    do(position, f"play {position.hands[0][0]}")
    assert position.to_json() == before
    with pytest.raises(AttributeError):
        position.phase = "over"


def test_the_board_of_the_tests_is_complete() -> None:
    assert len(data(3)["seats"][2]["played"]) == 48
