"""Fanned cards: each is read as long as enough of its tag is visible, and never as another one."""

import numpy as np
import pytest

from bench.painting import Lying, Painter
from tabletop.rules import registry
from tabletop.vision.recognise.recogniser import Recogniser
from tests.vision.recognise.tiles import NEAR, PIECES, photographed

TABLE = registry.game("palazzo").table
assert TABLE is not None
SIZES = TABLE.sizes
MONEY = SIZES["money"]


def fanned(apart: float, seed: int) -> tuple[set[str], set[str]]:
    """Return the cards read of two fans, each card ``apart`` mm to the right of the one below it, and all cards."""
    rng = np.random.default_rng(seed)
    painter = Painter(rng, 520, 390)
    cards = [str(card) for card in rng.permutation([name for name in PIECES if name[3:5] in ("G3", "N4", "R5", "G6")])]
    for number, card in enumerate(cards[:10]):
        x = -150 + apart * (number % 5) + rng.normal(0, 1)
        y = (-90, 90)[number // 5] + rng.normal(0, 2)
        paper = np.full((round(10 * MONEY.height), round(10 * MONEY.width)), 225, np.uint8)
        painter.paste(paper, x, y, 0, MONEY.width)
        painter.tag(PIECES[card], Lying(card, x + MONEY.tag_x, y + MONEY.tag_y, float(rng.normal(0, 3)), 20))
    recogniser = Recogniser(PIECES, 20.0)
    found = recogniser.read(recogniser.view(NEAR).take(photographed(painter, seed))).found
    return {one.payload for one in found}, set(cards[:10])


@pytest.mark.parametrize("seed", range(2))
def test_a_fan_is_read_while_each_card_shows_its_tag(seed: int) -> None:
    """Fans 24 mm apart are read whole: a card's edge is 22 mm from its middle, and its tag ends 1 mm right of that."""
    read, laid = fanned(24, seed)
    assert read == laid


@pytest.mark.parametrize("apart", [8, 14])
def test_a_fan_pushed_together_gives_no_wrong_card(apart: float) -> None:
    """Covered cards are not read, and no other card is read in their place."""
    read, laid = fanned(apart, 1)
    assert read < laid
