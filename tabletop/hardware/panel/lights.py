"""The patterns of lights, and when each one is on: a pure function of pattern and time.

Which light shows which pattern depends on the game: :mod:`tabletop.referee.signals`.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import TypeAlias

from tabletop.hardware.panel.panel_file import Wire, Wiring


class Pattern(enum.Enum):
    """A pattern of a light, with its meaning, which is the same everywhere."""

    OFF = "nothing"
    STEADY = "this is the case now: the seat that decides, the architect's quarry, a legal action"
    SLOW = "do this: lay a piece here, or press this button"
    FAST = "something is wrong: an illegal move"
    TWICE = "there is no picture from the camera: continue with buttons and pages"
    THRICE = "a phone is asking to be the host: hold OK only if you agree"
    REST = "everything is saved and nothing is running: you may unplug the table"


Signals: TypeAlias = Mapping[str, Pattern]
"""Signal, such as ``legal`` or ``seat0`` → its pattern; signals that are not named are off."""

SLOW_HALF_S = 0.8
"""How long the slow blink is on, and equally long off."""
FAST_HALF_S = 0.2
"""How long the fast blink is on, and equally long off: 2.5 flashes a second; WCAG 2.3.1 allows three."""
RHYTHMS: Mapping[Pattern, tuple[float, ...]] = {
    Pattern.SLOW: (SLOW_HALF_S, SLOW_HALF_S),
    Pattern.FAST: (FAST_HALF_S, FAST_HALF_S),
    Pattern.TWICE: (FAST_HALF_S, FAST_HALF_S, FAST_HALF_S, 1.0),
    Pattern.THRICE: (FAST_HALF_S, FAST_HALF_S, FAST_HALF_S, FAST_HALF_S, FAST_HALF_S, 1.0),
    Pattern.REST: (FAST_HALF_S, 1.8),
}
"""Blinking pattern → its seconds on, off, on, off …, which repeat."""
TONE_S, TONE_GAP_S = 0.12, 0.10
"""The length in seconds of a tone of the buzzer, and of the silence between two tones."""

_URGENCY = (Pattern.OFF, Pattern.STEADY, Pattern.REST, Pattern.SLOW, Pattern.THRICE, Pattern.TWICE, Pattern.FAST)
_TONES = {Pattern.SLOW: 1, Pattern.FAST: 2, Pattern.THRICE: 3}


def level(pattern: Pattern, time: float) -> bool:
    """Return whether a light with this pattern is on at ``time`` (monotonic); lights of one pattern blink together."""
    if pattern in RHYTHMS:
        return _step(pattern, time)[0] % 2 == 0
    return pattern is Pattern.STEADY


def _step(pattern: Pattern, time: float) -> tuple[int, float]:
    """Return which part of its rhythm a blinking pattern is in, from 0, and when the next one begins."""
    ends = list(accumulate(RHYTHMS[pattern]))
    within = math.fmod(time, ends[-1])  # exact, so that rounding never starts a part before its predicted time
    number = next(number for number, end in enumerate(ends) if within < end)
    return number, max(time + (ends[number] - within), math.nextafter(time, math.inf))


def beep(pattern: Pattern, age: float) -> bool:
    """Return whether the buzzer sounds ``age`` seconds after its pattern began: up to three tones."""
    turn, within = divmod(age, TONE_S + TONE_GAP_S)
    return age >= 0 and turn < _TONES.get(pattern, 0) and within < TONE_S


def strongest(patterns: Iterable[Pattern]) -> Pattern:
    """Return the most urgent of the patterns that share a light."""
    return max(patterns, key=_URGENCY.index, default=Pattern.OFF)


class Lamps:
    """What each light and the buzzer of a panel do, given the table's signals and the time.

    Its only state is when the buzzer's pattern began, because a tone ends by itself.  Without ``sound`` the buzzer is
    always set to off; its pin is still driven, because an open one may hum.
    """

    def __init__(self, wiring: Wiring, *, sound: bool = True) -> None:
        self._wiring, self._sound = wiring, sound
        self._tone, self._since = Pattern.OFF, 0.0

    def levels(self, signals: Mapping[str, Pattern], time: float) -> dict[Wire, bool]:
        """Return wire → whether it is on, for all lights and the buzzer; a signal that is not named is off."""
        wanted = {
            wire: strongest(signals.get(name, Pattern.OFF) for name in wire.shows) for wire in self._wiring.outputs
        }
        lit = {wire: level(wanted[wire], time) for wire in self._wiring.lights}
        buzzer = self._wiring.buzzer
        if buzzer is not None:
            if wanted[buzzer] is not self._tone:
                self._tone, self._since = wanted[buzzer], time
            lit[buzzer] = self._sound and beep(self._tone, time - self._since)
        return lit

    def next_change(self, signals: Mapping[str, Pattern], time: float) -> float:
        """Return when a light or tone next changes by itself; infinity if nothing blinks or sounds."""
        changes = [_step(pattern, time)[1] for pattern in set(signals.values()) if pattern in RHYTHMS]
        tones = range(_TONES.get(self._tone, 0))
        steps = [self._since + number * (TONE_S + TONE_GAP_S) + part for number in tones for part in (0, TONE_S)]
        return min([*changes, *(step for step in steps if step > time)], default=math.inf)
