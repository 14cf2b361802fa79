"""A piece out of sight counts as taken only if it was seen in its place before, since a start or an undo."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.referee.referee import Referee
from tabletop.rules.layout import Layout
from tabletop.vision.scene import Scene
from tests.referee.hands import Hands, reveal_unseen
from tests.referee.support import NOW
from tests.referee.tables import TAKEN, begun
from tests.referee.tables import table as lying


def show(referee: Referee, layout: Layout, time: float) -> None:
    """Let the referee see a layout."""
    referee.see(Scene(time, round(time), layout))


@pytest.mark.parametrize("name", TAKEN)
def test_a_piece_hidden_when_the_program_starts_was_not_taken(name: str, tmp_path: Path) -> None:
    """A piece hidden at the program's start is asked for and not taken; once seen in its place, it can be taken."""
    with begun(name, tmp_path) as (referee, taking):
        number, position = referee.snapshot.number, referee.snapshot.position
        [piece] = position.after(taking).layout().zone_of().items() - position.layout().zone_of().items()
        again = Referee(referee.match, referee._journal, lambda: NOW)
        show(again, lying(position, piece[0]), 2.0)
        assert (again.snapshot.number, [move.piece for move in again.snapshot.todo]) == (number, [piece[0]])
        show(again, lying(position), 3.0)
        show(again, lying(position, piece[0]), 4.0)
        assert again.snapshot.events[-1].data == taking.to_json()


@pytest.mark.parametrize("name", ["palazzo", "piecepack"])
def test_ok_confirms_a_taking_that_nobody_saw_if_one_piece_is_missing(name: str, tmp_path: Path) -> None:
    """OK confirms that the only missing piece was taken; with two missing it confirms nothing."""
    with begun(name, tmp_path) as (referee, taking):
        number, position = referee.snapshot.number, referee.snapshot.position
        [(piece, _)] = position.after(taking).layout().zone_of().items() - position.layout().zone_of().items()
        zone = position.layout().zone_of()[piece]
        other = min(position.layout().pieces(zone) - {piece})
        again = Referee(referee.match, referee._journal, lambda: NOW)
        for time, missing, recorded in ((2.0, (piece, other), []), (4.0, (piece,), [taking.to_json()])):
            show(again, lying(position, *missing), time)
            again.press(Press("OK", Kind.PRESS, time + 0.5))
            show(again, lying(position, *missing), time + 1.0)
            assert [event.data for event in again.snapshot.events if event.number > number] == recorded


@pytest.mark.parametrize("name", TAKEN)
def test_an_undone_taking_does_not_count_again_before_the_piece_is_back(name: str, tmp_path: Path) -> None:
    """After an undo, the piece to be put back is not taken again while others are tidied up first."""
    with begun(name, tmp_path) as (referee, taking):
        number, position = referee.snapshot.number, referee.snapshot.position
        [piece] = position.after(taking).layout().zone_of().items() - position.layout().zone_of().items()
        show(referee, lying(position, piece[0]), 2.0)
        taken = referee.snapshot.position
        if taken.decider is None:
            show(referee, lying(taken.after(taken.game.draw(taken, random.Random(1)))), 3.0)
        while referee.snapshot.position != position:
            referee.press(Press("UNDO", Kind.PRESS, 4.0))
        number = referee.snapshot.number
        show(referee, lying(position, piece[0]), 5.0)
        show(referee, lying(position), 6.0)
        assert (referee.snapshot.number, [*referee.snapshot.todo]) == (number, [])
        assert "undo-offer" not in [said.code for said in referee.snapshot.say]


def test_a_card_that_no_camera_saw_is_not_taken_after_an_undo(table: Hands, referee: Referee) -> None:
    """A card entered on a page and never seen is not taken when something else is undone and laid back."""
    reveal_unseen(table)
    table.take("R6a")
    table.show()
    table.press("UNDO")
    table.lay("R6a", "row")
    table.show()
    assert [move.piece for move in referee.snapshot.todo] == ["G4b"]
