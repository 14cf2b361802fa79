"""Mishaps at a Palazzo table that is seen through frames never count as actions, and each is reported by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tabletop.hardware.cameras.supervisor import Supervisor
from tabletop.hardware.errors import CameraLost
from tabletop.hardware.panel.lights import Pattern
from tabletop.referee.camera_loop import FRAME_TIMEOUT_S, CameraLoop
from tabletop.rules.palazzo import GAME
from tabletop.simulator.play.seen_table import SeenTable
from tabletop.simulator.table.hands import HandIn, HandOut, Lay, Push, TakePiece, Turn
from tests.end_to_end.faulty import astray, heard, said, todo
from tests.end_to_end.support import AUCTION, BUILT, ROW, SETUP, SMALL

Begin = Callable[..., SeenTable]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """A function that lays out a table as it is after some acts and shows it to the camera for a second."""
    grounds: list[SeenTable] = []

    def make(*acts: str) -> SeenTable:
        opening = [GAME.parse(act) for act in (*SETUP, *acts)]
        folder = tmp_path / str(len(grounds))
        grounds.append(SeenTable(GAME, ["Ann", "Bob"], folder, seed=1, size=SMALL, opening=opening))
        grounds[-1].tick(1.0)
        return grounds[-1]

    yield make
    for ground in grounds:
        ground.close()


def test_a_hand_that_stays_over_a_card_of_the_row_takes_nothing(begin: Begin) -> None:
    ground = begin(*ROW)
    number, card = ground.snapshot.number, ground.world.table.lying["G4a"].pose
    ground.perform(HandIn(0, card.x, card.y))
    ground.tick(4.0)
    assert ground.snapshot.number == number
    assert not astray(ground)
    ground.perform(HandOut(0))
    ground.tick(1.0)
    assert (ground.snapshot.number, todo(ground)) == (number, set())


def test_a_tile_that_is_turned_over_is_missed_by_name_until_it_is_turned_back(begin: Begin) -> None:
    ground = begin()
    number = ground.snapshot.number
    ground.perform(Turn("M1.3", False))
    ground.tick(2.0)
    assert ("M1.3", "", "quarry3") in todo(ground)
    ground.perform(Turn("M1.3", True))
    ground.tick(2.0)
    assert (ground.snapshot.number, todo(ground), astray(ground)) == (number, set(), False)


def test_a_torn_tag_is_read_or_said_to_be_unreadable_and_never_taken_for_gone(begin: Begin) -> None:
    ground = begin()
    number = ground.snapshot.number
    for share in (0.2, 0.6, 0.95):
        ground.world.table.tear("S1.2", share)
        ground.tick(2.0)
        assert ground.snapshot.number == number
    scene = ground.snapshot.scene
    assert scene is not None
    assert scene.layout.zone_of().get("S1.2") == "quarry2" or "S1.2" in {move.piece for move in ground.snapshot.todo}


def test_a_tile_of_the_box_that_reappears_is_sent_back_by_name(begin: Begin) -> None:
    ground = begin(*BUILT, "build", "reveal M1.1", "reveal S1.1", "auction", "bid R5a", "pass", "scrap S1.2")
    assert ground.world.table.where("S1.2") == "box"
    number = ground.snapshot.number
    ground.perform(Lay("S1.2", "warehouse"))
    ground.tick(2.0)
    assert ground.snapshot.number == number
    assert ("S1.2", "warehouse", "box") in todo(ground)
    ground.perform(TakePiece("S1.2", "box"))
    ground.tick(2.0)
    assert "S1.2" not in {move.piece for move in ground.snapshot.todo}


def test_a_tag_seen_twice_is_named_and_counts_nowhere_until_one_is_gone(begin: Begin) -> None:
    ground = begin(*ROW)
    number = ground.snapshot.number
    ground.world.table.put_stray("PZ:B1.1", "warehouse")
    ground.tick(2.0)
    assert "B1.1" in said(ground)
    assert "two places" in said(ground)
    assert ground.snapshot.number == number
    ground.world.table.take("PZ:B1.1", "box")
    ground.tick(2.0)
    assert (said(ground), todo(ground), ground.snapshot.number) == ("", set(), number)


def test_a_piece_of_another_game_is_named_and_changes_nothing(begin: Begin) -> None:
    ground = begin(*ROW)
    number = ground.snapshot.number
    ground.world.table.put_stray("PA:ROM1", "warehouse")
    ground.tick(2.0)
    assert "PA:ROM1 does not belong to this game" in said(ground)
    assert ground.snapshot.number == number
    ground.world.table.take("PA:ROM1", "box")
    ground.tick(2.0)
    assert said(ground) == ""


def plays_on(ground: SeenTable) -> None:
    """Take a card of the row, and assert that it is recorded as before."""
    ground.perform(TakePiece("G4a", "hand0"))
    ground.tick(2.0)
    assert dict(ground.snapshot.events[-1].data) == {"do": "take", "card": "G4a"}


def test_a_camera_that_is_bumped_finds_the_table_again_and_the_game_continues(begin: Begin) -> None:
    ground = begin(*ROW)
    number, eye = ground.snapshot.number, ground.world.camera.model
    ground.world.camera.stand(replace(eye, x=eye.x + 14, y=eye.y - 9))
    told = heard(ground, 3.0)
    assert "The camera was moved; the table has been found again." in told
    assert (ground.snapshot.number, todo(ground), astray(ground)) == (number, set(), False)
    plays_on(ground)


def test_a_light_that_goes_out_and_on_again_changes_nothing(begin: Begin) -> None:
    """Darkness is reported as such and not as a moved camera; with light again, the game continues where it was."""
    ground = begin(*ROW)
    number = ground.snapshot.number
    ground.world.camera.lamp = 0.0
    assert any("too dark" in one for one in heard(ground, 3.0))
    assert (ground.snapshot.number, todo(ground), astray(ground)) == (number, set(), False)
    ground.world.camera.lamp = 1.0
    told = heard(ground, 4.0)
    assert not any("moved" in one for one in told)
    assert (said(ground), todo(ground), ground.snapshot.number) == ("", set(), number)
    plays_on(ground)


def test_a_foreign_code_neither_alarms_nor_asks_for_anything(begin: Begin) -> None:
    """A ticket with a QR code as large as a tag can stay on the table without a question or an alarm."""
    ground = begin(*ROW)
    number = ground.snapshot.number
    ground.world.table.put_stray("X:TICKET7", "warehouse")
    ground.tick(5.0)
    assert (todo(ground), astray(ground), ground.snapshot.number) == (set(), False, number)
    assert said(ground) == "" or said(ground).startswith("Warehouse: something cannot be read")
    plays_on(ground)


def test_a_stuck_camera_is_reported_while_buttons_and_pages_work_until_it_comes_back(begin: Begin) -> None:
    ground = begin()
    referee, camera = ground.referee, ground.world.camera
    loop = CameraLoop(Supervisor(lambda: camera, referee.camera, ground.clock), ground.tracker, referee, ground.clock)
    camera.stuck = True
    with pytest.raises(CameraLost):
        loop.turn()
    assert "The camera gives no picture" in said(ground)
    assert ground.snapshot.signals["illegal"] is Pattern.TWICE
    number = ground.snapshot.number
    ground.fingers.push(Push("MONEY"))
    assert ground.snapshot.number == number + 1
    answer = referee.act(GAME.parse("reveal C2c"), on=number + 1, id="page", seat=None)
    assert answer.ok
    camera.stuck = False
    ground.world.arrange(ground.snapshot.position)
    for _ in range(8):
        ground.clock.move_to(ground.clock.now + FRAME_TIMEOUT_S / 2)
        loop.turn()
    assert said(ground) == "Lay 2 more money cards in the row."
    assert "illegal" not in ground.snapshot.signals


def test_a_button_that_bounces_counts_once(begin: Begin) -> None:
    ground = begin()
    number = ground.snapshot.number
    ground.perform(Push("MONEY", bounces=6))
    ground.tick(1.0)
    assert ground.snapshot.number == number + 1


def test_a_tile_on_the_wrong_quarry_is_sent_to_its_own(begin: Begin) -> None:
    ground = begin("build", "reveal M1.1")
    ground.perform(Lay("S1.3", "quarry2"))
    ground.tick(2.0)
    assert ("S1.3", "quarry2", "quarry4") in todo(ground)
    ground.perform(Lay("S1.3", "quarry4"))
    ground.tick(2.0)
    assert todo(ground) == set()


def test_cards_of_another_seat_in_a_bid_are_not_a_bid(begin: Begin) -> None:
    ground = begin(*AUCTION)
    number = ground.snapshot.number
    ground.perform(Lay("N4b", "bid1"))  # Bob decides, the card is Ann's
    ground.tick(1.0)
    ground.perform(Push("OK"))
    ground.tick(2.0)
    assert ground.snapshot.number == number
    assert ("N4b", "bid1", "hand0") in todo(ground)
    assert astray(ground)
    ground.perform(TakePiece("N4b", "hand0"))
    ground.perform(Lay("R6b", "bid1"))
    ground.tick(1.0)
    ground.perform(Push("OK"))
    ground.tick(1.0)
    assert dict(ground.snapshot.events[-1].data) == {"do": "bid", "cards": ["R6b"]}


def test_a_tile_laid_squarely_on_another_one_is_built_on_it(begin: Begin) -> None:
    """A tile that hides the whole tag of the one below stands on it, and an arm above both changes nothing."""
    won = "build", "reveal M1.1", "reveal B2.1", "auction", "bid R5a", "pass", "place S1.2"
    ground = begin(*BUILT, *won)
    ground.perform(HandIn(0, *ground.centre("seat0")))
    ground.perform(Lay("B2.1", "", upon="S1.2"))
    ground.perform(HandOut(0))
    ground.tick(1.2)
    assert dict(ground.snapshot.events[-1].data) == {"do": "place", "tile": "B2.1", "onto": "S1.2"}
    pose = ground.world.table.lying["B2.1"].pose
    ground.perform(HandIn(1, pose.x, pose.y))
    ground.tick(1.4)
    assert (todo(ground), astray(ground)) == (set(), False)
