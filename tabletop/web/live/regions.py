"""The live pages: the regions of each, and for whom they are."""

from __future__ import annotations

from collections.abc import Mapping

PAGES: Mapping[str, tuple[str, ...]] = {
    "table": ("status", "prompts", "map", "board", "seats", "log", "join", "final"),
    "seat": ("status", "prompts", "covers", "lesson", "do", "hint", "mine", "hand", "table", "others", "log"),
    "listen": ("status", "prompts", "do", "answers", "agreed"),
    "demo": ("status", "prompts", "panel", "camera"),
    "host": ("status", "prompts", "game", "phones", "correct", "history", "game_night"),
    "history": ("status", "prompts", "history"),
    "after": ("again",),
}
"""Page → its regions, in the order in which a screen reader meets them."""

STAGE_PAGES = ("table",)
"""Pages that also show, sound and say what just happened."""

HANDS_PAGES = (*STAGE_PAGES, "demo")
"""Pages on which the hands of a simulated table are seen to move pieces."""

SEAT_PAGES = ("seat", "listen")
"""Pages for a seat alone."""

NEWS_PAGES = (*STAGE_PAGES, "listen")
"""Pages that get what just happened."""

HOST_PAGES = ("host", "history")
"""Pages for the host alone."""

SECRET_REGIONS = ("do", "hint", "hand")
"""Regions of a seat's page that show its hand: a phone that holds several seats gets them while a button is held."""
