"""A phone's photograph of cards is read into their ids."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tabletop.rules.palazzo import GAME
from tabletop.vision import tags
from tabletop.vision.errors import PictureError
from tabletop.vision.photo import pieces_in

CARDS = ["C2a", "G7c", "N4b", "R3a"]


def photograph(cards: list[str]) -> bytes:
    canvas = np.full((900, 1600), 170, np.uint8)
    for number, card in enumerate(cards):
        tag = tags.draw(tags.pattern(tags.payload_of(GAME, card)), 8)
        canvas[300 : 300 + tag.shape[0], 100 + 350 * number : 100 + 350 * number + tag.shape[1]] = tag
    turned = cv2.warpAffine(canvas, cv2.getRotationMatrix2D((800, 450), 7, 0.95), (1600, 900), borderValue=170)
    return cv2.imencode(".jpg", cv2.GaussianBlur(turned, (0, 0), 1.2))[1].tobytes()


def test_the_four_cards_of_a_deal_are_read_from_a_photograph():
    assert pieces_in(photograph(CARDS), GAME) == CARDS


@pytest.mark.parametrize("data", [b"", b"no picture at all", photograph(CARDS)[:2000]])
def test_what_is_no_picture_is_told_in_one_sentence(data):
    with pytest.raises(PictureError) as told:
        pieces_in(data, GAME)
    assert str(told.value).startswith("The photograph")
