"""The contract of a table: Palazzo keeps it, and every kind of breach is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from tabletop.messages import Message
from tabletop.referee.table_contract import check_table_contract
from tabletop.rules.chance_actions import Deal
from tabletop.rules.contract import ContractBroken, play_random_game
from tabletop.rules.contract.table_setting import check_makes, check_setting
from tabletop.rules.look import Look
from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.actions import Pass, Take
from tabletop.rules.palazzo.position import PalazzoPosition
from tabletop.rules.palazzo.table.declaration import PalazzoTable
from tabletop.rules.table import ButtonMeaning, CardSpot, Size, TableReading, Zone, ZoneShape

TABLE = GAME.table
Break: TypeAlias = Callable[..., None]
"""Changes attributes of Palazzo's table, given by name."""
READERS, ZONES = PalazzoTable.readers, PalazzoTable.zones


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Break:
    """Change attributes of Palazzo's table for one test."""

    def change(**changed: object) -> None:
        for name, value in changed.items():
            monkeypatch.setattr(PalazzoTable, name, value)

    return change


def test_the_table_of_palazzo_keeps_the_contract() -> None:
    """Every act of two games, laid half or completely and in any order, is waited for or read as what it is."""
    counts = check_table_contract(GAME, range(2), stations=6)
    assert counts.bundles > 600
    assert counts.stations > 2000


def takes_another(look: Look[PalazzoPosition]) -> TableReading:
    row = [card for card in look.position.row if card in look.lying]
    return TableReading([Take(row[0])] if look.out("row") and row else ())


def puts_right(look: Look[PalazzoPosition]) -> TableReading:
    return READERS["bid"](look)._replace(underway=frozenset())


def sees_nothing(look: Look[PalazzoPosition]) -> TableReading:
    return TableReading(underway=look.record.pieces("row"))


@pytest.mark.parametrize(
    ("phase", "reader", "promise"),
    [
        ("take", takes_another, "nothing is misread"),
        ("bid", puts_right, "nothing is called wrong"),
        ("take", sees_nothing, "what is done is read"),
    ],
)
def test_a_reader_that_breaks_the_contract_is_named(
    broken: Break, phase: str, reader: Callable[[Look[PalazzoPosition]], TableReading], promise: str
) -> None:
    """A reader is named that takes the wrong card, calls moving cards wrong, or does not read a finished act."""
    broken(readers={**READERS, phase: reader})
    with pytest.raises(ContractBroken, match=promise):
        check_table_contract(GAME, range(3), stations=8)


def test_a_reader_that_is_too_quick_is_named(broken: Break) -> None:
    """A reader is named that counts a shown hand before all of its cards are seen."""

    def early(look: Look[PalazzoPosition]) -> TableReading:
        seat = look.position.hands.index(())
        rest = sorted(look.position.deck)
        shown = look.came(f"bid{seat}", "money")
        wanted = [action for action in deals if set(shown) <= set(action.cards)] if shown and rest else []
        return TableReading(wanted[:1], frozenset(shown))

    deals = [one for one in play_random_game(GAME, 0, 2).actions if isinstance(one, Deal)]
    broken(readers={**READERS, "deal": early})
    with pytest.raises(ContractBroken, match="too early"):
        check_table_contract(GAME, [0], stations=8)


def _zones(extra: Zone) -> Callable[[PalazzoTable, int], list[Zone]]:
    return lambda table, seats: [*ZONES(table, seats), extra]


def test_zones_that_overlap_or_lack_a_place_are_named(broken: Break) -> None:
    """Overlapping areas, areas beyond the table's edge, cards without a place and repeated names are reported."""
    shed = Zone("shed", "TT:WH", Message("Shed"), (30, 0, 60, 30), ZoneShape.SPREAD)
    for zone, why in (
        (shed, "warehouse and shed overlap"),
        (shed._replace(area=(2000, 0, 2030, 30)), "shed lies over the edge"),
        (shed._replace(marker="TT:SHED"), "no place"),
        (shed._replace(name="row"), "two zones have one name"),
    ):
        broken(zones=_zones(zone))
        with pytest.raises(ContractBroken, match=why):
            check_setting(GAME)


def test_the_area_of_a_turned_card_is_checked_as_it_lies(broken: Break) -> None:
    """A bid's card that is turned is checked as it lies: turned straight it would reach into the palazzi beside it."""
    check_setting(GAME)
    setting = PalazzoTable.setting
    broken(setting=lambda table, seats: {**setting(table, seats), "TT:BID1": CardSpot(470, 640)})
    with pytest.raises(ContractBroken, match="bid0"):
        check_setting(GAME)


def test_a_kind_of_piece_without_a_size_is_named(broken: Break) -> None:
    """A kind of piece without a size in some make is named, and so is a size for a kind that does not exist."""
    check_makes(GAME)
    sizes = dict(TABLE.sizes)
    del sizes["tile"]
    broken(makes={"printed": sizes})
    with pytest.raises(ContractBroken, match="tile"):
        check_makes(GAME)
    broken(makes={"printed": {**TABLE.sizes, "tile": Size(36, 28), "die": Size(12, 12)}})
    with pytest.raises(ContractBroken, match="die"):
        check_makes(GAME)


def test_a_button_that_no_panel_has_is_named(broken: Break) -> None:
    """A button of the table that no panel has is named."""
    broken(buttons={**TABLE.buttons, "bid": {"DICE": ButtonMeaning("passes", Pass())}})
    with pytest.raises(ContractBroken, match=r"DICE \(bid\)"):
        check_table_contract(GAME, [0], stations=1)
