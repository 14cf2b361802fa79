"""Acceptance: more is required in unknown light, and less if many tags show how they look in it."""

from __future__ import annotations

import pytest

from tabletop.vision.recognise.thresholds import (
    MIN_COMPANY_SUM,
    MIN_COMPANY_TAGS,
    MIN_COVERED_RATIO,
    MIN_EXPLAINED_ALIKE,
    MIN_SIZED_SUM,
    MIN_SUM,
    in_company,
    is_usual_size,
    likely_ours,
    maybe_covered,
    maybe_explained,
    maybe_sized,
    required_sum,
    sure,
    sure_as_explained,
    sure_as_whitened,
    sure_in_company,
    sure_of_awaited,
    sure_of_half,
    sure_though_covered,
    usual_likeness,
    usual_size,
)
from tests.vision.recognise.guesses import WEAK, Guess


def several(guess: Guess, count: int) -> list[Guess]:
    """Return guesses of that many different tags with the same values."""
    return [guess._replace(identity=which) for which in range(count)]


def test_a_weak_tag_alone_is_not_believed() -> None:
    assert required_sum(several(WEAK, MIN_COMPANY_TAGS - 1)) == MIN_SUM
    assert not sure(WEAK)
    assert not sure_in_company(WEAK, MIN_SUM)


def test_a_weak_tag_among_many_alike_is_believed() -> None:
    assert sure_in_company(WEAK, required_sum(several(WEAK, MIN_COMPANY_TAGS)))


def test_a_tag_that_seems_to_lie_at_many_places_counts_once() -> None:
    """Repeated names do not count as company: a table of foreign codes has a few names many times."""
    assert required_sum([*several(WEAK, MIN_COMPANY_TAGS - 1), *several(WEAK, 1)]) == MIN_SUM


def test_in_the_company_of_strong_tags_as_much_is_asked_as_ever() -> None:
    assert required_sum(several(Guess(0.95, 0.5), 60)) == MIN_SUM


def test_what_reaches_three_quarters_of_the_others_as_a_foreign_code_may_is_not_believed() -> None:
    usual = Guess(0.8, 0.45)
    assert not sure_in_company(Guess(0.65, 0.29), required_sum(several(usual, 20)))


def test_however_weak_the_others_are_a_least_sum_is_asked() -> None:
    assert required_sum(several(Guess(0.6, 0.26), 60)) == MIN_COMPANY_SUM


@pytest.mark.parametrize("guess", [Guess(0.45, 0.5), Guess(0.85, 0.1)])
def test_neither_score_nor_lead_alone_is_enough(guess: Guess) -> None:
    assert not sure_in_company(guess, MIN_COMPANY_SUM)


def test_with_a_side_left_out_more_is_asked() -> None:
    just = Guess(0.62, 0.24)
    assert sure_in_company(just, MIN_COMPANY_SUM)
    assert not sure_in_company(just, MIN_COMPANY_SUM, covered=True)


def test_what_leaves_over_no_more_than_noise_is_believed_for_less() -> None:
    assert sure_as_explained(WEAK, company=False)
    assert not sure_as_explained(WEAK._replace(unexplained=1.2), company=False)
    assert sure_as_explained(Guess(0.62, 0.24), company=in_company(several(WEAK, MIN_COMPANY_TAGS)))
    assert not sure_as_explained(Guess(0.62, 0.24), company=in_company(several(WEAK, MIN_COMPANY_TAGS - 1)))


def test_what_leaves_over_less_than_noise_is_not_believed_for_less() -> None:
    """A rest weaker than the noise, as of a code with hardly visible finders, does not lower the threshold."""
    code = Guess(0.638, 0.255, 0.31, 0.905)
    assert not sure_as_explained(code, company=False)
    assert not sure_as_explained(code._replace(score=0.57), company=True)


def test_a_rest_no_stronger_than_noise_is_believed_for_less_with_whitened_errors() -> None:
    tag = Guess(0.54, 0.23)
    assert sure_as_whitened(tag, company=False)
    assert not sure_as_whitened(tag._replace(unexplained=1.2), company=False)
    assert sure_as_whitened(tag._replace(score=0.46), company=True)
    assert not sure_as_whitened(tag._replace(score=0.46), company=False)


@pytest.mark.parametrize(
    "code", [Guess(0.43, 0.16, 0.31, 0.905), Guess(0.56, 0.25, 0.28, 1.41), Guess(0.69, 0.51, 0.47, 2.99)]
)
def test_a_foreign_code_is_not_believed_where_errors_were_whitened(code: Guess) -> None:
    """Foreign codes, two as seen in the worst light and a clear one of another set, are rejected."""
    assert not sure_as_whitened(code, company=True)


CODES = (Guess(0.62, 0.27, 0.36, 1.64), Guess(0.65, 0.24, 0.4, 1.22), Guess(0.66, 0.21, 0.28, 1.47))
"""Guesses at foreign codes that are like one of our tags."""


@pytest.mark.parametrize("code", CODES)
def test_a_foreign_code_is_not_believed_though_it_is_like_one_tag(code: Guess) -> None:
    """A code is rejected if the tag leaves more than noise of it unexplained."""
    assert not sure(code)
    assert not sure_as_explained(code, company=False)
    assert not sure_in_company(code, MIN_COMPANY_SUM)


@pytest.mark.parametrize("code", [Guess(0.72, 0.53, 0.52, 2.49), Guess(0.67, 0.46, 0.39, 1.84)])
def test_a_clear_code_that_is_like_one_tag_is_not_believed_for_its_lead(code: Guess) -> None:
    """Even with a clear lead, a code is rejected if the tag leaves more than noise and imprecision unexplained."""
    assert not sure(code)
    assert sure(code._replace(unexplained=1.0))


@pytest.mark.parametrize("code", [Guess(0.81, 0.36, 0.43, 2.25), Guess(0.73, 0.44, 0.67, 2.09)])
def test_a_code_that_is_like_most_of_a_tag_is_not_believed(code: Guess) -> None:
    assert not sure_though_covered(code)
    assert not sure_in_company(code, 0.9, covered=True)
    assert sure_though_covered(code._replace(unexplained=1.1))


@pytest.mark.parametrize("code", [Guess(0.82, 0.43, 0.54, 1.63), Guess(0.84, 0.37, 0.43, 2.29)])
def test_a_code_that_is_like_half_of_a_tag_is_not_believed(code: Guess) -> None:
    assert not sure_of_half(code)
    assert sure_of_half(code._replace(unexplained=1.1))


def test_a_code_that_is_like_an_awaited_tag_is_not_believed_for_its_lead() -> None:
    """A code like an awaited tag is rejected as well if too much of it is unexplained."""
    code = Guess(0.70, 0.23, 0.3, 2.0)
    assert not sure_of_awaited(code)
    assert sure_of_awaited(code._replace(unexplained=1.0))


def test_in_the_best_light_a_tag_may_leave_over_more_than_noise() -> None:
    """With hardly any noise, imprecise models of print, blur and light leave more than that."""
    assert sure(Guess(0.95, 0.35, 0.8, 5.0))


def test_where_nothing_shows_like_a_tag_none_is_compared_again() -> None:
    assert maybe_explained(WEAK)
    assert not maybe_explained(WEAK._replace(alike=MIN_EXPLAINED_ALIKE - 0.01))


@pytest.mark.parametrize("print_on_a_face", [Guess(0.69, 0.21, alike=0.195)])
def test_a_letter_that_looks_like_one_tag_and_hardly_like_any_is_not_believed(print_on_a_face: Guess) -> None:
    assert not sure_as_explained(print_on_a_face, company=True)
    assert not sure_of_awaited(print_on_a_face)
    assert not sure_in_company(print_on_a_face, MIN_COMPANY_SUM)


@pytest.mark.parametrize("tag", [Guess(0.62, 0.31, alike=0.2), Guess(0.72, 0.3, alike=0.21)])
def test_a_tag_that_hardly_looks_like_one_in_the_worst_light_is_believed_for_its_lead(tag: Guess) -> None:
    assert sure_as_explained(tag, company=False)
    assert sure_in_company(tag, MIN_COMPANY_SUM)


@pytest.mark.parametrize(
    ("size", "others", "believed"),
    [
        (0.92, [], False),
        (0.955, [], True),
        (1.04, [1.0, 0.99, 1.01], True),
        (0.92, [0.95, 0.96, 0.94], True),
        (1.0, [0.92, 0.93, 0.92], False),
    ],
)
def test_what_is_believed_for_less_is_as_large_as_the_others_or_as_was_assumed(
    size: float, others: list[float], believed: bool
) -> None:
    """A tag with a low score must have the others' size or the nominal one, unlike letters."""
    assert is_usual_size(size, usual_size(others)) is believed


def test_what_hardly_looks_like_a_tag_may_be_one_that_was_taken_for_larger_or_smaller() -> None:
    faint = Guess(MIN_SIZED_SUM, 0.0, alike=0.1)
    assert maybe_sized(faint)
    assert not maybe_sized(faint._replace(score=MIN_SIZED_SUM - 0.01))


def test_of_several_places_with_one_name_the_best_is_likely_ours() -> None:
    worse, best, faint = WEAK, WEAK._replace(score=0.7), WEAK._replace(score=0.5, identity=1)
    assert likely_ours([worse, best, faint]) == [best]


def test_beside_clear_tags_a_place_has_to_look_half_as_much_like_one_to_be_a_covered_one() -> None:
    faint = WEAK._replace(score=0.3, margin=0.02, alike=0.3)
    assert maybe_covered(faint, MIN_SUM)
    assert maybe_covered(faint, MIN_SUM, 0.29 / MIN_COVERED_RATIO)
    assert not maybe_covered(faint, MIN_SUM, 0.31 / MIN_COVERED_RATIO)


def test_one_clear_tag_shows_how_much_like_a_tag_a_covered_one_looks_there() -> None:
    """Beside a single clear tag, a place that looks less than 0.45 times as much like one is not a covered tag."""
    clear, odd = Guess(0.97, 0.5, alike=0.6), Guess(0.3, 0.1, alike=0.26)
    assert maybe_covered(odd, MIN_SUM, usual_likeness([WEAK]))
    assert not maybe_covered(odd, MIN_SUM, usual_likeness([WEAK, clear]))
    assert maybe_covered(odd._replace(alike=0.28), MIN_SUM, usual_likeness([WEAK, clear]))
