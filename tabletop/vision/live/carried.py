"""Finds where tags went that moved along with the tags beside them: buildings are pushed as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from tabletop.vision.live.track import distance
from tabletop.vision.recognise.recognised import RecognisedTag

MIN_COMPANIONS = 2
"""Number of neighbours of a lost tag that show where it went if they moved alike."""
MAX_SPREAD_MM = 12.0
"""Largest difference, mm, between the places that the neighbours' moves predict: tiles are laid again by hand."""


class TagMove(NamedTuple):
    """A tag that was read before and after it moved."""

    before: RecognisedTag
    after: RecognisedTag


def carried_along(tag: RecognisedTag, moves: Iterable[TagMove], max_distance: float) -> RecognisedTag | None:
    """Return a tag moved along with those beside it, None if these did not all move the same way.

    ``max_distance``: how far apart, mm, neighbours may have been.
    """
    nearest = sorted(moves, key=lambda move: distance(move.before, tag))[:MIN_COMPANIONS]
    if len(nearest) < MIN_COMPANIONS or distance(nearest[-1].before, tag) >= max_distance:
        return None
    first, second = (_moved_like(tag, move) for move in nearest)
    return first if distance(first, second) < MAX_SPREAD_MM else None


def _moved_like(tag: RecognisedTag, move: TagMove) -> RecognisedTag:
    """Return a tag moved and turned like another one."""
    old, new = (complex(*(each.corners[1] - each.corners[0])) for each in move)
    turn = new / old / abs(new / old)
    turned = (tag.corners - move.before.place) @ np.array(((turn.real, turn.imag), (-turn.imag, turn.real)))
    return tag._replace(corners=turned + move.after.place)
