"""Careless handling of coins and structures: nothing uncertain is accepted, and a sentence helps."""

from __future__ import annotations

from itertools import product

import pytest

from tabletop.referee.interpretation.interpret import meaning
from tabletop.rules.game import Json
from tabletop.rules.layout import Grid, Layout
from tabletop.rules.piecepack.components import COINS
from tabletop.rules.piecepack.position import PiecepackPosition
from tests.refusals import code_of
from tests.rules.piecepack.board import board, do
from tests.rules.piecepack.test_table import BUYING, CELLS, LEFT, STOCKED, acts, found, on_a_table, seen, silent

__all__ = ["on_a_table"]

YARD = ["TM3", "TS4", "TA4", "TC4"]
STOOD = {"TM2": [0, 0]}
REVEALING: dict[str, Json] = {"awaits": "structure", "turn": {"phase": "reveal", "seat": None}}


def test_a_null_coin_pays_six() -> None:
    """A coin that shows null pays six by the rules, although the camera reads it as any other coin."""
    position = board(hand=["DM0", "DM2"], palazzo=STOOD, yard=YARD)
    assert acts(found(position, None, True, yard=LEFT, pay0=["DM0", "DM2"])) == ["purchase TM3 pay DM0+DM2"]


def test_the_die_alone_is_too_little_for_a_structure_of_five_and_null_pays_nothing() -> None:
    """MONEY without coins is refused as too little for a structure of five, and with a spent die as such."""
    position = board(hand=["DM3"], palazzo=STOOD, yard=["TM5", "TS4", "TA4", "TC4"])
    assert code_of(found(position, "die", True, yard=LEFT).refused) == "too-little"
    spent = board(hand=["DM3"], die=0, palazzo=STOOD, yard=YARD)
    assert code_of(found(spent, "die", True, yard=LEFT, pay0=["DM3"]).refused) == "die-spent"


def test_a_coin_that_was_ticked_wrongly_at_the_deal_pays_nothing() -> None:
    """A coin that the record does not have in the hand does not pay."""
    other = sorted(BUYING.coins)[0]
    assert code_of(found(BUYING, None, True, yard=LEFT, pay0=["DM3", other]).refused) == "not-in-hand"


def test_a_structure_that_closes_a_ring_is_refused() -> None:
    """A structure that would close a ring around a free cell is refused."""
    ring = {"TM1": (0, 0), "TM2": (1, 0), "TM3": (2, 0), "TM4": (2, 1), "TM5": (2, 2), "TA5": (1, 2), "TC5": (0, 2)}
    position = board(palazzo={piece: [*cell] for piece, cell in ring.items()}, reserve=["TS5", "TC1"])
    assert code_of(found(position, plot={**ring, "TC1": (0, 1)}, reserve0=["TS5"]).refused) == "makes-a-hole"


def test_taking_out_what_holds_the_palazzo_together_is_refused() -> None:
    """Taking out a structure that holds the palazzo together is refused by OK and waited for without a press."""
    out: dict[str, Json] = {"plot": {"TM2": (0, 0), "TM4": (2, 0)}, "reserve0": ["TM5", "TS3", "TM3"]}
    assert silent(found(STOCKED, **out))
    assert code_of(found(STOCKED, None, True, **out).refused) == "splits-the-palazzo"


def test_a_turret_goes_back_to_its_seat_with_the_structure_on_which_it_stood() -> None:
    """The turret returns to its seat with the structure it stood on, and is not missed in the palazzo."""
    position = board(palazzo={piece: [*cell] for piece, cell in CELLS.items()}, turret="TM4", reserve=["TM5"])
    out: dict[str, Json] = {"plot": {"TM2": (0, 0), "TM3": (1, 0)}, "reserve0": ["TM5", "TM4"], "upon": {}}
    assert acts(found(position, None, True, **out)) == ["remove TM4"]
    assert silent(found(do(position, "remove TM4"), upon={}))


def test_a_turret_that_lies_half_over_two_structures_is_pushed_onto_one() -> None:
    """A turret lying over two structures is not read, and is to be pushed onto one."""
    half = found(STOCKED, askew=["P1"], upon={})
    assert (acts(half), half.waiting) == ([], "Push P1 onto a single structure.")


def test_a_structure_that_touches_two_palazzi_is_built_in_neither() -> None:
    """A structure that touches two palazzi is built in neither, and is to be laid where it touches one."""
    told = "Lay {} in your reserve or palazzo, touching no other."
    bought = do(BUYING, "purchase TM3 pay DM5+die")
    cases: tuple[tuple[PiecepackPosition, str, dict[str, Json]], ...] = (
        (STOCKED, "TM5", {"reserve0": ["TS3"]}),
        (bought, "TM3", {}),
    )
    for position, structure, lies in cases:
        between = found(position, table=[structure], **lies)
        assert silent(between)
        assert between.waiting == told.format(structure)
    theirs = Layout({**seen(STOCKED, reserve0=["TS3"]), "seat1": Grid(frozenset({("TM5", (0, 0))}))})
    assert meaning(STOCKED, theirs, None, confirmed=False).waiting == told.format("TM5")


def test_a_structure_that_is_not_seen_is_asked_for_even_if_the_turret_was_moved_meanwhile() -> None:
    """A structure that is not seen is asked for, even if the turret was moved meanwhile."""
    position = board(palazzo={piece: [*cell] for piece, cell in CELLS.items()}, turret="TM4", reserve=["TM5"])
    left = {"TM2": (0, 0), "TM3": (1, 0)}
    told = (
        "Lay {} in your palazzo or your reserve. Done already? Push the piece a little, or turn away any lamp "
        "reflected in it."
    )
    cases: tuple[tuple[str, dict[str, Json]], ...] = (
        ("TM4", {"plot": left, "upon": {"P1": "TM3"}}),
        ("TM4", {"plot": {**left, "TM5": CELLS["TM4"]}, "upon": {}, "reserve0": []}),
        ("TM5", {"reserve0": []}),
    )
    for structure, lies in cases:
        hidden = found(position, **lies)
        assert (acts(hidden), hidden.waiting) == ([], told.format(structure))


def test_nothing_is_built_beside_structures_of_which_one_was_pushed_onto_another_cell() -> None:
    """Which of two was pushed decides where a third one lies, and nobody can tell: one has to be laid back first."""
    cells = {"TM2": (0, 0), "TM3": (1, 0)}
    palazzo: Json = {piece: [*cell] for piece, cell in cells.items()}
    added = board(palazzo=palazzo, reserve=["TM5"])
    bought = do(board(hand=["DM3", "DM5"], palazzo=palazzo, yard=["TM1", *YARD[1:]]), "purchase TS4 pay DM3+DM5+die")
    cases: tuple[tuple[PiecepackPosition, str], ...] = ((added, "TM5"), (bought, "TS4"))
    for (position, structure), pushed, cell in product(cases, ((2, 0), (2, 1), (0, 2)), ((0, 1), (-1, 0), (1, 1))):
        lies: dict[str, Json] = {"plot": {"TM2": (0, 0), "TM3": pushed, structure: cell}, "reserve0": []}
        reading = found(position, **lies)
        assert (acts(reading), reading.refused) == ([], None)
        assert reading.waiting.endswith("back where it lay in your palazzo.")
    assert acts(found(added, plot={**cells, "TM5": (1, 1)}, reserve0=[])) == ["add TM5 at 1,1"]


@pytest.mark.parametrize("zone", ["bank", "pay1", "reserve1", "discards"])
def test_a_structure_that_is_bought_is_called_wrong_where_nobody_keeps_it(zone: str) -> None:
    """A structure taken from the yard may lie in front of its buyer or in no zone; elsewhere it is called wrong."""
    laid: dict[str, Json] = {"yard": LEFT, zone: ["TM3"]}
    assert ("TM3", zone, "yard") in [(move.piece, move.lies, move.belongs) for move in found(BUYING, **laid).moves]
    for own in ("pay0", "reserve0", "store0", "table"):
        laid = {"yard": LEFT, own: ["TM3"]}
        assert silent(found(BUYING, **laid))


def test_a_coin_from_the_bank_that_lies_in_payment_is_called_wrong_before_any_press() -> None:
    """A coin of the bank in the payment area is called wrong at once, beside one of the hand, which is waited for."""
    position = board(hand=["DM3"], palazzo=STOOD, yard=YARD, bank=["DA2"])
    laid = found(position, bank=[], pay0=["DM3", "DA2"])
    assert [(move.piece, move.lies, move.belongs) for move in laid.moves] == [("DA2", "pay0", "bank")]


def test_a_turret_that_lies_off_its_palazzo_is_asked_for() -> None:
    """A turret that stands on a structure by the record, and lies elsewhere, is asked to be laid on a structure."""
    position = board(palazzo={piece: [*cell] for piece, cell in CELLS.items()}, turret="TM4")
    for zone in ("discards", "reserve1", "store0", "table"):
        laid: dict[str, Json] = {"upon": {}, zone: ["P1"]}
        assert found(position, **laid).waiting.startswith("Your turret cannot be seen on a structure: lay it on one.")


def test_a_discarded_coin_in_the_bank_is_called_wrong_while_a_structure_is_awaited() -> None:
    """A coin of the discards does not belong in the bank too early, unless the face-down coins will run out."""
    bank = ["DA2", "DC2", "DS2"]
    held = [coin for coin in COINS if coin not in (*bank, "DM5")]
    for hand, named in ([], [("DM5", "bank", "discards")]), (held, []):
        position = board(hand=hand, bank=bank, yard=LEFT, discards=["DM5"], **REVEALING)
        reading = found(position, bank=[*bank, "DM5"], discards=[])
        assert [(move.piece, move.lies, move.belongs) for move in reading.moves] == named
        assert str(reading.waiting) == "Turn up a structure into the yard."


def test_nothing_is_built_beside_a_palazzo_that_is_out_of_sight() -> None:
    """A structure counts as built only beside one that can be seen: else nobody knows on which cell it lies."""
    placing: dict[str, Json] = {"actions_left": 0, "turn": {"phase": "place", "seat": 0}}
    position = board(palazzo={"TM2": [1, 0], "TM4": [1, 1]}, pending=["TM3"], **placing)
    hidden = found(position, plot={"TM3": (0, 0)})
    assert hidden.acts == ()
    assert {move.piece for move in hidden.moves} == {"TM2", "TM4"}
    assert acts(found(position, plot={"TM3": (0, 0), "TM2": (1, 0), "TM4": (1, 1)})) == ["build TM3 at 0,0"]
