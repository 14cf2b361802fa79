"""A page shows one moment."""

from __future__ import annotations

from collections.abc import Callable

from doubles.memory_table import MemoryTable
from doubles.pages import HOST, Pages
from tabletop.match.event import EventKind
from tabletop.web.http.addresses import Addresses
from tabletop.web.live.hub import Audience
from tabletop.web.pages import session


def test_a_page_names_the_event_that_it_shows_whatever_happens_while_it_is_rendered(mailbox: MemoryTable) -> None:
    """A decision made on a page is never taken for one about a later event that the page did not show."""
    meanwhile: list[Callable[[], object]] = []

    def ask() -> list[str]:
        if meanwhile:
            meanwhile.pop()()
        return [HOST]

    pages = Pages(mailbox, addresses=Addresses(ask))
    renderer, audience = pages.app.extensions[session.EXTENSION_KEY].renderer, Audience("seat", 0, "en")
    renderer.show(Audience("table", None, "en"))
    meanwhile.append(lambda: mailbox.decide(EventKind.PAUSE, {}, id="pause-0001"))
    shown, fresh = renderer.show(audience), renderer.show(audience)
    assert shown.on == fresh.on == mailbox.snapshot.number
    assert shown.regions == fresh.regions
