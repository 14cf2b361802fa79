"""After an UNDO the pieces still lie as after the undone acts: what counts then, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.hardware.panel.lights import Pattern
from tabletop.rules.game import Json
from tabletop.rules.layout import Columns, Layout, Spread
from tests.referee.tables import table
from tests.referee.watched import playing
from tests.rules.palazzo.board import lay
from tests.rules.piecepack.board import board, do


def test_an_undone_turret_move_does_not_count_again_while_tidying_up(tmp_path: Path) -> None:
    """An undone turret move does not count again when the coin of the undone act after it is laid back first."""
    before = board(palazzo={"TM2": [0, 0], "TM3": [1, 0]}, turret="TM2", bank=["DM2", "DS2", "DA2", "DC2"])
    moved = do(before, "turret on TM3")
    with playing(before, tmp_path) as watched:
        watched.show(table(moved))
        watched.show(table(moved, "DM2"))
        assert watched.acts == ["turret on TM3", "coin DM2"]
        watched.press("UNDO", times=2)
        watched.show(table(moved))
        assert (watched.acts, [move.piece for move in watched.referee.snapshot.todo]) == ([], ["P1"])
        watched.show(table(before))
        watched.show(table(moved))
        assert watched.acts == ["turret on TM3"]


def test_ok_is_offered_if_an_undone_act_still_lies_there(tmp_path: Path) -> None:
    """OK is offered, and repeats the act, while the pieces of an undone act still lie there."""
    before = board(palazzo={"TM2": [0, 0], "TM3": [1, 0]}, turret="TM2")
    with playing(before, tmp_path) as watched:
        watched.show(table(do(before, "turret on TM3")))
        watched.press("UNDO")
        snapshot = watched.referee.snapshot
        assert "still lies there" in str(snapshot.say[-1].text)
        assert (watched.acts, snapshot.signals["OK"]) == ([], Pattern.SLOW)
        watched.press("OK")
        assert watched.acts == ["turret on TM3"]


@pytest.mark.parametrize("said", ["page", "camera"])
def test_another_act_than_the_one_undone_counts_at_once(said: str, tmp_path: Path) -> None:
    """If a wrong coin was taken, or said on a phone, and is undone, taking the other one counts at once."""
    before = board(bank=["DM2", "DS2", "DA2", "DC2"])
    with playing(before, tmp_path) as watched:
        if said == "page":
            number = watched.referee.snapshot.number
            watched.referee.act(before.game.parse("coin DM2"), on=number, id="phone", seat=0)
        else:
            watched.show(table(before, "DM2"))
        watched.show(table(before, "DS2"))
        assert watched.acts == ["coin DM2"]
        watched.press("UNDO")
        assert watched.acts == ["coin DS2"]


def test_a_tile_that_may_have_been_bought_as_well_is_asked_about(tmp_path: Path) -> None:
    """After an undone purchase of two tiles, OK buys neither while one of them cannot be seen, and asks."""
    tiles = ["B1.1", "B1.2", "S1.1", "S2.2", "M1.1"]
    fields: dict[str, Json] = {"warehouse": tiles, "quarries": [[], [], ["S1.2"], []], "drawn": ["M1.1", "S1.2"]}
    before = lay(phase="choose", hands=[["R5a", "R6a"], ["G3a"]], **fields)
    paid = {**table(before, "B1.1", "B1.2"), "bid0": Spread(frozenset(["R5a", "R6a"]))}
    held = Layout({**paid, "seat0": Columns(frozenset([("B1.1",)]))})
    with playing(before, tmp_path) as watched:
        watched.press("BUY")
        watched.show(held)
        watched.press("OK")
        assert watched.acts == ["buy B1.1+B1.2 pay R5a+R6a", "place B1.1"]
        watched.press("UNDO", times=2)
        watched.press("OK")
        assert watched.acts == []
        assert "B1.2 can no longer be seen" in str(watched.referee.snapshot.say[-1].text)
        watched.show(Layout({**held, "warehouse": before.layout()["warehouse"], "seat0": Columns(frozenset())}))
        watched.show(held)
        watched.press("OK")
        assert watched.acts == ["buy B1.1+B1.2 pay R5a+R6a", "place B1.1"]
