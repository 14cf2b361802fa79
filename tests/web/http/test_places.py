"""Places are limited by address, so that no address takes all of them."""

from __future__ import annotations

import pytest

from tabletop.web.http.places import NoPlace, Places, plain


def test_an_address_gets_no_more_than_its_number() -> None:
    """An address may hold two of the places, and a place that is given back can be taken again."""
    places: Places[int] = Places(10, 2)
    assert [places.take(1, "a"), places.take(2, "a"), places.take(3, "b")] == [None] * 3
    with pytest.raises(NoPlace):
        places.take(4, "a")
    places.leave(1)
    places.leave(1)
    assert places.take(4, "a") is None


def test_an_address_gives_up_its_oldest_idle_place() -> None:
    """A full address loses the oldest place that is idle, never another address's, and is refused if none is."""
    idle = {0, 2, 3}
    places: Places[int] = Places(10, 3, idle.__contains__)
    for number, address in enumerate("baaa"):
        places.take(number, address)
    assert [places.take(4, "a"), places.take(5, "a")] == [2, 3]
    with pytest.raises(NoPlace):
        places.take(6, "a")


def test_a_newcomer_takes_the_newest_place_of_the_address_with_most() -> None:
    """With all places taken, a newcomer displaces the address with most, unless it would then have as many."""
    places: Places[int] = Places(4, 3)
    for number, address in enumerate("baaa"):
        places.take(number, address)
    assert places.take(4, "c") == 3
    assert places.take(5, "d") == 2
    with pytest.raises(NoPlace):
        places.take(6, "e")
    with pytest.raises(NoPlace):
        places.take(7, "a")


@pytest.mark.parametrize(
    ("told", "counted"),
    [
        ("192.168.1.7", "192.168.1.7"),
        ("::ffff:192.168.1.7", "192.168.1.7"),
        ("fe80::1%wlan0", "fe80::1"),
        ("2001:db8:0:0::1", "2001:db8::1"),
        ("", ""),
    ],
)
def test_one_device_counts_as_one_however_its_address_is_written(told: str, counted: str) -> None:
    """Different spellings of an address count as one, and two phones in one IPv6 network as two."""
    assert plain(told) == counted
