"""Other people's photographs of QR codes: how many are read, compared with the decoders alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tabletop.vision.decode.decode import decode, unite
from tabletop.vision.decode.decoders import Code, Zxing, available
from tabletop.vision.errors import PictureError
from tabletop.vision.frame import Grey
from tabletop.vision.image.load import open_picture

SUFFIXES = {".jpg", ".jpeg", ".png", ".webp"}


def compared(folder: Path) -> Iterator[str]:
    """Iterate over lines that compare what is read in every picture below a folder."""
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES) if folder.is_dir() else []
    if not files:
        yield f"NO PHOTOGRAPHS at {folder}: reading any text was NOT measured."
        return
    counts = {"tabletop": 0, "zxing": 0, "zbar": 0, "zxing or zbar": 0}
    refused, less, more, guessed = 0, [], [], 0
    for path in files:
        try:
            grey = open_picture(path).grey
        except PictureError:
            refused += 1
            continue
        ours, first, second = _ours(grey), _zxing(grey), _zbar(grey)
        # Two decoders may read different texts from one code, so codes are counted by their places.
        agreed, disputed = unite([*first, *second])
        either = len(agreed) + len({code.how for code in disputed})
        for name, count in zip(counts, (ours, len(first), len(second), either), strict=True):
            counts[name] += count
        less += [f"{path.parent.name}/{path.name}"] if either > ours else []
        more += [f"{path.parent.name}/{path.name}"] if either < ours else []
        guessed += ours if "falsepositives" in path.parent.name else 0
    yield f"{len(files)} photographs, {refused} refused with a sentence"
    yield "codes read: " + ", ".join(f"{name} {count}" for name, count in counts.items())
    yield f"codes read though there is no code: {guessed}"
    yield f"fewer than by the decoders together: {', '.join(less) or 'nowhere'}"
    yield f"more: {', '.join(more) or 'nowhere'}"


def _ours(grey: Grey) -> int:
    codes = decode(grey, thorough=True)
    return len(codes.foreign) + len(codes.tags)


def _zxing(grey: Grey) -> list[Code]:
    return Zxing().read(grey).codes


def _zbar(grey: Grey) -> list[Code]:
    second = available().second
    return second.read(grey).codes if second is not None else []
