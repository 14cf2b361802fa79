"""A camera's aim is reported in numbers: for each zone, with what spoils the picture and how to fix it."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.hardware.cameras.camera import shrink
from tabletop.messages import Message
from tabletop.rules import registry
from tabletop.rules.game import Game
from tabletop.simulator.play.scenario import parse
from tabletop.simulator.world import World
from tabletop.vision.aim import advice, assess
from tabletop.vision.aim.assessment import Aim, Hint, ZoneAim
from tabletop.vision.aim.sharpness import tag_sharpness
from tabletop.vision.frame import Frame
from tabletop.vision.geometry.camera_pose import camera_pose, modules
from tabletop.vision.kit import Kit
from tabletop.vision.tags.patterns import draw, pattern
from tests.vision.aim.aimed import plane, rectangle, seen

PALAZZO = registry.game("palazzo")
NAMES = ["Ada", "Ben", "Cara", "Dan"]
FIELD = 67.6
"""The horizontal field of view of the simulated camera, in degrees."""


@pytest.fixture(scope="module")
def sought() -> assess.AimTarget:
    return assess.aim_target(Kit(PALAZZO), 4)


@pytest.fixture(scope="module")
def picture() -> NDArray[np.uint8]:
    """The simulated table as a well-aimed camera sees it."""
    return World(PALAZZO, NAMES, seed=3, harsh=0, size=(1920, 1080), clock=lambda: 0.0).camera.frame(1.0).grey


def frame(grey: NDArray[np.uint8]) -> Frame:
    grey = np.ascontiguousarray(grey)
    return Frame(grey, shrink(grey), 1.0, 1)


@pytest.fixture(scope="module")
def aimed(sought: assess.AimTarget, picture: NDArray[np.uint8]) -> Aim:
    """The assessment of the well-aimed picture."""
    return assess.assess_frame(frame(picture), sought, FIELD)


def codes(hints: tuple[Hint, ...]) -> list[str]:
    return [hint.code for hint in hints]


def test_a_camera_that_hangs_well_is_ready_and_every_zone_has_its_px_per_module(aimed: Aim) -> None:
    assert (aimed.ready, aimed.warnings, aimed.markers) == (True, (), 16)
    assert all(zone.modules is not None and 1.0 < zone.modules < 1.4 for zone in aimed.zones)
    assert all(zone.inside == 1.0 for zone in aimed.zones)
    assert aimed.camera_pose is not None
    assert aimed.camera_pose.height == pytest.approx(950, rel=0.02)
    assert aimed.camera_pose.tilt == pytest.approx(2.8, abs=0.4)
    assert aimed.to_json()["markers"] == {"read": 16, "of": 16}


def test_a_zone_that_the_picture_cuts_off_is_named_with_where_to_move_the_camera(
    sought: assess.AimTarget, picture: NDArray[np.uint8]
) -> None:
    seen = assess.assess_frame(frame(picture[:, :1720]), sought, FIELD)
    told = {hint.code: hint for hint in (*seen.warnings, *seen.advice)}
    assert not seen.ready
    assert {"Money row", "End tiles"} <= set(told["cut-off"].facts["zones"])
    assert told["missing"].facts["zones"] == ["Seat 3"]
    assert told["shift"].facts["edge"] == "right"


def test_blur_is_measured_in_px_and_reported_if_it_is_too_strong(
    sought: assess.AimTarget, picture: NDArray[np.uint8], aimed: Aim
) -> None:
    soft = assess.assess_frame(frame(np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.4), np.uint8)), sought, FIELD)
    assert aimed.blur is not None
    assert soft.blur == pytest.approx(np.hypot(aimed.blur, 1.4), rel=0.15)
    assert codes(soft.warnings) == ["blurred"]
    assert "focus" in codes(soft.advice)


def test_glare_is_reported_for_the_zone_on_which_it_lies(
    sought: assess.AimTarget, picture: NDArray[np.uint8], aimed: Aim
) -> None:
    place = next(each for each in aimed.sightings if each.payload == "TT:Q2")
    x, y = np.array(place.corners).mean(axis=0)
    shining = cv2.circle(picture.copy(), (int(x) + 180, int(y)), 60, 255, -1)
    seen = assess.assess_frame(frame(np.asarray(shining, np.uint8)), sought, FIELD)
    assert [hint.facts["zones"] for hint in seen.warnings if hint.code == "glare"] == [["Quarry 2"]]
    assert "lamp" in codes(seen.advice)


@pytest.mark.parametrize(("grey", "code"), [(0, "black"), (255, "white"), (128, "edgeless")])
def test_a_picture_that_shows_nothing_says_why(sought: assess.AimTarget, grey: int, code: str) -> None:
    seen = assess.assess_frame(frame(np.full((270, 480), grey, np.uint8)), sought)
    assert codes(seen.warnings) == ["no-marker", code]
    assert codes(seen.advice) == ["lay-markers"]
    assert not seen.ready
    assert [zone.seen for zone in seen.zones] == [False] * 16


def test_a_game_that_says_nothing_about_its_table_cannot_be_aimed_at() -> None:
    class Tableless:
        title, table, makes = "Chess", None, dict[str, object]()

    with pytest.raises(ValueError, match="Chess is played on its pages, without a camera"):
        assess.aim_target(Kit(cast(Game, Tableless())), 2)


# -- advice from where a camera stands ---------------------------------------------------------------------------------


def only(hints: Sequence[Hint]) -> Hint:
    [hint] = hints
    return hint


@pytest.mark.parametrize(("high", "tilt", "offset"), [(700, 0, (0, 0)), (900, 25, (120, -60)), (1200, 44, (0, 300))])
def test_where_a_camera_stands_is_found_from_its_plane(high: int, tilt: int, offset: tuple[int, int]) -> None:
    found = camera_pose(plane(high, tilt, offset=offset))
    assert found.height == pytest.approx(high)
    assert found.tilt == pytest.approx(tilt, abs=1e-3)
    assert found.foot == pytest.approx(np.array(offset), abs=1e-6)


def test_px_per_module_are_those_of_the_direction_in_which_a_tag_is_seen_smallest() -> None:
    view, point = plane(900, 40), np.array([(0.0, -300.0)])
    steps = [np.linalg.norm(view.to_px(point + step) - view.to_px(point)) for step in ((1.0, 0.0), (0.0, 1.0))]
    assert modules(view, point, 25.0)[0] == pytest.approx(min(steps), rel=0.03)


def test_for_a_table_larger_than_the_picture_the_needed_height_is_given() -> None:
    across = 2 * 900 * np.tan(np.radians(33))
    hint = only(advice.advice(seen(plane(900), rectangle(across * 1.1, 300))))
    assert (hint.code, hint.facts) == ("higher", {"cm": 13, "height_cm": 103})
    assert hint.message == "Move the camera 13 cm higher (to about 103 cm above the table)."


def test_after_following_the_advice_none_is_left() -> None:
    needed = rectangle(1300, 300)
    first = only(advice.advice(seen(plane(900), needed)))
    assert advice.advice(seen(plane(900 + 10 * first.facts["cm"] + 10), needed)) == ()


def test_for_a_small_table_with_small_tags_a_lower_height_is_given() -> None:
    hint = only(advice.advice(seen(plane(1500), rectangle(900, 500), modules=0.95)))
    assert (hint.code, hint.facts["modules"]) == ("lower", pytest.approx(1.95, abs=0.1))
    height = 1500 - 10 * hint.facts["cm"]
    assert np.abs(camera_pose(plane(height)).directions(rectangle(900, 500))).max() < 1


def test_a_high_camera_is_moved_above_the_middle_before_it_is_lowered() -> None:
    """Lowering a camera that is off the middle would cut off a part of the table, so first it is to be shifted."""
    needed = rectangle(900, 500)
    hint = only(advice.advice(seen(plane(1500, offset=(300, 0)), needed, modules=0.95)))
    assert (hint.code, hint.facts) == ("shift", {"cm": 30, "edge": "left"})
    assert codes(advice.advice(seen(plane(1500), needed, modules=0.95))) == ["lower"]


def test_for_a_table_beside_the_picture_direction_and_distance_are_given() -> None:
    hint = only(advice.advice(seen(plane(900), rectangle(700, 300, x=400))))
    assert (hint.code, hint.facts) == ("shift", {"cm": 40, "edge": "right"})
    assert advice.advice(seen(plane(900, offset=(400, 0)), rectangle(700, 300, x=400))) == ()


def test_for_a_table_that_is_longer_the_other_way_a_turn_of_the_camera_is_advised() -> None:
    assert codes(advice.advice(seen(plane(900), rectangle(500, 1000)))) == ["turn"]


def test_for_an_oblique_camera_a_place_to_hang_it_is_given() -> None:
    hint = only(advice.advice(seen(plane(900, 30, offset=(0, 400)), rectangle(800, 400))))
    assert (hint.code, hint.facts) == ("straighten", {"aslant": 30, "cm": 40, "edge": "top"})


def test_for_tags_too_small_for_a_well_placed_camera_a_printing_size_is_given() -> None:
    across = 2 * 900 * np.tan(np.radians(33))
    given = seen(plane(900), rectangle(across * 0.9, 300), modules=0.8)
    assert codes(advice.warnings(given)) == ["too-small"]
    assert only(advice.advice(given)).facts == {"tag_mm": 30, "modules": 0.8}


@pytest.mark.parametrize(("width", "modules", "told"), [(4608, 2.6, ["smaller"]), (4608, 2.2, []), (1920, 2.6, [])])
def test_large_pictures_in_which_tags_are_large_could_be_smaller(
    width: int, modules: float, told: Sequence[str]
) -> None:
    """A smaller picture is advised if at half the width a module would still have enough px for hard light."""
    across = 2 * 900 * np.tan(np.radians(33))
    given = seen(plane(900), rectangle(across * 0.9, 300), modules=modules, size=(width, width * 9 // 16))
    assert codes(advice.advice(given)) == told
    for hint in advice.advice(given):
        assert hint.facts == {"width": 2304, "height": 1296, "modules": 1.3}


def test_a_print_at_another_scale_is_reported_in_percent() -> None:
    across = 2 * 900 * np.tan(np.radians(33))
    hint = only(advice.advice(seen(plane(900), rectangle(across * 0.9, 300), print_scale=0.97)))
    assert hint.message.startswith("The pieces’ tags are printed smaller or larger than the zone cards, at 97 %")


@pytest.mark.parametrize(("light", "code"), [((60.0, 252.0), "bright"), ((20.0, 45.0), "dark"), ((90, 110), "dark")])
def test_bad_light_is_recognised_by_the_grey_levels_of_ink_and_paper(light: tuple[float, float], code: str) -> None:
    given = seen(plane(900), rectangle(1000, 300), light=light)
    assert codes(advice.warnings(given)) == [code]
    assert codes(advice.advice(given)) == [f"fix-{code}"]


@pytest.mark.parametrize("blur", [0.4, 0.8, 1.6, 3.0])
def test_the_blur_of_a_tag_is_found_from_its_pattern(blur: float) -> None:
    tag = draw(pattern("TT:Q1"), 4)
    soft = cv2.GaussianBlur(np.pad(tag, 20, constant_values=255), (0, 0), blur)
    square = np.array([(0, 0), (84, 0), (84, 84), (0, 84)], dtype=np.float64) + 28 - 0.5
    found = tag_sharpness(np.asarray(soft, np.uint8), square, pattern("TT:Q1"))
    assert found is not None
    assert found.blur == pytest.approx(blur, rel=0.15)


def test_a_card_close_to_the_lens_costs_little_memory() -> None:
    """Measuring the blur of a tag 1,050 px wide takes less than 200 MB."""
    tag = draw(pattern("TT:Q1"), 50)
    soft = cv2.GaussianBlur(tag, (0, 0), 3.0)
    square = np.array([(0, 0), (1050, 0), (1050, 1050), (0, 1050)], dtype=np.float64) + 100 - 0.5
    tracemalloc.start()
    try:
        found = tag_sharpness(np.asarray(soft, np.uint8), square, pattern("TT:Q1"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found is not None
    assert found.blur == pytest.approx(3.0, rel=0.15)
    assert peak < 200e6


def test_a_tag_that_the_picture_cuts_off_has_no_blur() -> None:
    square = np.array([(-5, 5), (40, 5), (40, 50), (-5, 50)], dtype=np.float64)
    assert tag_sharpness(np.full((60, 60), 128, np.uint8), square, pattern("TT:Q1")) is None


def test_the_kind_with_the_smallest_tag_is_named_where_tags_are_of_several_sizes() -> None:
    """The warning about small tags names the coins, whose tags are smaller than the tiles'."""
    given = seen(plane(900), rectangle(1000, 500), modules=0.8, tag_mm=14.0, kind="coin", in_other_make=True)
    [small] = [hint for hint in advice.warnings(given) if hint.code == "too-small"]
    assert "The tags of “coin” pieces are too small" in str(small.message)
    assert small.facts["kind"] == "coin"


@pytest.mark.parametrize("make", ["box", "printed"])
def test_coins_of_14_mm_are_reported_at_1080p_with_printed_ones_that_are_large_enough(make: str) -> None:
    """Coins that are all read in good light are too small for any other; printed ones or more px are advised."""
    begun = (Path(__file__).parents[2] / "scenarios" / "piecepack" / "a-coin.txt").read_text("utf-8")
    scene = parse(begun, PALAZZO)
    world = World(scene.game, scene.seats, seed=3, harsh=0, size=(1920, 1080), make=make, clock=lambda: 0.0)
    world.arrange(scene.position)
    aimed = assess.assess_frame(frame(world.camera.frame(1.0).grey), assess.aim_target(Kit(scene.game, make), 2), FIELD)
    coins = {"PP:DC3", "PP:DM3", "PP:DM4", "PP:DS2"}
    assert coins < {one.payload for one in aimed.sightings}
    told = " ".join(str(hint.message) for hint in (*aimed.warnings, *aimed.advice))
    assert aimed.ready is ("The tags of “coin” pieces are too small" not in told) is (make == "printed")
    assert ("Play with printed ones, whose tags are larger, or use a camera with more pixels." in told) is (
        make == "box"
    )
    assert "Print tags" not in told


def test_the_smallest_tag_of_a_kit_is_what_aiming_asks_for() -> None:
    """With tags of one size no kind is named; otherwise it is the kind with the smallest tags."""
    assert assess.aim_target(Kit(PALAZZO, scale=1.1), 3).tag_mm == 22
    assert assess._smallest(Kit(PALAZZO)) == ("", False)
    assert assess._smallest(Kit(PALAZZO, scale=1.25)) == ("architect", False)


@pytest.mark.parametrize(
    ("zone", "quality"),
    [
        (ZoneAim("bid0", Message("Bid")), "bad"),
        (ZoneAim("bid0", Message("Bid"), modules=0.89, inside=1.0), "bad"),
        (ZoneAim("bid0", Message("Bid"), modules=1.3, inside=0.9), "bad"),
        (ZoneAim("bid0", Message("Bid"), modules=1.3, inside=1.0, glare=0.02), "bad"),
        (ZoneAim("bid0", Message("Bid"), modules=0.9, inside=1.0), "fair"),
        (ZoneAim("bid0", Message("Bid"), modules=1.2, inside=0.97), "good"),
    ],
)
def test_a_zone_is_bad_if_tags_in_it_are_missed_and_good_if_hard_light_leaves_them_readable(
    zone: ZoneAim, quality: str
) -> None:
    assert zone.quality == quality
