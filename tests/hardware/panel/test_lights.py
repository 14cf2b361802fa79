"""A light depends on its pattern and the time alone, and each pattern looks different."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.hardware.panel.lights import (
    FAST_HALF_S,
    RHYTHMS,
    SLOW_HALF_S,
    TONE_GAP_S,
    TONE_S,
    Lamps,
    Pattern,
    beep,
    level,
    strongest,
)
from tabletop.hardware.panel.panel_file import load

times = st.floats(0, 1e6)


@given(times)
def test_off_is_dark_and_steady_is_lit_at_any_time(time: float) -> None:
    assert not level(Pattern.OFF, time)
    assert level(Pattern.STEADY, time)


@pytest.mark.parametrize(("pattern", "half"), [(Pattern.SLOW, SLOW_HALF_S), (Pattern.FAST, FAST_HALF_S)])
def test_a_blinking_light_is_on_for_half_of_the_time(pattern: Pattern, half: float) -> None:
    samples = [level(pattern, (number + 0.5) * half / 10) for number in range(400)]
    assert sum(samples) == 200
    assert samples[:20] == [True] * 10 + [False] * 10
    assert samples[20:40] == samples[:20]


def flashes(pattern: Pattern) -> list[float]:
    """Return the lengths of the complete flashes within ten seconds, in steps of 10 ms."""
    samples = "".join("#" if level(pattern, (step + 0.5) / 100) else " " for step in range(1000))
    return [len(flash) / 100 for flash in samples.strip("#").split()]


def test_a_lost_camera_flashes_twice_and_rests() -> None:
    """The light of a lost camera makes two short flashes and a longer pause, six times in ten seconds."""
    assert flashes(Pattern.TWICE) == pytest.approx([FAST_HALF_S] * 12, abs=0.02)
    starts = [step / 100 for step in range(1, 330) if _begins(Pattern.TWICE, step / 100)]
    gaps = [after - before for before, after in pairwise(starts)]
    assert gaps == pytest.approx([1.2, 0.4, 1.2], abs=0.02)


def test_a_phone_asking_to_be_host_makes_three_flashes_and_a_pause() -> None:
    starts = [step / 100 for step in range(1, 430) if _begins(Pattern.THRICE, step / 100)]
    gaps = [after - before for before, after in pairwise(starts)]
    assert gaps == pytest.approx([0.4, 1.2, 0.4, 0.4, 1.2], abs=0.02)


def test_a_saved_game_flashes_once_in_two_seconds() -> None:
    assert flashes(Pattern.REST) == pytest.approx([FAST_HALF_S] * 4, abs=0.02)


def _begins(pattern: Pattern, time: float) -> bool:
    return level(pattern, time + 0.005) and not level(pattern, time - 0.005)


def test_no_two_patterns_have_the_same_rhythm() -> None:
    assert len(set(RHYTHMS.values())) == len(RHYTHMS) == len(Pattern) - 2


@given(times, st.sampled_from(sorted(RHYTHMS, key=lambda pattern: pattern.name)))
def test_no_light_flashes_faster_than_is_safe(begin: float, pattern: Pattern) -> None:
    """No pattern has more than three flashes in any second (WCAG 2.3.1)."""
    second = [level(pattern, begin + step / 100) for step in range(101)]
    assert sum(now and not before for before, now in pairwise(second)) <= 3


def heard(pattern: Pattern) -> list[bool]:
    """Return whether the buzzer sounds in the first three seconds, in steps of 10 ms."""
    return [beep(pattern, step / 100) for step in range(300)]


def tones(pattern: Pattern) -> int:
    sound = heard(pattern)
    return sum(not before and now for before, now in zip([False, *sound], sound, strict=False))


def test_the_buzzer_is_silent_unless_the_table_wants_something() -> None:
    """The buzzer makes no tone for a legal move, one for a seat, two for a mistake, three for a new host."""
    wanted = {Pattern.SLOW: 1, Pattern.FAST: 2, Pattern.THRICE: 3}
    assert {pattern: tones(pattern) for pattern in Pattern} == {pattern: wanted.get(pattern, 0) for pattern in Pattern}


def test_tones_end_by_themselves() -> None:
    assert not any(heard(Pattern.FAST)[math.ceil(2 * (TONE_S + TONE_GAP_S) * 100) :])


def test_the_most_urgent_pattern_wins_a_shared_light() -> None:
    assert strongest([Pattern.STEADY, Pattern.SLOW, Pattern.OFF]) is Pattern.SLOW
    assert strongest([]) is Pattern.OFF


@pytest.mark.parametrize("pattern", [pattern for pattern in Pattern if pattern is not Pattern.OFF])
def test_the_panel_page_gives_the_meaning_of_every_pattern(pattern: Pattern) -> None:
    page = (Path(__file__).parents[3] / "docs/panel.md").read_text("utf-8")
    assert page.count(f"| {pattern.value} |") == 1


def lit(lamps: Lamps, signals: dict[str, Pattern], time: float) -> set[str]:
    return {wire.name for wire, on in lamps.levels(signals, time).items() if on}


def test_a_signal_that_is_not_named_is_dark() -> None:
    assert lit(Lamps(load()), {}, 0.0) == set()


def test_the_ok_light_shows_legal_and_blinks_when_ok_is_waited_for() -> None:
    lamps, dark = Lamps(load()), SLOW_HALF_S * 1.5
    assert lit(lamps, {"legal": Pattern.STEADY}, dark) == {"OK"}
    assert lit(lamps, {"legal": Pattern.STEADY, "OK": Pattern.SLOW}, dark) == set()


def test_a_signal_without_a_light_on_this_panel_is_ignored() -> None:
    assert lit(Lamps(load()), {"moon": Pattern.STEADY}, 0.0) == set()


def test_a_table_without_sound_keeps_its_buzzer_silent_and_its_pin_low() -> None:
    lamps, wiring = Lamps(load(), sound=False), load()
    for step in range(100):
        assert lamps.levels({"buzzer": Pattern.FAST}, step / 100)[wiring.buzzer] is False  # type: ignore[index]


def test_the_buzzer_sounds_again_when_something_is_wrong_again() -> None:
    lamps, wrong = Lamps(load()), {"buzzer": Pattern.FAST}
    assert lit(lamps, wrong, 10.0) == {"buzzer"}
    assert lit(lamps, wrong, 12.0) == set()
    assert lit(lamps, {}, 13.0) == set()
    assert lit(lamps, wrong, 14.0) == {"buzzer"}


@given(st.dictionaries(st.sampled_from(["OK", "legal", "seat1", "buzzer", "illegal"]), st.sampled_from(Pattern)), times)
def test_nothing_changes_before_the_next_change(signals: dict[str, Pattern], begin: float) -> None:
    """Nothing changes before ``next_change``, so that sleeping until then misses no blink and no end of a tone."""
    lamps = Lamps(load())
    before = lit(lamps, signals, begin)
    until = lamps.next_change(signals, begin)
    assert until > begin
    for part in (0.25, 0.5, 0.9):
        # If the change is due at once, no time lies in between.
        moment = begin + min(until - begin, 60.0) * part
        assert moment >= until or lit(lamps, signals, moment) == before
