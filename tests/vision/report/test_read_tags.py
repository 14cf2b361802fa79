"""Which game the report of ``tabletop read`` takes a picture for."""

from __future__ import annotations

import numpy as np
import pytest

from bench.painting import Lying, Painter
from tabletop.rules import registry
from tabletop.vision.decode.decode import Codes, DecodedTag
from tabletop.vision.detect.scale_search import UnnamedTags
from tabletop.vision.image.load import Picture
from tabletop.vision.kit import Kit
from tabletop.vision.photo.read_photo import PhotoReading
from tabletop.vision.report import read_tags
from tabletop.vision.scene import ReadBy
from tabletop.vision.tags.payloads import parse
from tests.vision.recognise.tiles import photographed


@pytest.mark.parametrize(
    ("markers", "game"),
    [((), "palazzo"), (("TT:SEAT1",), "palazzo"), (("TT:SIE", "TT:PILE3"), "patrician"), (("TT:BANK",), "piecepack")],
)
def test_a_picture_in_which_only_markers_are_decoded_is_first_read_for_the_game_that_has_most_of_them(
    monkeypatch: pytest.MonkeyPatch, markers: tuple[str, ...], game: str
) -> None:
    asked = []

    def read(_: Picture, kit: Kit, __: Codes, **___: bool) -> PhotoReading:
        asked.append(kit.game.name)
        return PhotoReading((), None)

    monkeypatch.setattr(read_tags, "read_photo", read)
    tags = [parse(marker) for marker in markers]
    codes = Codes(tuple(DecodedTag(tag, np.zeros((4, 2)), 1.0, ReadBy.ZXING) for tag in tags if tag is not None))
    grey = np.zeros((30, 40), np.uint8)
    picture = Picture("", grey, np.broadcast_to(grey[..., None], (30, 40, 3)))
    found, _ = read_tags._reading(picture, codes, registry.games())
    assert (found.name, asked) == (game, [game])


@pytest.mark.parametrize("letter", ["", "C"])
def test_a_picture_without_decoded_tags_is_read_at_once_for_the_set_whose_clear_tags_it_shows(
    monkeypatch: pytest.MonkeyPatch, letter: str
) -> None:
    """Plain sets of all games are searched for together, and reading begins with their tags; a letter is named next."""
    asked: list[tuple[str, str]] = []
    begun: list[str] = []

    def read(_: Picture, kit: Kit, __: Codes, *, earlier: UnnamedTags, **___: bool) -> PhotoReading:
        asked.append((kit.game.name, kit.letter))
        begun.extend(earlier.found)
        return PhotoReading((), None)

    monkeypatch.setattr(read_tags, "read_photo", read)
    kit = Kit(registry.game("piecepack"), letter=letter)
    painter, lying = Painter(np.random.default_rng(1), 520, 390), [each.payload for each in kit.pieces[:4]]
    for number, payload in enumerate(lying):
        painter.tag(kit.patterns[payload], Lying(payload, 100 * number - 150, 0, 20, 20))
    grey = photographed(painter)
    found, _ = read_tags._reading(Picture("", grey, np.dstack([grey] * 3)), Codes(()), registry.games())
    assert (found.name, asked) == ("piecepack", [("piecepack", letter)])
    assert sorted(begun) == ([] if letter else sorted(lying))
