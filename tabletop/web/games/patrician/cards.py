"""Patrician's cards and heads as drawn and as people call them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from tabletop.rules.patrician.components import CITIES, CITY_OF
from tabletop.rules.patrician.edition import Face
from tabletop.rules.patrician.state import State
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import ngettext


class Card(NamedTuple):
    """A card as drawn: its city, what it shows as icons, the word for it, and all of it in words."""

    city: str
    crests: int
    heads: tuple[str, ...]
    word: str
    label: str


def card_of(state: State, card: str) -> Card:
    """Return a card as it is drawn."""
    face, city = state.faces[card], CITIES[CITY_OF[card]].title
    crests, *said = shown_card(face)
    return Card(city, face.crests, face.heads, ", ".join(said) or crests, f"{city}: {', '.join([crests, *said])}")


def shown_card(face: Face) -> list[str]:
    """Return each thing that a card shows, in words, its crests first."""
    said = [ngettext("%(num)s crest", "%(num)s crests", face.crests)]
    if face.heads:
        said.append(in_words(face.heads))
    if face.any:
        said.append(_("take any card"))
    if face.move:
        said.append(_("move a floor"))
    return said


def in_words(heads: Iterable[str]) -> str:
    """Return heads in words, equal ones together."""
    return ", ".join(head(name, count) for name, count in Counter(heads).items())


def head(name: str, count: int) -> str:
    """Return that many equal heads in words."""
    match name:
        case "red":
            return ngettext("red-haired head", "%(num)s red-haired heads", count)
        case "woman":
            return ngettext("woman’s head", "%(num)s women’s heads", count)
        case _:
            return ngettext("bearded head", "%(num)s bearded heads", count)
