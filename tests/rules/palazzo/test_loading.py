"""Positions as data: a printed position can be loaded, and an impossible one is refused with the fault named."""

from __future__ import annotations

import copy
import json

import pytest

from tabletop.rules.game import Illegal, Json
from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.components import MONEY, TILES
from tests.rules.palazzo.board import auction, do, lay
from tests.rules.palazzo.walks import walk

GOOD = lay(hands=[["R5a"], ["R5b"]], palazzi=[["B1.1 S3.2"], ["M1.1"]], warehouse=["M1.3"]).to_json()


def test_every_position_of_a_game_is_loaded_byte_for_byte() -> None:
    for seed in range(4):
        for position in walk(seed):
            printed = json.dumps(position.to_json())
            loaded = GAME.load(json.loads(printed))
            assert loaded == position
            assert hash(loaded) == hash(position)
            assert json.dumps(loaded.to_json()) == printed


def test_any_split_of_the_unseen_tiles_is_loaded() -> None:
    data = copy.deepcopy(GOOD)
    data["unseen"] = {"I": data["unseen"]["III"], "II": [], "III": data["unseen"]["I"] + data["unseen"]["II"]}
    assert GAME.load(data).to_json()["unseen"]["I"] == sorted(data["unseen"]["I"])


def test_with_unknown_stacks_only_the_union_of_unseen_counts() -> None:
    data = copy.deepcopy(GOOD) | {"options": {"stacks": "unknown"}}
    other = copy.deepcopy(data)
    other["unseen"] = {"I": [], "II": data["unseen"]["III"], "III": data["unseen"]["I"] + data["unseen"]["II"]}
    assert GAME.load(data) == GAME.load(other)


def test_options_left_out_have_their_defaults_and_all_are_printed() -> None:
    data = copy.deepcopy(GOOD)
    del data["options"]
    assert GAME.load(data).to_json()["options"] == GAME.new(["A", "B"]).to_json()["options"]


def test_keys_that_do_not_apply_may_be_absent_or_null() -> None:
    data = copy.deepcopy(GOOD)
    for key in ("row", "pending", "discards", "box", "end_tiles"):
        del data[key]
    assert GAME.load(data) == GAME.load(GOOD | {"drawn": None, "auction": None, "handout": None})


def test_the_order_within_a_set_does_not_matter() -> None:
    one = lay(palazzi=[["B1.1", "S1.1"]], warehouse=["M1.3", "M1.2"])
    other = lay(palazzi=[["S1.1", "B1.1"]], warehouse=["M1.2", "M1.3"])
    assert one == other
    assert hash(one) == hash(other)


def changed(*path: int | str, to: Json) -> dict[str, Json]:
    data = copy.deepcopy(GOOD)
    place: Json = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return data


BROKEN = {
    "a tile twice": (changed("warehouse", to=["M1.3", "M1.1"]), "M1.1 is in two places"),
    "a tile missing": (changed("warehouse", to=[]), "M1.3 is missing"),
    "a card twice": (changed("discards", to=["R5a"]), "R5a is in two places"),
    "a card missing": (changed("seats", 0, "hand", to=[]), "R5a is missing"),
    "an unknown tile": (changed("warehouse", to=["M1.3", "X9"]), "X9"),
    "a card among the tiles": (changed("warehouse", to=["M1.3", "R5a"]), "R5a"),
    "a number for a piece": (changed("warehouse", to=[7]), "names 7"),
    "the start certificate in a hand": (changed("seats", 0, "hand", to=["R5a", "C3"]), "C3"),
    "quarry 5": (changed("architect", to=5), "architect"),
    "a float": (changed("architect", to=1.0), "architect"),
    "a boolean": (changed("active", to=True), "active"),
    "five quarries": (changed("quarries", to=[[]] * 5), "quarries must have 4 items, not 5"),
    "a seat too many": (changed("active", to=2), "active"),
    "one seat": (changed("seats", to=[GOOD["seats"][0]]), "2 to 4 seats"),
    "no seats": (changed("seats", to=None), "seats must be a list, not null"),
    "an unknown phase": (changed("turn", "phase", to="dance"), "dance"),
    "nobody decides": (changed("turn", "seat", to=None), "turn"),
    "another than the active seat": (changed("turn", "seat", to=1), "active seat decides"),
    "a seat in a chance phase": (changed("turn", "phase", to="reveal"), "no seat decides"),
    "floors that do not ascend": (changed("seats", 0, "palazzi", to=[["S3.2", "B1.1"]]), "do not ascend"),
    "an empty palazzo": (changed("seats", 0, "palazzi", to=[["B1.1", "S3.2"], []]), "is empty"),
    "a palazzo that is not a list": (changed("seats", 0, "palazzi", to=["B1.1"]), "must be a list"),
    "an unknown option": (changed("options", "speed", to=3), "speed"),
    "an option out of range": (changed("options", "min_price", to=2), "min_price"),
    "an option of a wrong type": (changed("options", "min_price", to=True), "min_price"),
    "a row in the action phase": (changed("row", to=["R5a"]) | {"deck": GOOD["deck"]}, "R5a is in two places"),
    "another game": (changed("game", to="chess"), "palazzo"),
    "too many things": (changed("box", to=["B1.1"] * 5000), "5000"),
    "a name of a megabyte": (changed("seats", 0, "name", to="x" * 1_000_000), "at most 200"),
    "no object": ([GOOD], "a position is an object"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_an_impossible_position_is_refused_with_its_fault_and_place(case: str) -> None:
    data, words = BROKEN[case]
    with pytest.raises(Illegal) as caught:
        GAME.load(data)
    assert caught.value.code == "bad-position"
    assert words in caught.value.message
    assert len(caught.value.message) < 200


def test_all_five_end_tiles_mean_the_end_and_nothing_else_does() -> None:
    ends = [f"E{number}" for number in range(1, 6)]
    with pytest.raises(Illegal, match="five end tiles"):
        lay(end_tiles=ends)
    with pytest.raises(Illegal, match="five end tiles"):
        lay(phase="over", seat=None)
    assert lay(phase="over", seat=None, end_tiles=ends).over


IMPOSSIBLE: dict[str, dict[str, Json]] = {
    "no tile is offered": {"laid": {0: [["C3"]]}, "hands": [[], []], "seat": 1, "quarry": []},
    "four tiles are offered": {
        "laid": {0: [["C3"]]}, "hands": [[], []], "seat": 1, "quarry": ["B1.1", "S1.1", "M1.1", "B1.2"],
    },
    "who is out decides": {"laid": {0: [["C3"]]}, "hands": [[], [], []], "seat": 1, "out": [1]},
    "only one seat is in": {"laid": {0: [["C3"]]}, "hands": [[], []], "seat": 0, "out": [1]},
    "nobody has laid anything": {"laid": {}, "hands": [[], []], "seat": 1},
    "the start certificate is another's": {"laid": {1: [["C3"]]}, "hands": [[], []], "seat": 0},
    "an act is not a payment": {"laid": {0: [["C3"], ["R3a", "N4a"]]}, "hands": [[], []], "seat": 1},
    "an act is empty": {"laid": {0: [["C3"], []]}, "hands": [[], []], "seat": 1},
    "acts are of two currencies": {"laid": {0: [["C3"], ["R3a"], ["N4a"]]}, "hands": [[], []], "seat": 1},
    "who is out has cards laid": {"laid": {0: [["C3"]], 1: [["R7a"]]}, "hands": [[], [], []], "seat": 2, "out": [1]},
}  # fmt: skip


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_an_impossible_auction_is_refused(case: str) -> None:
    with pytest.raises(Illegal) as caught:
        auction(**IMPOSSIBLE[case])
    assert caught.value.code == "bad-position"


PHASES: dict[str, dict[str, Json]] = {
    "take without a row": {"phase": "take"},
    "take of another seat": {"phase": "take", "row": ["R3a", "R4a"], "seat": 1},
    "place with nothing pending": {"phase": "place"},
    "claim without a hand-out": {"phase": "claim"},
    "claim out of order": {"phase": "claim", "handout": [0], "quarries": [["B1.1"], [], [], []], "active": 0},
    "claim with too few tiles": {"phase": "claim", "handout": [0, 1], "quarries": [["B1.1"], [], [], []]},
    "drawn tiles that lie nowhere": {"phase": "choose", "drawn": ["B1.1", "S1.1"]},
    "a tile drawn twice": {"phase": "choose", "warehouse": ["B1.1"], "drawn": ["B1.1", "B1.1"]},
    "a third tile to come": {"phase": "reveal", "seat": None, "warehouse": ["B1.1"], "drawn": ["B1.1", "E1"]},
    "a full row": {"phase": "reveal", "seat": None, "row": ["R3a", "R4a", "R5a"]},
    "setup out of order": {"phase": "setup", "seat": None, "quarries": [[], ["B1.1"], [], []]},
    "setup complete": {
        "phase": "setup", "seat": None, "quarries": [["B1.1"], ["B1.2"], ["B1.3"], ["S1.1"]], "warehouse": ["S1.2"],
    },
    "deal before the setup": {"phase": "deal", "seat": None},
    "setup after a discard": {"phase": "setup", "seat": None, "box": ["B1.1"]},
    "setup without a tile to turn up": {
        "phase": "setup", "seat": None, "unseen": {"I": ["E1"], "II": [*TILES], "III": ["E2", "E3", "E4", "E5"]},
    },
    "deal with too few cards": {
        "phase": "deal", "seat": None, "quarries": [["B1.1"], ["B1.2"], ["B1.3"], ["S1.1"]], "warehouse": ["S1.2"],
        "deck": [*MONEY[:2]], "discards": [*MONEY[2:]],
    },
}  # fmt: skip


@pytest.mark.parametrize("case", PHASES)
def test_a_phase_whose_pieces_do_not_fit_is_refused(case: str) -> None:
    with pytest.raises(Illegal) as caught:
        lay(**PHASES[case])
    assert caught.value.code == "bad-position"


def test_a_hand_out_in_progress_is_loaded() -> None:
    quarries = [[], ["B1.1", "S1.1", "M1.1", "B1.2"], [], []]
    drawn: dict[str, Json] = {"drawn": ["E1", "E2"], "end_tiles": ["E1", "E2"]}
    position = do(lay(phase="choose", quarries=quarries, **drawn), "auction", "claim S1.1")
    assert GAME.load(position.to_json()) == position
    position = do(position, "place S1.1", "claim B1.2")
    assert position.to_json()["handout"] == []
    assert GAME.load(position.to_json()) == position
