"""Live reading of a table whose tags were printed at another size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from bench.painting import SENSORS, painted
from bench.renderers.grey_levels import LEVELS, Camera
from tabletop.rules import registry
from tabletop.vision.aim import assess
from tabletop.vision.frame import Frame
from tabletop.vision.kit import Kit
from tabletop.vision.live.tracker_for import tracker_for
from tabletop.vision.tags.payloads import is_marker
from tests.vision.small_table import GAME, frame

FRAMES = 8


@pytest.mark.parametrize(("side", "sensor", "level"), [(25.0, "1080p", "hard"), (14.0, "2304", "hard")])
def test_tags_of_another_size_are_read_live_once_their_scale_is_known(side: float, sensor: str, level: str) -> None:
    """With the scale at which sixty tags were printed all are read, and without it none."""
    rng, usual, camera = np.random.default_rng(1), Kit(GAME), Camera(SENSORS[sensor])
    pieces = [str(one) for one in rng.permutation([entry.payload for entry in usual.pieces])[:60]]
    marks = [str(one) for one in rng.permutation([name for name in usual.entries if is_marker(name)])[:8]]
    painter, lying = painted(rng, usual.patterns, pieces, marks, camera, side)
    assert {one.payload for one in lying} == {*pieces, *marks}
    frames = []
    for number in range(FRAMES):
        noise, lamps = np.random.default_rng((1, number)), np.random.default_rng((1, 99))
        frames.append(frame(camera.see(painter, LEVELS[level], noise, lamps), number))
    assert _read(frames, side / 20) == {*pieces}
    assert not _read(frames, 1.0)


def test_tags_of_another_size_are_reported_with_the_scale_to_set() -> None:
    """If none of the piecepack's tags can be read while aiming, the missing setting is named."""
    rng, camera = np.random.default_rng(1), Camera(SENSORS["1080p"])
    usual = Kit(registry.game("piecepack"))
    marks = [name for name in usual.entries if is_marker(name)]
    pieces = [entry.payload for entry in usual.pieces][:20]
    painter, _ = painted(rng, usual.patterns, pieces, marks, camera, 25, art=0)
    noise, lamps = np.random.default_rng((1, 1)), np.random.default_rng((1, 99))
    one = frame(camera.see(painter, LEVELS["moderate"], noise, lamps), 1)
    aimed = assess.assess_frame(one, assess.aim_target(usual, 2))
    assert (aimed.pieces, aimed.ready) == (0, False)
    assert "No piece can be read: the tags were printed at 25 mm." in [hint.message for hint in aimed.warnings]
    (told,) = (str(hint.message) for hint in aimed.advice if hint.code == "set-scale")
    assert told == "Set scale = 1.25 under [pieces] in table.toml, or 25 mm in the setup."


def _read(frames: Sequence[Frame], scale: float) -> set[str]:
    """Return the pieces that a tracker reads if it expects tags printed at this scale."""
    tracker = tracker_for(Kit(GAME, scale=scale), 4)
    for one in frames:
        tracker.look(one)
    seen = tracker.standing.sightings if tracker.standing is not None else ()
    return {one.payload for one in seen if not is_marker(one.payload)}
