"""Pictures for Palazzo's manual; prices, quarries, points and payments come from the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.components import CURRENCIES, TILES
from tabletop.rules.palazzo.phases.auction import goal
from tabletop.rules.palazzo.phases.palazzi import goes_on, points
from tabletop.rules.palazzo.phases.payments import read
from tabletop.rules.palazzo.state import State
from tools.pictures.rule_pictures.drawing import DARK, Picture, arrow, box, text, verdict

MATERIALS = {"B": ("#b5533c", "#fff"), "S": ("#e3c078", "#222"), "M": ("#dfe3e8", "#222")}
CARDS = {"R": ("#c0392b", "#fff"), "N": ("#7b4a2a", "#fff"), "G": ("#2e7d4f", "#fff"), "C": ("#f4f0e0", "#222")}
WIDTH, HEIGHT = 44, 34
"""The size of a tile."""


def tile(x: float, y: float, name: str) -> str:
    """Return a tile: its colour is the material, the number the floor, the dark squares the windows."""
    fill, ink = MATERIALS[name[0]]
    one = TILES[name]
    windows = [box(x + 20 + 8 * at, y + 12, 5, 9, DARK, 'stroke-width="0.5"') for at in range(one.windows)]
    return box(x, y, WIDTH, HEIGHT, fill) + text(x + 10, y + 22, str(one.floor), 15, ink) + "".join(windows)


def column(x: float, ground: float, tiles: Sequence[str]) -> str:
    """Return a palazzo that stands on the ground."""
    return "".join([tile(x, ground - HEIGHT * (at + 1), name) for at, name in enumerate(tiles)])


def card(x: float, y: float, name: str) -> str:
    """Return a money card."""
    fill, ink = CARDS[name[0]]
    return box(x, y, 30, 44, fill) + text(x + 15, y + 28, name[1], 17, ink)


def position(**fields: object) -> State:
    """Return a position of Palazzo with these fields."""
    return GAME.new(["Ada", "Ben"]).change(**fields)


def architect() -> Picture:
    """Return four quarries around the warehouse, the architect, and the quarry to which it goes next."""
    here = position(architect=1, quarries=((), (), ("S2.3", "B1.1"), ("M1.2",)))
    target = goal(here)
    assert target is not None
    places = {1: (20, 30), 2: (280, 30), 3: (280, 150), 4: (20, 150)}
    parts = [box(150, 90, 100, 70, "#efe6cf"), text(200, 130, "warehouse")]
    for number, tiles in enumerate(here.quarries, start=1):
        x, y = places[number]
        parts += [box(x, y, 110, 66, "#e9e9e4"), text(x + 55, y - 6 if number < 3 else y + 80, f"quarry {number}")]
        parts += [tile(x + 8 + 50 * at, y + 16, name) for at, name in enumerate(tiles)]
    x, y = places[here.architect]
    parts += [f'<circle cx="{x + 55}" cy="{y + 33}" r="14" fill="{DARK}"/>', text(x + 55, y + 38, "A", 14, "#fff")]
    parts.append(arrow("M135 55 H335 V140", 335, 148))
    parts.append(text(210, 258, f"Quarry 2 is empty, so an auction is held at quarry {target}."))
    return Picture("palazzo-architect", 420, 274, "The architect moves clockwise to the next quarry with tiles", parts)


def price() -> Picture:
    """Return four tiles in the warehouse with their price."""
    here = position(warehouse=("B2.1", "S3.2", "M4.3", "B5.2"), drawn=("B5.2", "S1.1"), phase="choose")
    parts = [tile(20 + 54 * at, 20, name) for at, name in enumerate(here.warehouse)]
    number = len(here.warehouse)
    parts.append(text(130, 82, f"10 − {number} = {here.price} each, two for {2 * here.price}"))
    return Picture("palazzo-price", 260, 96, "Four tiles in the warehouse cost six each", parts)


def money() -> Picture:
    """Return payments and how they are read: groups, certificates, one currency."""
    parts = []
    for row, cards in enumerate((("R4a", "N4a", "G4a"), ("C2a", "C2b", "C2c"), ("R5a", "R7a", "C2a"), ("R5a", "N5a"))):
        y = 12 + 54 * row
        parts += [card(16 + 36 * at, y, name) for at, name in enumerate(cards)]
        reading = read(cards)
        names = " and ".join(CURRENCIES[name[0]] for name in cards if name[0] != "C")
        words = f"= {reading.value}" if reading else f"no payment: {names} do not mix"
        parts.append(text(136, y + 28, words, anchor="start"))
    return Picture("palazzo-money", 400, 232, "What cards are worth when they are laid together", parts)


def building() -> Picture:
    """Return palazzi with marks where a floor 4 may be built."""
    palazzi, new, ground = (("B1.1", "S3.2"), ("M2.1", "S4.3"), ("S2.2",)), "B4.1", 140
    parts = [tile(20, 60, new), text(42, 114, "new"), f'<path d="M90 {ground} H360" stroke="#444"/>']
    for at, tiles in enumerate(palazzi):
        x = 120 + 80 * at
        top = ground - HEIGHT * len(tiles)
        parts += [column(x, ground, tiles), verdict(x + 22, top - 8, goes_on(tiles, new))]
    return Picture("palazzo-building", 380, 160, "A floor 4 goes on palazzi whose highest floor is lower", parts)


def scoring() -> Picture:
    """Return palazzi with their points."""
    palazzi = (
        ("S3.3",),
        ("B2.3", "B4.2"),
        ("B1.3", "S2.1", "B5.2"),
        ("S2.2", "S3.2", "S4.2", "S5.1"),
        ("M1.3", "M2.1", "M3.2", "S4.3", "M5.2"),
        ("B1.1", "B2.2", "B3.3", "B4.1", "B5.1"),
    )
    ground = 186
    parts = [f'<path d="M10 {ground} H400" stroke="#444"/>']
    for at, tiles in enumerate(palazzi):
        x = 20 + 64 * at
        parts += [column(x, ground, tiles), text(x + 22, ground + 20, f"{points(tiles)}".replace("-", "−"), 16)]
    return Picture("palazzo-scoring", 410, 216, "Six palazzi and their points", parts)


def pictures() -> Iterator[Picture]:
    """Yield the pictures of the manual."""
    for draw in (architect, price, money, building, scoring):
        yield draw()
