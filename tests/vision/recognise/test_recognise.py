"""Our own tags are recognised far below the size that a decoder needs, and nothing else ever is."""

import itertools
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench.painting import Painter
from tabletop.vision.decode.decode import decode
from tabletop.vision.detect.detector import Detector
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.recognise.faint.faint_search import FaintSearch
from tabletop.vision.recognise.patches import FINE_MODULE_PX, cut_patches
from tabletop.vision.recognise.pose_search import PoseSearch
from tabletop.vision.recognise.recognised import Recognised
from tabletop.vision.recognise.recogniser import Recogniser
from tabletop.vision.recognise.rectified import Cutting
from tabletop.vision.scene import Notice
from tabletop.vision.tags import patterns
from tests.vision.recognise.tiles import NEAR, PIECES, photographed
from tests.vision.small_table import MARKERS, PATTERNS, SIZES, TILES, picture

PHOTOS = Path(__file__).parents[4] / "shared" / "photos"


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser(PIECES, 20.0)


def sheet_of(grey: np.ndarray, recogniser: Recogniser) -> Recognised:
    return recogniser.read(recogniser.view(NEAR).take(grey))


@pytest.mark.parametrize("level", ["clean", "moderate", "hard"])
def test_tags_are_read_where_no_decoder_reads_them(detector: Detector, level: str) -> None:
    """At 1.4 px per module every tile is recognised, while decoders read only some or none."""
    grey = picture([*MARKERS, *TILES], level=level, seed=4)
    read = {one.payload for one in detector.detect(grey).sightings}
    assert {one.payload for one in TILES} <= read
    decoded = {code.tag.payload for code in decode(grey).tags} & {one.payload for one in TILES}
    assert decoded <= read
    assert len(decoded) < len(TILES)


def test_recognition_needs_no_decoder() -> None:
    """Without zxing-cpp and zbar, the plane is found from recognised markers."""
    read = Detector(PATTERNS, SIZES, methods=("recognise",)).detect(picture([*MARKERS, *TILES]))
    assert {one.payload for one in TILES} <= {one.payload for one in read.sightings}


def test_decoders_need_no_recognition() -> None:
    """With decoders alone the markers, which are large enough, are read."""
    read = Detector(PATTERNS, SIZES, methods=("zxing", "zbar")).detect(picture([*MARKERS, *TILES]))
    assert {one.payload for one in MARKERS} <= {one.payload for one in read.sightings}


def test_distances_are_right_to_less_than_a_millimetre(detector: Detector) -> None:
    """Distances between tags are right to 0.8 mm, far better than any rule of the table needs."""
    read = {one.payload: one for one in detector.detect(picture([*MARKERS, *TILES], level="moderate")).sightings}
    for one, other in itertools.pairwise(TILES):
        seen = np.hypot(read[one.payload].x - read[other.payload].x, read[one.payload].y - read[other.payload].y)
        assert seen == pytest.approx(np.hypot(one.x - other.x, one.y - other.y), abs=0.8)


def test_a_tag_with_a_torn_corner_is_still_itself(recogniser: Recogniser) -> None:
    """A tag with a fifth missing is read."""
    painter = Painter(np.random.default_rng(1), 520, 390)
    painter.tag(PIECES["PZ:S2.1"], TILES[1])
    painter.disc(TILES[1].x + 11, TILES[1].y + 11, 9, 90)
    assert [one.payload for one in sheet_of(photographed(painter), recogniser).found] == ["PZ:S2.1"]


def test_a_clear_tag_is_not_looked_at_again_half_a_code_beside_its_middle(recogniser: Recogniser) -> None:
    """Where finder patterns of a clear tag lie on one another's places, its likeness to itself is not a place."""
    painter = Painter(np.random.default_rng(1), 520, 390)
    painter.tag(PIECES["PZ:S2.1"], TILES[1])
    grey = photographed(painter, blur=0.8)
    (tag,) = sheet_of(grey, recogniser).found
    along = (tag.corners[2] - tag.corners[0]) / 2
    middles, turns = np.array([tag.place, tag.place + along * 0.9]), np.full(2, np.radians(TILES[1].angle))
    close = cut_patches(Cutting(grey), NEAR, middles, turns, 20.0, FINE_MODULE_PX)
    assert [guess.row for guess in PoseSearch(recogniser.templates).guesses(close)] == [0]


def test_a_changed_part_is_searched_for_tags_that_reach_far_into_it(recogniser: Recogniser) -> None:
    """Middles may lie up to a third of a side beyond a changed part on any side, but none as far as a tag's corner."""
    where = np.zeros((60, 80), np.bool_)
    where[20:35, 33:48] = True
    image = recogniser.view(NEAR).take(np.zeros((600, 800), np.uint8), None, where)
    wanted = image.to_mm(np.argwhere(image.wanted)[:, ::-1].astype(np.float64))
    beyond = np.array((33 * 6.5, 20 * 6.5)) - wanted.min(axis=0), wanted.max(axis=0) - np.array((48 * 6.5, 35 * 6.5))
    assert 0.2 * 20 < np.min(beyond) <= np.max(beyond) < 0.7 * 20


def test_faint_places_are_not_weighed_where_none_could_be_accepted(
    recogniser: Recogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside clear tags, places that score next to nothing cost nothing more."""
    painter = Painter(np.random.default_rng(1), 520, 390)
    painter.tag(PIECES["PZ:S2.1"], TILES[1])
    painter.art(TILES[1].x + 60, TILES[1].y, 20, 36, 28)
    monkeypatch.setattr(FaintSearch, "known", None)
    assert [one.payload for one in sheet_of(photographed(painter), recogniser).found] == ["PZ:S2.1"]


def test_a_tag_that_is_mostly_hidden_is_not_guessed(recogniser: Recogniser) -> None:
    """A tag half of which is hidden is not taken for another one."""
    painter = Painter(np.random.default_rng(1), 520, 390)
    painter.tag(PIECES["PZ:S2.1"], TILES[1])
    painter.disc(TILES[1].x + 14, TILES[1].y, 15, 90)
    assert {one.payload for one in sheet_of(photographed(painter), recogniser).found} <= {"PZ:S2.1"}


@pytest.mark.parametrize(("covered", "glimpsed"), [(None, True), (2.0, True), (20.0, False)])
def test_half_a_tag_that_is_known_to_have_lain_there_is_told_from_none(
    recogniser: Recogniser, covered: float | None, glimpsed: bool
) -> None:
    """The visible half of a known tag is glimpsed; a white card in its place is not."""
    painter = Painter(np.random.default_rng(1), 520, 390)
    painter.tag(PIECES["PZ:S2.1"], TILES[1])
    [known] = sheet_of(photographed(painter), recogniser).found
    if covered is not None:
        painter.paste(np.full((500, 360), 235, np.uint8), TILES[1].x - 20 + covered, TILES[1].y, 0, 40)
    seen = photographed(painter, 1)
    assert recogniser.known.is_glimpsed(seen, NEAR, known, [np.array((1.0, 0.0))]) == glimpsed
    assert not recogniser.known.is_glimpsed(seen, NEAR, known, [np.array((-1.0, 0.0))]) or covered is None


@pytest.mark.parametrize("aside", [12.0, 15.0, 18.0])
def test_what_reaches_into_the_place_of_a_tag_is_nothing_of_the_tag_in_its_bare_half(
    recogniser: Recogniser, aside: float
) -> None:
    """The next tile, which reaches into a removed tag's place, is not taken for the tag's half."""
    painter = Painter(np.random.default_rng(1), 520, 390)
    for name, at in zip(PIECES, TILES, strict=False):
        painter.tag(PIECES[name], at)
    known = sheet_of(photographed(painter), recogniser).found
    for at in TILES:
        painter.paste(np.full((500, 500), 200, np.uint8), at.x, at.y, 0, 30)
        painter.paste(np.full((500, 250), 70, np.uint8), at.x + aside, at.y, 2, 20)
    seen = photographed(painter, 1)
    assert len(known) == len(TILES)
    assert not any(recogniser.known.is_glimpsed(seen, NEAR, one, [np.array((-1.0, 0.0))]) for one in known)


def test_a_faint_tag_is_believed_where_the_game_waits_for_it(recogniser: Recogniser) -> None:
    """A spotted, blurred tag is accepted if it is awaited, and not if only others are."""
    painter, rng = Painter(np.random.default_rng(1), 520, 390), np.random.default_rng(2)
    for one in TILES:
        painter.tag(PIECES[one.payload], one)
        for x, y in rng.uniform(-8, 8, (6, 2)):
            painter.disc(one.x + x, one.y + y, 1.2, 130)
    sheet = recogniser.view(NEAR).take(photographed(painter, blur=2.2))
    plain = {one.payload for one in recogniser.read(sheet).found}
    faint = {one.payload for one in TILES} - plain
    assert faint
    assert {one.payload for one in recogniser.read(sheet, PIECES.keys() - faint).found} == plain
    assert {one.payload for one in recogniser.read(sheet, faint).found} == plain | faint


@pytest.mark.parametrize("seed", range(3))
def test_art_is_never_a_tag(recogniser: Recogniser, seed: int) -> None:
    """Printed cards without tags are never identified as one."""
    painter = Painter(np.random.default_rng(seed), 520, 390)
    for x in range(-220, 221, 44):
        for y in range(-160, 161, 40):
            painter.art(x, y, float(painter.rng.uniform(0, 360)), 38, 34)
    assert sheet_of(photographed(painter), recogniser).found == ()


@pytest.mark.parametrize("seed", range(3))
def test_foreign_codes_are_never_ours(recogniser: Recogniser, seed: int) -> None:
    """Codes of the same version, size and level, even of other set letters, are never identified as ours."""
    rng = np.random.default_rng(seed)
    painter = Painter(rng, 520, 390)
    texts = [f"PZ{'ABCXYZ'[rng.integers(6)]}:{piece.partition(':')[2]}" for piece in list(PIECES)[seed::5]]
    texts += ["".join(rng.choice(list("ABCDEFGHIJ0123456789"), 10)) for _ in range(40)]
    for number, text in enumerate(texts[:77]):
        x, y = -220 + 44 * (number % 11), -150 + 48 * (number // 11)
        painter.paste(patterns.draw(patterns.encode(text, None), 10), x, y, float(rng.uniform(0, 360)), 20)
    assert sheet_of(photographed(painter, seed), recogniser).found == ()


def test_the_only_tag_of_a_size_is_distinguished_from_foreign_ones() -> None:
    """The only tag of its size is found among foreign ones, although it shares parts with all of them."""
    lone = Recogniser({"PZ:S2.1": PIECES["PZ:S2.1"]}, 20.0)
    painter = Painter(np.random.default_rng(1), 520, 390)
    for at in TILES:
        painter.tag(PIECES[at.payload], at)
    [found] = sheet_of(photographed(painter), lone).found
    assert found.place == pytest.approx((260 + TILES[1].x, 195 + TILES[1].y), abs=0.8)
    assert found.score <= 1


def test_what_only_resembles_a_marker_is_not_an_unreadable_piece() -> None:
    """A foreign code of a marker's size is neither a marker nor reported as unreadable."""
    painter = Painter(np.random.default_rng(1), 520, 390)
    for marker in MARKERS:
        painter.tag(PATTERNS[marker.payload], marker)
    painter.paste(patterns.draw(patterns.encode("ELSEWHERE", None), 10), 0, 0, 20, 40)
    read = Detector(PATTERNS, SIZES, methods=("recognise",)).detect(photographed(painter), NEAR)
    assert len(read.sightings) == len(MARKERS)
    assert read.unreadable == ()


def test_noise_is_never_a_tag(recogniser: Recogniser) -> None:
    """Random grey of any grain is never identified as a tag."""
    for grain in (1, 2, 4):
        small = np.random.default_rng(grain).integers(0, 255, (600 // grain, 800 // grain)).astype(np.uint8)
        grey = cv2.resize(small, (800, 600), interpolation=cv2.INTER_NEAREST)
        assert sheet_of(grey, recogniser).found == ()


@pytest.mark.parametrize("grey", [0, 128, 255])
def test_an_empty_picture_has_no_tags(detector: Detector, grey: int) -> None:
    """Black, grey and white pictures are read without an error, and the missing marker is reported."""
    read = detector.detect(np.full((300, 400), grey, np.uint8))
    assert read.sightings == ()
    assert read.plane is None
    assert read.notices == (Notice.NO_MARKER,)


def test_a_picture_of_one_pixel_has_no_tags(detector: Detector) -> None:
    """A picture of one px is read without an error."""
    assert detector.detect(np.zeros((1, 1), np.uint8)).sightings == ()


@pytest.mark.parametrize("shape", [(1, 1), (20, 20), (24, 40), (600, 1), (7, 900)])
def test_a_picture_smaller_than_a_tag_has_no_tags(recogniser: Recogniser, shape: tuple[int, int]) -> None:
    """A wrong plane may make a tag larger than the whole picture, which must not fail."""
    grey = np.random.default_rng(1).integers(0, 255, shape).astype(np.uint8)
    near = Plane(np.diag((0.01, 0.01, 1.0)), 0.0, shape)
    assert recogniser.read(recogniser.view(near).take(grey)).found == ()


@pytest.mark.skipif(not PHOTOS.is_dir(), reason=f"PHOTOGRAPHS ABSENT at {PHOTOS}: false identities on them NOT tested")
def test_photographs_of_other_things_give_no_identity(recogniser: Recogniser) -> None:
    """Nothing in photographs of other things is identified as one of our tags."""
    photos = sorted([*PHOTOS.rglob("*.jpg"), *PHOTOS.rglob("*.png")])[::12]
    assert photos
    for photo in photos:
        grey = cv2.imread(str(photo), cv2.IMREAD_GRAYSCALE)
        if grey is not None:
            flat = cv2.resize(grey, (800, 600), interpolation=cv2.INTER_AREA)
            assert sheet_of(flat, recogniser).found == (), photo.name
