"""The deal on Patrician's and the piecepack's pages: cards are ticked, and the status counts those seen."""

from __future__ import annotations

import random
import re

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES
from tabletop.referee.interpretation.layout_diff import PieceMove
from tabletop.rules import registry
from tabletop.rules.game import Position
from tabletop.rules.layout import Layout, Spread
from tabletop.rules.patrician.components import cards
from tabletop.rules.patrician.edition import synthetic_edition
from tabletop.rules.piecepack.components import COINS
from tabletop.vision.scene import Scene

GAMES = ("patrician", "piecepack")
SHOWN = {"patrician": "show1", "piecepack": "pay1"}
TWICE = {"patrician": "Bologna 4", "piecepack": "coin 1"}
"""Game → the words for the piece that the deal names twice."""


def dealing(name: str) -> Position:
    """Return the position in which the second seat is to be dealt its cards."""
    rng, position = random.Random(5), registry.game(name).new(NAMES)
    while position.phase != "deal" or not position.layout().pieces("hand0"):
        position = position.after(position.game.draw(position, rng))
    return position


def all_of(position: Position) -> list[str]:
    """Return all pieces that the game could deal, wherever they are."""
    if position.game.name == "piecepack":
        return sorted(COINS)
    faces = synthetic_edition().faces
    return sorted(card for card in cards(len(NAMES)) if faces[card].start)


@pytest.mark.parametrize("name", GAMES)
def test_the_deal_offers_all_that_could_be_dealt_and_takes_what_is_ticked(name: str) -> None:
    """The page of the seat offers all pieces of the deal, not only those left, and no other page does."""
    position = dealing(name)
    pages = Pages(MemoryTable(position.game, NAMES, seed=None), press=None)
    pages.mailbox.become(position)
    phone = pages.phone(1)
    assert sorted(re.findall(r'name="cards\[\]"\s+value="(\w+)"', phone.get("/seat").text)) == all_of(position)
    assert 'name="cards[]"' not in pages.phone(2).get("/seat").text
    action = position.game.draw(position, random.Random(1)).to_json()
    assert phone.act(action, pages.mailbox.snapshot.number).status_code == 200
    assert pages.mailbox.snapshot.position.layout().pieces("hand1") == set(action["cards"])
    pages.close()


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_that_names_a_piece_twice_is_refused_and_may_be_entered_again(name: str) -> None:
    """The refusal names the piece, nothing is dealt, and the corrected deal then counts."""
    position = dealing(name)
    pages = Pages(MemoryTable(position.game, NAMES, seed=None), press=None)
    pages.mailbox.become(position)
    phone, before = pages.phone(1), pages.mailbox.snapshot
    action = position.game.draw(position, random.Random(1)).to_json()
    first, *others = action["cards"]
    refused = phone.act({**action, "cards": [first, *others[1:], first]}, before.number)
    assert refused.status_code == 422
    assert refused.json["text"] == f"{TWICE[name]} is named twice; it can be dealt only once."
    assert pages.mailbox.snapshot.position == before.position
    assert phone.act(action, before.number).status_code == 200
    pages.close()


@pytest.mark.parametrize("name", GAMES)
def test_the_status_counts_the_dealt_cards_that_the_camera_has_seen(name: str) -> None:
    """Only pieces that the deal may contain are counted, and only on the zone where the seat shows them."""
    position = dealing(name)
    pages = Pages(MemoryTable(position.game, NAMES, seed=None), press=None)
    other = next(piece for piece in position.game.pieces if piece not in all_of(position))
    there = Layout({SHOWN[name]: Spread(frozenset({all_of(position)[0], other}))})
    pages.mailbox.become(position, scene=Scene(0.0, 1, there))
    for seat in range(len(NAMES)):
        pages.room.claim(seat, NAMES[seat])
    most = {"patrician": "three cards: 1 of 3", "piecepack": "two coins: 1 of 2"}[name]
    assert f"Show your {most} seen" in pages.phone(1).get("/seat").text
    assert f"Bruno shows {most} seen" in pages.phone().get("/").text.replace("Seat 2", "Bruno")
    pages.close()


@pytest.mark.parametrize(
    ("name", "piece", "lies", "belongs", "sentence"),
    [
        ("patrician", "black", "siteROMA", "siteROMB", "Move black floor from Site A of Roma to Site B of Roma."),
        ("piecepack", "P1", "", "seat0", "Put turret 1 here: your palazzo."),
    ],
)
def test_a_place_is_called_as_its_game_or_its_card_calls_it(
    name: str, piece: str, lies: str, belongs: str, sentence: str
) -> None:
    """Pages name a zone by the words of the game or of its zone card, not by its id."""
    position = dealing(name)
    pages = Pages(MemoryTable(position.game, NAMES, seed=None), press=None)
    pages.mailbox.become(position, todo=(PieceMove(piece, lies, belongs),))
    assert sentence in pages.phone(0).get("/seat").text
    pages.close()
