"""Time in tests."""

from __future__ import annotations

PATIENCE = 120.0
"""The seconds after which an awaited event counts as missing: only a hang takes this long, on any machine."""


class Clock:
    """A clock that a test sets by hand."""

    def __init__(self, now: float = 1e9) -> None:
        self.now = now  # far from the real monotonic clock, which the mock pins use

    def __call__(self) -> float:
        return self.now
