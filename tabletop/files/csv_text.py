"""Texts in CSV, which somebody may open with a spreadsheet."""

from __future__ import annotations

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""The beginnings of texts that a spreadsheet evaluates (OWASP, CSV injection)."""


def inert(text: str) -> str:
    """Return a text, such as a player's name, with an apostrophe before it if a spreadsheet would evaluate it."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
