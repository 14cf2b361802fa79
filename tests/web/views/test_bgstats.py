"""What a play-logging app learns about a finished game."""

from __future__ import annotations

import pytest

from tabletop.web.views.bgstats import minutes

YEAR = 365 * 86400.0


@pytest.mark.parametrize(
    ("times", "played"),
    [
        ([0.0, 600.0, 1800.0], 30),
        ([0.0, 600.0, 600.0 + 12 * 3600.0, 1200.0 + 12 * 3600.0], 20),
        ([0.0, 600.0, 50 * YEAR, 50 * YEAR + 600.0], 20),
        ([50 * YEAR, 50 * YEAR + 600.0, 0.0, 600.0], 20),
        ([5.0], 1),
    ],
    ids=["one evening", "two evenings", "the clock was set", "the clock went back", "ended at once"],
)
def test_only_the_time_that_was_played_counts(times: list[float], played: int) -> None:
    assert minutes(times) == played
