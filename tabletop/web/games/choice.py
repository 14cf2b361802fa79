"""A choice on a page: what it sends and brings, or why it is not possible; choices stand in groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tabletop.rules.game import Illegal, Json


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to do: the action it sends, its title, what it would bring, or why it is not possible.

    ``detail`` says what it leads to, ``then`` is what the game's pages draw or say about it.  Choices of one ``group``
    stand under that heading, with help about the ``topic``.
    """

    title: str
    data: Mapping[str, Json] = field(default_factory=dict)
    detail: str = ""
    pieces: tuple[str, ...] = ()
    refusal: Illegal | None = None
    gain: int | None = None
    group: str = ""
    topic: str = ""
    then: Any = None


class Group(NamedTuple):
    """Choices under one heading, with help about a topic: the possible ones and the impossible ones."""

    heading: str
    topic: str
    open: list[Choice]
    closed: list[Choice]


def grouped(choices: Sequence[Choice]) -> list[Group]:
    """Return the choices grouped by their headings, in the order in which the headings first occur."""
    groups: dict[str, Group] = {}
    for choice in choices:
        group = groups.setdefault(choice.group, Group(choice.group, choice.topic, [], []))
        (group.open if choice.refusal is None else group.closed).append(choice)
    return list(groups.values())
