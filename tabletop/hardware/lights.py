"""When a light is on: a pure function of its pattern and the time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from tabletop.hardware.panel import Pattern
from tabletop.hardware.wiring import Wire, Wiring

SLOW_HALF = 0.8
"""Seconds on and seconds off of the slow blink."""
FAST_HALF = 0.2
"""Seconds on and seconds off of the fast blink: 2.5 flashes a second, below the three that WCAG 2.3.1 allows."""
TONE, GAP = 0.12, 0.10
"""Seconds of one tone of the buzzer, and of the silence between two."""

_URGENCY = (Pattern.OFF, Pattern.STEADY, Pattern.SLOW, Pattern.FAST)
_HALVES = {Pattern.SLOW: SLOW_HALF, Pattern.FAST: FAST_HALF}
_TONES = {Pattern.OFF: 0, Pattern.STEADY: 0, Pattern.SLOW: 1, Pattern.FAST: 2}


def level(pattern: Pattern, time: float) -> bool:
    """Tell whether a light of this pattern is on at monotonic seconds; all lights of one pattern blink together."""
    if half := _HALVES.get(pattern):
        return math.floor(time / half) % 2 == 0
    return pattern is Pattern.STEADY


def beep(pattern: Pattern, age: float) -> bool:
    """Tell whether the buzzer sounds ``age`` seconds after its pattern began: two tones, one, or none."""
    turn, within = divmod(age, TONE + GAP)
    return age >= 0 and turn < _TONES[pattern] and within < TONE


def strongest(patterns: Iterable[Pattern]) -> Pattern:
    """Return the most urgent of the patterns that share a light."""
    return max(patterns, key=_URGENCY.index, default=Pattern.OFF)


class Lamps:
    """What each light and the buzzer of a panel do, given the table's signals and the time.

    It remembers one thing: since when the buzzer's pattern holds, because a tone ends by itself.
    """

    def __init__(self, wiring: Wiring) -> None:
        self._wiring = wiring
        self._tone, self._since = Pattern.OFF, 0.0

    def levels(self, signals: Mapping[str, Pattern], time: float) -> dict[Wire, bool]:
        """Return for each light and the buzzer whether it is on; a signal that is not named is off."""
        wanted = {
            wire: strongest(signals.get(name, Pattern.OFF) for name in wire.shows) for wire in self._wiring.outputs
        }
        lit = {wire: level(wanted[wire], time) for wire in self._wiring.lights}
        buzzer = self._wiring.buzzer
        if buzzer is not None:
            if wanted[buzzer] is not self._tone:
                self._tone, self._since = wanted[buzzer], time
            lit[buzzer] = beep(self._tone, time - self._since)
        return lit

    def next_change(self, signals: Mapping[str, Pattern], time: float) -> float:
        """Return when a light may change by itself: the next blink or end of a tone; infinity if nothing blinks."""
        halves = {_HALVES[pattern] for pattern in signals.values() if pattern in _HALVES}
        changes = [(math.floor(time / half) + 1) * half for half in halves]
        length = _TONES[self._tone] * (TONE + GAP)
        steps = [
            self._since + number * (TONE + GAP) + part for number in range(_TONES[self._tone]) for part in (0, TONE)
        ]
        if time < self._since + length:
            changes += [step for step in steps if step > time]
        return min(changes, default=math.inf)
