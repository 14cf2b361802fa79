"""Addresses that appear late are shown on pages, streams and the console without a restart."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from doubles.clock import PATIENCE
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from tabletop.runtime import page_server
from tabletop.runtime.network import NO_NETWORK, addresses_of, tell_changes
from tabletop.web.http.addresses import Addresses, live
from tabletop.web.pages import session

HERE, WLAN = "127.0.0.1", "192.168.1.20"


class Network:
    """A machine whose network comes and goes."""

    def __init__(self, own: str = HERE) -> None:
        self.own = own

    def addresses(self, bind: str = "0.0.0.0") -> Addresses:
        return addresses_of(bind, ["table.lan"], 8000, lambda: self.own)


@pytest.fixture
def network() -> Network:
    return Network()


@pytest.fixture
def late(mailbox: MemoryTable, network: Network) -> Iterator[Pages]:
    """The pages of a table that was started before its network was up."""
    made = Pages(mailbox, addresses=network.addresses())
    yield made
    made.close()


def test_a_page_made_before_the_network_says_that_the_address_comes_by_itself(late: Pages) -> None:
    """Without a network the page says so and suggests no option, since the pages listen everywhere already."""
    told = late.phone().get("/").text
    assert "The table has no network yet." in told
    assert "--bind" not in told
    assert 'class="qr"' not in told


def test_a_page_made_after_the_network_came_up_shows_address_and_code(late: Pages, network: Network) -> None:
    """A page looks for the addresses itself, so that it shows one that nothing has reported yet."""
    late.phone().get("/")
    network.own = WLAN
    told = late.phone().get("/").text
    assert "http://192.168.1.20:8000" in told
    assert 'class="qr"' in told
    assert "no network yet" not in told


def test_an_open_page_hears_of_a_new_address(late: Pages, network: Network) -> None:
    """A TV that nobody touches is sent the region that shows the address."""

    class Stream:
        seats, hosts, stage, counts, address = (), False, "", False, ""

        def __init__(self) -> None:
            self.told = threading.Event()

        def tell(self) -> None:
            self.told.set()

        def wake(self) -> None:
            self.told.set()

    hub, stream, addresses = (
        late.app.extensions[session.EXTENSION_KEY].hub,
        Stream(),
        late.app.extensions[session.EXTENSION_KEY].addresses,
    )
    assert hub.open(stream)
    before = hub.stamp
    network.own = WLAN
    addresses.look()
    assert stream.told.wait(PATIENCE)
    assert hub.stamp != before


def test_a_change_is_printed_once_and_so_is_the_loss_of_the_network(network: Network) -> None:
    """The console, which is read afterwards, has one line for each change."""
    told: list[str] = []
    addresses = network.addresses()
    tell_changes(addresses, told.append)
    for own in (HERE, WLAN, WLAN, "10.0.0.7", HERE, HERE):
        network.own = own
        addresses.look()
    assert told == [
        NO_NETWORK,
        "The pages are now at http://192.168.1.20:8000/",
        "The pages are now at http://10.0.0.7:8000/",
        NO_NETWORK,
    ]


def test_a_console_that_is_gone_costs_its_line_and_never_the_table(network: Network) -> None:
    """A broken console does not stop the loop that looks for addresses and keeps the table alive."""

    def gone(line: str) -> None:
        raise BrokenPipeError

    addresses = network.addresses()
    tell_changes(addresses, gone)
    network.own = WLAN
    assert addresses.look() == 1
    assert addresses.first == "http://192.168.1.20:8000"


def test_an_address_that_was_chosen_stays(network: Network) -> None:
    """A table that listens on one address only neither waits for the network nor reports another address."""
    addresses = network.addresses("127.0.0.1")
    network.own = WLAN
    assert (addresses.look(), addresses.first, addresses.awaits_network) == (0, "http://127.0.0.1:8000", False)


def test_the_names_of_a_table_are_those_of_now(mailbox: MemoryTable) -> None:
    """A host name that came with the network is accepted as the table's own."""
    names = ["http://127.0.0.1:8000"]
    pages = Pages(mailbox, addresses=Addresses(lambda: names))
    before = pages.app.test_client().get("/", base_url="http://late.local:8000").status_code
    names.append("http://late.local:8000")
    pages.app.extensions[session.EXTENSION_KEY].addresses.look()
    after = pages.app.test_client().get("/", base_url="http://late.local:8000").status_code
    assert (before, after) == (403, 200)
    pages.close()


def test_addresses_that_never_change_are_taken_as_they_are() -> None:
    """A plain list can be given where the addresses do not change."""
    fixed = live(["http://a:1", "http://b:1"])
    assert (fixed.first, list(fixed), fixed[:1], fixed.look()) == (
        "http://a:1", ["http://a:1", "http://b:1"], ("http://a:1",), 0,
    )  # fmt: skip
    assert live(fixed) is fixed
    assert live([]).first == ""


def test_the_loop_that_serves_asks_for_the_addresses(late: Pages, network: Network) -> None:
    """The serving loop, which also sends the signs of life, looks for addresses."""
    ended = page_server.StopRequest()
    asked: list[str] = []
    addresses = network.addresses()

    def end() -> None:
        asked.append(addresses.first)
        ended.set()

    addresses.on_change(end)
    network.own = WLAN
    page_server.serve(late.app, "127.0.0.1", 0, ended, addresses=addresses)
    assert asked == ["http://192.168.1.20:8000"]
