"""Under which address phones find the table, whatever network this machine is in, and what ends it."""

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
from tabletop.runtime import page_server

NONE: Sequence[str] = ()


def source_of(*addresses: str) -> Callable[[], Sequence[str]]:
    return lambda: addresses


@pytest.mark.parametrize(
    ("routed", "of_interfaces", "address"),
    [
        (["192.168.1.20"], ["127.0.0.1", "10.42.0.1"], "192.168.1.20"),
        (NONE, ["127.0.0.1", "10.42.0.1"], "10.42.0.1"),  # its own access point: no way to other networks
        (NONE, ["127.0.0.1", "169.254.7.9", "192.168.4.1"], "192.168.4.1"),
        (["169.254.7.9"], ["127.0.0.1", "169.254.7.9"], "127.0.0.1"),  # a cable to nobody
        (NONE, ["127.0.0.1"], "127.0.0.1"),
        (NONE, NONE, "127.0.0.1"),
    ],
)
def test_any_address_but_loopback_and_link_local_is_a_network(
    routed: Sequence[str], of_interfaces: Sequence[str], address: str
) -> None:
    """A Pi that is its own access point has no route to anywhere, but phones still reach it."""
    assert page_server.numeric_address([source_of(*routed), source_of(*of_interfaces)]) == address


def test_a_table_that_is_its_own_access_point_waits_for_no_network() -> None:
    """It shows its address and its code, as any other table does."""
    own = page_server.addresses("0.0.0.0", [], 8000, lambda: page_server.numeric_address([source_of("10.42.0.1")]))
    assert (own.first, own.awaits_network) == ("http://10.42.0.1:8000", False)


def test_this_machines_interfaces_have_addresses() -> None:
    """The kernel is asked; each answer is an address, loopback among them."""
    found = [*page_server.interface_addresses()]
    assert "127.0.0.1" in found
    assert all(ipaddress.ip_address(one).version == 4 for one in found)


@pytest.mark.parametrize("name", ["tabletop", "tabletop.example.org"])
def test_a_second_machine_of_one_name_is_reached_by_the_name_that_mdns_gives_it(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Of two machines called tabletop the second is tabletop-2.local: its pages are not refused under that name.

    mDNS leaves the domain out.
    """
    monkeypatch.setattr(socket, "gethostname", lambda: name)
    names = {*page_server.addresses("0.0.0.0", [], 8000, lambda: "10.42.0.1")}
    assert {"http://tabletop.local:8000", "http://tabletop-2.local:8000"} <= names


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_table_whose_terminal_is_closed_is_put_away_like_one_that_is_told_to_stop(number: signal.Signals) -> None:
    """Its lights go out, and a demo leaves nothing behind."""
    with page_server.stop_signal() as ended:
        signal.raise_signal(number)
        assert ended.is_set()


def told_at_line(number: int) -> bool:
    """Tell this process to stop at that line of a wait, counted in Python's own library too; return if it came so far.

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


def test_a_table_that_is_told_to_stop_at_any_moment_of_its_wait_stops() -> None:
    """The handler of a signal runs between any two lines of what it interrupts, whatever lock that has taken."""
    assert not told_at_line(0)
    assert all(told_at_line(number) for number in range(1, 5))


def test_what_is_being_answered_when_the_pages_end_is_answered_before_the_table_is_put_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The table was closed under a request that was being answered, and the process was gone before its answer was."""
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


def test_a_table_that_is_to_outlive_its_terminal_goes_on_when_that_is_closed() -> None:
    """Started with nohup, it does not end with the terminal."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with page_server.stop_signal() as ended:
            signal.raise_signal(signal.SIGHUP)
            assert not ended.is_set()
    finally:
        signal.signal(signal.SIGHUP, before)
