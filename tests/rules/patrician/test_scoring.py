"""City scoring and the end: tokens, ties, heads, ranks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.rules.patrician.components import CITIES, COLOURS, City, cards
from tabletop.rules.patrician.phases.towers import awards, holder
from tabletop.rules.patrician.scoring import heads
from tests.rules.patrician.board import board, do, tokens_of, walk

LUCCA = next(city for city in CITIES if city.id == "LUC")


def won(city: City, first: tuple[int, ...], second: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(award.seat, award.points) for award in awards(city, tuple(first), tuple(second))]


def test_towers_of_4_and_3_in_a_city_of_7() -> None:
    """White has 3 of 4 floors in the taller tower and gets 7; black has 2 of 3 in the shorter one and gets 4."""
    assert won(LUCCA, (1, 0, 1, 1), (0, 1, 0)) == [(1, 7), (0, 4)]
    assert won(LUCCA, (0, 1, 0), (1, 0, 1, 1)) == [(1, 7), (0, 4)]


def test_of_tied_seats_the_one_whose_floor_is_highest_holds_the_tower() -> None:
    assert holder((0, 1, 0, 1)) == 1
    assert holder((1, 1, 0, 0, 2)) == 0
    assert holder((2, 0, 1)) == 1


def test_a_higher_floor_without_most_floors_holds_nothing() -> None:
    assert holder((0, 0, 1)) == 0


def test_one_seat_may_take_both_tokens_and_the_others_get_nothing() -> None:
    assert won(LUCCA, (1, 1, 0, 2), (0, 1, 1)) == [(1, 7), (1, 4)]


def test_an_empty_site_gives_no_token() -> None:
    assert won(LUCCA, (), (0, 1, 1)) == [(1, 7)]
    assert won(LUCCA, (), ()) == []


def test_of_two_equal_towers_site_a_gets_the_higher_token_and_it_is_reported() -> None:
    found = awards(LUCCA, (0, 0), (1, 1))
    assert [(award.site, award.seat, award.points, award.ruling) for award in found] == [
        ("A", 0, 7, True),
        ("B", 1, 4, True),
    ]
    position = board(phase="over", towers={"LUC": ("bb", "ww")})
    assert {"city": "LUC", "site": "A", "points": 7, "ruling": "equal-towers"} in position.score()[0].parts
    assert not any("ruling" in part for part in board(towers={"LUC": ("bb", "w")}, hands=[["BOL3"]]).score()[0].parts)


floors = st.lists(st.integers(0, 4), max_size=9).map(tuple)


@given(floors, floors)
def test_awards_agree_with_another_way_to_compute_them(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    by_colour = tokens_of([COLOURS[s] for s in first], [COLOURS[s] for s in second], LUCCA.tokens)
    assert won(LUCCA, first, second) == [(COLOURS.index(colour), points) for colour, points in by_colour]


def test_unfinished_cities_are_scored_after_the_last_card() -> None:
    """Cities left unfinished, as seats ran out of floors, give their tokens only at the end of the game."""
    towers = {"LUC": ("bw", "w"), "FER": ("r", "")}
    before = board(hands=[["ROM3"]], towers=towers)
    assert [seat["tokens"] for seat in before.to_json()["seats"]] == [[], [], []]
    after = do(before, "play ROM3", "floor A")
    assert after.over
    assert all(city["scored"] for city in after.to_json()["cities"].values())
    assert [seat["tokens"] for seat in after.to_json()["seats"]] == [[9], [7, 4], [5]]


def test_a_score_before_the_end_takes_unfinished_cities_as_they_stand() -> None:
    position = board(hands=[["ROM3"]], towers={"LUC": ("bw", "w")})
    tokens = [part["points"] for part in position.score()[1].parts if "city" in part]
    assert tokens == [7, 4]


def test_six_points_for_every_three_equal_heads_and_a_two_head_card_counts_two() -> None:
    """Every three equal heads are worth six points, and a card with two heads counts twice.

    ROM5 shows two women, BOL4 one; BOL3 a red head.
    """
    position = board(hands=[["PAR3"]], played=[["ROM5", "BOL4", "BOL3"]])
    assert heads(position, 0) == {"woman": 3, "red": 1}
    assert position.score()[0].points == 6
    assert board(hands=[["BOL4"]], played=[["ROM5", "BOL3"]]).score()[0].points == 0


def test_heads_in_hand_do_not_count() -> None:
    assert board(hands=[["ROM5", "BOL4"]]).score()[0].points == 0


def test_tokens_of_33_and_three_triples_make_51() -> None:
    towers = {"BOL": ("bbbbb", "wwww"), "FIR": ("bbbbb", "wwww"), "ROM": ("wwwww", "bbbb"), "FER": ("bbb", "ww"),
              "LUC": ("wwww", "bbb")}  # fmt: skip
    triples = ["ROM5", "BOL4", "FIR5", "BOL3", "BOL5", "ROM3"]
    position = board(2, phase="over", towers=towers, played=[triples])
    assert position.to_json()["seats"][0]["tokens"] == [9, 9, 6, 5, 4]
    assert sum(position.to_json()["seats"][0]["tokens"]) == 33
    assert position.score()[0].points == 33 + 18 == 51


def test_a_tie_goes_to_fewer_own_floors_on_the_board() -> None:
    towers = {"BOL": ("bbbbb", ""), "FIR": ("wwww", "")}
    last = [card for card in cards(3)]  # noqa: C416
    scores = board(phase="over", towers=towers, played=[[], [], last]).score()
    assert [score.points for score in scores[:2]] == [9, 9]
    assert [score.tiebreak for score in scores] == [5, 4, 0]
    assert scores[1].rank < scores[0].rank


def test_still_tied_seats_share_and_ranks_have_gaps() -> None:
    towers = {"BOL": ("bbbbb", ""), "FIR": ("wwwww", "")}
    scores = board(4, phase="over", towers=towers).score()
    assert [score.rank for score in scores[:3]] == [2, 2, 4]
    assert scores[3].rank == 1


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_parts_add_up_to_the_points(seats: int) -> None:
    for position in walk(5, seats):
        for score in position.score():
            assert sum(part["points"] for part in score.parts) == score.points


def test_at_the_end_the_tokens_are_the_points_of_the_cities() -> None:
    *_, last = walk(7, 4)
    for seat, score in zip(last.to_json()["seats"], last.score(), strict=True):
        assert sorted(seat["tokens"]) == sorted(part["points"] for part in score.parts if "city" in part)
