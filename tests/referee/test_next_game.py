"""The next game begins while pieces of the last one are still on the table, which were not laid for it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.hardware.panel.lights import Pattern
from tabletop.match import store
from tabletop.referee.referee import Referee
from tabletop.rules import registry
from tabletop.rules.layout import Layout, Spread
from tabletop.vision.scene import Scene
from tests.referee.support import NOW
from tests.referee.tables import TAKEN, begun, table
from tests.referee.watched import playing

UNCLEARED = (
    "Pieces from the last game are still on the table: put them away. If they are laid out for this one, press OK."
)


def show(referee: Referee, layout: Layout, time: float, seeking: bool = False) -> list[str]:
    """Let the referee see a layout; return the questions it asks."""
    referee.see(Scene(time, round(time), layout, seeking=seeking))
    return [str(said.text) for said in referee.snapshot.say if said.code == "question"]


@pytest.mark.parametrize("name", TAKEN)
def test_pieces_that_were_not_cleared_do_not_count_as_turned_up(name: str, tmp_path: Path) -> None:
    """Pieces of the last game do not count as turned up; the table is to be cleared until all are gone."""
    with begun(name, tmp_path) as (last, _):
        journal, match = store.start(tmp_path, last.match.game, ["Ann", "Bob"], NOW + 1)
        referee, left = last.successor(match, journal), table(last.snapshot.position)
        number, setup = referee.snapshot.number, referee.snapshot.position
        # A tracker that starts again may not have found everything yet.
        assert show(referee, Layout({}), 2.0, seeking=True) == [UNCLEARED]
        assert show(referee, left, 3.0) == [UNCLEARED]
        assert (referee.snapshot.number, referee.snapshot.position) == (number, setup)
        assert show(referee, Layout({}), 4.0) == []
        journal.close()


@pytest.mark.parametrize("ok", [True, False])
@pytest.mark.parametrize("name", ["palazzo", "piecepack"])
def test_a_piece_laid_too_early_counts_once_it_is_laid_again_or_ok_is_pressed(
    name: str, ok: bool, tmp_path: Path
) -> None:
    """A first piece laid out before the new game begins counts once it is laid again or OK is pressed."""
    with begun(name, tmp_path) as (last, _):
        journal, match = store.start(tmp_path, last.match.game, ["Ann", "Bob"], NOW + 1)
        first = match.position.after(match.position.game.draw(match.position, random.Random(1)))
        show(last, table(first), 2.0)
        referee = last.successor(match, journal)
        assert show(referee, table(first), 3.0) == [UNCLEARED]
        if ok:
            referee.press(Press("OK", Kind.PRESS, 4.0))
        else:
            show(referee, Layout({}), 4.0)
        assert show(referee, table(first), 5.0) == []
        assert referee.snapshot.position == first
        journal.close()


@pytest.mark.parametrize("name", ["palazzo", "piecepack"])
def test_clearing_the_table_after_the_game_raises_no_alarm(name: str, tmp_path: Path) -> None:
    """Clearing the table after the game, piece by piece, is not reported as wrong."""
    game, rng = registry.game(name), random.Random(1)
    position = game.new(["Ann", "Bob"])
    while not position.over:
        legal = [*position.legal.thrifty()] if position.decider is not None else [game.draw(position, rng)]
        position = position.after(rng.choice(legal))
    there = table(position)
    with playing(position, tmp_path) as watched:
        for left in (there, Layout({**there, max(there): Spread(frozenset())}), Layout({})):
            watched.show(left)
            snapshot = watched.referee.snapshot
            assert (snapshot.todo, snapshot.signals["legal"]) == ((), Pattern.REST)
