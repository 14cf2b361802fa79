"""The demo begins the next game without a restart, with fresh pieces and the same people."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from doubles.clock import PATIENCE
from tabletop.match.event import EventKind
from tabletop.rules.game import Illegal
from tabletop.runtime import memory
from tabletop.runtime.demo import Demo, DemoSession
from tabletop.web.seating.seating import Person


class Played:
    """A demo session that runs in this process, with three seats that wait for people."""

    def __init__(self, folder: Path, game: str) -> None:
        self.stack = ExitStack()
        self.session: DemoSession = Demo(game, seats=3, humans=3, seed=1, harsh=0, size=(640, 360), speed=1.0).session(
            folder, self.stack
        )
        self.table = self.session.table

    def end(self) -> None:
        self.table.mailbox.decide(EventKind.END, {}, id="end")


@pytest.fixture(params=["palazzo", "patrician"])
def played(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Played]:
    made = Played(tmp_path, request.param)
    yield made
    made.stack.close()


def test_the_next_game_has_fresh_pieces_and_other_people_if_they_wish(played: Played) -> None:
    played.end()
    mark, world = played.table.mailbox.snapshot.mark, played.session.world
    played.table.begin([Person("Ann", 0), Person("Bob", 2)], {})
    now = played.table.mailbox.snapshot
    assert (now.mark != mark, now.over, list(now.position.names)) == (True, False, ["Ann", "Bob"])
    assert (played.session.world is None) == (world is None)
    assert world is None or played.session.world is not world
    played.end()
    played.table.begin_same()
    assert played.session.games == 2


def test_a_game_leaves_no_pictures_behind(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the next game has begun, nothing refers to the last game's world, whose pictures are large."""
    if played.session.world is None:
        pytest.skip("this game is played on its pages alone")
    monkeypatch.setattr(memory, "give_back", lambda: None)
    old = weakref.ref(played.session.world)
    played.end()
    gc.disable()
    try:
        played.table.begin_same()
        assert old() is None
    finally:
        gc.enable()


def test_memory_that_nobody_uses_is_given_back_when_a_game_begins(played: Played) -> None:
    """A new game frees reference cycles, which Python would keep until thousands of other objects were made."""

    class Holds:
        itself: Holds

    one = Holds()
    one.itself = one
    left = weakref.ref(one)
    del one
    played.end()
    gc.disable()
    try:
        played.table.begin_same()
        assert left() is None
    finally:
        gc.enable()


def test_a_game_that_is_refused_leaves_the_table_as_it_was(played: Played) -> None:
    played.end()
    mark, world = played.table.mailbox.snapshot.mark, played.session.world
    with pytest.raises(Illegal):
        played.table.begin([Person("Ann", 0)], {})
    assert (played.table.mailbox.snapshot.mark, played.session.world, played.session.games) == (mark, world, 0)


def test_ok_on_the_demos_panel_begins_the_next_game_only_if_held(played: Played) -> None:
    """After a game a short OK begins nothing, and OK held down begins the next game, as at the real table."""
    if played.session.world is None:
        pytest.skip("this game is played on its pages alone")
    played.end()
    over = played.table.mailbox.snapshot
    played.session.push("OK", held=False)
    assert played.table.panel.answers(PATIENCE)
    assert played.table.mailbox.snapshot.mark == over.mark
    played.session.push("OK", held=True)
    now = played.table.mailbox.snapshot
    while now.mark == over.mark:
        news = played.table.mailbox.wait(now.revision, PATIENCE)
        assert news is not None
        now = news
