"""The games that exist, and what each brings to a layer: the built-in ones and those of installed packages.

A game brings one module or package of its name to each layer that it has something to say in: rules, printing, score,
bots, pages, simulator.  A layer finds it by the entry point of the game's name in the layer's group; a built-in game is
also found if the program runs without being installed.  Nothing is imported before it is asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from tabletop.rules.edition import Enrolment
from tabletop.rules.game import Game, Illegal
from tabletop.rules.refusals import bad_request

BUILT_IN = tuple(sorted(path.parent.name for path in Path(__file__).parent.glob("*/game.py")))
"""The games of this project: each has a package beside this file."""
DEFAULT = BUILT_IN[0]
"""The game that is used if none is named."""


class Layer(NamedTuple):
    """A layer to which a game can bring a part."""

    group: str
    """The entry-point group in which a package offers its part: ``name = "package.module:ATTRIBUTE"``."""
    module: str
    """The module of a built-in game's part; ``{game}`` stands for the game's name."""
    attribute: str
    """What the part is called in that module."""

    def part(self, name: str) -> Any:
        """Return what the game of that name brings to this layer, None if it brings nothing.

        Raises Illegal (``bad-request``) for a part that is offered and cannot be imported.
        """
        if name in BUILT_IN:
            module = self.module.format(game=name)
            return getattr(importlib.import_module(module), self.attribute) if _exists(module) else None
        point = next(iter(entry_points(group=self.group, name=name)), None)
        try:
            return point.load() if point is not None else None
        except Exception as error:  # whatever the module of a stranger raises
            why = f"{type(error).__name__}: {error}"[:200]
            raise bad_request(
                "The installed game {name} cannot be loaded ({why}).", name=repr(name[:40]), why=why
            ) from error


GAMES = Layer("tabletop.games", "tabletop.rules.{game}", "GAME")
EDITIONS = Layer("tabletop.games.editions", "tabletop.rules.{game}.enrolment", "ENROLMENT")


def names() -> list[str]:
    """Return the names of all games, the built-in ones first."""
    offered = {point.name for point in entry_points(group=GAMES.group)}
    return [*BUILT_IN, *sorted(offered.difference(BUILT_IN))]


def game(name: str) -> Game:
    """Return the game of that name.  Raises Illegal (``bad-request``) naming the games there are."""
    found = GAMES.part(name)
    if not isinstance(found, Game):
        raise bad_request("There is no game {name}; there are: {known}.", name=repr(name[:40]), known=tuple(names()))
    return found


def games() -> tuple[list[Game], list[Illegal]]:
    """Return every game that can be loaded, and why each of the others cannot."""
    found, faults = [], []
    for name in names():
        try:
            found.append(game(name))
        except Illegal as fault:
            faults.append(fault)
    return found, faults


def enrolment(name: str) -> Enrolment | None:
    """Return how the game's editions are entered and checked, None if it has none."""
    found = EDITIONS.part(name)
    return found if isinstance(found, Enrolment) else None


def enrolments() -> dict[str, Enrolment]:
    """Return the same of every game that has editions, by the game's name; what cannot be loaded is left out."""
    found = {}
    for name in names():
        with suppress(Illegal):
            form = enrolment(name)
            if form is not None:
                found[name] = form
    return found


def game_of(edition: Mapping[str, Any]) -> str | None:
    """Return the name of the game that an edition is for, or None if it does not say."""
    named = edition.get("game")
    if isinstance(named, str):
        return named
    return next((name for name, form in enrolments().items() if form.table in edition), None)


def _exists(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # one of the packages around it
        return False
