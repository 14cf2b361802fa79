"""Whatever the light, nothing vanishes and nothing new is reported; a blind camera says why."""

import numpy as np
import pytest

from tabletop.vision.scene import Notice
from tests.vision.live.watched import ALL, Watched
from tests.vision.small_table import MARKERS, SIZE, TILES, picture


def test_a_tile_taken_while_the_light_is_off_is_missed_once_it_is_on_again(watched: Watched) -> None:
    """Pictures that are nearly dark change nothing in what is known of the table."""
    for shown in (picture([*MARKERS, *TILES]), picture([*MARKERS, *TILES[1:]])):
        watched.show((shown * 0.06).astype(np.uint8))
    watched.show(picture([*MARKERS, *TILES[1:]]))
    assert watched.lying() == ALL - {TILES[0].payload}


@pytest.mark.parametrize("bright", [0.55, 0.8, 1.25])
def test_another_light_changes_nothing(watched: Watched, bright: float) -> None:
    """When the lamp is dimmed or turned up, no piece is missed and nothing is unreadable."""
    watched.show(picture([*MARKERS, *TILES], bright=bright))
    assert (watched.lying(), watched.standing.unreadable) == (ALL, ())


@pytest.mark.parametrize(("bright", "told"), [(1.0, False), (1.6, True)])
def test_an_overexposed_picture_is_reported(bright: float, told: bool) -> None:
    """An overexposed picture, in which tags may go unread, is reported."""
    watched = Watched()
    watched.show(picture([*MARKERS, *TILES], bright=bright))
    assert (Notice.OVEREXPOSED in watched.standing.notices) == told


def shaded(grey: np.ndarray, x: float, wide: float = 160, dark: float = 0.6) -> np.ndarray:
    """Return a picture with a soft shadow whose middle is at x px."""
    across = np.arange(grey.shape[1])
    light = 1 - (1 - dark) / (1 + np.exp((np.abs(across - x) - wide) / 12))
    result: np.ndarray = np.clip(grey * light, 0, 255).astype(np.uint8)
    return result


def test_a_shadow_is_nothing(watched: Watched) -> None:
    """A person's shadow over the table removes no piece and makes nothing unreadable."""
    for x in (200, 350, 500):
        watched.show(shaded(picture([*MARKERS, *TILES]), x))
        assert (watched.lying(), watched.standing.unreadable) == (ALL, ())


def test_a_tile_taken_in_a_shadow_is_gone(watched: Watched) -> None:
    """The bare table is recognised in other light as well."""
    watched.show(shaded(picture([*MARKERS, *TILES[1:]]), 350))
    assert (watched.lying(), watched.standing.unreadable) == (ALL - {"PZ:B1.2"}, ())


@pytest.mark.parametrize(("grey", "notice"), [(0, Notice.DARK), (255, Notice.DAZZLED)], ids=["black", "white"])
def test_a_blind_camera_takes_nothing_away_and_says_why(watched: Watched, grey: int, notice: Notice) -> None:
    """A covered or dazzled lens removes no piece, and once it sees again, nothing counts as moved."""
    scenes = watched.show(np.full((540, 960), grey, np.uint8))
    assert watched.lying() == ALL
    assert scenes[-1].notices == (notice,)
    watched.show(picture([*MARKERS, *TILES]))
    assert (watched.lying(), watched.standing.unreadable, watched.standing.notices) == (ALL, (), ())


def test_a_table_in_the_dark_is_not_lost_because_the_camera_was_moved(watched: Watched) -> None:
    """The noise of a dark picture is not black, and nobody has to look for a zone card."""
    dark = np.random.default_rng(1).normal(12, 9, (SIZE[1], SIZE[0]))
    scenes = watched.show(np.clip(dark, 0, 255).astype(np.uint8))
    assert (scenes[-1].notices, watched.lying()) == ((Notice.DARK,), ALL)


def test_no_ok_is_answered_by_a_table_that_is_only_remembered(watched: Watched) -> None:
    """After the lens was covered an OK waits until the table is seen, with what was laid meanwhile."""
    watched.show(np.zeros((SIZE[1], SIZE[0]), np.uint8))
    assert watched.standing.seeking
    watched.show(picture([*MARKERS, *TILES]))
    assert not watched.standing.seeking


def test_what_was_taken_while_the_light_was_off_is_gone_once_it_is_on(watched: Watched) -> None:
    """After darkness without a moved camera, the bare table is still known."""
    watched.show(np.zeros((SIZE[1], SIZE[0]), np.uint8))
    watched.show(picture([*MARKERS, *TILES[1:]]))
    assert watched.lying() == ALL - {TILES[0].payload}


def test_a_dark_lens_is_reported_even_during_a_second_look(watched: Watched) -> None:
    """Darkness is reported even while a doubtful place is being examined."""
    watched.show(picture([*MARKERS, *TILES], hand=(0, -50)), 2)
    told = watched.show(np.zeros((SIZE[1], SIZE[0]), np.uint8), 12)
    assert [notice for scene in told for notice in scene.notices] == [Notice.DARK]
