"""Pictures for Patrician's manual; who holds a tower and what is legal comes from the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tabletop.rules.patrician import GAME
from tabletop.rules.patrician.components import CITIES, CITY_NUMBER, COLOURS
from tabletop.rules.patrician.phases.towers import Tower, awards
from tabletop.rules.patrician.position import PatricianPosition
from tools.pictures.rule_pictures.drawing import LINE, Picture, arrow, box, text, verdict

INKS: Mapping[str, str] = {"black": "#2b2b2b", "white": "#ffffff", "red": "#c0392b"}
WIDTH, HEIGHT = 46, 17
"""The size of a floor."""
Towers = tuple[Tower, Tower]
BLACK, WHITE, RED = range(3)


def tower(x: float, ground: float, floors: Tower, site: str) -> str:
    """Return a tower on its site."""
    base = f'<path d="M{x - 8:g} {ground:g} h{WIDTH + 16}" stroke="{LINE}" stroke-width="3"/>'
    name = text(x + WIDTH / 2, ground + 18, site, 12)
    own = [box(x, ground - HEIGHT * (at + 1), WIDTH, HEIGHT, INKS[COLOURS[seat]]) for at, seat in enumerate(floors)]
    return base + name + "".join(own)


def city(x: float, ground: float, title: str, towers: Towers) -> str:
    """Return a city with its two sites."""
    sites = [tower(x + 12 + 74 * at, ground, floors, "AB"[at]) for at, floors in enumerate(towers)]
    return text(x + 72, ground + 42, title, 14) + "".join(sites)


def position(towers: Mapping[str, Towers], **fields: object) -> PatricianPosition:
    """Return a position of three seats with these towers."""
    here = GAME.new(["Ann", "Bob", "Mary"])
    every = list(here.towers)
    for name, own in towers.items():
        every[2 * CITY_NUMBER[name] : 2 * CITY_NUMBER[name] + 2] = own
    return here.change(towers=tuple(every), **fields)


def scoring() -> Picture:
    """Return a full city, and who takes its tokens."""
    lucca = CITIES[CITY_NUMBER["LUC"]]
    towers: Towers = ((WHITE, BLACK, WHITE, WHITE), (BLACK, WHITE, BLACK))
    parts = [city(20, 110, lucca.title, towers)]
    for at, award in enumerate(awards(lucca, *towers)):
        owner = COLOURS[award.seat]
        words = f"site {award.site}: {owner} has most floors and takes {award.points}"
        parts += [box(190, 40 + 40 * at, 20, 20, INKS[owner]), text(222, 55 + 40 * at, words, anchor="start")]
    return Picture("patrician-scoring", 500, 170, "A full city with towers of four and three floors is scored", parts)


def last_floor() -> Picture:
    """Return a city whose last floor must go on the empty site."""
    towers: Towers = ((BLACK, WHITE, BLACK, WHITE, WHITE, BLACK), ())
    here = position({"SIE": towers}, card="SIE3", left=1, phase="floor", hands=((), (), ()))
    parts = [city(40, 150, "Siena, six of seven floors", towers)]
    for at, site in enumerate("AB"):
        refusal = here.refusal(GAME.parse(f"floor {site}"))
        parts.append(verdict(75 + 74 * at, 36 + 100 * at, refusal is None))
    parts.append(text(230, 100, "the last floor must go", anchor="start"))
    parts.append(text(230, 118, "on the site that is still empty", anchor="start"))
    return Picture(
        "patrician-last-floor", 450, 210, "The last floor of a city goes on the site that is still empty", parts
    )


def move() -> Picture:
    """Return the towers that Mary, red, may move after playing a Lucca card with a move."""
    towers: dict[str, Towers] = {
        "PAR": ((BLACK, WHITE), (WHITE,)),
        "LUC": ((BLACK, RED), (WHITE,)),
        "MIL": ((RED, BLACK), ()),
    }
    here = position(towers, card="LUC5", phase="move", active=RED)
    parts = [text(20, 26, "Mary is red and has just built in Lucca.", anchor="start")]
    why = {"no-own-floor": "no floor of hers", "own-city-just-built": "just built here"}
    for at, (name, own) in enumerate(towers.items()):
        x = 16 + 170 * at
        refusal = here.refusal(GAME.parse(f"move {name} from A"))
        words = why[refusal.code] if refusal else "the top floor may move"
        parts += [city(x, 130, CITIES[CITY_NUMBER[name]].title, own), verdict(x + 72, 74, refusal is None)]
        parts.append(text(x + 72, 196, words, 12))
    parts.append(arrow("M391 90 V84 H465 V112", 465, 124))
    return Picture("patrician-move", 530, 214, "A floor may be moved in Milano only", parts)


def pictures() -> Iterator[Picture]:
    """Yield the pictures of the manual."""
    for draw in (last_floor, move, scoring):
        yield draw()
