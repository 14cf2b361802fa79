"""Every camera model of the benchmark shows tags where it says, less clearly in worse light, the same for each seed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from bench.painting import Lying, Painter, square
from bench.renderers import RENDERERS, path_traced, to_measure
from tabletop.vision.frame import Grey
from tabletop.vision.tags.patterns import CODE_MODULES, pattern

SIZE = (320, 180)
FEW_RAYS = 9
EACH = pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name, marks=pytest.mark.skipif(not one.is_ready, reason=f"{one.needs} ABSENT: this camera is NOT tested")
        )
        for name, one in RENDERERS.items()
    ],
)


@pytest.fixture(autouse=True)
def few_rays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trace few rays: the tests check where a tag is seen, not how finely."""
    monkeypatch.setattr(path_traced, "RAYS_PER_PX", FEW_RAYS)


def rendered(name: str, level: str) -> tuple[Grey, Lying]:
    """Return a new picture of one large tag in the middle of a table."""
    renderer, painter = RENDERERS[name], Painter(np.random.default_rng(5), 900, 600)
    tag = Lying("TT:A", 20.0, -30.0, 25.0, 200.0)
    painter.tag(pattern(tag.payload), tag)
    camera = renderer.camera(SIZE, 10.0)
    tag.corners = camera.to_px(square(tag))
    return camera.see(painter, renderer.levels[level], np.random.default_rng(1), np.random.default_rng(2)), tag


picture = cache(rendered)


def contrast(grey: Grey, tag: Lying) -> float:
    """Return the contrast of a tag's modules at the corners given for it, as a correlation from -1 to 1."""
    along = (np.arange(CODE_MODULES) + 0.5) / CODE_MODULES
    x, y = np.meshgrid(along, along)
    one, two, three, four = tag.corners
    places = (1 - y)[..., None] * ((1 - x)[..., None] * one + x[..., None] * two)
    places = places + y[..., None] * ((1 - x)[..., None] * four + x[..., None] * three)
    column, row = np.round(places).astype(int).transpose(2, 0, 1)
    return float(np.corrcoef(grey[row, column].ravel(), ~pattern(tag.payload).ravel())[0, 1])


@EACH
def test_a_tag_is_seen_where_the_camera_says(name: str) -> None:
    """The picture shows a tag at the corners by which the bench judges, with lens distortion and tilt included."""
    assert contrast(*picture(name, "clean")) > 0.8


@EACH
def test_harder_light_shows_less(name: str) -> None:
    """The contrast of a tag falls from clean to moderate to hard light."""
    seen = [contrast(*picture(name, level)) for level in ("clean", "moderate", "hard")]
    assert all(better > worse for better, worse in pairwise(seen))


@EACH
def test_the_same_seeds_make_the_same_picture(name: str) -> None:
    """The same seeds render the same picture, so that a row of a results table can be measured again."""
    assert np.array_equal(picture(name, "hard")[0], rendered(name, "hard")[0])


def test_a_renderer_without_its_package_is_left_out_or_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A renderer without its package is left out with a sentence, and refused if it was asked for by name."""
    absent = replace(RENDERERS["raw"], needs="no_such_package")
    monkeypatch.setitem(RENDERERS, "raw", absent)
    assert "raw" not in to_measure(None)
    assert "raw is NOT measured" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        to_measure(["raw"])
