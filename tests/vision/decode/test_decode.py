"""Pictures are read by two decoders, and nothing on which they disagree is accepted."""

from __future__ import annotations

import builtins
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import zxingcpp
from click.testing import CliRunner
from numpy.typing import NDArray
from PIL import Image
from pyzbar import pyzbar

from tabletop.cli.read import command
from tabletop.vision.decode import decoders
from tabletop.vision.decode.decode import decode, unite
from tabletop.vision.decode.decoders import Code, Decoders, Zbar, Zxing
from tabletop.vision.scene import ReadBy
from tabletop.vision.tags import patterns

PHOTOS = Path(__file__).parents[3].parent / "shared" / "photos"

BOTH = Decoders(Zxing(), Zbar())
ZXING = Decoders(Zxing(), None)
ZBAR = Decoders(None, Zbar())


def placed(
    payload: str, turn: float = 0.0, pixels: int = 6, size: int = 420
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Return a picture of a tag on grey, turned clockwise by degrees, and the true corners of its code."""
    tag = patterns.draw(patterns.pattern(payload), pixels)
    side, edge = tag.shape[0], patterns.QUIET_MODULES * pixels
    corners = np.array([(edge, edge), (side - edge, edge), (side - edge, side - edge), (edge, side - edge)]) - 0.5
    matrix = cv2.getRotationMatrix2D((side / 2, side / 2), -turn, 1.0)
    matrix[:, 2] += (size - side) / 2
    picture = cv2.warpAffine(tag, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=170)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8), corners @ matrix[:, :2].T + matrix[:, 2]


def code(text: str, x: float = 0.0, how: ReadBy = ReadBy.ZXING) -> Code:
    return Code(text, np.array([(x, 0), (x + 10, 0), (x + 10, 10), (x, 10)], float), how)


@pytest.mark.parametrize("turn", [0, 33, 45, 90, 150, 225, 300])
@pytest.mark.parametrize("use", [BOTH, ZXING, ZBAR], ids=["both", "zxing", "zbar"])
def test_a_tag_is_read_with_its_corners_from_its_own_top_left(turn: int, use: Decoders) -> None:
    picture, corners = placed("PZ:B3.2", turn)
    found = decode(picture, thorough=True, readers=use)
    assert [seen.tag.payload for seen in found.tags] == ["PZ:B3.2"]
    assert np.abs(found.tags[0].corners - corners).max() < 0.5


def test_a_tag_whose_exact_corners_are_not_needed_is_still_verified() -> None:
    """Without exact corners, tags are still verified: corners are off by up to 3 px, and a mirror image is rejected."""
    picture, corners = placed("PZ:B3.2", 150)
    exact, plain = (decode(picture, exact=exact).tags[0].corners for exact in (True, False))
    assert np.abs(exact - corners).max() < np.abs(plain - corners).max() < 3
    mirrored = decode(np.ascontiguousarray(picture[:, ::-1]), exact=False)
    assert (mirrored.tags, mirrored.mirrored) == ((), 1)


def test_what_both_readers_read_is_surer_than_what_one_read() -> None:
    picture, _ = placed("PZ:B3.2")
    both, one = (decode(picture, thorough=True, readers=use).tags[0].certainty for use in (BOTH, ZXING))
    assert both > one


def test_a_mirrored_tag_does_not_count() -> None:
    picture, _ = placed("PZ:B3.2", 20)
    found = decode(np.ascontiguousarray(picture[:, ::-1]), thorough=True)
    assert (found.tags, found.mirrored) == ((), 1)


def test_a_tag_that_somebody_else_printed_with_another_mask_is_ours() -> None:
    own = patterns.encoding_of("PZ:B3.2")
    assert own.mask is not None
    pattern = patterns.encode("PZ:B3.2", (own.mask + 1) % 8)
    assert [seen.tag.payload for seen in decode(patterns.draw(pattern, 6)).tags] == ["PZ:B3.2"]


def test_a_foreign_code_is_reported_and_not_accepted() -> None:
    picture = patterns.draw(patterns.encode("LD1T07", 2), 6)
    found = decode(picture, thorough=True)
    assert (found.tags, [foreign.text for foreign in found.foreign]) == ((), ["LD1T07"])


def test_where_the_readers_disagree_about_a_tag_nothing_is_accepted() -> None:
    agreed, disputed = unite([code("PZ:E1"), code("PZ:E2", 1.0, ReadBy.ZBAR), code("PZ:E3", 50.0)])
    assert [found.text for found in agreed] == ["PZ:E3"]
    assert {found.text for found in disputed} == {"PZ:E1", "PZ:E2"}


def test_if_the_readers_differ_about_a_foreign_text_the_first_one_is_reported() -> None:
    agreed, disputed = unite([code("caf\u00e9"), code("caf\ufffd", 0.0, ReadBy.ZBAR)])
    assert ([found.text for found in agreed], disputed) == (["caf\u00e9"], [])


@pytest.fixture
def forgotten_readers() -> Iterator[None]:
    """Look for the readers of this machine again, in the test and after it."""
    decoders.available.cache_clear()
    yield
    decoders.available.cache_clear()


@pytest.mark.usefixtures("forgotten_readers")
@pytest.mark.parametrize(
    ("absent", "left", "sentence"),
    [
        ({"pyzbar"}, (True, False), "there is no second reader"),
        ({"zxingcpp"}, (False, True), "zbar alone"),
        ({"zxingcpp", "pyzbar"}, (False, False), "no tag can be read"),
    ],
)
def test_an_absent_reader_is_named_and_the_other_goes_on(
    monkeypatch: pytest.MonkeyPatch, absent: set[str], left: tuple[bool, bool], sentence: str
) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.partition(".")[0] in absent:
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    found = decoders.available()
    assert (found.first is not None, found.second is not None) == left
    assert sentence in found.notes[0]
    assert decode(np.zeros((50, 50), np.uint8), readers=found).notes == found.notes


@pytest.mark.parametrize("value", [0, 128, 255])
def test_a_uniform_picture_contains_no_code(value: int) -> None:
    assert decode(np.full((120, 160), value, np.uint8), thorough=True).tags == ()


def test_read_prints_one_line_per_picture_with_id_set_and_corners(tmp_path: Path) -> None:
    picture, corners = placed("PZB:R5A", 30)
    Image.fromarray(picture).save(tmp_path / "a.png")
    (tmp_path / "b.png").write_bytes(b"nothing")
    done = CliRunner().invoke(command, [str(tmp_path / "a.png"), str(tmp_path / "b.png"), "--json"])
    good, bad = (json.loads(line) for line in done.stdout.splitlines())
    assert (good["size"], good["foreign"], good["error"]) == ([420, 420], [], None)
    assert [(tag["id"], tag["set"]) for tag in good["tags"]] == [("R5a", "B")]
    assert np.abs(np.array(good["tags"][0]["corners"]) - corners).max() < 0.5
    assert "not a JPEG, PNG or WebP" in bad["error"]
    assert done.exit_code == 1


def test_read_gives_corners_in_the_upright_picture(tmp_path: Path) -> None:
    picture, corners = placed("PZ:R5A", size=300)
    upright = Image.fromarray(np.pad(picture, ((0, 0), (0, 80)), constant_values=170))
    exif = Image.Exif()
    exif[0x0112] = 6
    upright.transpose(Image.Transpose.ROTATE_90).save(tmp_path / "a.jpg", exif=exif)
    line = json.loads(CliRunner().invoke(command, [str(tmp_path / "a.jpg")]).stdout)
    assert line["size"] == [380, 300]
    assert np.abs(np.array(line["tags"][0]["corners"]) - corners).max() < 0.5


def test_a_payload_that_names_no_piece_is_foreign(tmp_path: Path) -> None:
    Image.fromarray(patterns.draw(patterns.pattern("PZ:R9A"), 6)).save(tmp_path / "a.png")
    line = json.loads(CliRunner().invoke(command, [str(tmp_path / "a.png")]).stdout)
    assert (line["tags"], line["foreign"][0]["text"]) == ([], "PZ:R9A")


@pytest.mark.skipif(not PHOTOS.is_dir(), reason="PHOTOGRAPHS ABSENT: reading real photographs is not tested")
def test_photographs_give_at_least_what_both_decoders_give() -> None:
    """Every text that zxing-cpp or zbar reads in a photograph is returned, and none from pictures without a code."""
    for path in sorted(PHOTOS.glob("*/*.*")):
        if path.suffix == ".txt" or "1x1" in path.name:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            grey = np.ascontiguousarray(Image.open(path).convert("RGBA").convert("RGB").convert("L"))
        first = zxingcpp.read_barcodes(grey, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode))
        second = pyzbar.decode(grey, symbols=[pyzbar.ZBarSymbol.QRCODE])
        told = decode(grey, thorough=True)
        texts = {found.text for found in told.foreign} | {seen.tag.payload for seen in told.tags}
        assert {found.text for found in first} <= texts, path.name
        assert len(told.foreign) + len(told.tags) >= max(len(first), len(second)), path.name
        assert not (told.tags and "false" in path.parent.name)
