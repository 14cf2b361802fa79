"""Partly covered tags are named if enough of them is visible, and never wrongly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from bench.painting import Lying, Painter
from tabletop.vision.detect.detector import Detector
from tabletop.vision.recognise import recogniser as recognise
from tabletop.vision.recognise.candidates import MIN_SCORE
from tabletop.vision.recognise.faint import faint_search
from tabletop.vision.recognise.patches import Patches, cut_patches
from tabletop.vision.recognise.pose_search import Guess
from tabletop.vision.recognise.recogniser import Recogniser, Spotted
from tabletop.vision.recognise.rectified import Cutting
from tabletop.vision.recognise.thresholds import MIN_APART_SIDES, MIN_SUM
from tabletop.vision.tags import patterns
from tests.vision.recognise.covers import PLACES, SIDE_MM, cover
from tests.vision.recognise.tiles import NEAR, PIECES, photographed
from tests.vision.small_table import MARKERS, PATTERNS, SIZES

BLUR_PX = 1.0
MIDDLE_MM = np.array((260.0, 195.0))


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(PIECES, SIDE_MM)


def covered_tags(seed: int, part: float) -> tuple[np.ndarray, dict[str, float]]:
    """Return a picture of tags with a part of each covered, and the angle of each in degrees."""
    painter = Painter(np.random.default_rng(seed), 520, 390)
    turned = {}
    for payload, (x, y) in zip(painter.rng.permutation(list(PIECES)).tolist(), PLACES, strict=False):
        turned[payload] = float(painter.rng.uniform(0, 360))
        painter.tag(PIECES[payload], Lying(payload, x, y, turned[payload], SIDE_MM))
        cover(painter, x, y, part)
    return photographed(painter, seed, BLUR_PX), turned


@pytest.mark.parametrize("seed", range(2))
def test_most_tags_are_read_over_two_fifths_of_which_something_lies(recogniser: Recogniser, seed: int) -> None:
    """With 40 % covered, leaving halves out reads many more tags than without, and none wrongly."""
    grey, lying = covered_tags(seed, 0.4)
    image = recogniser.view(NEAR).take(grey)
    plain, hidden = ([one.payload for one in recogniser.read(image, hidden=each).found] for each in (False, True))
    assert set(hidden) <= lying.keys()
    assert len(hidden) == len(set(hidden)) >= 0.85 * len(lying)
    assert len(plain) < 0.7 * len(lying)


@pytest.mark.parametrize("seed", range(3))
def test_a_tag_that_was_spotted_beside_its_place_is_read_though_a_quarter_of_it_is_hidden(
    recogniser: Recogniser, seed: int
) -> None:
    """A cover shifts the spotted place, here by 0.75 modules and 3°, and the tag is still read."""
    grey, lying = covered_tags(seed, 0.25)
    rng, image = np.random.default_rng(seed), recogniser.view(NEAR).take(grey)
    ways = rng.uniform(0, 2 * np.pi, len(PLACES))
    middles = MIDDLE_MM + PLACES + 0.03 * SIDE_MM * np.stack([np.cos(ways), np.sin(ways)], axis=1)
    turns = np.radians(np.array([*lying.values()]) + rng.choice((-3, 3), len(PLACES)))
    scores = np.full(len(PLACES), MIN_SCORE, np.float32)
    read = recogniser.read_at(Spotted(image.seen, image.plane, middles, turns, scores), hidden=True)
    assert sorted(tag.payload for tag in read.found) == sorted(lying)


@pytest.mark.parametrize("seed", range(3))
def test_foreign_codes_over_which_something_lies_are_never_ours(recogniser: Recogniser, seed: int) -> None:
    """The visible part fits one of our tags more easily than a whole code does, and is still not accepted."""
    painter = Painter(np.random.default_rng(seed), 520, 390)
    texts = [f"PZX:{piece.partition(':')[2]}" for piece in PIECES][: len(PLACES) // 2]
    texts += ["".join(painter.rng.choice(list("ABCDEFGHIJ0123456789"), 10)) for _ in range(len(PLACES) - len(texts))]
    for text, (x, y) in zip(texts, PLACES, strict=True):
        painter.paste(patterns.draw(patterns.encode(text, None), 10), x, y, float(painter.rng.uniform(0, 360)), SIDE_MM)
        cover(painter, x, y, float(painter.rng.uniform(0.1, 0.45)))
    assert recogniser.read(recogniser.view(NEAR).take(photographed(painter, seed)), hidden=True).found == ()


def test_where_nothing_seems_to_lie_over_foreign_codes_hardly_any_part_is_left_out(
    recogniser: Recogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even with a lenient threshold, the whole of an uncovered foreign code speaks against our tags."""
    monkeypatch.setattr(recognise, "sure_though_covered", lambda guess: guess.margin > 0)
    painter = Painter(np.random.default_rng(0), 520, 390)
    for number, (x, y) in enumerate(PLACES):
        code = patterns.draw(patterns.encode(f"PZX:{number}", None), 10)
        painter.paste(code, x, y, float(painter.rng.uniform(0, 360)), SIDE_MM)
    image = recogniser.view(NEAR).take(photographed(painter, 0, BLUR_PX))
    read = recogniser.read(image).found
    monkeypatch.setattr(faint_search, "MIN_COVERED_PATCHINESS", -np.inf)
    assert len(read) < len(recogniser.read(image).found) / 3


def test_in_a_photograph_one_half_may_be_hidden_and_in_a_live_frame_not() -> None:
    """The search for half-hidden tags is slow, and a table does not stop while a frame is read."""
    painter = Painter(np.random.default_rng(5), 520, 390)
    for marker in MARKERS:
        painter.tag(PATTERNS[marker.payload], marker)
    painter.tag(PIECES["PZ:S2.1"], Lying("PZ:S2.1", 0, 0, 10, SIDE_MM))
    painter.paste(np.full((200, 200), 60, np.uint8), 15, 0, 0, SIDE_MM * 1.4)
    grey, detector = photographed(painter, 0, BLUR_PX), Detector(PATTERNS, SIZES, methods=("recognise",))
    for photo in (False, True):
        read = {one.payload for one in detector.detect(grey, NEAR, photo=photo).sightings}
        assert ("PZ:S2.1" in read) is photo


@pytest.mark.parametrize("level", [0, 128, 255])
def test_where_nothing_lies_nothing_is_half_hidden(recogniser: Recogniser, level: int) -> None:
    """No place of an even sheet looks like half a tag, so that there are neither tags nor doubts."""
    seen = recogniser.read(recogniser.view(NEAR).take(np.full((600, 800), level, np.uint8)), hidden=True)
    assert (seen.found, seen.doubts) == ((), ())


def test_no_covered_tag_is_looked_for_between_two_that_touch(
    recogniser: Recogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The place halfway between two adjacent pieces looks like a covered tag, but has no room for one."""
    painter = Painter(np.random.default_rng(1), 520, 390)
    places = 22.0 * (np.indices((5, 4)).reshape(2, -1).T - (2, 1.5))
    for payload, (x, y) in zip(painter.rng.permutation(list(PIECES)).tolist(), places.tolist(), strict=False):
        painter.tag(PIECES[payload], Lying(payload, x, y, 0.0, SIDE_MM))
    compared: list[np.ndarray] = []
    search = recogniser._covered_search
    covered = search.covered

    def noted(close: Patches, guesses: Sequence[Guess]) -> list[Guess]:
        compared.extend(close.to_mm(guess.row, guess.pose[:2].astype(np.float64)) - MIDDLE_MM for guess in guesses)
        return covered(close, guesses)

    monkeypatch.setattr(search, "covered", noted)
    read = recogniser.read(recogniser.view(NEAR).take(photographed(painter, 1, BLUR_PX)))
    assert len(read.found) == len(places)
    assert compared
    assert min(np.hypot(*(places - place).T).min() for place in compared) > MIN_APART_SIDES * SIDE_MM


def test_beside_a_clear_tag_nothing_that_hardly_looks_like_one_is_compared_in_part(recogniser: Recogniser) -> None:
    """Without a search for hidden halves as well, a clear tag says how much a covered one would look like a tag."""
    clear = Guess(0, np.array((0, 0, 0, 1), np.float32), 0, 0.97, 0.5, 0.6, 0, 1.0)
    odd = clear._replace(row=1, score=0.3, margin=0.05, alike=0.25)
    near = cut_patches(Cutting(np.zeros((600, 800), np.uint8)), NEAR, np.zeros((2, 2)), np.zeros(2), SIDE_MM, 2)
    likely = recogniser._covered_search.likely
    assert likely(near, [odd], [], MIN_SUM, hidden=False) == [odd]
    assert likely(near, [odd], [clear], MIN_SUM, hidden=False) == []
