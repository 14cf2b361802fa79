"""The camera loop shows the referee what is new and what answers an OK, and looks less often if nothing happens."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from tabletop.hardware.errors import CameraLost
from tabletop.referee.camera_loop import CALM_AFTER_S, CameraLoop
from tabletop.referee.referee import Referee
from tabletop.rules.layout import Layout
from tabletop.vision.frame import Frame
from tabletop.vision.live.tracker import TableTracker
from tabletop.vision.scene import Scene

GREY = np.zeros((2, 2), np.uint8)


class Table:
    """Camera, tracker and referee in one: ``scene`` is new in the next frame, ``standing`` is in every frame."""

    def __init__(self) -> None:
        self.now = 100.0
        self.scene: Scene | None = None
        self.standing: Scene | None = None
        self.confirm_from: float | None = None
        self.seen: list[Scene] = []
        self.lost = False
        self.takes = 0.0

    def clock(self) -> float:
        return self.now

    def capture(self, after: float, timeout: float) -> Frame:
        if self.lost:
            raise CameraLost("it", "The camera {camera} is gone.")
        return Frame(GREY, GREY, after, 1)

    @property
    def snapshot(self) -> SimpleNamespace:
        return SimpleNamespace(confirm_from=self.confirm_from, scene=self.seen[-1] if self.seen else None)

    def close(self) -> None:
        pass

    def look(self, frame: Frame) -> Scene | None:
        self.now += self.takes
        scene, self.scene = self.scene, None
        return scene

    def see(self, scene: Scene) -> None:
        self.seen.append(scene)


def scene(table: Table) -> Scene:
    return Scene(table.now, 1, Layout({}), (), ())


@pytest.fixture
def table() -> Table:
    table = Table()
    table.standing = scene(table)
    return table


def loop(table: Table) -> CameraLoop:
    return CameraLoop(table, cast(TableTracker, table), cast(Referee, table), table.clock, rate=5.0)


def after(it: CameraLoop, table: Table, seconds: float) -> float:
    """Let time pass, take a frame, and return the pause until the next."""
    table.now += seconds
    it.turn()
    return it.pause


def test_a_still_table_is_looked_at_half_as_often_until_something_moves(table: Table) -> None:
    it = loop(table)
    assert after(it, table, 0.0) == pytest.approx(0.2)
    assert after(it, table, CALM_AFTER_S + 0.1) == pytest.approx(0.4)
    table.standing = None
    assert after(it, table, 0.4) == pytest.approx(0.2)
    table.standing = scene(table)
    assert after(it, table, CALM_AFTER_S - 0.1) == pytest.approx(0.2)
    assert after(it, table, 0.2) == pytest.approx(0.4)


def test_a_new_scene_is_shown_once_and_wakes_the_loop(table: Table) -> None:
    it = loop(table)
    assert after(it, table, CALM_AFTER_S + 1) == pytest.approx(0.4)
    table.scene = new = scene(table)
    assert after(it, table, 0.4) == pytest.approx(0.2)
    after(it, table, 0.2)
    assert table.seen == [new]


def test_a_scene_of_the_last_matchs_tracker_is_not_shown_to_the_next_match(table: Table) -> None:
    """A scene still being read by the last match's tracker is not shown to the next match."""
    it, following = loop(table), Table()

    class Slow(Table):
        def look(self, frame: Frame) -> Scene | None:
            it.look_with(cast(TableTracker, following))
            return scene(table)

    slow = Slow()
    slow.standing = scene(table)
    it.look_with(cast(TableTracker, slow))
    assert not it.turn()
    assert table.seen == []
    following.scene = new = scene(table)
    assert it.turn()
    assert table.seen == [new]


def test_an_ok_is_answered_by_the_standing_scene(table: Table) -> None:
    it = loop(table)
    it.turn()
    assert table.seen == []
    table.confirm_from = table.now
    it.turn()
    assert table.seen == [table.standing]


def test_an_ok_waits_while_more_may_soon_be_read(table: Table) -> None:
    """An OK waits while more may soon be read, which may be the card that it confirms."""
    it = loop(table)
    table.confirm_from = table.now
    table.standing = replace(scene(table), seeking=True)
    it.turn()
    assert table.seen == []
    table.standing = scene(table)
    it.turn()
    assert table.seen == [table.standing]


def test_an_incompletely_read_scene_is_shown_again_once_it_is_complete(table: Table) -> None:
    """A scene is shown again, even if unchanged, once no more of it has to be read."""
    it = loop(table)
    table.scene = table.standing = replace(scene(table), seeking=True)
    it.turn()
    it.turn()
    assert len(table.seen) == 1
    table.standing = scene(table)
    it.turn()
    it.turn()
    assert table.seen[1:] == [table.standing]


def test_a_lost_camera_is_reported_on_request(table: Table) -> None:
    table.lost = True
    with pytest.raises(CameraLost):
        loop(table).turn()


def test_after_a_long_frame_the_tracker_pauses(table: Table) -> None:
    """After a long frame the tracker pauses so as to keep to its share of a core; after a quick one it does not."""
    table.scene, table.takes = scene(table), 0.3
    it = CameraLoop(table, cast(TableTracker, table), cast(Referee, table), table.clock, rate=5.0, share=0.4)
    assert after(it, table, 0.0) == pytest.approx(0.75)
    table.scene, table.takes = scene(table), 20.0
    assert after(it, table, 0.0) == pytest.approx(1.0)
    table.scene, table.takes = scene(table), 0.05
    assert after(it, table, 0.0) == pytest.approx(0.2)
