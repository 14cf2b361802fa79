"""Limited places, shared out by address: nobody takes all of them, and a newcomer finds one."""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Callable
from typing import Generic, TypeVar

MAX_PER_ADDRESS = 64
"""How many connections one address may hold unless the configuration says otherwise: a browser opens about seven, and
all phones of a home may come through one router."""

T = TypeVar("T")


class NoPlace(Exception):
    """Every place that this address may have is taken."""


def plain(address: str) -> str:
    """Return the form of an address in which it is counted: an IPv4-mapped IPv6 address becomes IPv4.

    IPv6 addresses count one by one, not by network, because all phones of a home share theirs.
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(getattr(ip, "ipv4_mapped", None) or ip)


class Places(Generic[T]):
    """A pool of ``most`` places, of which one address may hold ``each``.

    An address that holds all of its places gives up its oldest one that is ``idle`` for a new one.  If all are taken,
    the address that holds most loses its newest place to one that holds fewer: a TV and a host come in however many
    connections another device keeps open.  Not thread-safe.
    """

    def __init__(self, most: int, each: int, idle: Callable[[T], bool] = lambda _holder: False) -> None:
        self._most, self._each, self._idle = most, each, idle
        self._taken: dict[T, str] = {}
        self._held: Counter[str] = Counter()

    def take(self, holder: T, address: str) -> T | None:
        """Give a place to ``holder``; return the holder that loses its own, None if none does.  Raises NoPlace."""
        home, lost = plain(address), None
        if self._held[home] >= self._each:
            lost = self._oldest_idle(home)
            self.leave(lost)
        elif len(self._taken) >= self._most:
            lost = self._newest_of_most(self._held[home] + 1)
            self.leave(lost)
        self._taken[holder] = home
        self._held[home] += 1
        return lost

    def leave(self, holder: T) -> None:
        """Give a place back; nothing happens if it has none."""
        home = self._taken.pop(holder, None)
        if home is not None:
            self._held[home] -= 1
            if not self._held[home]:
                del self._held[home]

    def _oldest_idle(self, home: str) -> T:
        for holder, address in self._taken.items():
            if address == home and self._idle(holder):
                return holder
        raise NoPlace

    def _newest_of_most(self, more_than: int) -> T:
        home, held = self._held.most_common(1)[0]
        if held <= more_than:
            raise NoPlace
        return next(holder for holder in reversed(self._taken) if self._taken[holder] == home)
