"""Make the README's still pictures: a game on the TV, and the page of the seat that decides on a phone.

    .venv/bin/python -m tools.pictures.make_pictures

Needs chromium.  It writes to ``docs/pictures/``; ``tools/pictures/make_animation.py`` makes the animated one, and
``tools/pictures/make_page_pictures.py`` the sheets of every page.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import sync_playwright

from doubles.browsers import browser_path
from tools.pictures.make_page_pictures import ARGUMENTS, Table, shot, table_of
from tools.pictures.page_states import states

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
STILLS = {"table": ("palazzo table action", "tv"), "seat": ("palazzo choose", "phone")}
"""Name of a picture → the state and the screen that it shows."""


def main() -> None:
    """Take the pictures."""
    shown = {state.name: state for state in states()}
    tables: dict[str, Table] = {}
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path(), args=ARGUMENTS)
        for name, (state, screen) in STILLS.items():
            picture = shot(browser, table_of(tables, shown[state]), shown[state], "en", screen)
            picture.convert("RGB").quantize(256).save(PICTURES / f"{name}.png", optimize=True)
        browser.close()
    for table in tables.values():
        table.close()


if __name__ == "__main__":
    main()
