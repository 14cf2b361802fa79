"""A track combines the evidence of all its pictures."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.random import Generator

from bench.painting import SENSORS
from bench.reading import GAME
from bench.renderers.grey_levels import LEVELS, Camera, table
from tabletop.vision.detect.detector import Detector
from tabletop.vision.frame import Frame
from tabletop.vision.kit import Kit
from tabletop.vision.live import tracks
from tabletop.vision.live.ground.surface import TableSurface
from tabletop.vision.live.motion import BLOCK_PX
from tabletop.vision.live.track import MAX_JITTER_MM, Track
from tabletop.vision.live.tracks import TagTracks
from tabletop.vision.recognise.recognised import RecognisedTag
from tabletop.vision.scene import Cause, ReadBy
from tabletop.vision.tags.payloads import is_marker

FRAMES = 12
SQUARE = np.array([[-8.5, -8.5], [8.5, -8.5], [8.5, 8.5], [-8.5, 8.5]])
"""The corners of a tag of 17 mm around its middle, mm."""
PUSHED = np.array((0.0, 60.0))


@pytest.fixture(scope="module")
def lying() -> tuple[Detector, TableSurface, Frame, RecognisedTag]:
    """A detector, a plane under the table, a frame and a tag in it."""
    patterns = Kit(GAME).patterns
    pieces = [payload for payload in patterns if not is_marker(payload)][:3]
    marks = [payload for payload in patterns if is_marker(payload)][:4]
    camera = Camera(SENSORS["gs1456"])
    grey, _ = table(np.random.default_rng(3), patterns, pieces, marks, camera, LEVELS["clean"], art=0)
    detector = Detector(patterns, Kit(GAME).sides)
    reading = detector.detect(grey)
    assert reading.plane is not None
    one = next(each for each in reading.sightings if each.payload == pieces[0])
    small = cv2.resize(grey, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    found = RecognisedTag(one.payload, reading.plane.to_mm(np.array(one.corners)), 1.0, 1.0, 1.0)
    return detector, TableSurface(reading.plane, small.shape), Frame(grey, np.asarray(small, np.uint8), 0.0, 0), found


def shaken(found: RecognisedTag, rng: Generator, by: float) -> RecognisedTag:
    return found._replace(corners=found.corners + rng.normal(0, by, (4, 2)))


def test_the_place_of_a_still_tag_is_more_exact_the_more_often_it_is_read(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag],
) -> None:
    """Averaging reduces the noise of single readings."""
    detector, surface, frame, found = lying
    rng, tracks = np.random.default_rng(1), TagTracks(detector, {}, 58.0)
    for _ in range(FRAMES):
        assert tracks.take(frame, surface, shaken(found, rng, MAX_JITTER_MM / 8))
    off = tracks.by_payload[found.payload].found.corners - found.corners
    assert np.sqrt((off**2).mean()) < MAX_JITTER_MM / 8 / 2


def test_a_tag_that_a_noisy_picture_shows_is_certain_but_not_clear(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag],
) -> None:
    """How well a tag agrees with its pattern is kept apart from how sure its identity is, also for a whole picture."""
    detector, surface, frame, found = lying
    noise = np.random.default_rng(1).normal(0, 25, frame.grey.shape)
    noisy = np.clip(frame.grey + noise, 0, 255).astype(np.uint8)
    tracks = TagTracks(detector, {}, 58.0)
    tracks.begin(detector.detect(noisy, surface.overview.plane), {})
    track = tracks.by_payload[found.payload]
    assert track.certainty == track.found.margin > 0.93
    assert track.found.score < 0.93
    assert not tracks.are_clear()


def test_what_many_pictures_show_together_counts_as_many(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag],
) -> None:
    """A reading of four pictures has four times the weight of a single one."""
    detector, surface, frame, found = lying
    tracks = TagTracks(detector, {}, 58.0)
    tracks.take(frame, surface, found, 4)
    tracks.take(frame, surface, found._replace(corners=found.corners + MAX_JITTER_MM / 2))
    assert np.allclose(tracks.by_payload[found.payload].found.corners, found.corners + MAX_JITTER_MM / 2 / 5)


def test_a_tag_that_was_pushed_lies_where_it_is_read(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag],
) -> None:
    """After a push the old place does not enter the average."""
    detector, surface, frame, found = lying
    tracks, pushed = TagTracks(detector, {}, 58.0), found._replace(corners=found.corners + 2 * MAX_JITTER_MM)
    tracks.take(frame, surface, found, 9)
    tracks.take(frame, surface, pushed)
    known = tracks.by_payload[found.payload]
    assert np.allclose(known.found.corners, pushed.corners)
    assert known.looks == 1


@pytest.mark.parametrize("turned", [0.0, 0.2])
def test_what_looks_like_a_tag_beside_a_clear_one_is_its_own_face(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag], turned: float
) -> None:
    """A place closer to a clear tag than a tile could be is print on its piece; beside a partly read tag it is not."""
    detector, surface, frame, found = lying
    turn = np.array([[np.cos(turned), -np.sin(turned)], [np.sin(turned), np.cos(turned)]])
    lies = found._replace(corners=(SQUARE + 300) @ turn.T)
    print_on_its_face, another_tile = (np.array([[311.0, 311.0], [320.0, 300.0]]) @ turn.T).tolist()
    for score, explained in ((1.0, True), (0.7, False)):
        tracks = TagTracks(detector, {}, 58.0)
        tracks.take(frame, surface, lies._replace(score=score))
        assert tracks.explains((print_on_its_face[0], print_on_its_face[1])) == explained
        assert not tracks.explains((another_tile[0], another_tile[1]))


def test_what_looks_like_a_tag_is_one_that_is_only_kept_unless_it_has_to_be_read(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag],
) -> None:
    """A doubtful place at a kept tag is explained by it, unless the tag is to be read in other light."""
    detector, surface, frame, found = lying
    tracks = TagTracks(detector, {}, 58.0)
    tracks.take(frame, surface, found)
    assert tracks.explains(found.place, read=True)
    tracks.by_payload[found.payload] = replace(tracks.by_payload[found.payload], reason=Cause.GLARE)
    assert tracks.explains(found.place)
    assert not tracks.explains(found.place, read=True)


def side_by_side(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag], joined: bool = False
) -> tuple[TagTracks, list[str]]:
    """Return the tracks of three tags in a row, 50 mm apart, and their names; the first is at (300, 300).

    ``joined``: they are tiles of one building, whose outlines are known.
    """
    detector, surface, frame, found = lying
    names = sorted(name for name in detector.sizes if not is_marker(name))[:3]
    shapes = dict.fromkeys(names, np.array([(-25.0, -25.0), (25.0, -25.0), (25.0, 25.0), (-25.0, 25.0)]))
    tracks = TagTracks(detector, shapes, 58.0, frozenset(names)) if joined else TagTracks(detector, {}, 58.0)
    for column, name in enumerate(names):
        corners = SQUARE + 300 + np.array((50.0 * column, 0.0))
        tracks.take(frame, surface, found._replace(payload=name, corners=corners))
    return tracks, names


def test_a_lost_tag_is_sought_where_those_beside_it_went(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag],
) -> None:
    """A tile that is not read after its palazzo was pushed and turned is sought at the matching new place."""
    _, surface, frame, found = lying
    tracks, names = side_by_side(lying)
    before = dict(tracks.by_payload)
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    for name in names[:2]:
        tracks.take(frame, surface, found._replace(payload=name, corners=before[name].found.corners @ turn.T))
    tracks.by_payload[names[2]] = replace(before[names[2]], reason=Cause.FACE_DOWN)
    tracks.carry(frame, surface, before)
    carried, lay = tracks.places_to_search()
    assert lay == pytest.approx((400, 300))
    assert carried == pytest.approx((-300, 400))
    assert tracks.places_to_search(but=Cause.FACE_DOWN) == [carried]


def test_a_lost_tag_whose_neighbours_went_different_ways_is_expected_nowhere_else(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag],
) -> None:
    _, surface, frame, found = lying
    tracks, names = side_by_side(lying)
    before = dict(tracks.by_payload)
    for name, away in zip(names, ((0, 60), (60, 0)), strict=False):
        tracks.take(frame, surface, found._replace(payload=name, corners=before[name].found.corners + np.array(away)))
    tracks.by_payload[names[2]] = replace(before[names[2]], reason=Cause.COVERED)
    tracks.carry(frame, surface, before)
    assert tracks.places_to_search() == [pytest.approx((400, 300))]


@pytest.mark.parametrize("left_bare", [False, True])
def test_a_tile_that_is_not_read_went_where_its_building_was_pushed(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag], left_bare: bool
) -> None:
    """An unread tile moves with its building, whether its old place is covered or bare."""
    _, surface, frame, found = lying
    tracks, names = side_by_side(lying, joined=True)
    before = dict(tracks.by_payload)
    for name in names[:2]:
        tracks.take(frame, surface, found._replace(payload=name, corners=before[name].found.corners + PUSHED))
    tracks.by_payload[names[2]] = replace(before[names[2]], reason=Cause.COVERED)
    if left_bare:
        del tracks.by_payload[names[2]]
    tracks.carry(frame, surface, before)
    known = tracks.by_payload[names[2]]
    assert known.reason == Cause.COVERED
    assert known.found.place == pytest.approx((400, 360))


def test_a_tile_that_is_not_read_went_with_tiles_that_were_laid_again_a_little_crookedly(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag],
) -> None:
    """An unread tile moves with its building even if the other tiles are re-laid by hand, each a few degrees off."""
    _, surface, frame, found = lying
    tracks, names = side_by_side(lying, joined=True)
    before = dict(tracks.by_payload)
    for name, degrees in zip(names, (4, -4), strict=False):
        corners, place = before[name].found.corners, before[name].found.place
        turn = cv2.getRotationMatrix2D((0, 0), degrees, 1)[:, :2]
        tracks.take(frame, surface, found._replace(payload=name, corners=(corners - place) @ turn.T + place + PUSHED))
    del tracks.by_payload[names[2]]
    tracks.carry(frame, surface, before)
    assert tracks.by_payload[names[2]].found.place == pytest.approx((400, 360), abs=5)


def test_what_lay_upon_a_tile_goes_with_it_and_what_lay_beside_it_does_not(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag],
) -> None:
    """When a palazzo is pushed, a disc on its tile moves with it, while a coin beside it stays."""
    detector, surface, frame, found = lying
    tracks, names = side_by_side(lying, joined=True)
    disc, coin = sorted(name for name in detector.sizes if not is_marker(name))[3:5]
    for name, x in ((disc, 310.0), (coin, 460.0)):
        tracks.take(frame, surface, found._replace(payload=name, corners=SQUARE / 2 + (x, 310.0)))
    before = dict(tracks.by_payload)
    for name in names:
        tracks.take(frame, surface, found._replace(payload=name, corners=before[name].found.corners + PUSHED))
    for name in (disc, coin):
        tracks.by_payload[name] = replace(before[name], reason=Cause.FACE_DOWN)
    tracks.carry(frame, surface, before)
    assert tracks.by_payload[disc].found.place == pytest.approx((310, 370))
    assert tracks.by_payload[coin].found.place == pytest.approx((460, 310))


def test_a_tag_in_whose_place_another_is_read_is_covered(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag],
) -> None:
    """A coin whose place shows another coin's tag is covered, even if nothing else in the picture changed."""
    detector, surface, frame, found = lying
    tracks = TagTracks(detector, {}, 58.0)
    taken = next(name for name in detector.sizes if name != found.payload and not is_marker(name))
    tracks.take(frame, surface, found._replace(payload=taken))
    assert tracks.take(frame, surface, found)
    assert {name: track.reason for name, track in tracks.by_payload.items()} == {taken: "covered", found.payload: None}


def test_a_card_laid_exactly_on_another_is_noticed_though_the_hand_keeps_off_their_tags(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag],
) -> None:
    """A hand at a card's far edge makes its tag be read again, because equal cards look alike in the small picture."""
    detector, surface, frame, found = lying
    card = np.array([[-12.0, -12.0], [32.0, -12.0], [32.0, 50.0], [-12.0, 50.0]])
    tracks = TagTracks(detector, {found.payload: card}, 58.0)
    tracks.take(frame, surface, found)
    down = found.corners[3] - found.corners[0]
    edge = found.corners + 40 * down / np.hypot(*down)
    shape = (frame.small.shape[0] // BLOCK_PX, frame.small.shape[1] // BLOCK_PX)
    tag, hand = (surface.overview.blocks([corners], shape) for corners in (found.corners, edge))
    assert not (tag & hand).any()
    other = frame.grey.copy()
    cv2.fillConvexPoly(other, surface.overview.plane.to_px(found.corners).round().astype(np.int32), 200)
    assert (tracks.exchanged(other, surface, hand) == tag).all()
    assert not tracks.exchanged(frame.grey, surface, hand).any()


@pytest.mark.parametrize(
    ("aside", "margin", "sought"), [(0.0, 1.0, False), (0.4, 1.0, False), (0.6, 1.0, True), (0.0, 0.0, True)]
)
def test_beneath_the_middle_of_a_tag_that_is_sure_nothing_is_sought(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag], aside: float, margin: float, sought: bool
) -> None:
    """In a pile a tag below a sure one stays covered; below an unsure one, which may be wrong, it is sought."""
    detector, surface, frame, found = lying
    tracks = TagTracks(detector, {}, 58.0)
    below = next(name for name in detector.sizes if name != found.payload and not is_marker(name))
    lies = found._replace(payload=below, corners=SQUARE + 300)
    tracks.take(frame, surface, lies)
    off = np.array((aside * detector.sizes[below], 0.0))
    upon = found._replace(corners=lies.corners + off, score=0.7, margin=margin)
    tracks.take(frame, surface, upon)
    tracks.mark_missed(frame, surface, [tracks.by_payload[below]], [upon])
    assert tracks.by_payload[below].reason == "covered"
    assert tracks.places_to_search() == ([lies.place] if sought else [])
    tracks.by_payload[upon.payload] = replace(tracks.by_payload[upon.payload], reason=Cause.FACE_DOWN)
    assert lies.place in tracks.places_to_search()


@pytest.mark.parametrize("pushed", [False, True])
def test_beneath_a_pile_that_leans_nothing_is_sought_until_a_coin_of_it_is_pushed_away(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag], pushed: bool
) -> None:
    """A high pile's top appears away from its lowest coin, which still counts as covered until a coin is pushed off."""
    detector, surface, frame, found = lying
    tracks = TagTracks(detector, {}, 58.0)
    lowest, *above = (name for name in list(detector.sizes)[:5] if not is_marker(name))
    lies = found._replace(payload=lowest, corners=SQUARE + 300)
    tracks.take(frame, surface, lies)
    for number, name in enumerate(above, 1):
        tracks.take(frame, surface, lies._replace(payload=name, corners=lies.corners + np.array((number * 8.0, 0.0))))
        tracks.mark_missed(frame, surface, [track for track in tracks.by_payload.values() if track.reason], [found])
    assert tracks.places_to_search() == []
    if pushed:
        tracks.take(frame, surface, lies._replace(payload=above[0], corners=SQUARE + 400))
    assert (lies.place in tracks.places_to_search()) == pushed


@pytest.mark.parametrize(("margin", "believed"), [(0.2, False), (0.4, True)])
def test_what_is_believed_for_less_than_usual_is_not_a_tag_that_lies_elsewhere(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag], margin: float, believed: bool
) -> None:
    """A weak reading of a tag known elsewhere is dropped as print on a face; a clear one makes the tag double."""
    detector, surface, frame, found = lying
    tracks = TagTracks(detector, {}, 58.0)
    tracks.take(frame, surface, found)
    other = found._replace(corners=found.corners + 60, score=0.7, margin=margin)
    assert tracks.take(frame, surface, other) == believed
    assert (found.payload in tracks.doubles) == believed


@pytest.mark.parametrize(("contrast", "stays"), [(0.08, True), (0.04, True), (0.0, False)])
def test_a_tag_in_a_veil_of_light_is_not_gone_though_its_place_looks_bare(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag], contrast: float, stays: bool
) -> None:
    """Under a reflection as grey as the bare table, a tag that is faintly visible stays, even below its noise."""
    detector, surface, frame, found = lying
    bare = TableSurface(surface.overview.plane, frame.small.shape)
    noise = np.random.default_rng(1).normal(0, 12, frame.grey.shape)
    veiled = np.clip(200 + contrast * (frame.grey - frame.grey.mean()) + noise, 0, 255).astype(np.uint8)
    small = np.full(frame.small.shape, 200, np.uint8)
    bare.learn(small, [])
    tracks = TagTracks(detector, {}, 58.0)
    assert tracks.take(frame, bare, found)
    tracks.mark_missed(Frame(veiled, small, 1.0, 1), bare, list(tracks.by_payload.values()), [])
    assert (found.payload in tracks.by_payload) is stays


@pytest.mark.parametrize(("margin", "sure"), [(0.5, False), (1.0, True)])
def test_a_tag_that_is_not_sure_counts_as_read_again_once_two_pictures_in_a_row_show_it(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag], margin: float, sure: bool
) -> None:
    """The noise of one picture may look like a faint tag that was taken away; a sure tag is seen again at once."""
    detector, surface, frame, found = lying
    tracks, name = TagTracks(detector, {}, 58.0), found.payload
    assert tracks.take(frame, surface, found._replace(score=0.45, margin=margin))
    tracks.by_payload[name] = replace(tracks.by_payload[name], reason=Cause.FACE_DOWN)
    hidden = np.random.default_rng(1).integers(0, 99, frame.grey.shape, np.uint8)
    read = []
    for number, grey in enumerate((frame.grey, hidden, frame.grey, frame.grey)):
        for _ in range(2):
            tracks.reconsider(Frame(grey, frame.small, float(number), number), surface)
        read.append(not tracks.by_payload[name].reason)
    assert read == ([True] * 4 if sure else [False, False, False, True])


def test_only_tags_that_were_read_again_are_compared_with_where_they_lay(
    lying: tuple[Detector, TableSurface, Frame, RecognisedTag], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others cannot have departed."""
    detector, _, _, tag = lying
    known = TagTracks(detector, {}, 30.0)
    known.by_payload = {tag.payload: Track(tag, ReadBy.RECOGNISED, 1.0)}
    before = dict(known.by_payload)
    monkeypatch.setattr(tracks, "is_still", None)
    assert known.departed(before) == []
