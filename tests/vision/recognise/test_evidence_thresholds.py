"""How strongly a place has to speak for a name to be accepted by evidence."""

from __future__ import annotations

from tabletop.vision.recognise.faint.evidence import Strength
from tabletop.vision.recognise.faint.evidence_thresholds import (
    CLEARLY_OUTSTANDING,
    CONTRADICTED_DISTANCE,
    MAX_FOREIGN_LEAD,
    MAX_FOREIGN_OUTSTANDING,
    MAX_ODDS,
    MIN_EASED_OUTSTANDING,
    MIN_EASED_SUM,
    MIN_EVIDENCE,
    MIN_EVIDENT_ALIKE,
    MIN_EVIDENT_SUM,
    MIN_JOINT_EVIDENCE,
    MIN_OUTSTANDING,
    MIN_STANDING,
    OUTSTANDING_WEIGHT,
    USUAL_EVIDENCE,
    USUAL_HALF,
    Beside,
    contradicted,
    evident,
    jointly_evident,
    least_evidence,
    log_odds,
    looks_foreign,
    lowest_standing,
    maybe_evident,
    standing,
    stands_out,
)
from tests.vision.recognise.guesses import WEAK, Guess


def test_a_place_speaks_strongly_enough_if_the_identity_leads_any_other_code_and_stands_out_among_ours() -> None:
    far = (MIN_STANDING - USUAL_EVIDENCE) / OUTSTANDING_WEIGHT
    assert evident(WEAK, Strength(USUAL_EVIDENCE, far), Beside(), USUAL_HALF)
    assert not evident(WEAK, Strength(USUAL_EVIDENCE - 1, far + 0.25), Beside(), USUAL_HALF)
    assert not evident(WEAK, Strength(USUAL_EVIDENCE, far - 1), Beside(), USUAL_HALF)


def test_a_smaller_lead_is_enough_for_an_identity_that_stands_out_by_more() -> None:
    assert evident(WEAK, Strength(MIN_EVIDENCE, 10.0), Beside(), USUAL_HALF)
    assert not evident(WEAK, Strength(MIN_EVIDENCE - 0.1, 10.0), Beside(), USUAL_HALF)


def test_more_has_to_speak_for_an_identity_that_leaves_more_over_than_tags_of_ours_usually_do() -> None:
    leaves_more = WEAK._replace(unexplained=1.2)
    assert not evident(leaves_more, Strength(20.0, 5.0), Beside(), USUAL_HALF)
    assert evident(leaves_more, Strength(20.0, 5.0), Beside(1.2), USUAL_HALF)
    speaks = Strength(20.0, 5.0)
    assert standing(WEAK._replace(unexplained=0.8), speaks, Beside(0.7)) == standing(WEAK, speaks, Beside())


def test_more_has_to_speak_for_an_identity_for_which_one_half_hardly_speaks() -> None:
    assert evident(WEAK, Strength(20.0, 5.0), Beside(), USUAL_HALF)
    assert not evident(WEAK, Strength(20.0, 5.0), Beside(), USUAL_HALF - 0.05)


def test_two_models_of_a_camera_may_speak_for_an_identity_together_if_neither_speaks_against_it() -> None:
    """Their leads add up, whatever share each has, as long as neither finds another code likelier."""
    enough = MIN_JOINT_EVIDENCE
    assert jointly_evident(WEAK, [enough / 2, enough / 2], Beside())
    assert jointly_evident(WEAK, [1.0, enough - 1], Beside())
    assert not jointly_evident(WEAK, [enough / 2, enough / 2 - 1], Beside())
    assert not jointly_evident(WEAK, [-1.0, enough + 1], Beside())


def test_more_has_to_speak_together_for_what_leaves_more_over_or_is_half_hidden_and_less_beside_ours() -> None:
    leads = [MIN_JOINT_EVIDENCE / 2, MIN_JOINT_EVIDENCE / 2]
    assert not jointly_evident(WEAK._replace(unexplained=1.1), leads, Beside())
    assert jointly_evident(WEAK._replace(unexplained=1.1), leads, Beside(1.1))
    assert not jointly_evident(WEAK, leads, Beside(), USUAL_HALF - 0.05)
    assert jointly_evident(WEAK, [leads[0], leads[1] - 5], Beside(log_odds=MAX_ODDS))


def test_beside_tags_that_show_the_blur_other_codes_must_not_be_much_likelier_than_the_name() -> None:
    assert not contradicted(standing(WEAK, Strength(-25.0, 5.0), Beside()), 5.0, 60.0)
    assert contradicted(standing(WEAK, Strength(-26.0, 5.0), Beside()), 5.0, 60.0)


def test_a_name_that_is_accepted_for_less_than_usual_stands_out_among_ours() -> None:
    assert stands_out(MIN_OUTSTANDING)
    assert not stands_out(MIN_OUTSTANDING - 0.1)


def test_less_speaks_against_a_name_that_stands_out_if_even_tags_that_are_surely_ours_hardly_do() -> None:
    lowest = lowest_standing([20.0] * 9 + [0.0])
    assert 10.0 < lowest < 20.0
    least = lowest - CONTRADICTED_DISTANCE
    assert not contradicted(least, CLEARLY_OUTSTANDING, lowest)
    assert contradicted(least - 1, CLEARLY_OUTSTANDING, lowest)
    assert contradicted(least, CLEARLY_OUTSTANDING - 0.1, lowest)


def test_what_hardly_looks_like_a_tag_gets_no_name_however_strongly_it_speaks_for_one() -> None:
    faint = Guess(MIN_EVIDENT_SUM, 0.0)
    assert maybe_evident(faint)
    assert not maybe_evident(faint._replace(alike=MIN_EVIDENT_ALIKE - 0.01))
    assert not maybe_evident(faint._replace(score=MIN_EVIDENT_SUM - 0.01))


def test_the_fewer_places_show_foreign_codes_the_less_has_to_speak_for_a_name() -> None:
    weak = Strength(USUAL_EVIDENCE - 4, MIN_EASED_OUTSTANDING)
    assert not evident(WEAK, weak, Beside(log_odds=log_odds(25, 10)), USUAL_HALF)
    assert not evident(WEAK, weak, Beside(log_odds=log_odds(0, 0)), USUAL_HALF)
    assert evident(WEAK, weak, Beside(log_odds=log_odds(60, 0)), USUAL_HALF)
    assert least_evidence(Beside(log_odds=log_odds(200, 0))) == least_evidence(Beside(log_odds=MAX_ODDS)) > 4


def test_a_name_has_to_stand_out_and_to_be_seen_however_few_places_show_foreign_codes() -> None:
    """Otherwise the place may be another tag of ours, or wood grain."""
    beside = Beside(log_odds=log_odds(60, 0))
    assert evident(WEAK, Strength(USUAL_EVIDENCE - 4, MIN_EASED_OUTSTANDING), beside, USUAL_HALF)
    assert not evident(WEAK, Strength(USUAL_EVIDENCE, MIN_EASED_OUTSTANDING - 0.1), beside, USUAL_HALF)
    hardly = WEAK._replace(score=MIN_EASED_SUM - WEAK.margin - 0.01)
    assert not evident(hardly, Strength(USUAL_EVIDENCE - 4, MIN_EASED_OUTSTANDING), beside, USUAL_HALF)


def test_a_place_shows_a_foreign_code_if_another_is_likelier_than_its_name_and_this_does_not_stand_out() -> None:
    assert looks_foreign(Strength(MAX_FOREIGN_LEAD - 1, 2.0))
    assert not looks_foreign(Strength(MAX_FOREIGN_LEAD, 2.0))
    assert not looks_foreign(Strength(MAX_FOREIGN_LEAD - 1, MAX_FOREIGN_OUTSTANDING))
