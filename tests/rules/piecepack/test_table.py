"""The physical table: a game is followed from the tiles, coins and turrets that a camera would see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tabletop.referee.interpretation.interpret import Interpretation, meaning
from tabletop.referee.table_contract import check_table_contract
from tabletop.rules.contract.table_setting import laid_areas
from tabletop.rules.game import Json
from tabletop.rules.layout import Anywhere, Grid, Hidden, Layout, Spread
from tabletop.rules.piecepack import GAME
from tabletop.rules.piecepack.components import COINS
from tabletop.rules.piecepack.position import PiecepackPosition
from tabletop.rules.piecepack.table.declaration import PiecepackTable
from tabletop.rules.piecepack.table.reader import DIE_INTENT
from tabletop.rules.table import Presses
from tests.refusals import code_of
from tests.rules.piecepack.board import board, do

TABLE = PiecepackTable()


@pytest.fixture(autouse=True)
def on_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """The piecepack is played at this table."""
    monkeypatch.setattr(type(GAME), "table", TABLE)


def seen(
    position: PiecepackPosition,
    plot: Mapping[str, tuple[int, int]] | None = None,
    upon: Mapping[str, str] | None = None,
    askew: Sequence[str] = (),
    **other: Sequence[str] | set[str],
) -> Layout:
    """Return what the camera sees, with some zones replaced; ``plot``, ``upon``, ``askew`` are seat 0's palazzo."""
    zones = {zone: lies for zone, lies in position.layout().items() if not isinstance(lies, Hidden | Anywhere)}
    grid = zones["seat0"]
    assert isinstance(grid, Grid)
    cells = grid.cells if plot is None else frozenset(plot.items())
    zones["seat0"] = Grid(cells, grid.upon if upon is None else frozenset(upon.items()), frozenset(askew))
    return Layout(zones | {zone: Spread(frozenset(pieces)) for zone, pieces in other.items()})


def found(
    position: PiecepackPosition,
    intent: str | None = None,
    confirmed: bool = False,
    **other: Json,
) -> Interpretation:
    """Return how the referee interprets the table."""
    return meaning(position, seen(position, **other), intent, confirmed)


def acts(reading: Interpretation) -> list[str]:
    return [GAME.format(act.action) for act in reading.acts]


def silent(reading: Interpretation) -> bool:
    """Return whether nothing was read, asked or called wrong."""
    return not reading.acts and not reading.question and not reading.moves and reading.refused is None


@pytest.mark.parametrize("make", ["printed", "box"])
@pytest.mark.parametrize("seed", range(2))
def test_the_table_keeps_the_contract(make: str, seed: int) -> None:
    """No act or whole turn, laid in any order, is read too early, called wrong or misread."""
    counts = check_table_contract(GAME, [seed], make, stations=6)
    assert counts.bundles > 150
    assert counts.stations > 400


BUYING = board(hand=["DM3", "DM5"], palazzo={"TM2": [0, 0]}, yard=["TM3", "TS4", "TA4", "TC4"])
PAID: dict[str, Json] = {"pay0": ["DM3", "DM5"]}
LEFT = ["TS4", "TA4", "TC4"]


def test_a_purchase_waits_for_a_press_that_also_says_how_it_is_paid() -> None:
    """A purchase waits for OK, which pays with coins, or MONEY, which adds the die; pieces may come in any order."""
    assert silent(found(BUYING, yard=LEFT))
    assert silent(found(BUYING, **PAID))
    assert found(BUYING, yard=LEFT).waiting == "Lay your coins and press OK; MONEY pays with the die as well."
    built: dict[str, Json] = {"yard": LEFT, "plot": {"TM2": (0, 0), "TM3": (1, 0)}}
    assert silent(found(BUYING, **PAID, **built))
    assert acts(found(BUYING, None, True, **PAID, **built)) == ["purchase TM3 pay DM3+DM5", "build TM3 at 1,0"]
    assert acts(found(BUYING, "die", True, yard=LEFT, pay0=["DM3"])) == ["purchase TM3 pay DM3+die"]
    kept = found(BUYING, None, True, **PAID, yard=LEFT, reserve0=["TM3"])
    assert acts(kept) == ["purchase TM3 pay DM3+DM5", "keep TM3"]


def test_the_buttons_blink_that_would_pay() -> None:
    """The buttons blink that would pay: MONEY alone if it takes the die, none if nothing suffices, which is refused."""
    assert found(BUYING, **PAID, yard=LEFT).confirms == {"OK", "MONEY"}
    assert found(BUYING, yard=LEFT, pay0=["DM3"]).confirms == {"MONEY"}
    assert found(BUYING, yard=LEFT).confirms == found(BUYING, **PAID).confirms == frozenset()
    assert code_of(found(BUYING, None, True, yard=LEFT, pay0=["DM3"]).refused) == "too-little"


def test_a_purchase_is_pressed_as_it_is_paid() -> None:
    """A purchase is confirmed by OK, or by MONEY with the die; putting a structure away takes OK."""
    assert TABLE.presses(BUYING, GAME.parse("purchase TM3 pay DM3+DM5")) == Presses(after=("OK",))
    assert TABLE.presses(BUYING, GAME.parse("purchase TM3 pay DM3+die")) == Presses(after=("MONEY",))
    assert TABLE.presses(BUYING, GAME.parse("remove TM2")) == Presses(after=("OK",))
    assert TABLE.presses(BUYING, GAME.parse("coin DM1")) == Presses()


def test_only_what_was_in_the_hand_pays() -> None:
    """A coin from the bank does not pay, and coins paid before do not count again."""
    coin = sorted(BUYING.bank)[0]
    bank = set(BUYING.bank) - {coin}
    refused = found(BUYING, None, True, yard=LEFT, bank=bank, pay0=[coin, "DM5", "DM3"]).refused
    assert code_of(refused) == "not-in-hand"
    position = board(hand=["DM3"], yard=["TM3"], discards=["DM5"])
    reading = found(position, pay0=["DM5"], discards=[])
    assert not reading.confirms
    assert [(move.piece, move.belongs) for move in reading.moves] == [("DM5", "discards")]


def test_a_coin_counts_at_once_and_only_one_is_taken() -> None:
    """One coin taken counts at once, then the one turned up; two are asked about, shuffled discards are not."""
    bank = sorted(BUYING.bank)
    new = sorted(BUYING.coins)[0]
    assert acts(found(BUYING, bank=bank[1:])) == [f"coin {bank[0]}"]
    assert acts(found(BUYING, bank=[*bank[1:], new])) == [f"coin {bank[0]}", f"reveal {new}"]
    assert found(BUYING, bank=bank[2:]).question == "One coin per action: put the others back."
    assert silent(found(board(discards=["DM5", "DS5"]), discards=[]))


def test_a_coin_may_be_taken_in_the_movement_in_which_the_bank_is_filled() -> None:
    """After an exact payment into a short bank, two coins turned up and one taken are read in the right order."""
    used = {"DM3", "DM5", "DA1", "DA2", "DA3"}
    short = board(hand=["DM3", "DM5"], palazzo={"TM2": [0, 0]}, yard=["TM3", "TS4", "TA4", "TC4"], coins=[],
                  bank=["DA1", "DA2", "DA3"], other={"hand": sorted(set(COINS) - used)})  # fmt: skip
    paid = do(short, "purchase TM3 pay DM3+DM5")
    assert acts(found(paid, bank=["DA2", "DA3", "DM3", "DM5"])) == ["reveal DM3", "coin DA1", "reveal DM5"]
    assert found(paid, bank=["DA1", "DA2", "DA3", "DM3", "DM5"]).question.startswith("Only one more is turned up")


STOCKED = board(palazzo={"TM2": [0, 0], "TM3": [1, 0], "TM4": [2, 0]}, reserve=["TM5", "TS3"])
CELLS = {"TM2": (0, 0), "TM3": (1, 0), "TM4": (2, 0)}


def test_the_reserve_is_used_by_laying_its_structures() -> None:
    """Adding from the reserve counts at once, removing by OK, and an exchange once both lie in their places."""
    assert acts(found(STOCKED, plot={**CELLS, "TM5": (3, 0)}, reserve0=["TS3"])) == ["add TM5 at 3,0"]
    rest = {"TM2": (0, 0), "TM4": (2, 0)}
    assert silent(found(STOCKED, plot={"TM2": (0, 0), "TM3": (1, 0)}))
    out: dict[str, Json] = {"plot": {"TM2": (0, 0), "TM3": (1, 0)}, "reserve0": ["TM5", "TS3", "TM4"]}
    assert silent(found(STOCKED, **out))
    told = found(STOCKED, **out).waiting
    assert told.startswith("OK puts TM4 into the reserve")
    assert "any lamp reflected in it" in told
    assert acts(found(STOCKED, None, True, **out)) == ["remove TM4"]
    exchanged: dict[str, Json] = {"plot": {**rest, "TM5": (1, 0)}, "reserve0": ["TS3", "TM3"]}
    assert acts(found(STOCKED, **exchanged)) == ["exchange TM5 for TM3"]
    assert silent(found(STOCKED, plot={**CELLS, "TM5": (1, 0)}, reserve0=["TS3"]))
    elsewhere: dict[str, Json] = {"plot": {**rest, "TM5": (3, 0)}, "reserve0": ["TS3", "TM3"]}
    away = found(STOCKED, **elsewhere)
    assert (acts(away), away.question) == ([], "An exchange is made in one cell.")
    two = found(STOCKED, plot=CELLS, reserve0=[])
    assert two.question == "One structure at a time: put the others back."


def test_keeping_an_unplaceable_structure_is_read_before_building() -> None:
    """If only unplaceable structures may be kept, keeping one is read before building what would make room for it."""
    position = board(
        palazzo={"TM2": [0, 0]},
        pending=["TS3", "TM3"],
        turn={"phase": "place", "seat": 0},
        actions_left=0,
        options={"reserve_only_if_unplaceable": True},
    )
    together = found(position, plot={"TM2": (0, 0), "TM3": (1, 0)}, reserve0=["TS3"])
    assert acts(together) == ["keep TS3", "build TM3 at 1,0"]
    built = do(position, "build TM3 at 1,0")
    assert found(built, reserve0=["TS3"]).refused is not None


def test_the_palazzo_may_be_pushed_and_turned_as_a_whole() -> None:
    """A palazzo may be pushed and turned as a whole; cells are counted as in the record."""
    pushed = {piece: (y + 4, -x - 2) for piece, (x, y) in {**CELLS, "TM5": (3, 0)}.items()}
    assert acts(found(STOCKED, plot=pushed, reserve0=["TS3"])) == ["add TM5 at 3,0"]


def test_a_structure_between_two_cells_is_not_read_as_built() -> None:
    """A structure between two cells is not read as built; the table asks to push it."""
    reading = found(STOCKED, plot=CELLS, askew=["TM5"], reserve0=["TS3"])
    assert silent(reading)
    assert reading.waiting == "Push TM5 edge to edge."


def test_a_structure_at_a_corner_is_refused_and_one_that_was_moved_is_to_be_put_back() -> None:
    """A structure at a corner is refused with the reason, and a moved one is to be put back."""
    assert code_of(found(STOCKED, plot={**CELLS, "TM5": (3, 1)}, reserve0=["TS3"]).refused) == "no-shared-edge"
    moves = found(STOCKED, plot={"TM2": (0, 0), "TM3": (1, 0), "TM4": (2, 1)}).moves
    assert [(move.piece, move.belongs) for move in moves] == [("TM4", "seat0")]


def test_the_turret_counts_where_it_stands() -> None:
    """A turret counts where it stands; in a hand it is waited for, and on another palazzo it is asked about."""
    assert acts(found(STOCKED, upon={"P1": "TM3"})) == ["turret on TM3"]
    palazzo = {piece: [*cell] for piece, cell in CELLS.items()}
    standing = board(palazzo=palazzo, turret="TM3")
    assert silent(found(standing, upon={}))
    assert acts(found(standing, upon={"P1": "TM4"})) == ["turret on TM4"]
    other = board(palazzo=palazzo, turret="TM3", other={"palazzo": {"TA1": [0, 0]}})
    foreign = Grid(frozenset({("TA1", (0, 0))}), frozenset({("P1", "TA1")}))
    assert meaning(other, Layout({**seen(other, upon={}), "seat1": foreign}), None, confirmed=False).question


def test_an_unreadable_turret_is_asked_for_unless_it_is_in_store() -> None:
    """A turret that cannot be read, as under glare, is asked for; one that never left its store is not."""
    palazzo = {piece: [*cell] for piece, cell in CELLS.items()}
    lamp = " Done already? Push the piece a little, or turn away any lamp reflected in it."
    asked = {
        None: "Your turret cannot be seen: lay it on a structure, or beside your die.",
        "TM3": "Your turret cannot be seen on a structure: lay it on one.",
    }
    for on, text in asked.items():
        assert str(found(board(palazzo=palazzo, turret=on), upon={}).waiting) == text + lamp
    assert not found(board(palazzo=palazzo), upon={}, store0=["P1"]).waiting
    assert not found(board(palazzo={}), upon={}).waiting


def test_a_bank_that_is_filled_before_the_yard_is_waited_for() -> None:
    """A bank filled before the yard is waited for in the setup, and both are read once the yard is full."""
    start = GAME.new(["Ada", "Ben"])
    yard, bank = sorted(start.stack)[:4], sorted(start.coins)[:4]
    assert silent(found(start, bank=bank))
    assert len(acts(found(start, bank=bank, yard=yard))) == 8
    assert found(start, yard=sorted(start.stack)[:5]).question.startswith("Only 4 more are turned up here")


def test_a_structure_of_the_palazzo_goes_to_the_reserve_by_ok_and_not_by_the_button_of_the_die() -> None:
    """A structure goes from the palazzo to the reserve by OK and not by MONEY; lying elsewhere it is asked for."""
    out: dict[str, Json] = {"plot": {"TM2": (0, 0), "TM3": (1, 0)}, "reserve0": ["TM4", "TM5", "TS3"]}
    pressed = found(STOCKED, DIE_INTENT, True, **out)
    assert (acts(pressed), pressed.confirms) == ([], frozenset({"OK"}))
    out |= {"reserve0": ["TM5", "TS3"], "pay0": ["TM4"]}
    assert found(STOCKED, **out).waiting == "Lay TM4 in your reserve or palazzo, touching no other."


def test_instructions_that_no_camera_can_check_are_announced() -> None:
    """After doing or undoing, it is announced how the die must stand and that an exact payment gives another action."""
    after = do(BUYING, "purchase TM3 pay DM3+die")
    assert TABLE.news(BUYING, after) == "Ada: turn your die to 4. Paid exactly: one more action."
    assert TABLE.news(after, BUYING) == "Ada: turn your die to 5."
    last = board(hand=["DM5", "DM4"], die=1, yard=["TM3"])
    assert TABLE.news(last, do(last, "purchase TM3 pay DM5+DM4+die")) == "Ada: turn your die to null."
    exact = do(BUYING, "purchase TM3 pay DM3+DM5")
    assert TABLE.news(BUYING, exact) == "Paid exactly: one more action."
    assert not TABLE.news(STOCKED, do(STOCKED, "add TM5 at 3,0"))
    start = GAME.new(["Ada", "Ben"])
    assert not TABLE.news(do(start, "reveal TM3"), start)


@pytest.mark.parametrize("seats", [2, 3])
def test_few_seats_sit_aslant_so_that_a_palazzo_of_nine_rows_has_room(seats: int) -> None:
    """In front of each seat's palazzo, away from its reserve, there is room for nine rows of 2-inch tiles."""
    areas = {area.name: area for area in laid_areas(TABLE, seats)}
    for seat in range(seats):
        plot, reserve = areas[f"seat{seat}"], areas[f"reserve{seat}"]
        far = plot.bottom < reserve.top
        room = plot._replace(top=plot.bottom - NINE_ROWS) if far else plot._replace(bottom=plot.top + NINE_ROWS)
        assert 0 <= room.top < room.bottom <= TABLE.extent[1]
        assert [area.name for area in areas.values() if area.meets(room)] == [f"seat{seat}"]


NINE_ROWS = 9 * 51.0
"""Height of nine rows of tiles, mm."""
