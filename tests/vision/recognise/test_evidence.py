"""How strongly a place speaks for one tag rather than for any other code, in any light, pose and blur."""

from __future__ import annotations

from unittest.mock import patch

import cv2
import numpy as np
import pytest

from tabletop.vision.recognise.faint import evidence as evidence_of_codes
from tabletop.vision.recognise.faint import faint_search
from tabletop.vision.recognise.faint.evidence import Evidence, inverted
from tabletop.vision.recognise.faint.evidence_thresholds import MIN_DENOISED_MARGIN, MIN_EVIDENT_SUM, USUAL_EVIDENCE
from tabletop.vision.recognise.faint.faint_search import FaintSearch
from tabletop.vision.recognise.fit.shift import GRID_SIDE, rendered
from tabletop.vision.recognise.patches import FINE_MODULE_PX, PATCH_MODULES, Patches, joined
from tabletop.vision.recognise.pose_search import Guess, PoseSearch, still_poses
from tabletop.vision.recognise.templates import Templates, offsets
from tabletop.vision.recognise.thresholds import MAX_LONE_PATCHINESS, MAX_PATCHINESS, MIN_COMPANY_TAGS, MIN_SUM
from tabletop.vision.tags import patterns
from tabletop.vision.tags.patterns import TAG_MODULES
from tests.vision.recognise.close_ups import close_up, foreign
from tests.vision.recognise.developed import developed
from tests.vision.recognise.grounds import GREY, grain, mirrored, together
from tests.vision.recognise.tiles import PIECES

NOISE = 0.15 * GREY
"""The noise at which, in uneven light, another tag leads if scores are compared."""
ACROSS = np.tile(np.linspace(-1, 1, GRID_SIDE), GRID_SIDE)
"""How far to the right of the middle each sample is, from -1 to 1."""


@pytest.fixture(scope="module")
def templates() -> Templates:
    return Templates(PIECES)


@pytest.fixture(scope="module")
def evidence(templates: Templates) -> Evidence:
    return FaintSearch(PoseSearch(templates)).evidence


def seen(whole: np.ndarray) -> np.ndarray:
    """Return samples of a whole pattern without noise."""
    places = np.arange(GRID_SIDE, dtype=np.float64) - (GRID_SIDE - 1) / 2
    result: np.ndarray = GREY * developed(rendered(whole[None].astype(np.float64), 1.1, places)[0])
    return result


def strengths(evidence: Evidence, samples: np.ndarray) -> np.ndarray:
    """Return how strongly samples speak for each of our tags."""
    every = evidence.strength(np.tile(samples.astype(np.float32), (len(PIECES), 1)), range(len(PIECES)))
    return np.array([one.lead for one in every])


def told(evidence: Evidence, samples: np.ndarray, which: int) -> float:
    """Return how strongly samples speak for a tag."""
    return evidence.strength(samples[None].astype(np.float32), [which])[0].lead


def outstanding(evidence: Evidence, samples: np.ndarray, which: int) -> float:
    """Return how far a tag stands out among all tags."""
    return evidence.strength(samples[None].astype(np.float32), [which])[0].outstanding


def denoised(whole: np.ndarray, seed: int) -> Patches:
    """Return a patch of a faint whole pattern without detail or noise finer than a module."""
    side, rest = PATCH_MODULES * FINE_MODULE_PX, (PATCH_MODULES - TAG_MODULES) // 2
    light = np.kron(np.pad(whole, (rest, rest + 1), constant_values=1.0), np.ones((FINE_MODULE_PX, FINE_MODULE_PX)))
    light = np.roll(light, FINE_MODULE_PX // 2, axis=(0, 1))
    noise = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 1, (side, side)), (0, 0), FINE_MODULE_PX)
    grey = 120 + 20 * developed(cv2.GaussianBlur(light, (0, 0), 1.6 * FINE_MODULE_PX)) + 1.5 * noise / noise.std()
    return Patches(np.clip(grey, 0, 255).astype(np.uint8), np.zeros((1, 2)), np.zeros(1), 1.0, FINE_MODULE_PX)


def lone_guess(search: PoseSearch, close: Patches, which: int) -> Guess:
    """Return the guess that a tag is right in the middle of a patch, with too low a score and lead."""
    guess = search.judged(close, np.zeros(1, np.intp), still_poses(1))[0]
    return guess._replace(identity=which, pose=still_poses(1)[0], score=0.45, margin=0.1)


@pytest.mark.parametrize("which", [0, 20, 40])
def test_evidence_speaks_for_the_tag_that_is_there_and_against_all_others(
    templates: Templates, evidence: Evidence, which: int
) -> None:
    samples = seen(templates.whole[which]) + NOISE * grain(which, 1)[0]
    every = strengths(evidence, samples)
    assert every[which] > USUAL_EVIDENCE
    assert np.delete(every, which).max() < -USUAL_EVIDENCE


@pytest.mark.parametrize("which", [0, 20, 40])
def test_it_speaks_for_a_tag_of_which_light_takes_the_contrast_at_one_side(
    templates: Templates, evidence: Evidence, which: int
) -> None:
    """Where a reflection fades one side, evidence names the tag, while another one leads by score."""
    samples = seen(templates.whole[which]) * (1 - 0.6 * ACROSS) + mirrored() + NOISE * grain(which, 1)[0]
    assert together(templates.full, samples, which) == 0
    assert told(evidence, samples, which) > USUAL_EVIDENCE


def test_a_tag_that_is_seen_stands_out_among_all_and_what_noise_looks_like_does_not(
    templates: Templates, evidence: Evidence
) -> None:
    samples = seen(templates.whole[0]) + NOISE * grain(3, 1)[0]
    assert outstanding(evidence, samples, 0) > 4
    for noise in GREY * grain(1, 5):
        assert outstanding(evidence, noise, int(strengths(evidence, noise).argmax())) < 4


@pytest.mark.parametrize("which", [0, 20, 40])
def test_for_a_code_that_differs_in_one_character_no_tag_of_ours_has_evidence(
    templates: Templates, evidence: Evidence, which: int
) -> None:
    look = patterns.encoding_of(templates.payloads[which])
    other = foreign(f"{look.text[:-1]}{'X' if look.text[-1] != 'X' else 'Y'}", look.mask)
    samples = seen(other) + NOISE * grain(which, 1)[0]
    assert strengths(evidence, samples).max() < 0


def test_for_mere_noise_no_tag_has_evidence(evidence: Evidence) -> None:
    for samples in GREY * grain(1, 5):
        assert strengths(evidence, samples).max() < USUAL_EVIDENCE / 2


def test_a_lone_tag_is_distinguished_from_foreign_codes() -> None:
    payload = sorted(PIECES)[0]
    lone = Templates({payload: PIECES[payload]})
    evidence = Evidence(lone.whole, lone.several)
    noise = NOISE * grain(1, 1)[0]
    assert told(evidence, seen(lone.whole[0]) + noise, 0) > USUAL_EVIDENCE
    assert told(evidence, seen(foreign("HELLO77", 3)) + noise, 0) < 0


def test_no_tag_leads_a_few_rivals_by_less_than_it_leads_all_codes(templates: Templates, evidence: Evidence) -> None:
    samples = (seen(templates.whole[0]) + NOISE * grain(1, 1)[0])[None].astype(np.float32)
    assert evidence.lead_among(samples, [0], [3, 7])[0] >= evidence.strength(samples, [0])[0].lead


def test_a_place_is_compared_with_six_rivals_before_all_codes(
    templates: Templates, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That takes no longer than with two, and rules out more places: comparing all codes takes nine times as long."""
    monkeypatch.setattr(faint_search, "maybe_explained", lambda _: False)
    search, close = PoseSearch(templates), close_up(templates.whole[30], 0.0)
    guess, judge = lone_guess(search, close, 30), FaintSearch(search)
    with patch.object(judge.evidence, "lead_among", side_effect=judge.evidence.lead_among) as among:
        assert judge.accepted(close, [guess], judge.known(close, []), [], MIN_SUM)
    _, which, rivals, _ = among.call_args.args
    assert which == [30]
    assert len({*rivals}) == 6


def test_a_lead_among_a_few_is_the_same_whether_all_codes_were_compared_before_or_not(templates: Templates) -> None:
    samples = (seen(templates.whole[0]) + NOISE * grain(1, 1)[0])[None].astype(np.float32)
    first, after = Evidence(templates.whole, templates.several), Evidence(templates.whole, templates.several)
    after.strength(samples, [0])
    assert first.lead_among(samples, [0], [3, 7])[0] == pytest.approx(after.lead_among(samples, [0], [3, 7])[0])


def test_only_so_many_codes_are_prepared_at_a_time(templates: Templates) -> None:
    """Preparing all codes of a set at once would take 40 MB more."""
    samples, own = seen(templates.whole[3])[None].astype(np.float32), [3]
    usual = Evidence(templates.whole, templates.several).strength(samples, own)
    with (
        patch.object(evidence_of_codes, "MAX_FITTED_CODES", 5),
        patch.object(evidence_of_codes, "_fitted", wraps=evidence_of_codes._fitted) as fitted,
    ):
        again = Evidence(templates.whole, templates.several).strength(samples, own)
    assert max(len(call.args[0]) for call in fitted.call_args_list) == 5
    assert np.abs(np.subtract(again, usual)).max() < 1e-3


@pytest.mark.parametrize("size", [14, 41, 248])
def test_triangular_matrices_are_inverted(size: int) -> None:
    root = np.tril(np.random.default_rng(size).normal(size=(2, size, size))) / size + np.eye(size)
    np.testing.assert_allclose(inverted(root) @ root, np.broadcast_to(np.eye(size), root.shape), atol=1e-12)


def test_evidence_does_not_depend_on_brightness_and_contrast(templates: Templates, evidence: Evidence) -> None:
    samples = seen(templates.whole[0]) + NOISE * grain(1, 1)[0]
    assert told(evidence, 0.2 * samples + 90, 0) == pytest.approx(told(evidence, samples, 0), abs=0.1)


def let_anything_lie_over_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for most in ("MAX_PATCHINESS", "MAX_LONE_PATCHINESS"):
        monkeypatch.setattr(faint_search, most, np.inf)


@pytest.mark.parametrize("which", [30, 50, 70])
def test_a_tag_is_not_believed_if_only_one_half_speaks_for_it(
    templates: Templates, evidence: Evidence, which: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A foreign code may share that half, and a cover over the other half hides what speaks against our tag."""
    let_anything_lie_over_it(monkeypatch)
    search, accepted = PoseSearch(templates), []
    for hidden in (0.0, 0.5):
        close = close_up(templates.whole[which], hidden)
        guess = lone_guess(search, close, which)
        samples = close.softly(np.zeros(1, np.intp), still_poses(1)[None], offsets())[0, 0]
        assert told(evidence, samples, which) > USUAL_EVIDENCE
        judge = FaintSearch(search)
        accepted += judge.accepted(close, [guess], judge.known(close, []), [], MIN_SUM)
    assert len(accepted) == 1


@pytest.fixture
def explained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every guess explain all that is seen except noise."""
    for asked in ("maybe_explained", "sure_as_explained"):
        monkeypatch.setattr(faint_search, asked, lambda *_, **__: True)


@pytest.mark.usefixtures("explained")
def test_at_a_single_place_less_may_seem_to_lie_over_a_tag_than_beside_many_of_ours(
    templates: Templates, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lone guess is allowed less patchiness than one among many of our tags, where foreign codes are rare."""
    monkeypatch.setattr(PoseSearch, "patchiness", lambda *_: (MAX_PATCHINESS + MAX_LONE_PATCHINESS) / 2)
    search = PoseSearch(templates)
    close = close_up(templates.whole[0], 0.0)
    guess, judge = lone_guess(search, close, 0), FaintSearch(search)
    ours = [guess._replace(identity=number, score=MIN_SUM) for number in range(MIN_COMPANY_TAGS)]
    known = judge.known(close, [])
    counts = [len(judge.accepted(close, [guess], known, likely, MIN_SUM)) for likely in ([], ours)]
    assert counts == [0, 1]


@pytest.mark.usefixtures("explained")
@pytest.mark.parametrize("which", [0, 20, 40])
def test_at_a_single_place_no_tag_is_believed_for_less_where_another_code_is_likelier(
    templates: Templates, which: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lone faint guess is rejected if another code fits better; among many of our tags it is accepted."""
    let_anything_lie_over_it(monkeypatch)
    monkeypatch.setattr(faint_search, "stands_out", lambda _: True)
    search, counts = PoseSearch(templates), list[int]()
    for whole in (templates.whole[which], foreign("HELLO77", 3)):
        close = close_up(whole, 0.0)
        guess = lone_guess(search, close, which)
        judge = FaintSearch(search)
        known = judge.known(close, [])
        ours = [guess._replace(identity=number, score=MIN_SUM) for number in range(MIN_COMPANY_TAGS)]
        counts += [len(judge.accepted(close, [guess], known, likely, MIN_SUM)) for likely in ([], ours)]
    assert counts == [1, 1, 0, 1]


@pytest.mark.usefixtures("explained")
@pytest.mark.parametrize("which", [0, 20, 40])
def test_at_a_single_place_a_tag_that_is_believed_for_less_has_to_stand_out_among_all(
    templates: Templates, which: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faint_search, "maybe_evident", lambda *_: False)
    search = PoseSearch(templates)
    judge, close = FaintSearch(search), close_up(templates.whole[which], 0.0)
    guess = lone_guess(search, close, which)
    assert len(judge.accepted(close, [guess], judge.known(close, []), [], MIN_SUM)) == 1
    monkeypatch.setattr(faint_search, "MIN_LONE_STANDING", np.inf)
    assert not judge.accepted(close, [guess], judge.known(close, []), [], MIN_SUM)


@pytest.mark.parametrize("which", [30, 34])
def test_a_tag_that_a_denoiser_blurred_more_than_those_beside_it_is_believed(which: int, templates: Templates) -> None:
    """Print so faint that a camera smooths it as noise, as under a reflection, is still accepted."""
    search = PoseSearch(templates)
    clear = [close_up(whole, 0.0) for whole in templates.whole[:MIN_COMPANY_TAGS]]
    close = joined([*clear, denoised(templates.whole[which], which)])
    *beside, guess = search.judged(close, np.arange(len(close)), still_poses(len(close)))
    judge = FaintSearch(search)
    known = judge.known(close, beside)
    assert judge.accepted(close, [guess], known, beside, MIN_SUM) == [guess]
    # Another tag of ours that scores almost as well may be the one that lies there.
    rivalled = guess._replace(margin=MIN_DENOISED_MARGIN - 0.01)
    assert not judge.accepted(close, [rivalled], known, beside, MIN_SUM)
    judge.denoised = judge.evidence
    assert not judge.accepted(close, [guess], known, beside, MIN_SUM)


@pytest.mark.parametrize("which", [30, 34])
def test_a_tag_that_no_model_of_a_camera_shows_clearly_enough_is_believed_if_all_speak_for_it(
    which: int, templates: Templates, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Evidence with the blur of the other tags and evidence for denoised print count together, however small a lead."""
    monkeypatch.setattr(faint_search, "evident", lambda *_: False)
    search = PoseSearch(templates)
    close = joined([close_up(whole, 0.0) for whole in (*templates.whole[:MIN_COMPANY_TAGS], templates.whole[which])])
    *beside, guess = search.judged(close, np.arange(len(close)), still_poses(len(close)))
    guess = guess._replace(score=MIN_EVIDENT_SUM, margin=0.0)
    judge = FaintSearch(search)
    known = judge.known(close, beside)
    assert judge.accepted(close, [guess], known, beside, MIN_SUM) == [guess]
    assert not judge.accepted(close, [guess._replace(score=MIN_EVIDENT_SUM - 0.01)], known, beside, MIN_SUM)
    monkeypatch.setattr(faint_search, "jointly_evident", lambda *_: False)
    assert not judge.accepted(close, [guess], known, beside, MIN_SUM)
