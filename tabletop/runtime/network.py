"""Where pages can listen on this machine, and at which addresses people reach them."""

from __future__ import annotations

import errno
import fcntl
import ipaddress
import socket
import struct
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain

from tabletop.hardware.diagnostics.probes import cannot_listen
from tabletop.messages import EMPTY, Message
from tabletop.web.http.addresses import Addresses

WILDCARD_ADDRESSES = ("0.0.0.0", "::")  # noqa: S104
"""The addresses that mean every address of this machine."""
NO_NETWORK = "There is no network yet; the address for phones will appear here as soon as there is one."
"""What the console says while the pages listen on every address but only this machine can open them."""
NETWORK_START_S = 150.0
"""How long after power-on the network may take to come up; systemd waits 3 min for the table to start."""
ADDRESS_POLL_S = 1.0
"""The time between two checks for an address that is still awaited."""
SIOCGIFADDR = 0x8915
"""The ioctl that asks Linux for the address of an interface."""


def numeric_address(sources: Sequence[Callable[[], Iterable[str]]] = ()) -> str:
    """Return this machine's address in its own network, ``127.0.0.1`` if it has none.  Nothing is sent.

    The address from which it reaches other networks wins; a machine that is its own access point reaches none, but has
    an address on that interface.  ``sources``, if given, are asked for addresses in turn instead of this machine.
    """
    for address in chain.from_iterable(ask() for ask in sources or (_routed, interface_addresses)):
        known = ipaddress.ip_address(address)
        if not known.is_loopback and not known.is_link_local and not known.is_unspecified:
            return address
    return "127.0.0.1"


def _routed() -> Iterator[str]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        # Connecting a datagram socket only asks the routing table; the address is one reserved for documentation.
        probe.connect(("192.0.2.1", 9))
        yield str(probe.getsockname()[0])


def interface_addresses() -> Iterator[str]:
    """Iterate over the addresses of the network interfaces that have one, as Linux tells them."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                answer = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                yield socket.inet_ntoa(answer[20:24])


def addresses_of(bind: str, hosts: Sequence[str], port: int, own: Callable[[], str] | None = None) -> Addresses:
    """Return the addresses of pages that listen on ``bind``, the numeric one first: some phones know no names.

    ``hosts`` are further names; those that mDNS may give the machine are added.  ``own`` returns this machine's present
    address in its own network: Wi-Fi may come up long after the table.
    """
    everywhere = bind in WILDCARD_ADDRESSES

    def now() -> list[str]:
        numeric = (own or numeric_address)() if everywhere else f"[{bind}]" if ":" in bind else bind
        # mDNS calls the second machine of a name in a network name-2, and so on.
        # It uses the first part of a name such as table.example.org.
        own_name = socket.gethostname().partition(".")[0]
        called = [f"{own_name}{more}.local" for more in ("", "-2", "-3", "-4")]
        names = [numeric, *hosts, *called, "localhost"]
        return [f"http://{name}:{port}" for name in names]

    return Addresses(now, everywhere=everywhere)


def tell_changes(addresses: Addresses, say: Callable[[str], None]) -> None:
    """Say each new address of the pages once; say as well if there is no network, now or later."""

    def tell() -> None:
        with suppress(OSError, ValueError):  # a console that is gone costs its line, never the table
            say(NO_NETWORK if addresses.awaits_network else f"The pages are now at {addresses.first}/")

    addresses.on_change(tell)
    if addresses.awaits_network:
        tell()


def port_in_use(host: str, port: int) -> Message:
    """Return why the pages cannot be served there, empty if they can."""
    error = cannot_listen(host, port)
    if error is None:
        return EMPTY
    if error.errno == errno.EADDRINUSE:
        return Message(
            "Port {port} is in use. If a table is running there, stop it first (sudo systemctl stop tabletop); "
            "otherwise choose another with --port.",
            port=port,
        )
    if error.errno == errno.EACCES:
        return Message(
            "Port {port} on {host} cannot be used ({error}); choose another with --port.",
            port=port, host=host, error=error.strerror,
        )  # fmt: skip
    return Message(
        "This machine cannot be reached as {host} ({error}); choose another address with --bind.",
        host=host, error=error.strerror,
    )  # fmt: skip


def await_address(
    host: str, port: int, uptime: Callable[[], float] = time.monotonic, wait: Callable[[float], None] = time.sleep
) -> None:
    """Wait until this machine has an address for ``host``, for as long as its network may still be coming up.

    After a power cut the router takes longer to start than a table that has one fixed address of its own.  ``uptime``
    returns the seconds since power-on, which is where Linux starts monotonic time.
    """
    while uptime() < NETWORK_START_S and _has_no_address(cannot_listen(host, port)):
        wait(ADDRESS_POLL_S)


def _has_no_address(error: OSError | None) -> bool:
    """Return whether an error says that this machine lacks the host's address, or cannot resolve its name yet."""
    return isinstance(error, socket.gaierror) or (error is not None and error.errno == errno.EADDRNOTAVAIL)


def free_port(host: str) -> int:
    """Return an unused port at an address that :func:`port_in_use` found to be usable."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])
