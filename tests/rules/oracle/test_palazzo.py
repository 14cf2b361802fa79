"""Palazzo's engine must agree about everything with a second implementation written from the rules alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tabletop.rules.game import Json
from tests.rules.oracle import duel
from tests.rules.oracle import palazzo as oracle
from tests.rules.oracle.crafted import crafted
from tests.rules.oracle.duel import Tally, bargain, load_and_play, play, play_with_a_seed
from tests.rules.oracle.palazzo_pieces import CARDS, ENDS, TILES, floor, value

STACKS = {
    "I": [tile for tile in TILES if floor(tile) < 3],
    "II": [tile for tile in TILES if floor(tile) == 3],
    "III": [tile for tile in TILES if floor(tile) > 3] + ENDS,
}


def laid_out(
    seats: int = 2,
    options: dict[str, str] | None = None,
    hands: Sequence[Sequence[str]] = (),
    palazzi: Sequence[Sequence[str]] = (),
    quarries: Sequence[Sequence[str]] = ((), (), (), ()),
    warehouse: Sequence[str] = (),
    **more: Sequence[str],
) -> dict[str, Json]:
    """Return a position at the first turn with exactly these pieces laid out, the others unseen, boxed or discarded."""
    state = oracle.start([f"Seat {n}" for n in range(seats)], options or {}, STACKS)
    for person, hand in zip(state["seats"], hands, strict=False):
        person["hand"] = list(hand)
    for person, columns in zip(state["seats"], palazzi, strict=False):
        person["palazzi"] = [column.split() for column in columns]
    state |= {"quarries": [list(quarry) for quarry in quarries], "warehouse": list(warehouse)}
    state |= {"turn": {"phase": "action", "seat": state["active"]}, **more}
    lying = {*state["warehouse"], *state["end_tiles"], *state["box"], *state.get("drawn", [])}
    lying |= set(duel.joined(state["quarries"])) | set(
        duel.joined(palazzo for p in state["seats"] for palazzo in p["palazzi"])
    )
    state["unseen"] = {name: [tile for tile in tiles if tile not in lying] for name, tiles in STACKS.items()}
    spent = {*state["discards"], *duel.joined(person["hand"] for person in state["seats"])}
    state["deck"] = [card for card in CARDS if card not in spent]
    return state


def both(state: dict[str, Json], *actions: dict[str, Json]) -> dict[str, Json]:
    """Do these actions on both sides, comparing everything; return the last state."""
    engine, tally = duel.Engine(), Tally()
    engine.want("load", position=state)
    for action in actions:
        duel.compare(engine, state, tally)
        duel.judge(engine, state, action, tally)
        engine.want("do", action=action)
        state = oracle.do(state, action)
    duel.compare(engine, state, tally)
    return state


def verdict(state: dict[str, Json], action: dict[str, Json]) -> str | None:
    """Return the code with which both sides refuse an action, or None."""
    engine = duel.Engine()
    engine.want("load", position=state)
    duel.judge(engine, state, action, Tally())
    return oracle.refuse(state, action)


def bid(*cards: str) -> dict[str, Json]:
    return {"do": "bid", "cards": list(cards)}


@pytest.mark.parametrize("seed", range(6))
def test_oracle_and_engine_agree_on_random_games(seed: int) -> None:
    play(seed, Tally(), mutants=1, most_actions=60)


def test_chance_drawn_by_a_seed_is_legal_and_undone_with_its_action() -> None:
    play_with_a_seed(3, Tally(), most_actions=30)


@pytest.mark.parametrize("seed", range(24))
def test_oracle_and_engine_agree_from_rare_positions(seed: int) -> None:
    load_and_play(crafted(seed), seed, Tally(), mutants=1, most_actions=15)


@pytest.mark.parametrize("seed", range(12))
def test_oracle_and_engine_agree_on_payments_rich_in_groups(seed: int) -> None:
    bargain(seed, Tally(), tries=15)


@pytest.mark.parametrize(
    ("palazzo", "points"),
    [
        ("S3.3", -5),
        ("B2.3 B4.2", 0),
        ("B1.3 S2.1 B5.2", 6),
        ("S2.2 S3.2 S4.2 S5.1", 13),
        ("M1.3 M2.1 M3.2 S4.3 M5.2", 17),
        ("B1.1 B2.2 B3.3 B4.1 B5.1", 20),
        ("M2.2 M3.1a M4.2", 8),
    ],
)
def test_the_printed_palazzi_score_what_is_printed(palazzo: str, points: int) -> None:
    state = both(laid_out(palazzi=[[palazzo]]))
    assert oracle.score(state)[0]["points"] == points


def test_putting_the_lone_third_floor_between_the_two_gives_eight_points() -> None:
    state = laid_out(hands=[["C2a"]], palazzi=[["S3.3", "B2.3 B4.2"]])
    rebuild = {"do": "rebuild", "kind": "insert", "tile": "S3.3", "onto": "B4.2", "pay": "C2a"}
    assert oracle.score(both(state, rebuild))[0]["points"] == 8


def test_four_tiles_in_the_warehouse_cost_six_each_and_fifteen_for_two_is_legal() -> None:
    lying = ["B1.1", "B1.2", "S1.1", "S2.1"]
    state = laid_out(
        hands=[["R4a", "N4a", "G4a", "R6a", "R5a", "R7a"]], warehouse=lying, quarries=(["B1.3"], (), (), ())
    )
    state |= {"architect": 2, "drawn": ["S2.1", "B1.3"], "turn": {"phase": "choose", "seat": 0}}
    buy = {"do": "buy", "tiles": ["B1.1", "S1.1"]}
    assert verdict(state, {**buy, "pay": ["R6a", "R5a"]}) == "too-little"
    assert verdict(state, {**buy, "pay": ["R7a", "R5a"]}) is None
    assert verdict(state, {**buy, "pay": ["R4a", "N4a", "G4a"]}) is None


def monika(*others: str) -> dict[str, Json]:
    """Return the auction that Monika, seat 0, has opened, with these cards in the other hands."""
    hand = ["R4a", "N4a", "G4a", "C2a", "C2b", "C2c", "G6a", "N5a"]
    state = laid_out(hands=[hand, list(others)], quarries=(["B1.3"], ["S1.1"], (), ()))
    state |= {"drawn": ["E1", "S1.1"], "end_tiles": ["E1"], "turn": {"phase": "choose", "seat": 0}}
    state["unseen"]["III"].remove("E1")
    return both(state, {"do": "auction"})


def test_monika_adds_a_group_and_then_a_currency_but_never_completes_a_group() -> None:
    state = both(
        monika("R7a", "R5a", "R6a", "R6b", "R7b"),
        bid("R7a", "R5a"),
        bid("R4a", "N4a", "G4a"),
        bid("R6a", "R6b"),
    )
    assert oracle.laid_so_far(state, 0) == (18, None)
    assert verdict(state, bid("C2a", "C2b", "C2c")) is None
    assert verdict(state, bid("N5a")) == "too-little"
    state = both(state, bid("G6a", "C2a"))
    assert oracle.laid_so_far(state, 0) == (26, "G")
    state = both(state, bid("R7b"))
    assert verdict(state, bid("C2b", "C2c")) == "too-little"
    assert verdict(state, bid("N5a", "C2b", "C2c")) == "currency-locked"
    assert sorted(both(state, {"do": "pass"})["seats"][0]["hand"])[:3] == ["C2a", "C2b", "C2c"]


def test_a_floor_two_goes_neither_between_one_and_three_nor_beside_a_second_floor() -> None:
    state = laid_out(palazzi=[["B1.1 B3.2", "S2.1 S4.1"]], hands=[[]])
    state |= {"pending": ["M2.2"], "turn": {"phase": "place", "seat": 0}}
    state["unseen"]["I"].remove("M2.2")
    onto = {onto: verdict(state, {"do": "place", "tile": "M2.2", "onto": onto}) for onto in ("B3.2", "B1.1", "S4.1")}
    assert onto == {"B3.2": "not-on-top", "B1.1": "not-on-top", "S4.1": "duplicate-floor"}
    assert len(oracle.legal(state)) == 2


def test_five_tiles_for_three_seats_leave_two_for_the_box() -> None:
    tiles = ["B1.1", "B1.2", "B1.3", "S1.1", "M1.1"]
    state = laid_out(seats=3, quarries=((), tiles, (), ()), warehouse=["S2.1"])
    state |= {"drawn": ["S2.1", "M1.1"], "turn": {"phase": "choose", "seat": 0}}
    steps = [
        act
        for tile in tiles[:3]
        for act in ({"do": "claim", "tile": tile}, {"do": "place", "tile": tile, "onto": None})
    ]
    state = both(state, {"do": "auction"}, *steps)
    assert (sorted(state["box"]), state["turn"]["seat"]) == (["M1.1", "S1.1"], 1)


@pytest.mark.parametrize("first", ["E5", "B1.1"])
def test_the_fifth_end_tile_ends_the_game_at_once_first_or_second(first: str) -> None:
    state = laid_out(options={"stacks": "unknown"}, end_tiles=["E1", "E2", "E3", "E4"])
    reveals = [{"do": "reveal", "piece": piece} for piece in (["E5"] if first == "E5" else ["B1.1", "E5"])]
    state = both(state, {"do": "build"}, *reveals)
    assert state["turn"]["phase"] == "over"
    assert verdict(state, {"do": "money"}) == "game-over"


def test_discards_become_the_deck_in_the_middle_of_a_row_and_only_when_a_card_is_needed() -> None:
    left = ["R3a"]
    discards = [card for card in CARDS if card not in left]
    state = both(laid_out(discards=discards), {"do": "money"}, {"do": "reveal", "piece": "R3a"})
    assert (state["deck"], len(state["discards"])) == ([], 54)
    state = both(state, {"do": "reveal", "piece": "C2a"}, {"do": "reveal", "piece": "G7c"})
    assert (len(state["deck"]), state["discards"]) == (52, [])


def test_money_needs_a_card_more_than_there_are_seats() -> None:
    hands = [CARDS[:26], CARDS[26:53]]
    assert verdict(laid_out(hands=hands), {"do": "money"}) == "deck-too-short"
    assert verdict(laid_out(hands=[hands[0][1:], hands[1]]), {"do": "money"}) is None


MISREADINGS = {
    "price": lambda state: max(9 - len(state["warehouse"]), 0),
    "windows": lambda tile: int(tile[3]) % 3 + 1,
    "points": lambda palazzo: 0 if len(palazzo) == 1 else 3,
    "tiebreak": lambda options, hand: sum(map(value, hand)),
    "highest": lambda state: 2,
    "kind_of": lambda state, piece: piece,
}


def play_from_rare_positions(seeds: range) -> None:
    for seed in seeds:
        load_and_play(crafted(seed), seed, Tally(), mutants=1, most_actions=15)


@pytest.mark.parametrize("name", MISREADINGS)
def test_a_misread_rule_would_be_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, name, MISREADINGS[name])
    with pytest.raises(AssertionError):  # a Difference, or an act on the table that the misreading cannot read
        play_from_rare_positions(range(40))
