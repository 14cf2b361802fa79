"""The address at which phones find the table on any network, and how serving ends."""

from __future__ import annotations

import ipaddress
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

import pytest
from flask import Flask

from doubles.clock import PATIENCE
from tabletop.runtime import network, page_server

NONE: Sequence[str] = ()


def source_of(*addresses: str) -> Callable[[], Sequence[str]]:
    return lambda: addresses


@pytest.mark.parametrize(
    ("routed", "of_interfaces", "address"),
    [
        (["192.168.1.20"], ["127.0.0.1", "10.42.0.1"], "192.168.1.20"),
        (NONE, ["127.0.0.1", "10.42.0.1"], "10.42.0.1"),  # its own access point: no route to other networks
        (NONE, ["127.0.0.1", "169.254.7.9", "192.168.4.1"], "192.168.4.1"),
        (["169.254.7.9"], ["127.0.0.1", "169.254.7.9"], "127.0.0.1"),  # a cable without a network
        (NONE, ["127.0.0.1"], "127.0.0.1"),
        (NONE, NONE, "127.0.0.1"),
    ],
)
def test_any_address_but_loopback_and_link_local_is_a_network(
    routed: Sequence[str], of_interfaces: Sequence[str], address: str
) -> None:
    """The first address that is neither loopback nor link-local is used, even without a route as on access points."""
    assert network.numeric_address([source_of(*routed), source_of(*of_interfaces)]) == address


def test_a_table_that_is_its_own_access_point_waits_for_no_network() -> None:
    """A table that is its own access point gives its address at once and does not wait for a network."""
    own = network.addresses_of("0.0.0.0", [], 8000, lambda: network.numeric_address([source_of("10.42.0.1")]))
    assert (own.first, own.awaits_network) == ("http://10.42.0.1:8000", False)


def test_this_machines_interfaces_have_addresses() -> None:
    """The interfaces have IPv4 addresses, loopback among them."""
    found = [*network.interface_addresses()]
    assert "127.0.0.1" in found
    assert all(ipaddress.ip_address(one).version == 4 for one in found)


@pytest.mark.parametrize("name", ["tabletop", "tabletop.example.org"])
def test_a_machine_is_also_served_by_the_name_that_mdns_gives_a_second_one(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A machine called tabletop is also served as tabletop-2.local, the name that mDNS gives to a second one.

    mDNS leaves the domain out.
    """
    monkeypatch.setattr(socket, "gethostname", lambda: name)
    names = {*network.addresses_of("0.0.0.0", [], 8000, lambda: "10.42.0.1")}
    assert {"http://tabletop.local:8000", "http://tabletop-2.local:8000"} <= names


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_closing_the_terminal_stops_the_table_properly(number: signal.Signals) -> None:
    """A closed terminal ends the table like a request to stop: lights go out, and a demo leaves nothing behind."""
    with page_server.stop_signal() as ended:
        signal.raise_signal(number)
        assert ended.is_set()


def told_at_line(number: int) -> bool:
    """Send SIGTERM at that line of a wait, counting lines of Python's library; return whether it got that far.

    Raises AssertionError if the wait does not end.
    """
    left = number

    def trace(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal left
        if event == "line":
            left -= 1
            if left == 0:
                signal.raise_signal(signal.SIGTERM)
        return trace

    def hangs(*_: object) -> None:
        raise AssertionError(f"told to stop at line {number} of its wait, it waits forever")

    alarm, before = signal.signal(signal.SIGALRM, hangs), sys.gettrace()
    with page_server.stop_signal() as ended:
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        sys.settrace(trace)
        try:
            said = ended.wait(PATIENCE if number else 0.0)
        finally:
            sys.settrace(before)
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, alarm)
    return said


def test_a_signal_at_any_moment_of_the_wait_ends_it() -> None:
    """SIGTERM ends the wait at whichever line it arrives, whatever lock is held there."""
    assert not told_at_line(0)
    assert all(told_at_line(number) for number in range(1, 5))


def test_a_request_under_way_is_answered_before_the_table_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A request that is being answered when the pages end is answered before the table is closed."""
    closed, awaited, done = threading.Event(), threading.Event(), threading.Event()

    class AwaitedThread(threading.Thread):
        def join(self, timeout: float | None = None) -> None:
            awaited.set()
            super().join(timeout)

    class SlowServer:
        def __init__(self, *_: object) -> None: ...
        def run(self) -> None:
            if closed.wait(PATIENCE) and awaited.wait(PATIENCE):
                done.set()

        def close(self) -> None:
            closed.set()

    monkeypatch.setattr(page_server, "Server", SlowServer)
    monkeypatch.setattr(threading, "Thread", AwaitedThread)
    ended = page_server.StopRequest()
    page_server.serve(Flask(__name__), "127.0.0.1", 0, ended, listening=ended.set)
    assert done.is_set()


def test_under_nohup_the_table_continues_without_its_terminal() -> None:
    """Under nohup, the table continues when its terminal is closed."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with page_server.stop_signal() as ended:
            signal.raise_signal(signal.SIGHUP)
            assert not ended.is_set()
    finally:
        signal.signal(signal.SIGHUP, before)
