"""Opens pictures from any source: JPEG, PNG or WebP, whatever their orientation, colours and faults.

A picture is used as people see it: upright, according to its EXIF orientation.  Large ones are shrunk: twelve
megapixels are enough for a table, and memory stays bounded.
"""

from __future__ import annotations

import ctypes
import struct
import warnings
from contextlib import suppress
from dataclasses import dataclass
from math import ceil, sqrt
from pathlib import Path
from typing import IO, cast

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, ImageOps, UnidentifiedImageError

from tabletop.messages import Message
from tabletop.vision.errors import PictureError
from tabletop.vision.frame import Colour, Grey

FORMATS = ("JPEG", "PNG", "WEBP")
MAX_MEGAPIXELS = 64
"""Largest picture that is read: more would need gigabytes; phones have 12 to 50."""
TARGET_MEGAPIXELS = 12.6
"""Size to which larger pictures are shrunk."""
MAX_UNPACKED_MEGAPIXELS = 32
"""Largest JPEG that is decoded at full size; larger ones are decoded at half their sides, because otherwise they would
take more memory than everything else."""
MAX_SIDE_PX = 30_000
"""Longest side that is read: no camera has a longer one, and no decoder accepts twice the length."""
MIN_SIDE_PX = 21
"""Shortest side that is read: a code has as many modules along its side, so a smaller picture cannot show one."""
BAND_LINES = 128
"""Number of rows of a picture that are converted at a time, so that there is no second copy of all of it."""
HEIC_UNREADABLE = Message(
    "HEIC pictures cannot be read. On the iPhone: Settings, Camera, Formats, “Most "
    "Compatible”; or share the picture as JPEG."
)
_HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1")
MMAP_THRESHOLD, LARGE_BYTES = -3, 16 << 20
"""glibc's M_MMAP_THRESHOLD, and the size in bytes from which memory is taken from the system directly and returned at
once; by default glibc raises that to 32 MB with the first picture.  An array with a number for each px of the table
takes 12 MB, and such arrays follow each other all the time."""
TRIM_THRESHOLD, TRIM_BYTES = -1, 8 << 20
"""glibc's M_TRIM_THRESHOLD, and the number of bytes of smaller allocations that are kept once they are free.  With the
limit above it would keep hardly any, and getting them from the system again for each step takes a tenth of the time in
which a picture is read; keeping four times as many saves no time."""
ARENA_MAX, ARENA_COUNT = -8, 1
"""glibc's M_ARENA_MAX, and the number of arenas that threads share for smaller allocations: each arena keeps that many
bytes."""
PANORAMA_RENDERED, PANORAMA_XMP = 6, "GPano:"
"""The value of the Exif entry “CustomRendered”, and the prefix of the XMP entries, of panoramas."""
_WIDE_MODES = ("I;16", "I;16B", "I;16L", "I", "F")
# Cameras with 10, 12 or 14 bits write their values unchanged into 16-bit files.
_WHITES = (255.0, 1023.0, 4095.0, 16383.0, 65535.0)


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A still picture, upright.

    Attributes:
        name: what messages call the file.
        grey: shape (height, width).
        colour: shape (height, width, 3), blue, green, red.
        file_size: width and height of the upright picture in the file, px; if not given, those of this picture.
        scale: px of the file per px of this picture, along each side.
        panorama: whether the file says that it was put together from several pictures.
    """

    name: str
    grey: Grey
    colour: Colour
    file_size: tuple[int, int] = (0, 0)
    scale: float = 1.0
    panorama: bool = False

    def __post_init__(self) -> None:
        """Set the size in the file to that of the picture unless another one is given."""
        if not any(self.file_size):
            object.__setattr__(self, "file_size", self.size)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in px."""
        height, width = self.grey.shape
        return width, height

    def in_file(self, px: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return points in px of this picture as px of the upright picture in the file."""
        return px if self.scale == 1 else (px + 0.5) * self.scale - 0.5


def open_picture(
    path: str | Path | IO[bytes], name: str = "", unpacked: float = MAX_UNPACKED_MEGAPIXELS, *, coloured: bool = True
) -> Picture:
    """Return the picture in a file, upright; ``name``: what messages call it, by default the path.

    A JPEG of more megapixels than ``unpacked`` is decoded at half its sides.  ``coloured``: False makes all three
    channels grey, which takes half the time and memory.
    Raises PictureError with one sentence if the picture is missing, damaged, animated, too large or too small.
    """
    name = name or str(path)
    give_back()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns about things that are checked here or do not matter
            with Image.open(path, formats=FORMATS) as image:
                _check(image, name)
                return _as_picture(image, name, unpacked, coloured=coloured)
    except PictureError:
        raise
    except UnidentifiedImageError:
        raise PictureError(name, _no_picture(path)) from None
    except (Image.DecompressionBombError, MemoryError):
        raise PictureError(name, _too_large()) from None
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise PictureError(
            name, Message("cannot be opened ({error}).", error=(error.strerror or Message("no access")).lower())
        ) from None
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise PictureError(
            name, Message("the picture is damaged or cut short ({error}); copy it again.", error=error)
        ) from None


def give_back() -> None:
    """Return the freed memory of earlier pictures to the system, if the C library can do that.

    The library would keep it in pieces too small for the next picture, so that memory would grow with each one.
    """
    system = ctypes.CDLL(None)
    if hasattr(system, "malloc_trim"):
        system.mallopt(MMAP_THRESHOLD, LARGE_BYTES)
        system.mallopt(TRIM_THRESHOLD, TRIM_BYTES)
        system.mallopt(ARENA_MAX, ARENA_COUNT)
        system.malloc_trim(0)


def _check(image: Image.Image, name: str) -> None:
    width, height = image.size
    if width * height > MAX_MEGAPIXELS * 1_000_000:
        raise PictureError(name, Message("{width} × {height} px; {why}", width=width, height=height, why=_too_large()))
    if max(width, height) > MAX_SIDE_PX:
        raise PictureError(
            name,
            Message(
                "{width} × {height} px; sides of more than {most} px cannot be read.",
                width=width,
                height=height,
                most=MAX_SIDE_PX,
            ),
        )
    if min(width, height) < MIN_SIDE_PX:
        raise PictureError(
            name, Message("{width} × {height} px is too small to show a tag.", width=width, height=height)
        )
    # Some phones put several pictures into a JPEG (MPO): the first is the photograph.
    if image.format != "MPO" and getattr(image, "n_frames", 1) > 1:
        raise PictureError(name, Message("the picture is animated; save a still picture from it."))


def _too_large() -> Message:
    return Message("pictures of more than {most} megapixels cannot be read; make it smaller.", most=MAX_MEGAPIXELS)


def _no_picture(path: str | Path | IO[bytes]) -> Message:
    if isinstance(path, str | Path):
        with Path(path).open("rb") as file:
            return _no_picture(file)
    path.seek(0)
    head = path.read(12)
    if not head:
        return Message("the file is empty.")
    if head[4:8] == b"ftyp" and head[8:] in _HEIC_BRANDS:
        return HEIC_UNREADABLE
    return Message("this is not a JPEG, PNG or WebP picture; save it as one of these.")


def _as_picture(image: Image.Image, name: str, unpacked: float, *, coloured: bool) -> Picture:
    in_file = image.size
    half = image.width * image.height > unpacked * 1_000_000
    # A JPEG stores its grey levels separately from its colours.
    mode = "L" if image.mode == "RGB" and not coloured else image.mode
    if half or mode != image.mode:
        image.draft(mode, (image.width // (1 + half), image.height // (1 + half)))
    halved = 2 if image.width < in_file[0] else 1
    file, image = image, _unpacked(image)
    panorama = _is_panorama(file)  # not earlier: it may load a PNG, and would hide that it is damaged
    image.getexif()
    for data in ("exif", "Raw profile type exif"):
        image.info.pop(data, None)  # Pillow would rewrite it, and fail if any of it is invalid
    ImageOps.exif_transpose(image, in_place=True)
    upright = in_file if (image.width > image.height) == (in_file[0] > in_file[1]) else in_file[::-1]
    white = _white(image)
    shrink = max(1.0, sqrt(image.width * image.height / TARGET_MEGAPIXELS / 1_000_000))
    width, height = int(image.width / shrink), int(image.height / shrink)
    grey = np.empty((height, width), np.uint8)
    colour = (
        np.empty((height, width, 3), np.uint8) if coloured else np.broadcast_to(grey[..., None], (height, width, 3))
    )
    for top in range(0, height, BAND_LINES):
        band = _band(image, top, (width, min(BAND_LINES, height - top)), shrink, white)
        grey[top : top + BAND_LINES] = np.asarray(_in_mode("L", band))
        if coloured:
            colour[top : top + BAND_LINES] = np.asarray(_in_mode("RGB", band))[:, :, ::-1]
    return Picture(name, grey, colour, upright, halved * shrink, panorama)


def _is_panorama(image: Image.Image) -> bool:
    """Return whether a file says that it is a panorama: iPhones do in Exif, other phones in XMP."""
    rendered = 0
    # A file with invalid entries is not a panorama.
    with suppress(OSError, ValueError, SyntaxError, EOFError, TypeError, struct.error):
        rendered = image.getexif().get_ifd(ExifTags.IFD.Exif).get(ExifTags.Base.CustomRendered, 0)
    return rendered == PANORAMA_RENDERED or PANORAMA_XMP in str(image.info.get("xmp", ""))


def _unpacked(image: Image.Image) -> Image.Image:
    """Return a picture with its px in memory.

    For a WebP, Pillow would keep four copies of its px, because it may be animated; OpenCV keeps one.
    """
    if image.format == "WEBP" and image.mode == "RGB" and (file := getattr(image, "fp", None)) is not None:
        file.seek(0)
        flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
        seen = cv2.imdecode(np.frombuffer(file.read(), np.uint8), flags)
        if seen is not None and seen.shape[1::-1] == image.size:
            plain = Image.frombuffer("RGB", image.size, seen, "raw", "BGR", 0, 1)
            orientation = ExifTags.Base.Orientation
            plain.getexif()[orientation] = image.getexif().get(orientation, 1)
            return plain
    image.load()
    return image


def _white(image: Image.Image) -> float:
    """Return the value of white in a picture, which may have more than 8 bits per colour."""
    if image.mode not in _WIDE_MODES:
        return 255.0
    _, brightest = image.getextrema()
    return next((white for white in _WHITES if white >= cast("float", brightest)), _WHITES[-1])


def _band(image: Image.Image, top: int, size: tuple[int, int], shrink: float, white: float) -> Image.Image:
    """Return the band of a shrunk picture with ``size`` that begins at its row ``top``.

    ``shrink``: px of the picture per px of the band, along each side.
    """
    width, height = size
    first, last = top * shrink, min((top + height) * shrink, image.height)
    # If the picture is shrunk, px beside the band contribute to it.
    beside = 0 if shrink == 1 else ceil(shrink) + 1
    start, end = max(0, int(first) - beside), min(image.height, ceil(last) + beside)
    band = _eight_bit_colour(image.crop((0, start, image.width, end)), white)
    if shrink == 1:
        return band
    return band.resize(size, Image.Resampling.BILINEAR, (0, first - start, width * shrink, last - start))


def _eight_bit_colour(image: Image.Image, white: float) -> Image.Image:
    if image.mode in _WIDE_MODES:
        values = np.asarray(image, dtype=np.float32)
        return Image.fromarray((np.clip(values / white, 0, 1) * 255).astype(np.uint8)).convert("RGB")
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        layer = image.convert("RGBA")
        paper = Image.new("RGBA", layer.size, "white")
        return Image.alpha_composite(paper, layer).convert("RGB")
    return image if image.mode == "L" else _in_mode("RGB", image)


def _in_mode(mode: str, image: Image.Image) -> Image.Image:
    return image if image.mode == mode else image.convert(mode)
