"""Keeps track of missing tags, which were read before a change and not since, and of where they may lie now."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from tabletop.vision.geometry.plane import Mask


class PayloadChange(NamedTuple):
    """The payloads of the tags that were read before a change, and of those that are read now."""

    before: AbstractSet[str]
    now: AbstractSet[str]


NOTHING = PayloadChange(frozenset(), frozenset())
"""No tags before or after."""


class MissingTags:
    """The tags of one table that are missing, and where the small picture has changed since."""

    def __init__(self) -> None:
        self._missing: AbstractSet[str] = frozenset()
        self._where: Mask | None = None

    def changed(self, mask: Mask, read: PayloadChange, *, handled: bool) -> Mask | None:
        """Return where the picture has changed since tags went missing, None if none is missing.

        ``mask``: where it changed now.  ``handled``: a hand is in the picture, so the missing tags are remembered for
        the next change.
        """
        missing = (self._missing | read.before) - read.now
        where = (mask if self._where is None else self._where | mask) if missing else None
        self._missing, self._where = (missing, where) if handled else (frozenset(), None)
        return where
