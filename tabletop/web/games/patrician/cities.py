"""Patrician's cities as the pages draw them: towers, tokens, and which seat would get which token now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tabletop.rules.patrician.components import CITY_NUMBER, COLOURS, SITES, City
from tabletop.rules.patrician.phases.towers import Tower
from tabletop.rules.patrician.position import PatricianPosition
from tabletop.rules.patrician.scoring import standing_awards
from tabletop.rules.patrician.state import State
from tabletop.web.games.patrician.cards import head
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import ngettext


class Site(NamedTuple):
    """A building site: its floors from the ground up as (colour, seat’s number), who gets its token, and its zone."""

    name: str
    floors: tuple[tuple[str, int], ...]
    holder: int | None
    points: int
    zone: str


class Drawn(NamedTuple):
    """A city: ``left`` is how many floors still fit, ``market`` the card beside it."""

    title: str
    sites: tuple[Site, ...]
    left: int
    tokens: tuple[int, int]
    market: str | None
    id: str


class Scored(NamedTuple):
    """A part of a seat's points: what they are for, how many, why, and the site or heads that brought them."""

    what: str
    points: int
    why: str
    city: str = ""
    site: Site | None = None
    heads: tuple[str, ...] = ()


def cities(position: PatricianPosition) -> list[Drawn]:
    """Return all cities, in the order of the setup."""
    return [
        Drawn(city.title, sites(position, number), position.room(number), city.tokens, card, city.id)
        for number, (city, card) in enumerate(zip(position.cities, position.market, strict=True))
    ]


def sites(position: PatricianPosition, number: int) -> tuple[Site, ...]:
    """Return both sites of the city with this number, as they stand now."""
    city, towers = position.cities[number], position.towers[2 * number : 2 * number + 2]
    return tuple(_site(position, city, site, tower) for site, tower in zip(SITES, towers, strict=True))


def _site(state: State, city: City, site: str, tower: Tower) -> Site:
    won = standing_awards(state.towers, False)
    award = next((award for award in won if (award.city, award.site) == (city.id, site)), None)
    floors = tuple((COLOURS[seat], seat + 1) for seat in tower)
    return Site(site, floors, award.seat if award else None, award.points if award else 0, f"site{city.id}{site}")


def scored_towers(position: PatricianPosition, seat: int, part: Mapping[str, Any]) -> Scored:
    """Return a part of a seat's points as the pages show it."""
    if "heads" in part:
        name, count = part["heads"], part["count"]
        return Scored(head(name, count), part["points"], "", heads=(name,) * count)
    number = CITY_NUMBER[part["city"]]
    at = SITES.index(part["site"])
    city = position.cities[number].title
    what = _("%(city)s, site %(site)s", city=city, site=part["site"])
    why = " ".join(_reasons(position, seat, number, at, part))
    return Scored(what, part["points"], why, city, sites(position, number)[at])


def _reasons(state: State, seat: int, number: int, at: int, part: Mapping[str, Any]) -> list[str]:
    """Return why a seat has the token of a tower: the tower's height, the floors in it, and what decided a tie."""
    tower, other = state.towers[2 * number + at], state.towers[2 * number + 1 - at]
    own, counts = tower.count(seat), [tower.count(other) for other in set(tower) - {seat}]
    if part.get("ruling"):
        said = [_("Both towers are equally tall: site A counts as the taller one.")]
    else:
        said = [_("The taller tower.") if len(tower) > len(other) else _("The shorter tower.")]
    said.append(ngettext("%(own)s of %(num)s floor.", "%(own)s of %(num)s floors.", len(tower), own=own))
    if own in counts:
        said.append(_("Equal numbers: the highest floor decides."))
    return said
