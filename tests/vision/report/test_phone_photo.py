"""A phone's photograph is read, and returned with a small picture of what was recognised."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
from PIL import Image

from doubles.flat_photograph import jpeg, laid
from tabletop.rules.layout import Columns, Spread
from tabletop.rules.palazzo import GAME
from tabletop.rules.piecepack import GAME as PIECEPACK
from tabletop.vision.errors import PictureError
from tabletop.vision.kit import Kit
from tabletop.vision.report import phone_photo
from tabletop.vision.report.phone_photo import pieces_of, score_of, scored_again, table_of
from tabletop.vision.report.score_files import tally_of
from tabletop.vision.score.piecepack.tally import PiecepackTally
from tabletop.vision.score.piecepack.turrets import TURRETS_UNSEEN
from tabletop.vision.score.tally import NO_CARRIER
from tabletop.vision.tags import payloads

CARDS = ["C2a", "G7c", "N4b", "R3a"]


def photograph(cards: list[str]) -> bytes:
    """Return a photograph of cards in a row, held slightly aslant."""
    canvas = laid({payloads.payload_of(GAME, card): (100 + 350 * number, 300) for number, card in enumerate(cards)})
    return jpeg(cv2.warpAffine(canvas, cv2.getRotationMatrix2D((800, 450), 7, 0.95), (1600, 900), borderValue=170))


def test_the_four_cards_of_a_deal_are_read_from_a_photograph() -> None:
    assert list(pieces_of(photograph(CARDS), Kit(GAME)).pieces) == CARDS


def test_cards_of_another_set_are_not_those_of_the_game() -> None:
    """Cards of a foreign set are not read as the game's, neither in a photo of cards nor in one of the table."""
    kit = Kit(GAME, letter="B")
    assert pieces_of(photograph(CARDS), kit).pieces == ()
    assert table_of(photograph(CARDS), kit, 3).pieces == ()


def test_what_was_read_is_drawn_into_the_photograph_itself_upright_and_without_its_data() -> None:
    """The drawing is turned as the file's orientation says, and contains none of its Exif data."""
    turned = Image.open(io.BytesIO(photograph(CARDS))).rotate(90, expand=True)
    exif = turned.getexif()
    exif[0x0112] = 6
    exif[0x010F] = "somebody's phone"
    out = io.BytesIO()
    turned.save(out, "JPEG", exif=exif)
    [(number, picture)] = pieces_of(out.getvalue(), Kit(GAME)).pictures
    drawn = Image.open(io.BytesIO(picture))
    assert number == 0
    assert drawn.width > drawn.height
    assert not drawn.getexif()
    px = np.asarray(drawn.convert("RGB")).astype(int)
    assert (np.abs(px - (0, 125, 92)).sum(axis=2) < 60).sum() > 1000


@pytest.mark.parametrize("data", [b"", b"no picture at all", photograph(CARDS)[:2000]])
def test_what_is_not_a_picture_is_reported_in_one_sentence(data: bytes) -> None:
    with pytest.raises(PictureError) as told:
        pieces_of(data, Kit(GAME))
    assert str(told.value).startswith("The photograph")


def test_a_photograph_of_a_telephone_that_makes_heic_says_what_to_set() -> None:
    with pytest.raises(PictureError, match="HEIC pictures cannot be read"):
        pieces_of(b"\x00\x00\x00\x18ftypheic" + bytes(400), Kit(GAME))


def test_a_photograph_of_a_zone_tells_what_lies_in_it_and_nothing_of_the_others() -> None:
    """A zone whose card is partly outside the picture is not reported as empty."""
    zones = {
        "TT:ROW": (60, 60),
        payloads.payload_of(GAME, "C2a"): (700, 120),
        payloads.payload_of(GAME, "R3a"): (1100, 120),
    }
    whole = table_of(jpeg(laid(zones, (5200, 1600))), Kit(GAME), 3)
    assert dict(whole.layout) == {"row": Spread(frozenset({"C2a", "R3a"}))}
    cut = table_of(jpeg(laid(zones)), Kit(GAME), 3)
    assert not cut.layout
    assert [text for _number, text in cut.doubts] == ["Not all of “Money row” can be seen well: nothing there counts."]


def test_photographs_of_a_final_table_give_scores_together_without_being_kept_whole() -> None:
    def column(tiles: list[str]) -> bytes:
        return jpeg(
            laid({payloads.payload_of(GAME, tile): (700, 700 - 200 * number) for number, tile in enumerate(tiles)})
        )

    tally = tally_of(GAME)
    first = score_of(column(["B1.1", "B2.2", "B3.1a"]), Kit(GAME), tally)
    both = score_of(column(["S1.1", "S2.2"]), Kit(GAME), tally, first.shots)
    assert both.score is not None
    built = [seat["palazzi"][0]["tiles"] for seat in both.score["seats"]]
    assert built == [["B1.1", "B2.2", "B3.1a"], ["S1.1", "S2.2"]]
    assert both.layout["seat1"] == Columns(frozenset({("S1.1", "S2.2")}))
    assert [number for number, _picture in both.pictures] == [0, 1]
    assert all(max(Image.open(io.BytesIO(shot.jpeg)).size) <= 2800 for shot in both.shots)


def test_a_final_table_is_scored_again_from_its_readings_by_what_was_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    """People state where turrets without tags stand once they see the doubt, and nothing is decoded a second time."""
    row = {payloads.payload_of(PIECEPACK, tile): (300 + 420 * at, 600) for at, tile in enumerate(["TM1", "TM2"])}
    first = score_of(jpeg(laid(row)), Kit(PIECEPACK), PiecepackTally(make="printed"))
    assert TURRETS_UNSEEN in [text for _number, text in first.doubts]
    monkeypatch.setattr(phone_photo, "decode", lambda *_args, **_more: pytest.fail("a photograph was read again"))
    none, on_one = (
        scored_again(first.shots, PIECEPACK, PiecepackTally(frozenset({stated}), make="printed"))
        for stated in (NO_CARRIER, "TM2")
    )
    assert [{*none.carriers}, {*on_one.carriers}] == [set(), {"TM2"}]
    for again in (none, on_one):
        assert TURRETS_UNSEEN not in [text for _number, text in again.doubts]
        assert again.shots == first.shots
        assert [number for number, _picture in again.pictures] == [0]
    points = [found.score["seats"][0]["points"] for found in (first, none, on_one) if found.score is not None]
    assert points[0] == points[1] < points[2]


@pytest.mark.parametrize(("marker", "unsure"), [("TT:BID1", {"bid0"}), ("TT:DIS", set())])
def test_a_zone_with_a_tag_largely_under_something_is_unsure_unless_pieces_lie_on_one_another_there(
    marker: str, unsure: set[str]
) -> None:
    """A card with a covered tag must not count as taken, except in a zone where pieces cover each other."""
    left, top = 560, 300
    card, other = (payloads.payload_of(GAME, name) for name in ("C2a", "R3a"))
    canvas = laid({marker: (60, 260), card: (left, top), other: (left + 240, top)}, (2200, 1400))
    canvas[top - 20 : top + 240, left - 20 : left + 150] = 235
    seen = table_of(jpeg(canvas), Kit(GAME), 3)
    assert seen.pieces == ("R3a",)
    assert seen.unsure == unsure
    assert bool(seen.doubts) == bool(unsure)
