"""The built-in games and those of installed packages, with the parts that each brings to a layer.

A game has one module or package of its name in each layer that it adds to: rules, printing, score, bots, pages,
simulator.  A layer finds it by the entry point of the game's name in the layer's group; a built-in game is also found
if the program runs without being installed.  Nothing is imported before it is needed.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from tabletop.messages import Message
from tabletop.rules.edition import Enrolment
from tabletop.rules.game import Game, Illegal
from tabletop.rules.refusals import bad_request

log = logging.getLogger(__name__)

BUILT_IN = tuple(sorted(path.parent.name for path in Path(__file__).parent.glob("*/game.py")))
"""The games of this project: each has a package beside this file."""
DEFAULT = BUILT_IN[0]
"""The game that is used if none is named."""


T = TypeVar("T")


class UnusablePart(Illegal):
    """A part that an installed game offers cannot be imported, or is not of the type that the layer asks for."""


@dataclass(frozen=True)
class Layer(Generic[T]):
    """A layer to which a game can bring a part."""

    group: str
    """The entry-point group in which a package offers its part: ``name = "package.module:ATTRIBUTE"``."""
    module: str
    """The module of a built-in game's part; ``{game}`` stands for the game's name."""
    attribute: str
    """The name of the part in that module."""
    kind: type
    """The type of the part: T, which may be abstract; ``FunctionType`` for a function."""

    def part(self, name: str) -> T | None:
        """Return the part that the game of that name has in this layer, None if it has none.

        Raises UnusablePart if a part is offered but cannot be imported or is of another type.
        """
        if name in BUILT_IN:
            module = self.module.format(game=name)
            return getattr(importlib.import_module(module), self.attribute) if _exists(module) else None
        point = next(iter(entry_points(group=self.group, name=name)), None)
        return self._load(point) if point is not None else None

    def parts(self) -> dict[str, T]:
        """Return the part of each game in this layer, by the game's name; a part that cannot be loaded is logged."""
        brought = {}
        for name in names():
            try:
                part = self.part(name)
            except UnusablePart as unusable:
                log.warning("%s", unusable)
                continue
            if part is not None:
                brought[name] = part
        return brought

    def _load(self, point: EntryPoint) -> T:
        """Return the part that an installed package offers."""
        name = repr(point.name[:40])
        try:
            part = point.load()
        except Exception as error:  # a foreign module may raise anything
            why = f"{type(error).__name__}: {error}"[:200]
            text = Message("The installed game {name} cannot be loaded ({why}).", name=name, why=why)
            raise UnusablePart("bad-request", text) from error
        if not isinstance(part, self.kind):
            text = Message(
                "The installed game {name} cannot be loaded: {point} in {group} must be of type {kind}, not {type}.",
                name=name, point=point.value[:100], group=self.group,
                kind=self.kind.__name__, type=type(part).__name__,
            )  # fmt: skip
            raise UnusablePart("bad-request", text)
        return cast(T, part)


GAMES: Layer[Game] = Layer("tabletop.games", "tabletop.rules.{game}", "GAME", Game)
EDITIONS: Layer[Enrolment] = Layer("tabletop.games.editions", "tabletop.rules.{game}.enrolment", "ENROLMENT", Enrolment)


def names() -> list[str]:
    """Return the names of all games, the built-in ones first."""
    offered = {point.name for point in entry_points(group=GAMES.group)}
    return [*BUILT_IN, *sorted(offered.difference(BUILT_IN))]


def game(name: str) -> Game:
    """Return the game of that name.  Raises Illegal (``bad-request``) naming the known games."""
    known = GAMES.part(name)
    if known is None:
        raise bad_request("There is no game {name}; there are: {known}.", name=repr(name[:40]), known=tuple(names()))
    return known


def games() -> list[Game]:
    """Return every game that can be loaded."""
    return [loaded for name in names() if not isinstance(loaded := _game_or_fault(name), Illegal)]


def faults() -> list[Illegal]:
    """Return for each game that cannot be loaded why not."""
    return [fault for name in names() if isinstance(fault := _game_or_fault(name), Illegal)]


def _game_or_fault(name: str) -> Game | Illegal:
    try:
        return game(name)
    except Illegal as fault:
        return fault


def game_of(edition: Mapping[str, Any]) -> str | None:
    """Return the name of the game that an edition is for, or None if it does not say."""
    named = edition.get("game")
    if isinstance(named, str):
        return named
    return next((name for name, form in EDITIONS.parts().items() if form.table in edition), None)


def _exists(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # one of the packages around it
        return False
