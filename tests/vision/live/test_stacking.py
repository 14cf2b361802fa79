"""Pictures of a table are added up only while it is still."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bench.painting import Lying, Painter
from tabletop.vision.live.reread.stacking import STRETCH_GREY, PictureStack, part_of, without_veil
from tabletop.vision.recognise.recogniser import Recogniser
from tests.vision.recognise.tiles import NEAR, PIECES

PART = (10, 20, 60, 50)
ENOUGH = 4
"""How many pictures halve the noise."""


def shot(seed: int, mean: float = 120.0) -> np.ndarray:
    return np.clip(np.random.default_rng(seed).normal(mean, 12, (80, 100)), 0, 255).astype(np.uint8)


def test_noise_is_halved_by_four_pictures_in_the_part_that_was_added() -> None:
    """The rest of the picture is that of the newest frame."""
    evidence = PictureStack()
    for seed in range(ENOUGH):
        evidence.add(shot(seed), PART)
    seen = evidence.picture()
    assert seen[20:50, 10:60].std() == pytest.approx(12 / np.sqrt(ENOUGH), rel=0.1)
    assert seen[20:50, 10:60].mean() == pytest.approx(120, abs=1)
    outside = np.ones(seen.shape, np.bool_)
    outside[20:50, 10:60] = False
    assert (seen[outside] == shot(ENOUGH - 1)[outside]).all()


@pytest.mark.parametrize("how", ["another part", "another size"])
def test_nothing_of_the_time_before_is_left_after_a_change(how: str) -> None:
    """Adding another part, or a picture of another size, starts a new sum."""
    evidence = PictureStack()
    evidence.add(shot(1, 20), PART)
    if how == "another size":
        evidence.add(np.full((200, 200), 20, np.uint8), PART)
    else:
        evidence.add(shot(2, 20), (0, 0, 30, 30))
    evidence.add(shot(3), PART)
    assert evidence.count == 1
    assert (evidence.picture() == shot(3)).all()


def test_what_was_added_is_not_changed() -> None:
    """Pictures that were added are not modified: they belong to the camera."""
    first, evidence = shot(1), PictureStack()
    evidence.add(first, PART)
    evidence.add(shot(2), PART)
    evidence.picture()[:] = 0
    assert (first == shot(1)).all()


def test_the_picture_is_the_same_when_it_is_written_into_an_older_one() -> None:
    evidence = PictureStack()
    for seed in range(ENOUGH):
        evidence.add(shot(seed), PART)
    canvas = np.full((80, 100), 9, np.uint8)
    assert (evidence.picture(0.0, canvas) == evidence.picture()).all()
    assert (canvas == evidence.picture()).all()


def test_only_the_asked_part_of_an_older_picture_is_painted_over() -> None:
    """Copying twelve megapixels takes longer than reading the hundredth of them that is read again."""
    evidence, canvas = PictureStack(), np.full((80, 100), 9, np.uint8)
    evidence.add(shot(1), PART)
    evidence.picture(0.0, canvas, (5, 10, 70, 60))
    assert (canvas[10:60, 5:70] == shot(1)[10:60, 5:70]).all()
    canvas[10:60, 5:70] = 9
    assert (canvas == 9).all()


def print_under_a_veil(depth: float, veil: float) -> np.ndarray:
    """Return modules of two grey levels, ``depth`` apart, under a reflection that is stronger in one corner."""
    dark = np.random.default_rng(5).random((20, 20)) < 0.5
    x, y = np.meshgrid(np.linspace(-1, 1, 120), np.linspace(-1, 1, 120))
    light = veil * np.exp(-((x + 0.6) ** 2 + (y + 0.6) ** 2))
    return (90 + light + depth * np.kron(~dark, np.ones((6, 6)))).astype(np.float32)


def test_mirrored_light_is_taken_out_of_what_lies_under_it() -> None:
    """Hardly anything is left of a reflection three times as strong as the print beneath it."""
    bare, veiled = (without_veil(print_under_a_veil(40, veil), 15.0).astype(float) for veil in (0.0, 120.0))
    assert np.corrcoef(bare.ravel(), veiled.ravel())[0, 1] > 0.95
    one, other = (print_under_a_veil(40, veil).ravel() for veil in (0.0, 120.0))
    assert np.corrcoef(one, other)[0, 1] < 0.6


def test_faint_print_is_stretched_and_a_bare_table_is_not() -> None:
    """Print of 60 grey levels is stretched to nearly the full range, while wood grain of 6 stays faint."""
    assert np.ptp(without_veil(print_under_a_veil(60, 0), 30.0)) > 1.5 * STRETCH_GREY
    assert np.ptp(without_veil(print_under_a_veil(6, 0), 30.0)) < 30


def test_a_part_lies_within_the_picture_wherever_its_points_are() -> None:
    """Points beyond the edges are clipped, and a part has at least one px."""
    assert part_of(np.array([(-50.0, 5.0), (30.0, 500.0)]), (80, 100)) == (0, 0, 38, 80)
    left, top, right, bottom = part_of(np.array([(400.0, -90.0), (420.0, -80.0)]), (80, 100))
    assert 0 <= left < right <= 100
    assert 0 <= top < bottom <= 80


def test_four_pictures_in_hard_light_show_tags_that_one_does_not() -> None:
    """In heavy noise more tags are read from the sum than from one picture, and none of them wrongly."""
    painter, pieces = Painter(np.random.default_rng(3), 520, 390), list(PIECES)[:40]
    for number, payload in enumerate(pieces):
        x, y = -220 + 62 * (number % 8), -150 + 70 * (number // 8)
        painter.tag(PIECES[payload], Lying(payload, x, y, 9.0 * number, 20))
    light = cv2.GaussianBlur(cv2.resize(painter.canvas, (800, 600), interpolation=cv2.INTER_AREA), (0, 0), 0.9)
    evidence, shots = PictureStack(), []
    for seed in range(ENOUGH):
        noise = np.random.default_rng(seed).normal(0, 45, light.shape)
        shots.append(np.clip(0.5 * light + 60 + noise, 0, 255).astype(np.uint8))
        evidence.add(shots[-1], (0, 0, 800, 600))
    recogniser = Recogniser(PIECES, 20.0)
    once, longer = (
        {one.payload for one in recogniser.read(recogniser.view(NEAR).take(grey)).found}
        for grey in (shots[0], evidence.picture())
    )
    assert once | longer <= set(pieces)
    assert len(longer) > len(once) + 5
