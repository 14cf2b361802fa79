"""The physical table: a game is followed from what a camera would see of cards and floors, and from the buttons."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tabletop.referee.interpret import Interpretation, meaning
from tabletop.referee.table_contract import check_table_contract
from tabletop.rules.game import Json
from tabletop.rules.layout import Anywhere, Hidden, Layout, Pile, Spread, Tower
from tabletop.rules.patrician import GAME
from tabletop.rules.patrician.components import cities
from tabletop.rules.patrician.position import PatricianPosition
from tabletop.rules.patrician.table.declaration import PatricianTable
from tabletop.rules.table import Presses, ZoneShape
from tests.refusals import code_of
from tests.rules.patrician.board import LETTERS, NAMES, board, do, walk

TABLE = PatricianTable()


@pytest.fixture(autouse=True)
def on_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patrician is played at this table."""
    monkeypatch.setattr(type(GAME), "table", TABLE)


def seen(position: PatricianPosition, *, floors: bool = True, **other: str | Sequence[str]) -> Layout:
    """What the camera sees of a position, some zones otherwise: cards by name, towers by the letters of colours."""
    zones = {zone: lies for zone, lies in position.layout().items() if not isinstance(lies, Hidden | Anywhere)}
    for zone, lies in other.items():
        zones[zone] = Tower(tuple(LETTERS[one] for one in lies)) if zone.startswith("site") else Spread(frozenset(lies))
    return Layout({zone: lies for zone, lies in zones.items() if floors or not isinstance(lies, Tower)})


def found(
    position: PatricianPosition, intent: str | None = None, confirmed: bool = False, **other: Json
) -> Interpretation:
    """What the referee makes of it."""
    return meaning(position, seen(position, **other), intent, confirmed)


def acts(reading: Interpretation) -> list[str]:
    return [GAME.format(act.action) for act in reading.acts]


@pytest.mark.parametrize("make", ["printed", "box"])
@pytest.mark.parametrize("seed", range(2))
def test_the_table_keeps_the_contract(make: str, seed: int) -> None:
    """Whole turns in any order of the hands: nothing early, nothing called wrong, nothing misread."""
    counts = check_table_contract(GAME, [seed], make, stations=8)
    assert counts.bundles > 150
    assert counts.stations > 400


@pytest.mark.parametrize("seats", GAME.seat_range)
def test_every_visible_zone_of_the_layout_has_its_place(seats: int) -> None:
    """What lies open lies in a zone of some city's or seat's card, and a set letter fits on each marker."""
    zones = TABLE.zones(seats)
    layout = GAME.new(NAMES[:seats]).layout()
    apart = {zone.name for zone in zones if zone.shape is ZoneShape.STORE or zone.name.startswith("show")}
    hidden = {zone for zone, lies in layout.items() if isinstance(lies, Hidden)}
    assert {zone.name for zone in zones} - apart == set(layout) - hidden
    assert all(len(zone.marker) <= 9 for zone in zones)
    assert {f"Market of {city.title}" for city in cities(seats)} <= {zone.title for zone in zones}


def test_in_every_phase_the_table_says_what_it_waits_for() -> None:
    """Unless the game is over somebody has something to do."""
    for position in walk(71, 3):
        assert bool(found(position).waiting) == (not position.over)


ROMA = board(hands=[["ROM3", "BOL7", "ROM1"]], market={"BOL": "VER1", "ROM": "VER2"}, deck=["PAR1"], towers={
    "BOL": ("bw", "r"), "LUC": ("w", "")})  # fmt: skip
"""Ann (black) is to play in Roma, where nothing stands; in Bologna she has the foot of a tower."""
FLOORS = do(ROMA, "play ROM3")
TAKING = do(FLOORS, "floor A")


def test_a_floor_that_is_laid_before_its_card_is_waited_for() -> None:
    """The column grows and the card will come: nothing is said, and both are read once it does."""
    early = found(ROMA, siteROMA="b")
    assert not early.acts
    assert not early.moves
    assert not early.question
    assert acts(found(ROMA, siteROMA="b", played0=["ROM3"])) == ["play ROM3", "floor A"]


def test_a_market_card_that_is_turned_up_before_the_floors_is_asked_back() -> None:
    """It reveals something: the floors come first."""
    asked = found(FLOORS, marketROM=["PAR1"])
    assert asked.question == "First the floors: put PAR1 back on the deck."
    assert not asked.acts
    assert acts(found(FLOORS, marketROM=["PAR1"], siteROMB="b")) == ["floor B", "take VER2", "reveal PAR1"]


def test_two_cards_at_once_are_asked_about() -> None:
    """One card is played, and one is taken."""
    assert found(ROMA, played0=["ROM3", "BOL7"]).question == "Only one card is played; take the others back."
    assert found(TAKING, marketROM=[], marketBOL=[]).question == "Only one card is taken; put the others back."
    reveal = do(
        board(hands=[["ROM3"]], market={"ROM": "VER2"}, deck=["PAR1", "PAR2"]), "play ROM3", "floor A", "take VER2"
    )
    assert found(reveal, marketROM=["PAR1", "PAR2"]).question == "Only one card lies beside Roma; put the others back."


@pytest.mark.parametrize(
    ("other", "asked"),
    [
        ({"siteROMA": "w"}, "That floor belongs to Bob."),
        ({"siteLUCB": "b"}, "ROM3 builds in Roma."),
    ],
)
def test_a_floor_that_is_not_right_is_asked_about(other: dict[str, Json], asked: str) -> None:
    """Its colour and its city are named."""
    reading = found(FLOORS, **other)
    assert reading.question == asked
    assert not reading.acts


def test_a_floor_of_a_colour_that_nobody_plays_is_to_be_taken_away() -> None:
    """It belongs to no tower of the record."""
    (move,) = found(FLOORS, siteROMA="u").moves
    assert (move.piece, move.lies, move.belongs) == ("blue", "siteROMA", "")


def test_of_two_floors_the_one_on_the_empty_site_is_read_first() -> None:
    """Two crests, one floor on each site, and the city has room for one more besides: both are legal in that order."""
    position = do(board(hands=[["ROM1"]], market={"ROM": "VER2"}, towers={"ROM": ("wrwrwrw", "")}), "play ROM1")
    assert acts(found(position, siteROMA="wrwrwrwb", siteROMB="b")) == ["floor B", "floor A"]


def test_the_last_floor_of_a_city_goes_on_its_empty_site() -> None:
    """It is read where it lies, and the rule refuses it."""
    position = do(board(hands=[["ROM3"]], market={"ROM": "VER2"}, towers={"ROM": ("wrwrwrwr", "")}), "play ROM3")
    assert code_of(found(position, siteROMA="wrwrwrwrb").refused) == "must-use-empty-site"


def test_a_move_is_the_top_floor_on_the_other_site() -> None:
    """On its way it is waited for; in a city where the seat may not move it is refused."""
    position = do(
        board(hands=[["ROM7"]], market={"ROM": "VER2"}, towers={"BOL": ("bw", "r"), "LUC": ("w", "")}),
        "play ROM7",
        "floor A",
    )
    assert position.phase == "move"
    lifted = found(position, siteBOLA="b")
    assert not lifted.acts
    assert not lifted.moves
    assert acts(found(position, siteBOLA="b", siteBOLB="rw")) == ["move BOL from A"]
    assert found(position, siteBOLA="w", siteBOLB="rb").question == (
        "Only the top floor of a tower is moved; put the others back."
    )
    assert code_of(found(position, siteLUCA="", siteLUCB="w").refused) == "no-own-floor"


def test_a_taken_card_is_not_taken_for_doing_without_a_move() -> None:
    """People often take first and move then: PASS is pressed, and the new card comes after."""
    position = do(
        board(hands=[["ROM7"]], market={"ROM": "VER2"}, deck=["PAR1"], towers={"BOL": ("bw", "r")}),
        "play ROM7",
        "floor A",
    )
    waits = found(position, marketROM=[])
    assert not waits.acts
    assert not waits.moves
    assert waits.waiting == "Move the top floor of a tower, or press PASS."
    assert found(position, marketROM=["PAR1"]).question.startswith("First the move, or PASS")
    assert TABLE.open_buttons(position) == {"PASS"}


def test_a_card_taken_from_the_wrong_space_is_refused_with_the_reason() -> None:
    """The referee reads what was done, and the rules say why not."""
    assert code_of(found(TAKING, marketBOL=[]).refused) == "wrong-market"


def test_the_one_card_that_may_be_taken_is_named_by_its_city() -> None:
    """Only a card with ANY lets its seat choose among the market."""
    assert found(TAKING).waiting == "Ann: take the card beside Roma."
    anywhere = do(board(hands=[["ROM6"]], market={"BOL": "VER1", "ROM": "VER2"}), "play ROM6", "floor A")
    assert found(anywhere).waiting == "Ann: take a card from beside a city."


def test_a_market_card_that_lies_on_another_space_is_not_taken() -> None:
    """It lies open still; one that is shown beside the seat's pile is taken."""
    assert not found(TAKING, marketBOL=["VER1", "VER2"], marketROM=[]).acts
    assert acts(found(TAKING, marketROM=[], show0=["VER2"])) == ["take VER2"]


def test_a_pile_that_is_looked_through_is_missed_by_nobody() -> None:
    """Everybody may look at their own pile; its top is asked for only once another card of it is seen."""
    position = board(hands=[["ROM3"], ["FIR3"]], played=[["BOL3", "BOL4"]])
    whole = seen(position)
    assert not meaning(position, Layout({**whole, "played0": Pile(())}), None, confirmed=False).moves
    spread_out = Layout({**whole, "played0": Pile(()), "table": Spread(frozenset({"BOL3"}))})
    moves = meaning(position, spread_out, None, confirmed=False).moves
    assert {move.piece for move in moves} == {"BOL3", "BOL4"}


def test_what_is_shown_after_the_deal_is_to_be_taken_up() -> None:
    """It belongs in the hand."""
    (move,) = found(ROMA, show0=["ROM1"]).moves
    assert (move.piece, move.lies, move.belongs) == ("ROM1", "show0", "hand0")


def test_buttons_that_the_rules_refuse_are_not_lit() -> None:
    """MONEY and BUILD are the sites; a full city, or one whose last floor is due elsewhere, is dark."""
    position = do(board(hands=[["LUC3"]], towers={"LUC": ("bwbwbw", "")}), "play LUC3")
    assert TABLE.open_buttons(position) == {"BUILD"}
    assert TABLE.button(position, "MONEY") == GAME.parse("floor A")
    assert TABLE.button(position, "AUCTION") is None
    assert TABLE.marks(position) == {}


def test_wooden_floors_are_said_and_never_seen() -> None:
    """Until it is said where the floor stands a card that is taken is left alone."""
    assert TABLE.presses(FLOORS, GAME.parse("floor B"), "box") == Presses(("BUILD",))
    assert TABLE.presses(FLOORS, GAME.parse("floor B"), "printed") == Presses()
    waits = found(FLOORS, floors=False, marketROM=[])
    assert not waits.acts
    assert not waits.moves
    assert "press MONEY for site A or BUILD for site B" in waits.waiting


def test_the_mason_names_the_city_of_a_move_and_a_button_the_site_where_the_floor_stands_now() -> None:
    """Its lights blink once the mason lies; a press says that the floor went there."""
    position = do(board(hands=[["ROM7"]], market={"ROM": "VER2"}, towers={"BOL": ("bw", "r")}), "play ROM7", "floor A")
    assert not found(position, floors=False).confirms
    assert found(position, floors=False, tokensBOL=["MASON"]).confirms == {"MONEY", "BUILD"}
    assert not found(position, floors=False, intent="B", confirmed=True).acts
    moved = found(position, floors=False, tokensBOL=["MASON"], intent="B", confirmed=True)
    assert acts(moved) == ["move BOL from A"]
    assert TABLE.presses(position, GAME.parse("move BOL from A"), "box") == Presses(after=("BUILD",))
    assert TABLE.presses(position, GAME.parse("move BOL from A")) == Presses()


def test_who_takes_the_tokens_of_a_city_is_told_and_taken_back() -> None:
    """The record knows it; hands carry the tokens."""
    position = do(board(hands=[["FER3"]], market={"FER": "VER2"}, towers={"FER": ("bbw", "w")}), "play FER3")
    after = do(position, "floor A")
    assert TABLE.news(position, after) == "Ferrara is complete. Tokens: Ann 5, Bob 2."
    assert TABLE.news(after, position) == "Ferrara is no longer complete: put its tokens back."
    assert not TABLE.news(ROMA, FLOORS)
