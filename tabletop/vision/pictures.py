"""Opening pictures that strangers bring: any JPEG, PNG or WebP, whatever its turn, colours and faults.

A picture is used the way people see it: upright, after its EXIF orientation.  Very large ones are halved: what twelve
megapixels show of a table is enough, and memory stays bounded.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from tabletop.vision.errors import PictureError
from tabletop.vision.frame import Colour, Grey

FORMATS = ("JPEG", "PNG", "WEBP")
LARGEST_MEGAPIXELS = 64
"""More needs gigabytes to read; telephones give 12 to 50."""
ENOUGH_MEGAPIXELS = 24
"""More than these are halved along both sides."""
LONGEST_PX = 30_000
"""No camera makes a longer side, and no decoder takes one of twice the length."""
SMALLEST_PX = 21
"""A tag has as many modules along its side; what is smaller shows none."""
BAND = 512
"""Lines of a picture that are converted at once, so that no second copy of all of it lies about."""
_WIDE_MODES = ("I;16", "I;16B", "I;16L", "I", "F")


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A still picture, upright.

    Attributes:
        name: the file as it was named.
        grey: shape (height, width).
        colour: shape (height, width, 3), blue, green, red.
        halved: whether the file has two px along each side for every one here.
    """

    name: str
    grey: Grey
    colour: Colour
    halved: bool = False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in px."""
        height, width = self.grey.shape
        return width, height

    @property
    def file_size(self) -> tuple[int, int]:
        """Width and height of the upright picture in the file, px; of a halved one to the next even number."""
        width, height = self.size
        return (2 * width, 2 * height) if self.halved else (width, height)

    def in_file(self, px: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return px of this picture as px of the upright picture in the file."""
        return px * 2 + 0.5 if self.halved else px


def open_picture(path: str | Path | IO[bytes], name: str = "") -> Picture:
    """Return the picture in a file, upright; ``name`` is what messages call it, the path if nothing is given.

    Raises PictureError with one sentence where there is none, it is damaged, animated, too large or too small.
    """
    name = name or str(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns of what is checked here or does not matter
            with Image.open(path, formats=FORMATS) as image:
                _check(image, name)
                halved = image.width * image.height > ENOUGH_MEGAPIXELS * 1_000_000
                return _as_picture(_halved(image) if halved else image, name, halved)
    except PictureError:
        raise
    except UnidentifiedImageError:
        raise PictureError(name, _no_picture(name)) from None
    except (Image.DecompressionBombError, MemoryError):
        raise PictureError(name, _too_large()) from None
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise PictureError(name, f"cannot be opened ({(error.strerror or 'no access').lower()}).") from None
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise PictureError(name, f"the picture is damaged or cut short ({error}); copy it anew.") from None


def _check(image: Image.Image, name: str) -> None:
    width, height = image.size
    if width * height > LARGEST_MEGAPIXELS * 1_000_000:
        raise PictureError(name, f"{width} × {height} px; {_too_large()}")
    if max(width, height) > LONGEST_PX:
        raise PictureError(name, f"{width} × {height} px; sides of more than {LONGEST_PX} px are not read.")
    if min(width, height) < SMALLEST_PX:
        raise PictureError(name, f"{width} × {height} px is too small to show a tag.")
    # Some telephones put several pictures into a JPEG (MPO): the first is the photograph.
    if image.format != "MPO" and getattr(image, "n_frames", 1) > 1:
        raise PictureError(name, "the picture is animated; save one still picture of it.")


def _too_large() -> str:
    return f"more than {LARGEST_MEGAPIXELS} megapixels are not read; make the picture smaller."


def _no_picture(name: str) -> str:
    path = Path(name)
    if path.is_file() and path.stat().st_size == 0:
        return "the file is empty."
    return "this is no JPEG, PNG or WebP picture; save it as one of these."


def _halved(image: Image.Image) -> Image.Image:
    """Return an opened picture at half its size; a JPEG is unpacked no larger than that."""
    width, height = image.size
    image.draft(image.mode, (width // 2, height // 2))
    return image if image.width < width else image.reduce(2)


def _as_picture(image: Image.Image, name: str, halved: bool) -> Picture:
    image.load()
    ImageOps.exif_transpose(image, in_place=True)
    image = _eight_bit_colour(image)
    width, height = image.size
    grey, colour = np.empty((height, width), np.uint8), np.empty((height, width, 3), np.uint8)
    for top in range(0, height, BAND):
        band = image.crop((0, top, width, min(top + BAND, height)))
        grey[top : top + BAND] = np.asarray(band.convert("L"))
        colour[top : top + BAND] = np.asarray(band)[:, :, ::-1]
    return Picture(name, grey, colour, halved)


def _eight_bit_colour(image: Image.Image) -> Image.Image:
    if image.mode in _WIDE_MODES:
        values = np.asarray(image, dtype=np.float64)
        top = 65535.0 if values.max(initial=0) > 255 else 255.0
        return Image.fromarray((np.clip(values / top, 0, 1) * 255).astype(np.uint8)).convert("RGB")
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        layer = image.convert("RGBA")
        paper = Image.new("RGBA", layer.size, "white")
        return Image.alpha_composite(paper, layer).convert("RGB")
    return image if image.mode == "RGB" else image.convert("RGB")
