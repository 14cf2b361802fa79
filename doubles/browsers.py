"""Finds the installed browser that shows the pages."""

from __future__ import annotations

import shutil

BROWSERS = ("chromium-headless-shell", "chromium")
"""The browsers, of which the first installed one is used; the headless one takes half the time."""


class NoBrowser(RuntimeError):
    """None of the browsers is installed."""

    def __init__(self) -> None:
        super().__init__(f"This needs chromium: sudo apt-get install -y {BROWSERS[0]}")


def browser_path() -> str:
    """Return the path of the browser.  Raises NoBrowser if none is installed."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        raise NoBrowser
    return program
