"""Any picture is opened upright, or refused in one sentence."""

from __future__ import annotations

import ctypes
import io
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import ExifTags, Image

from tabletop.vision.errors import PictureError, VisionError
from tabletop.vision.image import load
from tabletop.vision.image.load import open_picture

HEIGHT, WIDTH = 40, 60


@pytest.fixture
def scenery() -> Image.Image:
    """A picture whose top left quarter is dark."""
    values = np.full((HEIGHT, WIDTH, 3), 230, np.uint8)
    values[: HEIGHT // 2, : WIDTH // 2] = 20
    return Image.fromarray(values)


def dark_quarter(picture: load.Picture) -> bool:
    height, width = picture.grey.shape
    return bool(picture.grey[: height // 2 - 2, : width // 2 - 2].mean() < 60 and picture.grey.mean() > 120)


KINDS = [("jpg", mode) for mode in ("RGB", "L", "1")] + [
    (suffix, mode) for suffix in ("png", "webp") for mode in ("RGB", "L", "RGBA", "P", "1", "LA")
]


@pytest.mark.parametrize(("suffix", "mode"), KINDS)
def test_every_common_kind_of_picture_opens(tmp_path: Path, scenery: Image.Image, suffix: str, mode: str) -> None:
    scenery.convert(mode).save(tmp_path / f"a.{suffix}")
    picture = open_picture(tmp_path / f"a.{suffix}")
    assert picture.size == (WIDTH, HEIGHT)
    assert picture.colour.shape == (HEIGHT, WIDTH, 3)
    assert dark_quarter(picture)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_picture_is_shown_upright_whatever_its_orientation_tag(
    tmp_path: Path, scenery: Image.Image, orientation: int
) -> None:
    back = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}
    stored = scenery if orientation == 1 else scenery.transpose(Image.Transpose(back[orientation]))
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored.save(tmp_path / "a.png", exif=exif)
    picture = open_picture(tmp_path / "a.png")
    assert picture.size == (WIDTH, HEIGHT)
    assert dark_quarter(picture)


@pytest.mark.parametrize(("rendered", "xmp", "panorama"), [(6, "", True), (8, "", False), (None, "GPano:", True)])
def test_a_panorama_is_known_by_what_its_file_says(
    tmp_path: Path, scenery: Image.Image, rendered: int | None, xmp: str, panorama: bool
) -> None:
    """An iPhone calls it so in Exif, as it does a portrait, and other phones in XMP."""
    exif = Image.Exif()
    if rendered is not None:
        exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.CustomRendered] = rendered
    packet = f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><a {xmp}ProjectionType="cylindrical"/></x:xmpmeta>'
    scenery.save(tmp_path / "a.jpg", exif=exif, xmp=packet.encode())
    assert open_picture(tmp_path / "a.jpg").panorama == panorama
    scenery.save(tmp_path / "b.jpg")
    assert not open_picture(tmp_path / "b.jpg").panorama


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp"])
def test_invalid_entries_in_the_exif_data_do_not_matter(tmp_path: Path, scenery: Image.Image, suffix: str) -> None:
    """The orientation is used even if another Exif entry is invalid, such as a resolution of letters."""
    resolution = struct.pack("<HHI4s", 0x011A, 2, 4, b"abc")
    exif = b"II*\0" + struct.pack("<IHHHII", 8, 2, 0x0112, 3, 1, 3) + resolution + bytes(4)
    stored = scenery.transpose(Image.Transpose.ROTATE_180)
    stored.save(tmp_path / f"a.{suffix}", exif=exif if suffix == "png" else b"Exif\0\0" + exif)
    assert dark_quarter(open_picture(tmp_path / f"a.{suffix}"))


@pytest.mark.parametrize(("suffix", "mode"), KINDS)
def test_grey_alone_is_what_is_grey_with_colours(tmp_path: Path, scenery: Image.Image, suffix: str, mode: str) -> None:
    """A picture opened without colours has the same grey levels, to within rounding."""
    scenery.convert(mode).save(tmp_path / f"a.{suffix}")
    picture, coloured = (open_picture(tmp_path / f"a.{suffix}", coloured=each) for each in (False, True))
    assert np.abs(picture.grey.astype(int) - coloured.grey).max() <= 2
    assert (picture.colour == picture.grey[..., None]).all()


def test_cmyk_and_16_bit_pictures_keep_dark_dark(tmp_path: Path, scenery: Image.Image) -> None:
    scenery.convert("CMYK").save(tmp_path / "cmyk.jpg")
    deep = np.asarray(scenery.convert("L"), np.uint16) * 257
    Image.fromarray(deep).save(tmp_path / "deep.png")
    assert dark_quarter(open_picture(tmp_path / "cmyk.jpg"))
    assert dark_quarter(open_picture(tmp_path / "deep.png"))


@pytest.mark.parametrize("bits", [10, 12, 14, 16])
def test_white_is_white_however_many_of_16_bits_a_camera_fills(tmp_path: Path, scenery: Image.Image, bits: int) -> None:
    """A 16-bit file whose camera fills fewer bits gives the same grey levels."""
    deep = np.asarray(scenery.convert("L"), np.float64) * (2**bits - 1) / 255
    Image.fromarray(deep.astype(np.uint16)).save(tmp_path / "deep.png")
    grey = open_picture(tmp_path / "deep.png").grey
    assert np.abs(grey.astype(int) - np.asarray(scenery.convert("L"))).max() <= 1


def test_colours_are_blue_green_red(tmp_path: Path) -> None:
    Image.new("RGB", (30, 30), (250, 10, 20)).save(tmp_path / "red.png")
    assert open_picture(tmp_path / "red.png").colour[5, 5].tolist() == [20, 10, 250]


def cut(path: Path, source: Path) -> None:
    whole = source.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp"])
def test_a_truncated_picture_is_refused(tmp_path: Path, suffix: str) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (90, 90, 3), dtype=np.uint8)
    Image.fromarray(noise).save(tmp_path / f"whole.{suffix}")
    cut(tmp_path / f"half.{suffix}", tmp_path / f"whole.{suffix}")
    with pytest.raises(PictureError, match=r"damaged or cut short|no JPEG"):
        open_picture(tmp_path / f"half.{suffix}")


def test_an_animated_picture_is_refused(tmp_path: Path, scenery: Image.Image) -> None:
    scenery.save(tmp_path / "a.png", save_all=True, append_images=[scenery.transpose(Image.Transpose.ROTATE_180)])
    with pytest.raises(PictureError, match="animated"):
        open_picture(tmp_path / "a.png")


def test_a_picture_too_small_for_a_tag_is_refused(tmp_path: Path) -> None:
    Image.new("L", (1, 1)).save(tmp_path / "a.png")
    with pytest.raises(PictureError, match="1 × 1 px is too small"):
        open_picture(tmp_path / "a.png")


@pytest.mark.parametrize(("suffix", "unpacked"), [("jpg", 32), ("jpg", 0.05), ("png", 32)])
def test_a_very_large_picture_is_shrunk_and_its_px_are_given_as_those_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, unpacked: float
) -> None:
    """Memory stays bounded, and places found in the picture are given in the file's px."""
    monkeypatch.setattr(load, "TARGET_MEGAPIXELS", 0.015)
    monkeypatch.setattr(load, "MAX_UNPACKED_MEGAPIXELS", unpacked)
    monkeypatch.setattr(load, "BAND_LINES", 7)
    values = np.full((200, 300, 3), 230, np.uint8)
    values[80:, 120:] = 20
    Image.fromarray(values).save(tmp_path / f"large.{suffix}")
    picture = open_picture(tmp_path / f"large.{suffix}")
    assert (picture.size, picture.file_size) == ((150, 100), (300, 200))
    assert picture.colour.shape == (100, 150, 3)
    assert picture.grey[38, 70] > 200
    assert picture.grey[42, 62] < 50
    assert picture.in_file(np.array([(59.5, 39.5)])).tolist() == [[119.5, 79.5]]


def of_kind(kind: str) -> Image.Image:
    """Return a picture of random px in one of the kinds that files have."""
    values = np.random.default_rng(1).integers(0, 255, (201, 301, 4), np.uint8)
    if kind == "16 bits":
        return Image.fromarray(values[..., 0].astype(np.uint16) * 257)
    image = Image.fromarray(values)
    return image if kind == "RGBA" else image.convert("RGB").convert(kind)


@pytest.mark.parametrize("kind", ["RGB", "RGBA", "P", "16 bits"])
def test_a_picture_shrunk_by_a_fraction_has_no_seams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """A picture shrunk in bands equals the picture shrunk at once, in any orientation."""
    monkeypatch.setattr(load, "TARGET_MEGAPIXELS", 0.03)
    exif = Image.Exif()
    exif[0x0112] = 6
    of_kind(kind).save(tmp_path / "turned.png", exif=exif)
    whole = open_picture(tmp_path / "turned.png")
    monkeypatch.setattr(load, "BAND_LINES", 16)
    banded = open_picture(tmp_path / "turned.png")
    assert whole.file_size == banded.file_size == (201, 301)
    assert abs(whole.grey.astype(int) - banded.grey).max() <= 1
    assert banded.scale == pytest.approx((201 * 301 / 30_000) ** 0.5)


@pytest.mark.parametrize("kind", ["RGBA", "LA", "P", "16 bits"])
def test_no_second_copy_of_a_large_picture_is_made_whatever_its_colours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Colours are converted band by band, which saves a gigabyte with 63 megapixels and transparency."""
    monkeypatch.setattr(load, "BAND_LINES", 16)
    heights = []
    convert = load._eight_bit_colour

    def watched(image: Image.Image, white: Any) -> Any:
        heights.append(image.height)
        return convert(image, white)

    monkeypatch.setattr(load, "_eight_bit_colour", watched)
    of_kind(kind).save(tmp_path / "a.png")
    assert open_picture(tmp_path / "a.png").size == (301, 201)
    assert max(heights) == 16
    assert sum(heights) == 201


def test_a_picture_of_a_hundred_megapixels_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    Image.new("1", (10_000, 10_000)).save(tmp_path / "a.png")
    with pytest.raises(PictureError, match="more than 64 megapixels"):
        open_picture(tmp_path / "a.png")


def test_a_picture_of_a_million_megapixels_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 10)
    Image.new("1", (100, 100)).save(tmp_path / "a.png")
    with pytest.raises(PictureError, match="more than 64 megapixels"):
        open_picture(tmp_path / "a.png")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "empty"),
        (b"hello, world", "not a JPEG"),
        (b"GIF89a" + bytes(90), "not a JPEG"),
        (b"\0\0\0\x18ftypheic" + bytes(90), "HEIC pictures cannot be read"),
    ],
)
def test_what_is_not_a_picture_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    (tmp_path / "a.jpg").write_bytes(content)
    with pytest.raises(PictureError, match=sentence):
        open_picture(tmp_path / "a.jpg")
    with pytest.raises(PictureError, match=f"The upload: .*{sentence}"):
        open_picture(io.BytesIO(content), "The upload")


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="nothing here"):
        open_picture(tmp_path / "nothing here")
    with pytest.raises(VisionError, match="cannot be opened"):
        open_picture(tmp_path)


THREADS = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
import numpy as np
from tabletop.vision.image.load import open_picture

def kept():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 >> 20

def work(_):
    together.wait()
    some = [np.ones(1 << 19) for _ in range(6)]
    together.wait()

open_picture(sys.argv[1])
together, before = Barrier(4), kept()
with ThreadPoolExecutor(4) as pool:
    list(pool.map(work, range(4)))
print(kept() - before)
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="only glibc keeps memory for each thread")
def test_threads_keep_no_memory_each(tmp_path: Path) -> None:
    """After four threads have each used and freed 24 MB, no more memory is held than after one."""
    Image.new("RGB", (64, 48)).save(tmp_path / "small.png")
    ran = subprocess.run(
        [sys.executable, "-c", THREADS, str(tmp_path / "small.png")], capture_output=True, text=True, check=True
    )
    assert int(ran.stdout) < 40


OPENING = """
import re
import sys
from pathlib import Path
from tabletop.vision.image.load import open_picture

def most():
    return int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text()).group(1)) * 1024

before = most()
picture = open_picture(sys.argv[1])
print((most() - before) / picture.grey.size)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux says how much memory a process has had")
def test_a_webp_takes_no_more_memory_than_its_pixels_twice(tmp_path: Path) -> None:
    """Each px takes four bytes until it is grey and colour, which take four more; Pillow took over sixteen."""
    Image.new("RGB", (2500, 1600), "grey").save(tmp_path / "a.webp")
    ran = subprocess.run(
        [sys.executable, "-c", OPENING, str(tmp_path / "a.webp")], capture_output=True, text=True, check=True
    )
    assert float(ran.stdout) < 12
