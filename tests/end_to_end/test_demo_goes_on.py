"""A demo begins the next game without a restart, with fresh pieces and the same people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tabletop.rules.game import Illegal
from tabletop.runtime.demo import Demo, DemoSession
from tabletop.runtime.next_game import NextGame
from tabletop.web.seating.room import Person, Room
from tabletop.web.seating.votes import Votes


class Played:
    """A demo that runs in this process, and what begins its next game; its seats wait for people."""

    def __init__(self, folder: Path, game: str) -> None:
        self.stack = ExitStack()
        self.room = Room("CODE42", seats=range(3))
        self.evening: DemoSession = Demo(game, 3, 3, 1, 0, (640, 360), 1.0).evening(folder, self.room, self.stack)
        self.again = NextGame(self.evening, self.room, Votes())

    def end(self) -> None:
        self.evening.desk.decree("end", {}, id="end")


@pytest.fixture(params=["palazzo", "patrician"])
def played(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Played]:
    made = Played(tmp_path, request.param)
    yield made
    made.stack.close()


def test_the_next_game_has_fresh_pieces_and_other_people_if_they_wish(played: Played) -> None:
    played.end()
    mark, world = played.evening.desk.snapshot.mark, played.evening.world
    played.again.begin([Person("Ann", 0), Person("Bob", 2)], {})
    now = played.evening.desk.snapshot
    assert (now.mark != mark, now.over, list(now.position.names)) == (True, False, ["Ann", "Bob"])
    assert (played.evening.world is None) == (world is None)
    assert world is None or played.evening.world is not world
    played.end()
    played.again.same()
    assert played.evening.games == 2


def test_a_game_that_is_refused_leaves_the_table_as_it_was(played: Played) -> None:
    played.end()
    mark, world = played.evening.desk.snapshot.mark, played.evening.world
    with pytest.raises(Illegal):
        played.again.begin([Person("Ann", 0)], {})
    assert (played.evening.desk.snapshot.mark, played.evening.world, played.evening.games) == (mark, world, 0)
