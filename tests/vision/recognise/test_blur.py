"""How much a picture blurs tags is learnt from the tags that were surely read in it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tabletop.vision.recognise.faint import faint_search
from tabletop.vision.recognise.faint.blur import MIN_KNOWN_TAGS, learnt_blurs
from tabletop.vision.recognise.faint.evidence_thresholds import Beside, log_odds
from tabletop.vision.recognise.faint.faint_search import FaintSearch
from tabletop.vision.recognise.fit.shift import GRID_SIDE, rendered, row_places
from tabletop.vision.recognise.patches import FINE_MODULE_PX, PATCH_MODULES, Patches
from tabletop.vision.recognise.pose_search import PoseSearch, still_poses
from tabletop.vision.recognise.templates import Templates
from tabletop.vision.recognise.thresholds import MIN_SIZES, MIN_SUM
from tabletop.vision.tags.patterns import TAG_MODULES
from tests.vision.recognise.close_ups import foreign
from tests.vision.recognise.developed import developed
from tests.vision.recognise.grounds import GREY, grain
from tests.vision.recognise.tiles import PIECES

WIDE = 2.0
"""A blur, in modules, after which hardly anything of a module is left."""
NOISE = 5
"""The noise, in grey levels, before it is spread over some px."""


@pytest.fixture(scope="module")
def templates() -> Templates:
    return Templates(PIECES)


def close_ups(wholes: np.ndarray, blur: float) -> Patches:
    """Return patches of whole patterns with this blur, each with its own noise."""
    side, fine = PATCH_MODULES * FINE_MODULE_PX, FINE_MODULE_PX
    rest = (PATCH_MODULES - TAG_MODULES) * fine // 2
    light = np.ones((len(wholes), side, side))
    light[:, rest : side - rest, rest : side - rest] = np.kron(wholes, np.ones((1, fine, fine)))
    noise = NOISE * np.random.default_rng(0).normal(size=light.shape)
    softened = [120 + GREY * developed(cv2.GaussianBlur(each, (0, 0), blur * fine)) for each in light]
    softened_noise = [cv2.GaussianBlur(each, (0, 0), 0.6 * fine) for each in noise]
    grey = np.concatenate(softened, axis=1) + np.concatenate(softened_noise, axis=1)
    return Patches(np.clip(grey, 0, 255).astype(np.uint8), np.zeros((len(wholes), 2)), np.zeros(len(wholes)), 1.0, fine)


@pytest.mark.parametrize("blur", [0.87, 1.02, 1.33, 1.78, 2.2])
def test_the_blur_of_a_picture_is_between_the_two_learnt_widths(templates: Templates, blur: float) -> None:
    some = templates.whole[::10]
    ramp = np.tile(np.linspace(-1, 1, GRID_SIDE), GRID_SIDE)
    seen = developed(rendered(some.astype(np.float64), blur, row_places(GRID_SIDE)))
    samples = GREY * seen * (1 - 0.3 * ramp) + 40 * ramp
    below, above = learnt_blurs((samples + 0.1 * GREY * grain(1, len(some))).astype(np.float32), some)
    assert below < blur < above


@pytest.mark.parametrize("which", [0, 20, 30, 50])
def test_a_faint_tag_with_the_blur_of_those_beside_it_is_believed(templates: Templates, which: int) -> None:
    rows, search = np.arange(MIN_KNOWN_TAGS + 1), PoseSearch(templates)
    numbers = (which + 3 * rows) % len(templates.payloads)
    close = close_ups(templates.whole[numbers], WIDE)
    poses = np.tile(still_poses(1), (len(rows), 1))
    guesses = [
        guess._replace(identity=int(number), pose=still_poses(1)[0], score=0.37, margin=0.1, unexplained=1.0)
        for guess, number in zip(search.judged(close, rows, poses), numbers, strict=True)
    ]
    faint, known, judge = guesses[0], guesses[1:], FaintSearch(search)
    accepted = [judge.accepted(close, [faint], judge.known(close, some), [], MIN_SUM) for some in (known[1:], known)]
    assert accepted == [[], [faint]]


def test_faint_tags_are_compared_with_the_known_blur_first(
    templates: Templates, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All codes are prepared for that blur anyway, and those that it shows need no other."""
    asked, count = list[tuple[float, ...]](), MIN_KNOWN_TAGS + 1

    def lead(
        _search: FaintSearch, _evidence: object, samples: np.ndarray, _own: object, blurs: tuple[float, ...]
    ) -> np.ndarray:
        asked.append(blurs)
        return np.full(len(samples), np.inf)

    monkeypatch.setattr(FaintSearch, "_lead", lead)
    monkeypatch.setattr(faint_search, "evident", lambda *_: True)
    search, close = PoseSearch(templates), close_ups(templates.whole[:count], WIDE)
    faint, *sure = search.judged(close, np.arange(count), still_poses(count))
    judge = FaintSearch(search)
    known = judge.known(close, sure)
    assert judge._evident(close, [faint], known, Beside()) == [faint]
    assert asked == [known.blurs]


@pytest.mark.parametrize("which", [0, 20, 40])
def test_a_name_is_refused_if_another_code_is_far_likelier_with_the_blur_of_the_tags_beside_it(
    templates: Templates, which: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faint_search, "stands_out", lambda _: True)
    rows, search = np.arange(MIN_KNOWN_TAGS + 2), PoseSearch(templates)
    numbers = (which + 3 * rows) % len(templates.payloads)
    wholes = templates.whole[numbers]
    wholes[1] = foreign("HELLO77", 3)
    close = close_ups(wholes, 1.33)
    poses = np.tile(still_poses(1), (len(rows), 1))
    guesses = [
        guess._replace(identity=int(number), pose=still_poses(1)[0])
        for guess, number in zip(search.judged(close, rows, poses), numbers, strict=True)
    ]
    weak, known, judge = guesses[:2], guesses[2:], FaintSearch(search)
    assert judge.uncontradicted(close, weak, judge.known(close, known)) == weak[:1]
    assert judge.uncontradicted(close, weak, judge.known(close, known[1:])) == weak


@pytest.mark.parametrize("which", [0, 20, 40])
def test_a_name_is_refused_that_is_hardly_likelier_than_our_other_tags(templates: Templates, which: int) -> None:
    search, close = PoseSearch(templates), close_ups(np.stack([templates.whole[which], foreign("HELLO77", 3)]), 0.95)
    guesses = [guess._replace(identity=which) for guess in search.judged(close, np.arange(2), still_poses(2))]
    judge = FaintSearch(search)
    assert judge.uncontradicted(close, guesses, judge.known(close, [])) == guesses[:1]


def test_tags_that_are_likely_ours_show_the_blur_if_too_few_are_sure(templates: Templates) -> None:
    count = MIN_KNOWN_TAGS
    search, close = PoseSearch(templates), close_ups(templates.whole[:count], 1.33)
    guesses = search.judged(close, np.arange(count), still_poses(count))
    judge = FaintSearch(search)
    assert judge.known(close, guesses[1:]).blurs is None
    shown = judge.known(close, guesses[1:], guesses)
    assert shown.blurs == judge.known(close, guesses).blurs
    assert not shown.are_sure


@pytest.mark.parametrize(("count", "enough"), [(MIN_SIZES - 1, False), (MIN_SIZES, True)])
def test_two_sure_tags_do_not_show_how_large_the_others_are(templates: Templates, count: int, enough: bool) -> None:
    search, close = PoseSearch(templates), close_ups(templates.whole[:count], 0.95)
    guesses = search.judged(close, np.arange(count), still_poses(count))
    assert FaintSearch(search).known(close, guesses).show_size is enough


@pytest.mark.parametrize(("least", "strange", "counted"), [(0.9, 0, 0), (0.9, 3, 3), (MIN_SUM, 0, None)])
def test_how_many_places_show_foreign_codes_is_counted_where_tags_come_out_weak(
    templates: Templates, monkeypatch: pytest.MonkeyPatch, least: float, strange: int, counted: int | None
) -> None:
    asked = list[float]()
    monkeypatch.setattr(faint_search, "maybe_explained", lambda _: False)
    monkeypatch.setattr(faint_search, "evident", lambda _guess, _strength, beside, _half: asked.append(beside.log_odds))
    ours = MIN_KNOWN_TAGS + 2
    wholes = np.stack([*templates.whole[:ours], *(foreign(f"HELLO{number}", 3) for number in range(strange))])
    search, close = PoseSearch(templates), close_ups(wholes, 1.33)
    guesses = search.judged(close, np.arange(len(wholes)), still_poses(len(wholes)))
    known, judge = guesses[: ours - 1], FaintSearch(search)
    judge.accepted(close, guesses[ours - 1 :], judge.known(close, known), known, least)
    assert set(asked) == {0.0 if counted is None else log_odds(len(known), counted)}
