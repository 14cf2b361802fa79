"""Caches recognisers, so that all detectors of the same set of tags share what is computed from the patterns.

Computing it takes seconds, and successive games, photographs and the doctor all search for the same tags.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from tabletop.vision.recognise.recogniser import Recogniser
from tabletop.vision.tags.patterns import CODE_MODULES, Pattern

MAX_KEPT_SETS = 8
"""Number of sets that are cached: all tags of one size in a game's kit are one set."""


def recogniser_of(patterns: Mapping[str, Pattern], side: float) -> Recogniser:
    """Return the recogniser of tags, given by payload, with one size (``side`` in mm, quiet zone included)."""
    return _recogniser(tuple((payload, dark.tobytes()) for payload, dark in sorted(patterns.items()))).of_side(side)


@lru_cache(maxsize=MAX_KEPT_SETS)
def _recogniser(patterns: tuple[tuple[str, bytes], ...]) -> Recogniser:
    dark = {payload: np.frombuffer(modules, dtype=np.bool_) for payload, modules in patterns}
    return Recogniser({payload: pattern.reshape(CODE_MODULES, CODE_MODULES) for payload, pattern in dark.items()}, 1.0)
