"""Safe mode can always be opened: it does not depend on the settings that keep the table from being served."""

from __future__ import annotations

import pytest

from tabletop.config import PagesConfig
from tabletop.messages import EMPTY, Message
from tabletop.runtime import maintenance, network


@pytest.mark.parametrize("pages", [PagesConfig(port=80), PagesConfig(bind="192.0.2.7"), PagesConfig(bind="")])
def test_a_service_whose_address_or_port_cannot_be_used_shows_safe_mode_on_the_shipped_ones(
    pages: PagesConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a service, safe mode falls back to the shipped address and port if the configured ones cannot be used."""
    shipped = ("0.0.0.0", 8080)
    monkeypatch.setattr(
        network, "port_in_use", lambda *place: EMPTY if place == shipped else Message("It cannot be used.")
    )
    assert maintenance._place(pages, None, None, served=True) == shipped
    with pytest.raises(maintenance.MaintenanceError):
        maintenance._place(pages, None, None, served=False)


def test_safe_mode_is_as_closed_to_others_as_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Safe mode is served to its own machine only if the table's pages are, whatever port it uses."""
    monkeypatch.setattr(
        network, "port_in_use", lambda _, port: EMPTY if port == 8080 else Message("It cannot be used.")
    )
    pages = PagesConfig(bind="127.0.0.1", port=80)
    assert maintenance._place(pages, None, None, served=True) == ("127.0.0.1", 8080)
