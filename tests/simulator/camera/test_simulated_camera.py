"""The simulated camera redraws only what changed, with the same result as drawing everything, and paces its frames."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from unittest.mock import Mock

import cv2
import numpy as np
import pytest
import zxingcpp

from tabletop.hardware.errors import CameraLost
from tabletop.rules import registry
from tabletop.simulator.camera import drawing
from tabletop.simulator.camera.simulated_camera import SimulatedCamera
from tabletop.simulator.conditions import LEVELS, conditions
from tabletop.simulator.table.hands import reach
from tabletop.simulator.table.pose import PiecePose
from tabletop.simulator.table.simulated_table import SimulatedTable
from tabletop.simulator.world import modules
from tabletop.vision.frame import Grey

TableMaker = Callable[..., SimulatedTable]
CameraMaker = Callable[..., SimulatedCamera]


def clean(camera: SimulatedCamera, frames: int = 24) -> Grey:
    """Return the camera's picture with the noise of several frames averaged out."""
    mean: Grey = np.mean([camera.frame(0.0).grey for _ in range(frames)], axis=0)
    return mean


def furnish(table: SimulatedTable) -> None:
    for number, tile in enumerate(("B1.1", "S2.2", "M3.3", "B5.1")):
        table.put(tile, "seat0", onto="B1.1" if number else None)
    for card in ("R5a", "G7b", "C2a", "N3c"):
        table.put(card, "bid1")
    for card in ("R6a", "G6a"):
        table.put(card, "discards")
    table.put("C3", "warehouse")
    table.put("S4.1", "warehouse")


@pytest.mark.parametrize("harsh", [0, 3])
def test_redrawing_what_changed_gives_the_same_as_drawing_everything(
    harsh: int, make_table: TableMaker, make_camera: CameraMaker
) -> None:
    table = make_table(harsh=harsh)
    camera = make_camera(table, harsh)
    furnish(table)
    camera.frame(0.0)
    table.put("S4.1", "quarry1")
    table.take("R6a", "deck")
    table.hands = (reach(table, 0, 500, 300),)
    camera.frame(0.0)
    table.nudge("M3.3", 4, -6, 9)
    table.turn("R5a", face_up=False)
    camera.frame(0.0)
    table.take("B5.1", "box")
    table.hands = ()
    assert np.abs(clean(camera) - clean(make_camera(table, harsh))).max() < 24 * LEVELS[harsh].noise / 10


def test_the_next_camera_at_the_same_table_draws_nothing_again(
    make_table: TableMaker, make_camera: CameraMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second game at a table begins with the picture of the first one's; another table is drawn."""
    table = make_table()
    table.put("S4.1", "warehouse")
    before = make_camera(table).frame(0.0)
    finished = Mock(wraps=drawing.finished)
    monkeypatch.setattr(drawing, "finished", finished)
    after = make_camera(table).frame(0.0)
    assert not finished.called
    assert np.array_equal(before.grey, after.grey)
    make_camera(make_table(seed=2))
    assert finished.called


def test_a_hand_comes_into_the_picture_and_leaves_no_trace(make_table: TableMaker, make_camera: CameraMaker) -> None:
    table = make_table(harsh=0)
    camera = make_camera(table, 0)
    furnish(table)
    before = clean(camera)
    table.hands = (reach(table, 0, 400, 330), reach(table, 2, 800, 300))
    during = clean(camera)
    table.hands = ()
    assert (np.abs(during - before) > 20).mean() > 0.05
    assert np.abs(clean(camera) - before).max() < 4


def test_a_tile_beside_another_darkens_nothing_of_its_face(make_camera: CameraMaker) -> None:
    """A tile casts neither its side nor its shadow on the face of an equally high neighbour."""
    given = conditions(0)
    table = SimulatedTable(registry.game("piecepack"), 2, given, 1, make="box")
    table.put_at("TM2", PiecePose(900, 300, 0))
    camera = make_camera(table, 0)
    tag = [camera.model.project(np.array([[x, y]]), 6.4)[0].round().astype(int) for x, y in ((905, 275), (925, 295))]
    window = slice(tag[0][1], tag[1][1]), slice(tag[0][0], tag[1][0])
    alone = clean(camera)[window]
    table.put_at("TC4", PiecePose(951, 300, 0))
    assert np.abs(clean(camera)[window] - alone).mean() < 2


def test_the_small_stream_shows_the_same(make_table: TableMaker, make_camera: CameraMaker) -> None:
    table = make_table()
    camera = make_camera(table, size=(1920, 1080))
    furnish(table)
    camera.frame(0.0)
    table.put("M1.1", "quarry3")
    frame = camera.frame(0.0)
    small = cv2.resize(frame.grey, (640, 360), interpolation=cv2.INTER_AREA)
    assert frame.small.shape == small.shape
    assert np.abs(small.astype(int) - frame.small).mean() < 2


def test_noise_is_fresh_in_every_frame(make_table: TableMaker, make_camera: CameraMaker) -> None:
    camera = make_camera(make_table())
    one, two = camera.frame(0.0), camera.frame(0.1)
    difference = one.grey.astype(int) - two.grey
    assert 1.5 < difference.std() / LEVELS[1].noise * 2**0.5 < 3
    assert (one.small != two.small).any()
    assert (two.number, two.time) == (one.number + 1, 0.1)


def test_a_colour_camera_shows_the_same_in_grey(make_table: TableMaker, make_camera: CameraMaker) -> None:
    table = make_table(harsh=0)
    furnish(table)
    frame = make_camera(table, 0, colour=True).frame(0.0)
    assert frame.colour is not None
    assert frame.colour.shape == (*frame.grey.shape, 3)
    grey = cv2.cvtColor(frame.colour, cv2.COLOR_BGR2GRAY).astype(int)
    assert np.abs(grey - frame.grey).mean() < 4
    assert np.ptp(frame.colour.astype(int), axis=2).mean() > 8


def test_every_sticker_of_a_sharp_clean_picture_is_read_except_spoilt_ones(
    make_table: TableMaker, make_camera: CameraMaker
) -> None:
    table = make_table(harsh=0)
    furnish(table)
    expected = {f"PZ:{piece.upper()}" for piece in table.lying if piece != "R6a"}  # it lies under the top discard
    expected |= {zone.marker for zone in table.zones.values()}
    table.put("B1.2", "warehouse")
    table.tear("B1.2", 0.4)
    table.put("B1.3", "warehouse", face_up=False)
    frame = make_camera(table, 0, (4608, 2592)).frame(0.0)
    assert {code.text.split("/")[0] for code in zxingcpp.read_barcodes(frame.grey)} == expected


def test_each_level_is_harder_than_the_one_before() -> None:
    for easier, harder in itertools.pairwise(LEVELS):
        for name in ("tilt", "bend", "defocus", "shake", "noise", "gradient", "vignette", "shade", "glare", "wear"):
            assert getattr(harder, name) >= getattr(easier, name)
        assert harder.defocus > easier.defocus


def test_a_camera_accepts_a_negative_seed(make_table: TableMaker) -> None:
    """A camera can be made from a negative seed, which the rules and the bots also accept."""
    camera = SimulatedCamera(make_table(seed=-3), modules, size=(768, 432), given=conditions(1), seed=-3)
    assert camera.frame(0.0).grey.shape == (432, 768)


def test_a_level_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no harshness 4: it goes from 0"):
        conditions(4)


def test_captures_are_not_older_than_requested_and_keep_their_pace(
    make_table: TableMaker, make_camera: CameraMaker
) -> None:
    now, waits = [10.0], []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        now[0] += seconds

    camera = make_camera(make_table(), clock=lambda: now[0], sleep=sleep, interval=0.2)
    assert camera.capture(10.05, 1.0).time == pytest.approx(10.05)
    assert camera.capture(0.0, 1.0).time == pytest.approx(10.25)
    now[0] = 20.0
    assert camera.capture(0.0, 1.0).time == pytest.approx(20.0)
    assert waits == [pytest.approx(0.05), pytest.approx(0.2)]


def test_a_stuck_camera_fails_as_a_real_one_does(make_table: TableMaker, make_camera: CameraMaker) -> None:
    camera = make_camera(make_table(), sleep=lambda seconds: None)
    camera.stuck = True
    with pytest.raises(CameraLost, match="simulated gives no picture"):
        camera.capture(0.0, 0.5)
    camera.stuck = False
    assert camera.capture(0.0, 0.5).grey.any()


def test_a_lamp_that_is_turned_is_mirrored_elsewhere(make_table: TableMaker, make_camera: CameraMaker) -> None:
    """Where it was mirrored the table looks as everywhere else, and nothing is burnt but the new place."""
    camera = make_camera(make_table(harsh=3), 3)
    spots = []
    for _ in range(2):
        seen = clean(camera, 1)
        spots.append(np.unravel_index(cv2.GaussianBlur(seen, (0, 0), 3).argmax(), seen.shape))
        assert seen[spots[0]] > 200 or len(spots) > 1
        camera.turn_lamp()
    before, after = spots
    assert np.hypot(*np.subtract(before, after)) > 30


def test_a_photograph_is_a_jpeg_of_the_table(make_table: TableMaker, make_camera: CameraMaker) -> None:
    camera = make_camera(make_table(), colour=True)
    picture = cv2.imdecode(np.frombuffer(camera.photograph(), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (432, 768, 3)
