"""Editions: which tile belongs to which stack, as data that a table can enter for its own box."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from tabletop.rules.game import Illegal, Json
from tabletop.rules.palazzo.components import END_TILES, STACKS, TILES
from tabletop.rules.palazzo.options import MAX_NAME_LENGTH, UNKNOWN_STACKS
from tabletop.rules.validate import unfit, without_unfit


class Edition(NamedTuple):
    """A name and the tiles of the stacks I, II and III; the end tiles always belong to III."""

    name: str
    stacks: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]

    @property
    def unseen(self) -> tuple[tuple[str, ...], ...]:
        """The unseen pieces of each stack before the first tile is turned up, sorted."""
        first, second, third = self.stacks
        return tuple(sorted(first)), tuple(sorted(second)), tuple(sorted((*third, *END_TILES)))


@cache
def shipped_edition() -> Edition:
    """Return the edition that comes with the project: a synthetic split, never the printed one."""
    import tomllib  # imported here, because it would be a tenth of the time that importing the rules takes
    from importlib.resources import files

    text = files("tabletop.rules.palazzo").joinpath("edition.toml").read_text(encoding="utf-8")
    return check(tomllib.loads(text))


def check(data: Json) -> Edition:
    """Return the edition that the data describes.

    Raises Illegal (``bad-request``) naming the first tile that is unknown, missing or in two stacks.
    """
    if not isinstance(data, dict) or not isinstance(data.get("stacks"), dict):
        raise Illegal(
            "bad-request", "An edition is a table with a name and the stacks I, II and III.", rule="Components"
        )
    name, stacks = data.get("name"), data["stacks"]
    if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME_LENGTH or name == UNKNOWN_STACKS or unfit(name):
        raise Illegal("bad-request", "An edition needs a name of 1 to 40 characters that is not 'unknown'.")
    if set(stacks) != set(STACKS):
        raise Illegal("bad-request", "An edition has exactly the stacks I, II and III.", rule="Components")
    seen: dict[str, str] = {}
    for stack in STACKS:
        if not isinstance(stacks[stack], list):
            raise Illegal("bad-request", f"Stack {stack} is not a list of tiles.", rule="Components")
        for tile in stacks[stack]:
            if not isinstance(tile, str) or tile not in TILES:
                said = f"Stack {stack} names {without_unfit(str(tile)[:20])}, which is not a tile."
                raise Illegal("bad-request", said, rule="Components")
            if tile in seen:
                raise Illegal(
                    "bad-request", f"{tile} is in stack {seen[tile]} and in stack {stack}.", rule="Components"
                )
            seen[tile] = stack
    missing = [tile for tile in TILES if tile not in seen]
    if missing:
        raise Illegal("bad-request", f"{missing[0]} is in no stack.", rule="Components")
    if len(stacks["I"]) < 5:
        raise Illegal("bad-request", "Stack I has fewer than the five tiles of the setup.", rule="Setup")
    first, second, third = (tuple(stacks[stack]) for stack in STACKS)
    return Edition(name, (first, second, third))
