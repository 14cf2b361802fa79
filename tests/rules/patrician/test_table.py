"""The physical table: a whole game is told from what the camera would see of the cards, and from the buttons."""

import random

import pytest

from tabletop.rules.layout import Hidden, Layout, Pile, Spread
from tabletop.rules.patrician import GAME
from tabletop.rules.patrician.components import cities
from tabletop.rules.patrician.table.reader import PatricianTable
from tests.rules.patrician.board import NAMES, board, do, walk

TABLE = PatricianTable()


def visible(position, **other):
    """What the camera sees of a position: the zones that are not hidden, some of them otherwise."""
    zones = {zone: lies for zone, lies in position.layout().items() if not isinstance(lies, Hidden)}
    return Layout(zones | {zone: Spread(frozenset(cards)) for zone, cards in other.items()})


def read(position, seen):
    return TABLE.read(position, seen, None, False)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_visible_zone_of_the_layout_has_a_place_and_a_marker_of_its_own(seats):
    zones = TABLE.zones(seats)
    layout = GAME.new(NAMES[:seats]).layout()
    assert {zone.name for zone in zones} == set(layout) - {"deck", "box"}
    assert len({zone.marker for zone in zones}) == len(zones)
    assert all(len(zone.marker) <= 9 for zone in zones), "a set letter must fit"
    kinds = {kind for sizes in TABLE.makes.values() for kind in sizes}
    assert kinds == {piece.kind for piece in GAME.pieces.values()}


@pytest.mark.parametrize("seats", [2, 5])
def test_a_whole_game_is_told_from_the_cards_and_the_buttons(seats):
    """Each action of a random game, but the moves, is read from the table as it looks after the hands are away."""
    rng = random.Random(5)
    position = GAME.new(NAMES[:seats])
    while not position.over:
        if position.decider is None:
            action = GAME.draw(position, rng)
        else:
            action = rng.choice(list(position.legal))
        after = position.after(action)
        if action.do == "deal":
            assert read(position, visible(position, **{f"hand{action.seat}": action.cards})).actions == [action]
        elif action.do in ("floor", "skip"):
            buttons = {TABLE.button(position, button): button for button in ("MONEY", "BUILD", "PASS")}
            assert buttons[action] in TABLE.open_buttons(position)
        elif action.do != "move":
            assert read(position, visible(after)).actions[:1] == [action]
        assert not read(position, visible(position)).actions
        position = after


def test_in_every_phase_the_table_says_what_it_waits_for():
    for position in walk(71, 3):
        assert bool(read(position, visible(position)).waiting) == (not position.over)


def test_two_cards_at_once_are_asked_about():
    position = board(hands=[["ROM3", "BOL3"]], market={"BOL": "VER1", "ROM": "VER2"})
    assert read(position, visible(position, played0=["ROM3", "BOL3"])).question
    position = do(position, "play ROM3", "floor A")
    assert read(position, visible(position, marketBOL=[], marketROM=[])).question
    position = board(hands=[["ROM3"]], market={"ROM": "VER2"}, deck=["PAR1", "PAR2"])
    position = do(position, "play ROM3", "floor A", "take VER2")
    position = position.change(space=2)
    assert read(position, visible(position, marketROM=["PAR1", "PAR2"])).question


def test_a_card_taken_from_the_wrong_space_is_told_so_that_the_rules_can_refuse_it():
    position = do(board(hands=[["ROM3"]], market={"BOL": "VER1", "ROM": "VER2"}), "play ROM3", "floor A")
    (action,) = read(position, visible(position, marketBOL=[])).actions
    assert position.refusal(action).code == "wrong-market"


def test_a_market_card_that_lies_on_another_space_is_not_taken():
    position = do(board(hands=[["ROM3"]], market={"BOL": "VER1", "ROM": "VER2"}), "play ROM3", "floor A")
    reading = read(position, visible(position, marketBOL=["VER1", "VER2"], marketROM=[]))
    assert not reading.actions
    assert reading.underway == {"VER2"}


def test_a_covered_pile_needs_only_its_top():
    position = board(hands=[["ROM3"], ["FIR3"]], played=[["BOL3", "BOL4"]])
    seen = visible(position)
    seen = Layout({**seen, "played0": Pile(("ROM3",))})
    assert read(position, seen).actions == [GAME.parse("play ROM3")]


def test_buttons_that_the_rules_refuse_are_not_lit():
    position = do(board(hands=[["LUC3"]], towers={"LUC": ("bwbwbw", "")}), "play LUC3")
    assert TABLE.open_buttons(position) == {"BUILD"}
    assert TABLE.button(position, "MONEY") == GAME.parse("floor A")
    assert TABLE.button(position, "AUCTION") is None
    assert TABLE.marks(position) == {}


def test_cities_are_named_on_their_zones():
    titles = {zone.title for zone in TABLE.zones(5)}
    assert {f"Market of {city.title}" for city in cities(5)} <= titles
