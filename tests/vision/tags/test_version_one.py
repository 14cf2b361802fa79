"""Our own version-1 codes equal those of the library that prints them, module for module."""

from __future__ import annotations

import numpy as np
import pytest
import segno

from tabletop.rules import registry
from tabletop.vision.tags import version_one
from tabletop.vision.tags.patterns import pattern, patterns_of
from tabletop.vision.tags.payloads import payload_of

TEXTS = ["A", "AB", "ABC", "PZ:B", "TT:Q1", "PP:TM3", "PZ:B1.1", "TT:SEAT1", "PZK:B1.12", "LD1T00 $%*"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_code_of_any_length_and_mask_is_the_librarys(text: str) -> None:
    for mask in range(8):
        code = segno.make(text, version=1, error="h", mode="alphanumeric", mask=mask, boost_error=False)
        printed = np.array([list(row) for row in code.matrix], dtype=np.bool_)
        assert np.array_equal(version_one.modules(text, mask), printed)


@pytest.mark.parametrize("text", ["ELEVEN SIGN", "abc", "Ä"])
def test_a_text_that_does_not_fit_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="cannot hold"):
        version_one.modules(text, 0)


def test_several_codes_at_once_are_the_same_as_each_by_itself() -> None:
    masks = [number % 8 for number in range(len(TEXTS))]
    together = version_one.modules_of(TEXTS, masks)
    for text, mask, modules in zip(TEXTS, masks, together, strict=True):
        assert np.array_equal(modules, version_one.modules(text, mask))


def test_the_patterns_of_a_set_are_those_of_its_tags_with_and_without_chosen_masks() -> None:
    game = registry.game("palazzo")
    payloads = [*(payload_of(game, piece, "B") for piece in game.pieces), "XX:NONE"]
    together = patterns_of(payloads)
    assert list(together) == payloads
    assert all(np.array_equal(together[payload], pattern(payload)) for payload in payloads)
