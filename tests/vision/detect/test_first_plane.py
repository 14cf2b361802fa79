"""The first plane of a picture: a square that is slightly off must not hide all others."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest

from tabletop.vision.decode.tag_decoder import Decoded
from tabletop.vision.detect import detector as detector_module
from tabletop.vision.detect import plane_finder
from tabletop.vision.detect.detector import Detector
from tabletop.vision.detect.refine_plane import refined
from tabletop.vision.detect.scale_search import UnnamedTags
from tabletop.vision.recognise.recogniser import Recogniser
from tests.vision.small_table import MARKERS, TILES, camera, picture


def test_one_decoded_marker_with_a_corner_off_hides_no_other(detector: Detector) -> None:
    """All tags are read even if a corner of the only decoded marker, and so the size of all others, is off."""
    grey = picture([*MARKERS, *TILES], view=camera(tilt=14))
    lone = next(one for one in detector.decoding.large(grey).tags if one.tag.payload == "TT:Q4")
    shifted = lone.corners.copy()
    shifted[2] += 1.5 * np.sign(shifted[2] - shifted.mean(axis=0))
    seen = {one.payload for one in detector.detect(grey, decoded=Decoded((replace(lone, corners=shifted),))).sightings}
    assert seen == {one.payload for one in [*MARKERS, *TILES]}


def test_a_photograph_does_not_keep_what_only_the_search_for_first_squares_needs(detector: Detector) -> None:
    """Evidence and kernel spectra of that search take up to 50 MB, beside those for reading on the plane."""
    with patch.object(Recogniser, "forget", autospec=True, side_effect=Recogniser.forget) as forget:
        detector.detect(picture([*MARKERS, *TILES]), decoded=Decoded(), photo=True)
    ((recogniser,), _) = forget.call_args
    assert not recogniser._finder._spectra
    assert not {"evidence", "denoised"} & vars(recogniser._faint_search).keys()


def test_a_plane_is_found_without_loading_masked_arrays(detector: Detector) -> None:
    """Loading them takes 9 ms of processor time, and the median of numpy does."""
    with patch.object(np.ma, "isMaskedArray", side_effect=AssertionError):
        assert detector.detect(picture([*MARKERS, *TILES]), photo=True).plane is not None


def test_a_photograph_with_enough_clear_tags_is_not_searched_for_faint_first_squares(detector: Detector) -> None:
    """Judging faint ones at every size takes a quarter of a second, and all are read on the plane afterwards."""
    grey = picture([*MARKERS, *TILES])
    with patch.object(Recogniser, "identified", autospec=True, side_effect=Recogniser.identified) as identified:
        seen = detector._planes.first_squares(grey, photo=True)
    assert len(seen.marks) + len(seen.pieces) >= 3
    assert {call.kwargs["faint"] for call in identified.call_args_list} == {False}


def test_tags_that_a_search_for_all_games_found_are_not_searched_for_again(
    detector: Detector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A photograph's first plane is that of the tags that the earlier search found."""
    all_tags = [*MARKERS, *TILES]
    grey = picture(all_tags)
    plane = detector.found_plane(grey)
    assert plane is not None
    found = {each.payload: np.array(each.corners) for each in detector.detect(grey, plane).sightings[:4]}
    monkeypatch.setattr(plane_finder, "search_scales", lambda *_, **__: pytest.fail("It searches again."))
    monkeypatch.setattr(plane_finder, "clear_tags", lambda *_, **__: pytest.fail("It searches again."))
    earlier = UnnamedTags(plane, (), found=found)
    seen = detector.detect(grey, decoded=Decoded(), photo=True, earlier=earlier).sightings
    assert {each.payload for each in seen} == {each.payload for each in all_tags}


def test_the_easy_tags_need_a_less_exact_plane_than_the_whole_reading(detector: Detector) -> None:
    """The whole reading corrects the plane as well, so the picture is not searched for easy tags again before."""
    with patch.object(detector_module, "refined", side_effect=refined) as searched:
        detector.detect(picture([*MARKERS, *TILES]), decoded=Decoded(), photo=True)
    easy, whole = (call.args[4] for call in searched.call_args_list)
    assert easy > 3 * whole
