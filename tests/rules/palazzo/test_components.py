"""Components: what is in the box, and the synthetic edition."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tabletop.rules.game import Illegal, Json
from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.components import END_TILES, FLOOR, KIND, MONEY, PIECES, TILES
from tabletop.rules.palazzo.edition import check, shipped_edition


def test_there_are_48_tiles_16_of_each_material_with_93_windows() -> None:
    assert len(TILES) == 48
    assert [sum(tile.material == material for tile in TILES.values()) for material in "BSM"] == [16, 16, 16]
    assert sum(tile.windows for tile in TILES.values()) == 93


def test_each_material_floor_and_windows_comes_once_and_floor_3_with_one_window_twice() -> None:
    kinds = [KIND[tile] for tile in TILES]
    twins = {kind for kind in kinds if kinds.count(kind) == 2}
    assert twins == {"B3.1", "S3.1", "M3.1"}
    assert len(set(kinds)) == 45
    assert {tile for tile in TILES if KIND[tile] in twins} == {f"{m}3.1{copy}" for m in "BSM" for copy in "ab"}


def test_there_are_55_money_cards_10_of_them_certificates() -> None:
    assert len(MONEY) == len(set(MONEY)) == 55
    assert sum(card.startswith("C2") for card in MONEY) == 10
    assert {KIND[card] for card in MONEY if card[0] != "C"} == {f"{c}{face}" for c in "RNG" for face in range(3, 8)}


def test_the_pieces_are_tiles_end_tiles_money_the_start_certificate_and_the_architect() -> None:
    assert len(PIECES) == 48 + 5 + 55 + 1 + 1
    assert {piece.kind for piece in PIECES.values()} == {"tile", "end", "money", "start", "architect"}


def test_the_shipped_edition_is_labelled_synthetic_and_splits_16_16_16_low_floors_first() -> None:
    edition = shipped_edition()
    assert edition.name == "synthetic"
    assert [len(stack) for stack in edition.stacks] == [16, 16, 16]
    floors = [FLOOR[tile] for stack in edition.stacks for tile in stack]
    assert floors == sorted(floors)


def test_the_end_tiles_are_shuffled_into_stack_iii() -> None:
    first, second, third = shipped_edition().unseen
    assert not set(END_TILES) & {*first, *second}
    assert set(END_TILES) <= set(third)


def edition(**stacks: str | Sequence[str]) -> dict[str, Json]:
    first, second, third = shipped_edition().stacks
    return {"name": "ours", "stacks": {"I": list(first), "II": list(second), "III": list(third)} | stacks}


def test_a_table_may_play_with_its_own_stacks() -> None:
    own = edition(
        I=[*shipped_edition().stacks[0], "B5.1"], III=[tile for tile in shipped_edition().stacks[2] if tile != "B5.1"]
    )
    position = GAME.new(["A", "B"], {}, own)
    assert "B5.1" in position.to_json()["unseen"]["I"]
    assert position.to_json()["options"]["stacks"] == "ours"
    assert GAME.load(position.to_json()) == position


@pytest.mark.parametrize(
    ("stacks", "words"),
    [
        ({"I": []}, "is in no stack"),
        ({"I": ["B1.1"] * 16}, "B1.1 is in stack I and in stack I"),
        ({"II": "B1.1"}, "Stack II is not a list"),
        ({"III": ["E1"]}, "names E1, which is not a tile"),
        ({"IV": []}, "exactly the stacks I, II and III"),
    ],
)
def test_an_edition_that_loses_or_doubles_a_tile_is_refused_naming_it(stacks: dict[str, Json], words: str) -> None:
    with pytest.raises(Illegal, match=words) as caught:
        check(edition(**stacks))
    assert caught.value.code == "bad-request"


def test_a_first_stack_too_small_for_the_setup_is_refused() -> None:
    first, second, third = shipped_edition().stacks
    with pytest.raises(Illegal, match="fewer than the five tiles"):
        check(edition(I=list(first[:4]), II=[*first[4:], *second], III=list(third)))


@pytest.mark.parametrize(
    "data", [None, [], {"stacks": {}}, {"name": "unknown", "stacks": {}}, {"name": 7, "stacks": {}}]
)
def test_an_edition_without_a_name_or_stacks_is_refused(data: Json) -> None:
    with pytest.raises(Illegal):
        check(data)
