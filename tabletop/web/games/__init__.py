"""What a game brings to the pages: its words and pictures.  The framework around them is the same for all games."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from pathlib import Path
from posixpath import normpath

from tabletop.rules.game import Game
from tabletop.rules.registry import BUILT_IN, Layer, UnusablePart
from tabletop.web.games.game_ui import AnyUI, GameUI

log = logging.getLogger(__name__)

UIS: Layer[AnyUI] = Layer("tabletop.games.web", "tabletop.web.games.{game}", "UI", GameUI)


@cache  # a page asks for it many times a second
def ui_of(game: Game) -> AnyUI:
    """Return the game's UI, or the generic one, which puts everything into words."""
    return _loadable(game.name) or GameUI(game.name)


def template_of(name: str) -> str | None:
    """Return the source of a template ``games/GAME/…`` of a game from another package, None if it has none."""
    file = _brought(name, lambda ui: ui.templates)
    return file.read_text(encoding="utf-8") if file is not None else None


def static_of(name: str) -> Path | None:
    """Return the static file ``games/GAME/…`` that a game from another package brings, None if it brings none."""
    return _brought(name, lambda ui: ui.static)


def _loadable(game: str) -> AnyUI | None:
    """Return a game's UI, None if it brings none or its UI cannot be loaded, which is logged."""
    try:
        return UIS.part(game)
    except UnusablePart as unusable:
        log.warning("%s", unusable)
        return None


def _brought(name: str, folder_of: Callable[[AnyUI], Path | None]) -> Path | None:
    """Return a file in a folder that a game from another package brings, None if there is none."""
    within, _, rest = name.partition("/")
    game, _, path = rest.partition("/")
    if within != "games" or game in BUILT_IN:
        return None
    ui = _loadable(game)
    folder = folder_of(ui) if ui is not None else None
    if folder is None or normpath(path) != path:  # files are cached by name, so each may have only one
        return None
    try:
        file = (folder / path).resolve()
        return file if file.is_file() and file.is_relative_to(folder.resolve()) else None
    except (OSError, ValueError):  # no file can have this name
        return None
