"""The panel admits a seat by its button or by holding OK, a host by holding OK, and nobody by accident."""

from __future__ import annotations

import pytest

from doubles.clock import Clock
from tabletop.hardware.panel import panel_file
from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.hardware.panel.lights import Pattern
from tabletop.runtime.panel_actions import CONFIRMATION_S, PanelClaims, admission_at
from tabletop.web.seating.claims import CLAIM_TIMEOUT_S, CONFIRMED, GUARDED, Admission
from tabletop.web.seating.room import Room


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def room(clock: Clock) -> Room:
    return Room("CODE42", seats=range(3), admission=CONFIRMED, clock=clock)


def ok(kind: Kind) -> Press:
    return Press("OK", kind, 0.0)


def test_a_short_ok_admits_nobody(room: Room) -> None:
    """A short press of OK belongs to the game and admits nobody who waits for a seat."""
    room.claim(1)
    assert not PanelClaims(room).press(ok(Kind.PRESS))
    assert room.seating.taken == set()


def test_ok_held_admits_the_phone_that_waited_longest(room: Room, clock: Clock) -> None:
    second, first = room.claim(2), room.claim(1)
    door = PanelClaims(room)
    assert door.press(ok(Kind.LONG))
    assert room.seating.held_by(second) == (2,)
    clock.now += CONFIRMATION_S
    assert door.press(ok(Kind.LONG))
    assert room.seating.held_by(first) == (1,)
    clock.now += CONFIRMATION_S
    assert not door.press(ok(Kind.LONG))


def test_the_light_of_the_seat_that_is_asked_about_blinks_and_no_other_seats_light_shines(room: Room) -> None:
    table = {"seat0": Pattern.STEADY, "MONEY": Pattern.STEADY}
    door = PanelClaims(room)
    assert door.lights(table) == table
    room.claim(2)
    room.claim(1)
    assert door.lights(table) == {"MONEY": Pattern.STEADY, "OK": Pattern.SLOW, "seat2": Pattern.SLOW}


def test_ok_held_for_a_seat_never_makes_another_phone_the_host(room: Room) -> None:
    """Holding OK for a waiting seat admits that seat, and not a phone that asked earlier to be host."""
    stranger, ada = room.ask_to_host(), room.claim(1, "Ada")
    door = PanelClaims(room)
    assert door.lights({}) == {"OK": Pattern.SLOW, "seat1": Pattern.SLOW}
    assert door.press(ok(Kind.LONG))
    assert room.seating.held_by(ada) == (1,)
    assert stranger not in room.hosts


def test_a_confirmation_is_shown_before_the_next_one_can_be_made(room: Room, clock: Clock) -> None:
    """After a confirmation the panel shows it for a while, and holding OK on confirms nobody else."""
    stranger, _ada = room.ask_to_host(), room.claim(1, "Ada")
    door = PanelClaims(room)
    door.press(ok(Kind.LONG))
    assert door.lights({"seat0": Pattern.STEADY}) == {"seat1": Pattern.STEADY, "buzzer": Pattern.SLOW}
    assert door.press(ok(Kind.LONG))
    assert stranger not in room.hosts
    clock.now += CONFIRMATION_S
    assert set(door.lights({}).values()) == {Pattern.THRICE}
    assert door.press(ok(Kind.LONG))
    assert stranger in room.hosts
    said = door.lights({})
    assert said == {f"seat{seat}": Pattern.STEADY for seat in range(3)} | {"buzzer": Pattern.THRICE}
    clock.now += CONFIRMATION_S
    assert door.lights({"MONEY": Pattern.STEADY}) == {"MONEY": Pattern.STEADY}


def test_a_host_is_admitted_by_ok_held_while_all_seats_flash_three_times(room: Room) -> None:
    token = room.ask_to_host()
    door = PanelClaims(room)
    assert token not in room.hosts
    assert door.lights({}) == dict.fromkeys(("OK", "seat0", "seat1", "seat2"), Pattern.THRICE)
    assert door.press(ok(Kind.LONG))
    assert token in room.hosts


def test_a_seat_with_a_button_of_its_own_is_confirmed_by_that_alone(clock: Clock) -> None:
    room = Room(
        "CODE42", seats=range(3), admission=Admission(confirm=True, own_buttons=frozenset({0, 1, 2})), clock=clock
    )
    token, door = room.claim(1), PanelClaims(room)
    assert not door.press(ok(Kind.LONG))
    assert not door.press(Press("SEAT2", Kind.PRESS, 0.0))
    assert door.lights({}) == {"seat1": Pattern.SLOW, "SEAT1": Pattern.SLOW}
    assert door.press(Press("SEAT1", Kind.PRESS, 0.0))
    assert room.seating.held_by(token) == (1,)


def test_a_claim_that_is_not_confirmed_in_time_expires(room: Room, clock: Clock) -> None:
    """A claim that was not confirmed in time expires, so that a later press cannot admit it by mistake."""
    room.claim(1)
    clock.now += CLAIM_TIMEOUT_S
    assert not PanelClaims(room).press(ok(Kind.LONG))
    assert room.seating.taken == set()
    assert PanelClaims(room).lights({}) == {}


def test_the_shipped_panel_has_no_seat_buttons() -> None:
    assert admission_at(panel_file.load()) == CONFIRMED


def test_without_buttons_a_free_seat_is_taken_at_once() -> None:
    """A panel with lights but no buttons confirms nobody: free seats are taken at once, as without a panel."""
    assert admission_at(panel_file.EMPTY_WIRING) == admission_at(None) == GUARDED
