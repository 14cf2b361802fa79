"""The physical table: a game is followed from the cards and floors that a camera would see, and from the buttons."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tabletop.referee.interpretation.interpret import Interpretation, meaning
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
    """Return what the camera sees, with some zones replaced: cards by name, towers by letters of colours."""
    zones = {zone: lies for zone, lies in position.layout().items() if not isinstance(lies, Hidden | Anywhere)}
    for zone, lies in other.items():
        zones[zone] = Tower(tuple(LETTERS[one] for one in lies)) if zone.startswith("site") else Spread(frozenset(lies))
    return Layout({zone: lies for zone, lies in zones.items() if floors or not isinstance(lies, Tower)})


def found(
    position: PatricianPosition, intent: str | None = None, confirmed: bool = False, **other: Json
) -> Interpretation:
    """Return how the referee interprets the table."""
    return meaning(position, seen(position, **other), intent, confirmed)


def acts(reading: Interpretation) -> list[str]:
    return [GAME.format(act.action) for act in reading.acts]


@pytest.mark.parametrize("make", ["printed", "box"])
@pytest.mark.parametrize("seed", range(2))
def test_the_table_keeps_the_contract(make: str, seed: int) -> None:
    """Whole turns laid in any order are never read too early, called wrong or misread."""
    counts = check_table_contract(GAME, [seed], make, stations=8)
    assert counts.bundles > 150
    assert counts.stations > 400


@pytest.mark.parametrize("seats", GAME.seat_range)
def test_every_visible_zone_of_the_layout_has_its_place(seats: int) -> None:
    """Every open zone of the layout is an area of some card, and markers leave room for a set letter."""
    zones = TABLE.zones(seats)
    layout = GAME.new(NAMES[:seats]).layout()
    apart = {zone.name for zone in zones if zone.shape is ZoneShape.STORE or zone.name.startswith("show")}
    hidden = {zone for zone, lies in layout.items() if isinstance(lies, Hidden)}
    assert {zone.name for zone in zones} - apart == set(layout) - hidden
    assert all(len(zone.marker) <= 9 for zone in zones)
    assert {f"Market of {city.title}" for city in cities(seats)} <= {zone.title for zone in zones}


def test_in_every_phase_the_table_says_what_it_waits_for() -> None:
    """In every phase until the game is over the table says what it waits for."""
    for position in walk(71, 3):
        assert bool(found(position).waiting) == (not position.over)


ROMA = board(hands=[["ROM3", "BOL7", "ROM1"]], market={"BOL": "VER1", "ROM": "VER2"}, deck=["PAR1"], towers={
    "BOL": ("bw", "r"), "LUC": ("w", "")})  # fmt: skip
"""Ann (black) is to play in Roma, where nothing stands; in Bologna she has the lowest floor of a tower."""
FLOORS = do(ROMA, "play ROM3")
TAKING = do(FLOORS, "floor A")


def test_a_floor_that_is_laid_before_its_card_is_waited_for() -> None:
    """A floor laid before its card is waited for in silence, and both are read once the card comes."""
    early = found(ROMA, siteROMA="b")
    assert not early.acts
    assert not early.moves
    assert not early.question
    assert acts(found(ROMA, siteROMA="b", played0=["ROM3"])) == ["play ROM3", "floor A"]


def test_a_market_card_that_is_turned_up_before_the_floors_is_asked_back() -> None:
    """A market card turned up before the floors reveals something, and is asked back."""
    asked = found(FLOORS, marketROM=["PAR1"])
    assert asked.question == "First the floors: put PAR1 back on the deck."
    assert not asked.acts
    assert acts(found(FLOORS, marketROM=["PAR1"], siteROMB="b")) == ["floor B", "take VER2", "reveal PAR1"]


def test_two_cards_at_once_are_asked_about() -> None:
    """Two cards played or taken at once are asked about."""
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
def test_a_wrong_floor_is_asked_about(other: dict[str, Json], asked: str) -> None:
    """A floor of a wrong colour or in a wrong city is asked about, naming what is wrong."""
    reading = found(FLOORS, **other)
    assert reading.question == asked
    assert not reading.acts


def test_a_floor_of_a_colour_that_nobody_plays_is_to_be_taken_away() -> None:
    """A floor of a colour that nobody plays belongs to no tower and is to be taken away."""
    (move,) = found(FLOORS, siteROMA="u").moves
    assert (move.piece, move.lies, move.belongs) == ("blue", "siteROMA", "")


def test_of_two_floors_the_one_on_the_empty_site_is_read_first() -> None:
    """Of two new floors in a city with little room, the one on the empty site is read first, as that order is legal."""
    position = do(board(hands=[["ROM1"]], market={"ROM": "VER2"}, towers={"ROM": ("wrwrwrw", "")}), "play ROM1")
    assert acts(found(position, siteROMA="wrwrwrwb", siteROMB="b")) == ["floor B", "floor A"]


def test_the_last_floor_of_a_city_goes_on_its_empty_site() -> None:
    """The last floor of a city laid on the wrong site is read there and refused by the rule."""
    position = do(board(hands=[["ROM3"]], market={"ROM": "VER2"}, towers={"ROM": ("wrwrwrwr", "")}), "play ROM3")
    assert code_of(found(position, siteROMA="wrwrwrwrb").refused) == "must-use-empty-site"


def test_a_move_is_the_top_floor_on_the_other_site() -> None:
    """A move is the top floor on the other site; in the hand it is waited for, and a forbidden one is refused."""
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


def test_a_card_taken_early_does_not_skip_the_move() -> None:
    """A card taken before the move does not skip the move; that takes PASS, and the new card comes after it."""
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
    """A card taken from the wrong space is read and refused with the rules' reason."""
    assert code_of(found(TAKING, marketBOL=[]).refused) == "wrong-market"


def test_the_one_card_that_may_be_taken_is_named_by_its_city() -> None:
    """The waiting text names the city of the only card that may be taken, or any city after a card with ANY."""
    assert found(TAKING).waiting == "Take the card beside Roma."
    anywhere = do(board(hands=[["ROM6"]], market={"BOL": "VER1", "ROM": "VER2"}), "play ROM6", "floor A")
    assert found(anywhere).waiting == "Take a card from beside a city."


def test_a_market_card_that_lies_on_another_space_is_not_taken() -> None:
    """A market card moved to another space is not taken; one shown beside the seat's pile is."""
    assert not found(TAKING, marketBOL=["VER1", "VER2"], marketROM=[]).acts
    assert acts(found(TAKING, marketROM=[], show0=["VER2"])) == ["take VER2"]


def test_a_pile_held_in_a_hand_is_not_missed() -> None:
    """A pile held in a hand is not missed; its top is asked for only once another of its cards is seen."""
    position = board(hands=[["ROM3"], ["FIR3"]], played=[["BOL3", "BOL4"]])
    whole = seen(position)
    assert not meaning(position, Layout({**whole, "played0": Pile(())}), None, confirmed=False).moves
    spread_out = Layout({**whole, "played0": Pile(()), "table": Spread(frozenset({"BOL3"}))})
    moves = meaning(position, spread_out, None, confirmed=False).moves
    assert {move.piece for move in moves} == {"BOL3", "BOL4"}


def test_cards_still_shown_after_the_deal_are_to_be_taken_up() -> None:
    """A card still shown after the deal belongs in the hand."""
    (move,) = found(ROMA, show0=["ROM1"]).moves
    assert (move.piece, move.lies, move.belongs) == ("ROM1", "show0", "hand0")


def test_buttons_that_the_rules_refuse_are_not_lit() -> None:
    """MONEY and BUILD stand for the sites; a site where the rules allow no floor has its button dark."""
    position = do(board(hands=[["LUC3"]], towers={"LUC": ("bwbwbw", "")}), "play LUC3")
    assert TABLE.open_buttons(position) == {"BUILD"}
    assert TABLE.button(position, "MONEY") == GAME.parse("floor A")
    assert TABLE.button(position, "AUCTION") is None
    assert TABLE.marks(position) == {}


def test_wooden_floors_are_entered_with_buttons() -> None:
    """Wooden floors are entered with buttons; until then, a card that is taken early is waited for in silence."""
    assert TABLE.presses(FLOORS, GAME.parse("floor B"), "box") == Presses(("BUILD",))
    assert TABLE.presses(FLOORS, GAME.parse("floor B"), "printed") == Presses()
    waits = found(FLOORS, floors=False, marketROM=[])
    assert not waits.acts
    assert not waits.moves
    assert "press MONEY for site A or BUILD for site B" in waits.waiting


def test_the_mason_and_a_button_enter_a_move_of_wooden_floors() -> None:
    """The mason names the city of a move; both sites' buttons blink, and a press says where the floor is now."""
    position = do(board(hands=[["ROM7"]], market={"ROM": "VER2"}, towers={"BOL": ("bw", "r")}), "play ROM7", "floor A")
    assert not found(position, floors=False).confirms
    assert found(position, floors=False, tokensBOL=["MASON"]).confirms == {"MONEY", "BUILD"}
    assert not found(position, floors=False, intent="B", confirmed=True).acts
    moved = found(position, floors=False, tokensBOL=["MASON"], intent="B", confirmed=True)
    assert acts(moved) == ["move BOL from A"]
    assert TABLE.presses(position, GAME.parse("move BOL from A"), "box") == Presses(after=("BUILD",))
    assert TABLE.presses(position, GAME.parse("move BOL from A")) == Presses()


def test_the_tokens_of_a_city_are_announced_and_taken_back() -> None:
    """A city's completion is announced with who takes which tokens, and an undo with putting them back."""
    position = do(board(hands=[["FER3"]], market={"FER": "VER2"}, towers={"FER": ("bbw", "w")}), "play FER3")
    after = do(position, "floor A")
    assert TABLE.news(position, after) == "Ferrara is complete. Tokens: Ann 5, Bob 2."
    assert TABLE.news(after, position) == "Ferrara is no longer complete: put its tokens back."
    assert not TABLE.news(ROMA, FLOORS)
