"""A game without pages of its own on the TV, with as many seats as there are colours and a large view."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from doubles.browsing import served
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from tabletop.rules.contract import play_random_game
from tabletop.rules.game import View
from tabletop.web.seating.looks import HUES
from tests.rules.tiny import lantern

TV: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}, "has_touch": False, "is_mobile": False}
SEATS = """() => [...document.querySelectorAll(".people > li")].map((one) => {
    const { left, top, height } = one.getBoundingClientRect();
    return [getComputedStyle(one).getPropertyValue("--seat"), left < 640, Math.round(top), Math.round(height)];
})"""
"""For each seat: its colour, whether it is on the left, and the top and height of its box."""
BELOW = """() => {
    const edge = document.querySelector(".board").getBoundingClientRect().bottom;
    return [...document.querySelectorAll(".board dt")].filter((one) => one.getBoundingClientRect().bottom > edge)
        .map((one) => one.textContent);
}"""
"""The terms of the view that are cut off at the lower edge of the board."""


def test_every_seat_has_its_colour_and_place_and_all_of_the_view_is_in_sight(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Half of the seats are on each side in equal boxes, and a part of the view with many items hides no other."""
    info = tmp_path / "lantern-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lantern\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[tabletop.games]\nlantern = tests.rules.tiny.lantern:GAME\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(lantern, "HAND", 1)
    monkeypatch.setattr(lantern.Lantern, "seat_range", range(2, len(HUES) + 1))
    shown = lantern.LanternPosition.view

    def view(position: lantern.LanternPosition, seat: int | None) -> View:
        return {"board": {f"hex{number}": f"L{number}" for number in range(20)}, **shown(position, seat)}

    monkeypatch.setattr(lantern.LanternPosition, "view", view)
    position = play_random_game(lantern.GAME, 1, len(HUES)).positions[-2]
    pages = Pages(MemoryTable(lantern.GAME, position.names, position=position))
    for seat in range(len(HUES)):
        pages.room.claim(seat)
    with served(browser, pages) as table:
        page = table.phone(**TV)
        page.goto(table.base)
        seats = page.evaluate(SEATS)
        assert len({colour for colour, *_ in seats} - {""}) == len(HUES)
        assert {height for *_, height in seats} == {seats[0][-1]}
        assert len({(left, top) for _, left, top, _ in seats}) == len(HUES)
        assert sum(left for _, left, *_ in seats) == len(HUES) / 2
        assert page.evaluate(BELOW) == []
