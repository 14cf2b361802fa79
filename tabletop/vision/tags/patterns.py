"""The pattern of a tag: the modules of its code, with the filler and mask that were chosen for it.

Filler and mask are chosen so that the patterns of a set differ as much as possible
(:mod:`tabletop.vision.tags.choose_patterns`); the choices are data in ``data/``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.tags import version_one

Pattern: TypeAlias = NDArray[np.bool_]
"""The modules of one upright tag, (21, 21), True where dark, without the quiet zone."""

CODE_MODULES = 21
"""Modules along a side of a version-1 code."""
QUIET_MODULES = 2
"""Modules of quiet zone on each side; a tag's size includes them."""
TAG_MODULES = CODE_MODULES + 2 * QUIET_MODULES
"""Modules along a side of a whole tag: 20 mm are 25 modules of 0.8 mm."""


class TagEncoding(NamedTuple):
    """The encoding of a payload: the whole text of the code, and its mask 0-7 (None: the encoder's choice)."""

    text: str
    mask: int | None


def pattern(payload: str) -> Pattern:
    """Return the pattern of a tag, (21, 21), True where dark.  Raises ValueError for payloads that do not fit."""
    look = encoding_of(payload)
    return encode(look.text, look.mask)


def patterns_of(payloads: Iterable[str]) -> dict[str, Pattern]:
    """Return the patterns of tags by payload, as ``pattern`` does of one; for many tags this is faster."""
    looks = {payload: encoding_of(payload) for payload in payloads}
    masks = {payload: look.mask for payload, look in looks.items() if look.mask is not None}
    modules = version_one.modules_of([looks[payload].text for payload in masks], [*masks.values()])
    modules.setflags(write=False)
    known = dict(zip(masks, modules, strict=True))
    return {payload: known[payload] if payload in known else encode(*look) for payload, look in looks.items()}


def encoding_of(payload: str) -> TagEncoding:
    """Return the encoding of a payload: from the data of its game, or without filler and mask if it has none."""
    head, _, piece = payload.partition(":")
    chosen = _chosen(head[:2]).get(head[2:], {}).get(piece)
    return TagEncoding(payload, None) if chosen is None else TagEncoding(payload + chosen[:-1], int(chosen[-1]))


@lru_cache(maxsize=1024)  # every tag of our games, and some of other sets
def encode(text: str, mask: int | None) -> Pattern:
    """Return the modules of a text as a version-1 code of level H, (21, 21), True where dark; the array is read-only.

    Raises ValueError if the text is longer than ten characters or contains others than a code's alphanumeric ones.
    """
    if mask is None:
        import segno

        code = segno.make(text, version=1, error="h", mode="alphanumeric", boost_error=False)
        modules = np.array([list(row) for row in code.matrix], dtype=np.bool_)
    else:
        modules = version_one.modules(text, mask)
    modules.setflags(write=False)
    return modules


def draw(pattern: Pattern, pixels: int, quiet: int = QUIET_MODULES) -> NDArray[np.uint8]:
    """Return a tag as a grey picture, 0 or 255, with that many pixels per module and its quiet zone."""
    light = np.pad(~pattern, quiet, constant_values=True).astype(np.uint8) * np.uint8(255)
    return np.kron(light, np.ones((pixels, pixels), dtype=np.uint8))


@cache
def _chosen(code: str) -> Mapping[str, Mapping[str, str]]:
    """Return set letter → piece → filler and mask digit, as stored for the game with the letters ``code``."""
    source = files("tabletop.vision.tags") / "data" / f"patterns-{code}.json"
    return json.loads(source.read_text(encoding="ascii"))["sets"] if source.is_file() else {}
