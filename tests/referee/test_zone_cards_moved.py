"""Zone cards of Patrician and the piecepack are turned, pushed or swapped: nothing counts, and pieces are named."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tabletop.rules.layout import Layout
from tabletop.simulator.table.pose import PiecePose
from tabletop.simulator.table.simulated_table import SimulatedTable
from tabletop.simulator.world import World
from tabletop.vision.geometry.zones import arrange
from tabletop.vision.kit import Kit
from tabletop.vision.scene import ReadBy, Scene, Sighting
from tests.referee.tables import opened

Cards = Mapping[str, PiecePose]
PATRICIAN, TAKING = "patrician/move.txt", "patrician/taken-under-an-arm.txt"
PIECEPACK = "piecepack/exchange-in-another-cell.txt"
IDLE = {PATRICIAN: "Ann: Put a card on your pile.", TAKING: "Ann: Take the card beside Roma.", PIECEPACK: ""}
"""What is said before a card is touched."""


class Moved(NamedTuple):
    """A card that is pushed and turned (mm and degrees) or swapped, the pieces named then, and what is said."""

    scenario: str
    card: str
    push: tuple[float, float, float] = (0, 0, 0)
    other: str = ""
    named: frozenset[tuple[str, str, str]] = frozenset()
    said: str = ""


def names(*moves: str) -> frozenset[tuple[str, str, str]]:
    """Return the named pieces, each written as ``PIECE FROM TO``."""
    return frozenset((piece, lies, belongs) for piece, lies, belongs in (move.split(" ") for move in moves))


def coins(lie: str) -> frozenset[tuple[str, str, str]]:
    """Return the coins of the bank and the discards, all of which lie in another zone."""
    homes = {"bank": ("DA1", "DA2", "DM2", "DS4"), "discards": ("DA3", "DA5", "DM4", "DS2")}
    return names(*(f"{coin} {lie} {home}" for home, some in homes.items() for coin in some))


def called(moved: Moved) -> str:
    """Return the name of a test case."""
    return f"{moved.scenario[:3]} {moved.card[3:]} {moved.other[3:] or moved.push}"


CARRIED = [
    Moved(PATRICIAN, "TT:BOL", (-50, 0, 0)),
    Moved(PATRICIAN, "TT:BOL", (-120, 0, 90)),
    Moved(PATRICIAN, "TT:PILE1", (0, 50, 0)),
    Moved(PIECEPACK, "TT:PLOT2", (50, -20, 0)),
    Moved(PIECEPACK, "TT:PLOT2", (0, 0, 90)),
    Moved(PIECEPACK, "TT:BANK", (50, 0, 0)),
    Moved(PIECEPACK, "TT:YARD", (0, -50, 0)),
]
PUSHED_AWAY = names("black  siteROMA", "VER4 table marketROM")
PULLED = [
    Moved(PATRICIAN, "TT:ROM", other="TT:LUC", named=names("SIE4 marketLUC marketROM", "MIL4 marketROM marketLUC")),
    Moved(PATRICIAN, "TT:PILE1", (0, 0, 90), named=names("ROM3 table played0")),
    Moved(
        PATRICIAN, "TT:PILE1", other="TT:PILE2", named=names("ROM3 played1 played0"), said="LUC3 is not in this seat"
    ),
    Moved(TAKING, "TT:ROM", (0, 0, 90), named=PUSHED_AWAY, said="Take VER4 into your hand, or put it back."),
    Moved(TAKING, "TT:ROM", (-50, 0, 0), named=PUSHED_AWAY, said="Take VER4 into your hand, or put it back."),
    Moved(PIECEPACK, "TT:PLOT2", (0, 0, 90), said="Lay TM3 in your reserve or palazzo, touching no other."),
    Moved(PIECEPACK, "TT:PLOT1", other="TT:PLOT2", said="Lay TM3 in your reserve or palazzo, touching no other."),
    Moved(PIECEPACK, "TT:YARD", (50, 0, 0), said="Lay your coins and press OK"),
    Moved(PIECEPACK, "TT:BANK", (0, 0, 90), named=coins("table")),
    Moved(PIECEPACK, "TT:YARD", other="TT:BANK", named=coins("yard") | names("TM4 bank yard"), said="Lay your coins"),
]


@pytest.mark.parametrize("moved", CARRIED, ids=called)
def test_a_card_that_is_moved_with_what_lies_on_it_changes_nothing(moved: Moved, tmp_path: Path) -> None:
    """A card moved together with its pieces changes nothing: no piece is missed and nothing else is said."""
    assert seen_after(moved, tmp_path, carried=True) == (set(), IDLE[moved.scenario])


@pytest.mark.parametrize("moved", PULLED, ids=called)
def test_a_card_that_is_moved_under_its_pieces_makes_nothing_count(moved: Moved, tmp_path: Path) -> None:
    """A card moved under its pieces makes nothing count; it is said what to do, and all is well once it is back."""
    named, said = seen_after(moved, tmp_path, carried=False)
    assert named == moved.named
    assert (moved.said or IDLE[moved.scenario]) in said


def seen_after(moved: Moved, folder: Path, *, carried: bool) -> tuple[set[tuple[str, str, str]], str]:
    """Move a card, then lay it back; return which pieces were named and what was said meanwhile."""
    with opened(moved.scenario, folder) as referee:
        number, position = referee.snapshot.number, referee.snapshot.position
        world = World(position.game, position.names, seed=1, size=(320, 180), clock=lambda: 0.0)
        world.arrange(position)
        marks, told = world.table.marks, []
        cards = {moved.card: pushed(marks[moved.card], *moved.push)}
        if moved.other:
            cards = {moved.card: marks[moved.other], moved.other: marks[moved.card]}
        for time, there in enumerate(({}, cards, {})):
            referee.see(Scene(float(time), time, layout(world.table, there, carried, position.layout().zone_of())))
            now = referee.snapshot
            assert now.number == number
            sentences = [str(one.text) for one in now.say] + ([str(now.refused.message)] if now.refused else [])
            told.append(({(move.piece, move.lies, move.belongs) for move in now.todo}, " ".join(sentences)))
        assert told[0] == told[2] == (set(), IDLE[moved.scenario])
        return told[1]


def pushed(card: PiecePose, x: float, y: float, angle: float) -> PiecePose:
    """Return where a card lies after it was pushed and turned."""
    return PiecePose(card.x + x, card.y + y, card.angle + angle)


def layout(table: SimulatedTable, cards: Cards, carried: bool, homes: Mapping[str, str]) -> Layout:
    """Return what is seen if some cards lie elsewhere, with their pieces carried along or left behind."""
    tags = [tag(marker, pose) for marker, pose in {**table.marks, **cards}.items()]
    for lying in table.lying.values():
        marker, pose = table.zones[lying.zone].marker, lying.pose
        if carried and marker in cards:
            there, card = table.marks[marker].within(pose.x, pose.y), cards[marker]
            pose = PiecePose(*card.out(*there), pose.angle + card.angle - table.marks[marker].angle)
        size = table.sizes[lying.kind]
        place = PiecePose(*pose.out(size.tag_x, size.tag_y), pose.angle)
        tags.append(tag(f"{table.game.tag}:{lying.piece}", place))
    return arrange(tags, list(table.zones.values()), Kit(table.game), lambda: homes)


def tag(payload: str, pose: PiecePose) -> Sighting:
    """Return the sighting of a tag read at a pose."""
    return Sighting(payload, *pose, ((0.0, 0.0),) * 4, 0.9, ReadBy.RECOGNISED)
