"""The addresses of the pages, as they are now: a table may be started before its network is up."""

from __future__ import annotations

import ipaddress
import threading
from collections.abc import Callable, Sequence
from typing import TypedDict, overload
from urllib.parse import urlsplit

from markupsafe import Markup

from tabletop.web.http.qr import qr


class WayIn(TypedDict):
    """How people reach the table: the address that they type, or the link as a QR code, and the code of the table.

    ``here_alone`` says that the address works only on this machine, ``awaits_network`` that this may change.
    """

    address: str
    here_alone: bool
    awaits_network: bool
    link: str
    qr: Markup
    code: str


class Addresses(Sequence[str]):
    """The addresses as people type them, the numeric one first (``http://192.168.1.20:8000``).

    ``ask`` is called often and returns them quickly.  ``everywhere`` is True if the pages listen on every address of
    this machine: an address for this machine alone then means that there is no network yet.  Listeners of
    :meth:`on_change` are called once per change, in the thread that noticed it.  Usable from any thread.
    """

    def __init__(self, ask: Callable[[], Sequence[str]], *, everywhere: bool = False) -> None:
        self._ask, self._everywhere = ask, everywhere
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], None]] = []
        self._now = tuple(ask())
        self._revision = 0

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call the listener after every change."""
        self._listeners.append(listener)

    def look(self) -> int:
        """Ask for the addresses and return their revision: how often they have changed."""
        with self._lock:
            now = tuple(self._ask())
            if now == self._now:
                return self._revision
            self._now = now
            self._revision += 1
            revision = self._revision
        for listener in self._listeners:
            listener()
        return revision

    @property
    def first(self) -> str:
        """The address that people are told, empty if there is none."""
        return self._now[0] if self._now else ""

    @property
    def awaits_network(self) -> bool:
        """True while this machine has no network through which phones could come, but may get one."""
        return self._everywhere and _is_here_alone(self.first)

    def way_in(self, code: str) -> WayIn:
        """Return how people reach the table now; ``code`` is the code of the table."""
        address = self.first
        link = f"{address}/join?code={code}"
        here_alone, awaits = _is_here_alone(address), self.awaits_network
        return {
            "address": address,
            "here_alone": here_alone,
            "awaits_network": awaits,
            "link": link,
            "qr": qr(link),
            "code": code,
        }

    def __len__(self) -> int:
        return len(self._now)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self._now[index]


def live(addresses: Sequence[str]) -> Addresses:
    """Return the addresses as :class:`Addresses`, made from a fixed list if necessary."""
    return addresses if isinstance(addresses, Addresses) else Addresses(lambda: addresses)


def _is_here_alone(address: str) -> bool:
    """Return whether an address leads to the machine that opens it, so that no phone can reach the table by it."""
    return is_loopback(urlsplit(address).hostname or "")


def is_loopback(host: str) -> bool:
    """Return whether a host, by name or address, is the very machine that looks it up."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
