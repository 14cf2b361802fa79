"""Components and data: what is in the box, and what the shipped edition says about it."""

from __future__ import annotations

import pytest

from tabletop.rules.patrician import GAME
from tabletop.rules.patrician.components import CARDS, CITIES, COLOURS, FLOOR_SUPPLY, HAND_SIZE, cards, cities
from tabletop.rules.patrician.edition import synthetic_edition

TABLE = {
    "BOL": ("Bologna", 7, 9, (9, 6)),
    "FIR": ("Firenze", 7, 9, (9, 6)),
    "ROM": ("Roma", 7, 9, (9, 6)),
    "PIS": ("Pistoia", 7, 9, (9, 6)),
    "LUC": ("Lucca", 5, 7, (7, 4)),
    "SIE": ("Siena", 5, 7, (7, 4)),
    "MIL": ("Milano", 5, 7, (7, 4)),
    "FER": ("Ferrara", 4, 5, (5, 2)),
    "PAR": ("Parma", 4, 5, (5, 2)),
    "VER": ("Verona", 4, 5, (5, 2)),
}


def test_each_city_has_its_cards_floors_and_tokens() -> None:
    assert {city.id: (city.title, city.cards, city.capacity, city.tokens) for city in CITIES} == TABLE


def test_cities_come_in_the_order_of_the_setup() -> None:
    assert [city.id for city in CITIES] == ["BOL", "FIR", "ROM", "LUC", "SIE", "MIL", "FER", "PAR", "VER", "PIS"]


def test_the_lower_token_is_worth_three_less() -> None:
    assert all(city.tokens == (city.capacity, city.capacity - 3) for city in CITIES)


def test_there_are_55_cards_named_after_their_city() -> None:
    assert len(CARDS) == len(set(CARDS)) == 55
    assert {piece.id for piece in GAME.pieces.values() if piece.kind == "card"} == set(CARDS)
    assert {"ROM1", "ROM7", "FER4"} <= set(CARDS)
    assert not {"ROM0", "ROM8", "FER5"} & set(CARDS)


def test_there_are_149_floors_in_five_colours() -> None:
    assert COLOURS == ("black", "white", "red", "yellow", "blue")
    assert 39 + 39 + 29 + 21 + 21 == 149
    assert FLOOR_SUPPLY == {2: 39, 3: 29, 4: 21, 5: 21}


def test_pistoia_is_played_by_five_only() -> None:
    assert [city.id for city in cities(4)] == [city.id for city in CITIES if city.id != "PIS"]
    assert cities(5) == CITIES
    assert len(cards(4)) == 48
    assert len(cards(5)) == 55


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_all_seats_play_the_same_number_of_cards(seats: int) -> None:
    assert len(cards(seats)) % seats == 0


def test_the_crests_of_a_citys_cards_are_exactly_its_floors() -> None:
    faces = synthetic_edition().faces
    for city in CITIES:
        assert sum(faces[card].crests for card in CARDS if card.startswith(city.id)) == city.capacity


def test_the_supply_of_two_seats_is_the_most_one_seat_can_need() -> None:
    crests = sorted((synthetic_edition().faces[card].crests for card in cards(2)), reverse=True)
    assert sum(crests[:24]) == FLOOR_SUPPLY[2] == 39


def test_each_card_shows_exactly_one_thing_beside_its_first_crest() -> None:
    for face in synthetic_edition().faces.values():
        assert [face.crests == 2, len(face.heads) == 1, len(face.heads) == 2, face.any, face.move].count(True) == 1
        assert len(set(face.heads)) <= 1


def test_start_cards_show_one_crest_and_one_head() -> None:
    assert all((face.crests, len(face.heads)) == (1, 1) for face in synthetic_edition().faces.values() if face.start)


def test_the_shipped_edition_has_15_start_cards_12_of_them_outside_pistoia() -> None:
    stars = [card for card, face in synthetic_edition().faces.items() if face.start]
    assert len(stars) == 15 == HAND_SIZE * 5
    assert sum(not card.startswith("PIS") for card in stars) == 12 == HAND_SIZE * 4


def test_the_shipped_edition_says_that_it_is_synthetic(pytestconfig: pytest.Config) -> None:
    text = (pytestconfig.rootpath / "tabletop/rules/patrician/edition.toml").read_text(encoding="utf-8")
    assert "SYNTHETIC" in text
    assert "synthetic = true" in text
