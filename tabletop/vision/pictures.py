"""Opening pictures that strangers bring: any JPEG, PNG or WebP, whatever its turn, colours and faults.

A picture is used the way people see it: upright, after its EXIF orientation.  Every coordinate we tell is in px of
that upright picture.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import cv2
import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from tabletop.vision.errors import PictureError
from tabletop.vision.frame import Colour, Grey

FORMATS = ("JPEG", "PNG", "WEBP")
LARGEST_MEGAPIXELS = 64
"""More needs gigabytes to read; telephones give 12 to 50."""
LONGEST_PX = 30_000
"""No camera makes a longer side, and no decoder takes one of twice the length."""
SMALLEST_PX = 21
"""A tag has as many modules along its side; what is smaller shows none."""
_WIDE_MODES = ("I;16", "I;16B", "I;16L", "I", "F")


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A still picture, upright.

    Attributes:
        name: the file as it was named.
        grey: shape (height, width).
        colour: shape (height, width, 3), blue, green, red.
    """

    name: str
    grey: Grey
    colour: Colour

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in px."""
        height, width = self.grey.shape
        return width, height


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
                image.load()
                ImageOps.exif_transpose(image, in_place=True)
                return _as_picture(_eight_bit_colour(image), name)
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


def _as_picture(image: Image.Image, name: str) -> Picture:
    # A telephone's picture takes tens of megabytes: as few copies of it as can be lie about at once.
    grey = np.array(image.convert("L"))
    return Picture(name, grey, cv2.cvtColor(np.asarray(image), cv2.COLOR_RGB2BGR).astype(np.uint8, copy=False))


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
