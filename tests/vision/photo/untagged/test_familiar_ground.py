"""On a background of many colours, objects look unlike the rest of it, and the background itself does not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.vision.geometry.plane import Plane
from tabletop.vision.photo.untagged.familiar_ground import FamiliarGround

PLANE = Plane(np.diag((0.5, 0.5, 1.0)), 0.0, (1000, 1400))
AREA = np.array([(150.0, 150.0), (450.0, 150.0), (450.0, 330.0), (150.0, 330.0)])


def cloth(side: int = 24) -> NDArray[np.float64]:
    """Return a chequered cloth under a lamp at one side, at 2 px per mm."""
    y, x = np.indices((1000, 1400)) // side
    light = 230 - 75 * (x % 2 + y % 2)[..., None] * np.array((1.0, 0.9, 0.2))
    result: NDArray[np.float64] = light * np.linspace(1.0, 0.7, 1400)[None, :, None]
    return result


def mat(seed: int = 1) -> NDArray[np.float64]:
    """Return a mat of soft patches of any colour."""
    few = np.random.default_rng(seed).uniform(30, 220, (28, 40, 3))
    return np.asarray(cv2.resize(few, (1400, 1000), interpolation=cv2.INTER_CUBIC), np.float64)


def strange(
    picture: NDArray[np.float64], sheet: tuple[int, int, int, int, tuple[int, int, int]] | None = None
) -> NDArray[np.bool_]:
    """Return what is unfamiliar in an area of a picture, a part of which a sheet of one colour may cover."""
    noisy = np.clip(picture + np.random.default_rng(2).normal(0, 4, picture.shape), 0, 255).astype(np.uint8)
    if sheet is not None:
        left, top, width, height, colour = sheet
        cv2.rectangle(noisy, (2 * left, 2 * top), (2 * (left + width), 2 * (top + height)), colour, -1)
    ground = FamiliarGround(noisy, PLANE, [AREA], 255.0)
    assert ground.known
    return ground.strange(AREA, np.ones((180, 300), np.bool_), [])


@pytest.mark.parametrize("picture", [cloth(), mat()])
def test_the_ground_itself_is_familiar(picture: NDArray[np.float64]) -> None:
    assert strange(picture).mean() < 0.03


@pytest.mark.parametrize("side", [36, 44, 52])
def test_a_cloth_is_familiar_up_to_the_edge_of_an_area_that_cuts_its_squares(side: int) -> None:
    there = strange(cloth(side))
    edge = np.concatenate([there[:5].ravel(), there[-5:].ravel(), there[:, :5].ravel(), there[:, -5:].ravel()])
    assert edge.mean() < 0.03


@pytest.mark.parametrize("colour", [(235, 235, 235), (60, 70, 80), (90, 160, 90)])
def test_a_sheet_on_a_chequered_cloth_is_strange(colour: tuple[int, int, int]) -> None:
    there = strange(cloth(), (250, 200, 70, 60, colour))
    assert there[55:105, 105:165].mean() > 0.9


@pytest.mark.parametrize("ground", [cloth(), mat()])
def test_a_sleeve_is_strange_though_most_of_it_lies_beside_the_area(ground: NDArray[np.float64]) -> None:
    """A sleeve is unfamiliar even if a lot of it is in the picture, since its colour occurs nowhere else."""
    there = strange(ground, (260, 230, 75, 260, (240, 10, 240)))
    assert there[90:175, 120:175].mean() > 0.9


def wood() -> NDArray[np.float64]:
    """Return rough grain of two browns."""
    grain = np.random.default_rng(3).normal(0, 9, (500, 700, 1))
    brown = np.array((70.0, 105.0, 150.0)) + np.asarray(cv2.resize(grain, (1400, 1000)))[..., None]
    return np.asarray(brown, np.float64)


def test_a_plain_thing_as_bright_and_brown_as_the_wood_is_strange() -> None:
    there = strange(wood(), (250, 200, 70, 60, (72, 106, 150)))
    assert there[60:100, 110:160].mean() > 0.9


def test_the_ground_of_a_close_photograph_is_known() -> None:
    """The ground of a close photograph is familiar although no part of it is far from the others."""
    part = np.clip(cloth()[:500, :600], 0, 255).astype(np.uint8)
    ground = FamiliarGround(part, Plane(np.diag((0.5, 0.5, 1.0)), 0.0, (500, 600)), [], 255.0)
    assert ground.is_familiar


def patches(seed: int = 1) -> NDArray[np.float64]:
    """Return large sharp patches of any colour."""
    few = np.random.default_rng(seed).uniform(20, 235, (10, 14, 3))
    return np.asarray(cv2.resize(few, (1400, 1000), interpolation=cv2.INTER_NEAREST), np.float64)


@pytest.mark.parametrize("light", [1.0, 0.5])
def test_a_ground_of_most_colours_is_not_one_on_which_things_look_strange(light: float) -> None:
    """A ground of most colours is not familiar, even in weak light, in which all colours are similar."""
    colourful, plain = (
        FamiliarGround((picture * light).astype(np.uint8), PLANE, [AREA], 255.0 * light)
        for picture in (patches(), cloth())
    )
    assert not colourful.is_familiar
    assert plain.is_familiar


def other_things() -> NDArray[np.float64]:
    """Return wood with thirty-two objects on it, two of each colour."""
    rng, table = np.random.default_rng(6), wood()
    colours = rng.uniform(20, 235, (16, 3)).tolist()
    for colour in 2 * colours:
        x, y = rng.integers((1250, 850)).tolist()
        cv2.rectangle(table, (x, y), (x + 150, y + 150), colour, -1)
    return table


def test_a_table_full_of_other_things_is_not_a_ground_on_which_things_look_strange() -> None:
    """With many objects around, a sleeve would look like one of them and hide tiles unnoticed."""
    assert not FamiliarGround(other_things().clip(0, 255).astype(np.uint8), PLANE, [AREA], 255.0).is_familiar


def test_without_enough_ground_it_is_not_known() -> None:
    whole = np.array([(0.0, 0.0), (700.0, 0.0), (700.0, 500.0), (0.0, 500.0)])
    assert not FamiliarGround(mat().astype(np.uint8), PLANE, [whole], 255.0).known
