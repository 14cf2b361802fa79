"""Which of two places counts if a tag seems to be in both."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.vision.recognise.recognised import Recognised, RecognisedTag, clearest
from tabletop.vision.recognise.recogniser import Recogniser
from tests.vision.recognise.tiles import NEAR, PIECES


def tag(payload: str, score: float, x: float) -> RecognisedTag:
    square = np.array([(x, 0), (x + 20, 0), (x + 20, 20), (x, 20)])
    return RecognisedTag(payload, square, score, score / 2, 1.0)


def test_what_is_accepted_for_less_than_usual_is_dropped_where_the_same_tag_is_sure_elsewhere() -> None:
    sure = tag("PZ:S2.1", 0.8, 0)
    assert clearest([tag("PZ:S2.1", 0.5, 100), sure]) == (sure,)


def test_a_weak_tag_is_kept_if_the_same_tag_is_sure_nowhere() -> None:
    both = (tag("PZ:S2.1", 0.5, 0), tag("PZ:M2.1", 0.8, 100))
    assert clearest(both) == both


def test_a_tag_that_is_sure_in_two_places_is_reported_in_both() -> None:
    both = (tag("PZ:S2.1", 0.8, 0), tag("PZ:S2.1", 0.9, 100))
    assert clearest(both) == both


def test_what_only_a_second_look_at_a_small_part_accepts_is_dropped_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """A faint tag found in the second look is dropped if the first look was sure of it elsewhere."""
    sure, recogniser = tag("PZ:S2.1", 0.8, 0), Recogniser(PIECES, 20.0)
    looks = iter([Recognised((sure,), ()), Recognised((tag("PZ:S2.1", 0.5, 100), tag("PZ:M2.1", 0.5, 150)), ())])
    monkeypatch.setattr(recogniser, "read_at", lambda *_, **__: next(looks))
    image = recogniser.view(NEAR).take(np.zeros(NEAR.shape, np.uint8), (0, 0, 100, 100))
    assert [(one.payload, one.place[0]) for one in recogniser.read(image).found] == [("PZ:S2.1", 10), ("PZ:M2.1", 160)]
