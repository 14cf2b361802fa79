"""Each press is reported once, however much the contact bounces."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.hardware.panel.buttons import ButtonFault, Buttons, Event, Kind, Press, Timing, Trouble

MS = 0.001
T = Timing()


class Bench:
    """A contact on a bench: edges are laid out in time, and the machine is driven through them as by a real loop."""

    def __init__(self, *names: str, late: float = 0.0, **options: object) -> None:
        self.machine = Buttons(names or ("OK",), 0.0, **options)  # type: ignore[arg-type]
        self.late = late
        self.level = dict.fromkeys(names or ("OK",), False)
        self.now = 0.0
        self.events: list[Event] = []

    def until(self, time: float) -> None:
        """Wake at every deadline, ``late`` seconds after it, up to a time."""
        while self.machine.deadline + self.late <= time:
            self.now = max(self.now, self.machine.deadline + self.late)
            self.events += self.machine.advance(self.now, self.level.__getitem__)
        self.now = time

    def edge(self, time: float, down: bool, name: str = "OK", *, lost: bool = False) -> None:
        self.until(time)
        self.level[name] = down
        if not lost:
            self.events += self.machine.edge(name, down, time)

    def press(self, begin: float, end: float, name: str = "OK") -> None:
        self.edge(begin, True, name)
        self.edge(end, False, name)

    @property
    def presses(self) -> list[Press]:
        return [event for event in self.events if isinstance(event, Press)]

    @property
    def faults(self) -> list[ButtonFault]:
        return [event.fault for event in self.events if isinstance(event, Trouble)]


def test_a_press_has_the_time_at_which_the_finger_came() -> None:
    bench = Bench()
    bench.press(1.0, 1.1)
    bench.until(2.0)
    assert bench.events == [Press("OK", Kind.PRESS, 1.0)]


def test_a_press_is_reported_while_the_button_is_still_down() -> None:
    """A press is reported within 9 ms of the contact's coming to rest, while the button is still down."""
    bench = Bench()
    bench.edge(1.0, True)
    bench.until(1.0 + 9.1 * MS)
    assert bench.presses == [Press("OK", Kind.PRESS, 1.0)]


def test_a_spike_is_not_a_press() -> None:
    bench = Bench()
    bench.press(1.0, 1.004)
    bench.until(2.0)
    assert bench.events == []


def bounces(edge: float, down: bool, shake: list[float]) -> list[tuple[float, bool]]:
    """Return an edge followed by an even number of changes at the times of ``shake``."""
    times = [edge, *sorted(edge + one for one in shake)]
    if len(times) % 2 == 0:
        times.pop()
    return [(time, down ^ bool(number % 2)) for number, time in enumerate(times)]


shakes = st.lists(st.floats(0.1 * MS, 8 * MS), max_size=9)
one_press = st.tuples(st.floats(40 * MS, 0.4), st.floats(60 * MS, 0.4), shakes, shakes)


@given(st.lists(one_press, min_size=1, max_size=12), st.floats(0, 30 * MS))
def test_every_press_of_40_ms_is_reported_exactly_once(
    train: list[tuple[float, float, list[float], list[float]]], late: float
) -> None:
    """Every press of 40 ms is reported once, with up to 8 ms of bounce at each edge and however late the loop wakes."""
    bench, time, wanted = Bench(late=late), 1.0, []
    for held, pause, come, go in train:
        wanted.append(Press("OK", Kind.PRESS, time))
        for when, down in bounces(time, True, come) + bounces(time + held, False, go):
            bench.edge(when, down)
        time += held + pause
    bench.until(time + 1)
    assert bench.events == wanted


@given(st.lists(st.floats(0.1 * MS, 29 * MS), min_size=1, max_size=20), st.floats(40 * MS, 0.3))
def test_a_second_press_within_the_bounce_never_counts(gaps: list[float], held: float) -> None:
    """A second press within 30 ms of a release's last edge counts as the same press."""
    bench = Bench()
    bench.edge(1.0, True)
    time, down = 1.0 + held, True
    for gap in gaps:
        down = not down
        bench.edge(time, down)
        time += gap
    bench.edge(time, False)
    bench.until(time + 1)
    assert bench.presses == [Press("OK", Kind.PRESS, 1.0)]


def test_a_thousand_presses_with_random_bounce_are_a_thousand() -> None:
    rng, bench, time = random.Random(1), Bench(late=2 * MS), 1.0
    for _ in range(1000):
        held = rng.uniform(40 * MS, 200 * MS)
        for edge, down in ((time, True), (time + held, False)):
            shake = [rng.uniform(0, 8 * MS) for _ in range(rng.randrange(9))]
            for when, level in bounces(edge, down, shake):
                bench.edge(when, level)
        time += held + rng.uniform(60 * MS, 200 * MS)
    bench.until(time + 1)
    assert len(bench.presses) == 1000
    assert bench.faults == []


@pytest.mark.parametrize("lost", [(True, False), (False, True), (True, True)])
def test_a_lost_edge_is_healed_by_reading_the_contact(lost: tuple[bool, bool]) -> None:
    """After a lost edge the press counts once the contact is read, and the loss is reported as a fault."""
    bench = Bench()
    bench.edge(1.0, True, lost=lost[0])
    bench.edge(2.0, False, lost=lost[1])
    bench.press(4.0, 4.1)
    bench.until(5.0)
    assert len(bench.presses) == 2
    assert set(bench.faults) == {ButtonFault.HEALED}


def test_a_lost_last_edge_of_a_burst_is_healed_at_once() -> None:
    """If the last edge of a bouncing press is lost, reading the contact finds the press within 50 ms."""
    bench = Bench()
    bench.edge(1.0, True)
    bench.edge(1.002, False)
    bench.edge(1.003, True, lost=True)
    bench.until(1.05)
    assert [press.button for press in bench.presses] == ["OK"]


def test_an_edge_that_is_delivered_late_counts_at_its_own_time() -> None:
    """A press and release that waited in the queue for 200 ms count at the times of their edges."""
    bench = Bench()
    bench.level["OK"] = False
    bench.events += bench.machine.edge("OK", True, 1.0)
    bench.events += bench.machine.advance(1.2, bench.level.__getitem__)
    bench.events += bench.machine.edge("OK", False, 1.05)
    bench.until(2.0)
    assert bench.events == [Press("OK", Kind.PRESS, 1.0)]


def test_a_stuck_button_is_reported_once_and_ignored() -> None:
    bench = Bench("OK", "PASS")
    bench.edge(1.0, True)
    bench.until(100.0)
    bench.press(101.0, 101.1, "PASS")
    bench.until(102.0)
    assert [press.button for press in bench.presses] == ["OK", "PASS"]
    assert bench.faults == [ButtonFault.STUCK]


def test_a_stuck_button_counts_again_after_its_release() -> None:
    bench = Bench()
    bench.press(1.0, 50.0)
    bench.press(51.0, 51.1)
    bench.until(52.0)
    assert [press.time for press in bench.presses] == [1.0, 51.0]
    assert bench.faults == [ButtonFault.STUCK, ButtonFault.FREED]


def test_a_button_held_at_the_start_is_reported_and_ignored_until_its_release() -> None:
    bench = Bench()
    bench.level["OK"] = True
    bench.events += bench.machine.start(["OK"], 0.0)
    bench.edge(3.0, False)
    bench.press(4.0, 4.1)
    bench.until(5.0)
    assert bench.presses == [Press("OK", Kind.PRESS, 4.0)]
    assert bench.faults == [ButtonFault.HELD, ButtonFault.FREED]


def test_a_loose_wire_is_reported_once_and_presses_nothing() -> None:
    bench = Bench()
    for step in range(1000):
        bench.edge(1.0 + step * 5 * MS, step % 2 == 0)
    assert bench.presses == []
    assert bench.faults == [ButtonFault.CHATTER]
    bench.until(10.0)
    assert bench.faults == [ButtonFault.CHATTER, ButtonFault.FREED]


def test_a_long_press_is_reported_instead_of_a_press() -> None:
    bench = Bench(long=["OK"])
    bench.press(1.0, 3.0)
    bench.until(4.0)
    assert bench.presses == [Press("OK", Kind.LONG, 1.0)]


def test_a_short_press_of_a_button_with_long_presses_is_reported_on_release() -> None:
    bench = Bench(long=["OK"])
    bench.edge(1.0, True)
    bench.until(1.4)
    assert bench.presses == []
    bench.edge(1.4, False)
    bench.until(2.0)
    assert bench.presses == [Press("OK", Kind.PRESS, 1.0)]


@given(st.floats(0, 29 * MS), st.booleans())
def test_two_buttons_together_are_a_chord_and_nothing_else(apart: float, swapped: bool) -> None:
    first, second = ("UNDO", "OK") if swapped else ("OK", "UNDO")
    bench = Bench("OK", "UNDO", chords=[("OK", "UNDO")])
    bench.edge(1.0, True, first)
    bench.edge(1.0 + apart, True, second)
    bench.edge(1.2, False, first)
    bench.edge(1.3, False, second)
    bench.until(2.0)
    assert bench.presses == [Press("OK+UNDO", Kind.CHORD, 1.0 + apart)]


def test_buttons_one_after_the_other_are_not_a_chord() -> None:
    bench = Bench("OK", "UNDO", chords=[("OK", "UNDO")])
    bench.press(1.0, 1.2, "OK")
    bench.press(1.1, 1.3, "UNDO")
    bench.until(2.0)
    assert [(press.button, press.kind) for press in bench.presses] == [("OK", Kind.PRESS), ("UNDO", Kind.PRESS)]


def test_a_press_that_might_become_a_chord_is_reported_within_50_ms() -> None:
    bench = Bench("OK", "UNDO", chords=[("OK", "UNDO")])
    bench.edge(1.0, True)
    bench.until(1.05)
    assert bench.presses == [Press("OK", Kind.PRESS, 1.0)]
