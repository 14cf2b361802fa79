"""A tag that seems to lie in two places: which of them counts."""

from __future__ import annotations

import numpy as np

from tabletop.vision.recognise.recogniser import RecognisedTag, clearest


def tag(payload: str, score: float, x: float) -> RecognisedTag:
    square = np.array([(x, 0), (x + 20, 0), (x + 20, 20), (x, 20)])
    return RecognisedTag(payload, square, score, score / 2, 1.0)


def test_what_is_accepted_for_less_than_usual_is_dropped_where_the_same_tag_is_sure_elsewhere() -> None:
    sure = tag("PZ:S2.1", 0.8, 0)
    assert clearest([tag("PZ:S2.1", 0.5, 100), sure]) == (sure,)


def test_it_is_kept_where_the_same_tag_is_not_sure_anywhere() -> None:
    both = (tag("PZ:S2.1", 0.5, 0), tag("PZ:M2.1", 0.8, 100))
    assert clearest(both) == both


def test_a_tag_that_is_sure_in_two_places_is_reported_in_both() -> None:
    both = (tag("PZ:S2.1", 0.8, 0), tag("PZ:S2.1", 0.9, 100))
    assert clearest(both) == both
