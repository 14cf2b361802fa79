"""A light is a function of its pattern and the time, and each way to shine looks different."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.hardware.lights import FAST_HALF, GAP, SLOW_HALF, TONE, Lamps, beep, level, strongest
from tabletop.hardware.panel import Pattern
from tabletop.hardware.wiring import load

times = st.floats(0, 1e6)


@given(times)
def test_off_is_dark_and_steady_is_lit_at_any_time(time: float) -> None:
    assert not level(Pattern.OFF, time)
    assert level(Pattern.STEADY, time)


@pytest.mark.parametrize(("pattern", "half"), [(Pattern.SLOW, SLOW_HALF), (Pattern.FAST, FAST_HALF)])
def test_a_blink_is_lit_for_half_of_the_time_and_goes_on_for_ever(pattern: Pattern, half: float) -> None:
    samples = [level(pattern, (number + 0.5) * half / 10) for number in range(400)]
    assert sum(samples) == 200
    assert samples[:20] == [True] * 10 + [False] * 10
    assert samples[20:40] == samples[:20]


def test_no_light_flashes_faster_than_is_safe() -> None:
    """At most three flashes a second (WCAG 2.3.1)."""
    assert 1 / (2 * FAST_HALF) <= 3


def heard(pattern: Pattern) -> list[bool]:
    """The buzzer in the first three seconds, in steps of 10 ms."""
    return [beep(pattern, step / 100) for step in range(300)]


def tones(pattern: Pattern) -> int:
    sound = heard(pattern)
    return sum(not before and now for before, now in zip([False, *sound], sound, strict=False))


def test_the_buzzer_is_silent_unless_the_table_wants_something() -> None:
    """Nothing for a legal move, one tone when the table needs somebody, two when something is wrong."""
    assert [tones(pattern) for pattern in Pattern] == [0, 0, 1, 2]


def test_tones_end_by_themselves() -> None:
    assert not any(heard(Pattern.FAST)[math.ceil(2 * (TONE + GAP) * 100) :])


def test_the_most_urgent_pattern_wins_a_shared_light() -> None:
    assert strongest([Pattern.STEADY, Pattern.SLOW, Pattern.OFF]) is Pattern.SLOW
    assert strongest([]) is Pattern.OFF


def lit(lamps: Lamps, signals: dict[str, Pattern], time: float) -> set[str]:
    return {wire.name for wire, on in lamps.levels(signals, time).items() if on}


def test_a_signal_that_is_not_named_is_dark() -> None:
    assert lit(Lamps(load()), {}, 0.0) == set()


def test_the_ok_light_shows_legal_and_blinks_when_ok_is_waited_for() -> None:
    lamps, dark = Lamps(load()), SLOW_HALF * 1.5
    assert lit(lamps, {"legal": Pattern.STEADY}, dark) == {"OK"}
    assert lit(lamps, {"legal": Pattern.STEADY, "OK": Pattern.SLOW}, dark) == set()


def test_a_signal_without_a_light_on_this_panel_harms_nothing() -> None:
    assert lit(Lamps(load()), {"moon": Pattern.STEADY}, 0.0) == set()


def test_the_buzzer_sounds_again_when_something_is_wrong_again() -> None:
    lamps, wrong = Lamps(load()), {"buzzer": Pattern.FAST}
    assert lit(lamps, wrong, 10.0) == {"buzzer"}
    assert lit(lamps, wrong, 12.0) == set()
    assert lit(lamps, {}, 13.0) == set()
    assert lit(lamps, wrong, 14.0) == {"buzzer"}


@given(st.dictionaries(st.sampled_from(["OK", "legal", "seat1", "buzzer", "illegal"]), st.sampled_from(Pattern)), times)
def test_nothing_changes_before_it_was_foretold(signals: dict[str, Pattern], begin: float) -> None:
    """Sleeping until ``next_change`` misses no blink and no end of a tone."""
    lamps = Lamps(load())
    before = lit(lamps, signals, begin)
    until = lamps.next_change(signals, begin)
    assert until > begin
    for part in (0.25, 0.5, 0.9):
        assert lit(lamps, signals, begin + min(until - begin, 60.0) * part) == before
