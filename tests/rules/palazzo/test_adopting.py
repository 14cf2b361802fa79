"""The table wins over the record: pieces are adopted as they lie, or the reason is given why they cannot lie so."""

from __future__ import annotations

import random
from functools import cache

import pytest

from tabletop.rules.game import Illegal, Position
from tabletop.rules.layout import pieces_of
from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.components import TILES

NAMES = ["Anna", "Ben", "Cleo"]


@cache
def walk(seed: int) -> tuple[Position, ...]:
    """Return every position of a random game."""
    rng, found = random.Random(seed), [GAME.new(NAMES)]
    while not found[-1].over:
        position = found[-1]
        chance = position.decider is None
        found.append(position.after(GAME.draw(position, rng) if chance else rng.choice(list(position.legal.thrifty()))))
    return tuple(found)


def at_rest(seed: int) -> Position:
    """Return a position at the start of a turn with something built."""
    return next(
        position
        for position in walk(seed)
        if position.phase == "action" and sum(len(seat["palazzi"]) for seat in position.to_json()["seats"]) > 2
    )


TABLE = GAME.table
assert TABLE is not None


@pytest.mark.parametrize("seed", [0, 3])
def test_a_piece_lies_where_it_is_said_to_lie_and_all_others_stay(seed: int) -> None:
    """Every piece adopted into any place lies there and nothing else has moved, or a reason is given."""
    position = at_rest(seed)
    before = position.layout().zone_of()
    moved, reasons = 0, []
    for piece, places in TABLE.places(position).items():
        for place in places:
            try:
                after = TABLE.adopt(position, {piece: place})
            except Illegal as refusal:
                reasons.append(refusal.message)
                continue
            lies = after.layout().zone_of()
            assert lies.pop(piece) == place.partition("/")[0]
            assert lies == {other: zone for other, zone in before.items() if other != piece}
            assert (after.phase, after.decider, after.active) == (position.phase, position.decider, position.active)
            moved += 1
    assert moved > 500
    assert all(reason.endswith(".") for reason in reasons)


def test_adopting_every_piece_where_it_is_changes_nothing() -> None:
    position = at_rest(3)
    facts = position.to_json()
    places = {tile: f"quarry{number}" for number, tiles in enumerate(facts["quarries"], start=1) for tile in tiles}
    assert TABLE.adopt(position, places).layout() == position.layout()


def test_a_swept_table_is_built_again_in_one_go() -> None:
    """All tiles of a swept table can be adopted at once; the floors of palazzi are put in order."""
    position = at_rest(2)
    facts = position.to_json()
    tiles = [tile for seat in facts["seats"] for column in seat["palazzi"] for tile in column]
    after = TABLE.adopt(position, dict.fromkeys(tiles, "seat1")).layout()
    assert pieces_of(after["seat1"]) == set(tiles)
    assert not pieces_of(after["seat0"])


def test_a_tile_goes_under_or_onto_a_palazzo_by_its_floor() -> None:
    position = at_rest(0)
    seat, column = next(
        (number, column)
        for number, one in enumerate(position.to_json()["seats"])
        for column in one["palazzi"]
        if all(tile[1] != "5" for tile in column)
    )
    tile = next(tile for tile in TILES if tile[1] == "5" and tile in str(position.to_json()["unseen"]))
    after = TABLE.adopt(position, {tile: f"seat{seat}/{column[0]}"})
    assert [*column, tile] in after.to_json()["seats"][seat]["palazzi"]


@pytest.mark.parametrize(
    ("places", "code"),
    [
        ({"X9": "box"}, "unknown-piece"), ({"R5a": "quarry1"}, "bad-position"), ({"R5a": "seat0"}, "bad-request"),
        ({"E1": "nowhere"}, "bad-request"), ({"B1.2": "seat7"}, "bad-request"), ({"B1.2": "seat0/B9"}, "bad-request"),
        ({"R5a": "row"}, "bad-position"),
    ],
)  # fmt: skip
def test_an_impossible_adoption_is_refused_with_its_code(places: dict[str, str], code: str) -> None:
    with pytest.raises(Illegal) as refusal:
        TABLE.adopt(at_rest(0), places)
    assert refusal.value.code == code


def test_pieces_of_an_act_under_way_are_not_moved() -> None:
    """Pieces of an act in progress, such as tiles about to be built, cannot be adopted elsewhere."""
    position = next(position for position in walk(5) if position.phase == "place")
    tile = position.to_json()["pending"][0]
    with pytest.raises(Illegal, match="on its way"):
        TABLE.adopt(position, {tile: "box"})
