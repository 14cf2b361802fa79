"""A second implementation of the rules, on the JSON of positions, step by step and without regard to speed.

It shares no code with the rules but the names and numbers of the cities.
"""

from __future__ import annotations

import copy
from itertools import combinations

from tabletop.rules.game import Json
from tabletop.rules.patrician.components import CITIES

SPACE = {city.id: city for city in CITIES}


def listed(position: dict[str, Json], space: str | None) -> list[dict[str, Json]]:
    """Return every legal action; ``space`` is the city whose market card comes next."""
    phase, cards = position["turn"]["phase"], position["edition"]["cards"]
    seat = position["seats"][position["active"]]
    if phase == "deal":
        due = [bool(other["hand"]) for other in position["seats"]].index(False)
        stars = [card for card in position["deck"] if cards[card]["start"]]
        return [{"do": "deal", "seat": due, "cards": sorted(three)} for three in combinations(stars, 3)]
    if phase in ("setup", "reveal"):
        assert position["market"][space] is None
        return [{"do": "reveal", "piece": card} for card in position["deck"]]
    if phase == "play":
        return [{"do": "play", "card": card} for card in seat["hand"]]
    if phase == "over":
        return []
    card = position["pending"]["card"]
    city = card[:3]
    if phase == "floor":
        sites = position["cities"][city]
        last = len(sites["A"]) + len(sites["B"]) + 1 == SPACE[city].capacity
        empty = [site for site in "AB" if not sites[site]]
        return [{"do": "floor", "site": site} for site in (empty if last and empty else "AB")]
    if phase == "move":
        return [*movable(position, city), {"do": "skip"}]
    if cards[card]["any"] or position["market"][city] is None:
        return [{"do": "take", "card": other} for other in position["market"].values() if other]
    return [{"do": "take", "card": position["market"][city]}]


def movable(position: dict[str, Json], built: str) -> list[dict[str, str]]:
    """Return every possible move after building in a city."""
    own = position["seats"][position["active"]]["colour"]
    return [
        {"do": "move", "city": city, "from": site}
        for city, sites in position["cities"].items()
        if city != built and not sites["scored"] and own in sites["A"] + sites["B"]
        for site in "AB"
        if len(sites[site]) >= (1 if position["options"]["move_may_empty_site"] else 2)
    ]


def done(position: dict[str, Json], action: dict[str, Json], space: str | None) -> tuple[dict[str, Json], str | None]:
    """Return the position after a legal action, and the space to be filled next."""
    position = copy.deepcopy(position)
    seats, seat, market = position["seats"], position["seats"][position["active"]], position["market"]
    kind, was = action["do"], position["turn"]["phase"]
    pending = position.pop("pending", None)
    if kind == "deal":
        seats[action["seat"]]["hand"] = sorted(action["cards"])
        position["deck"] = [card for card in position["deck"] if card not in action["cards"]]
        phase = "setup" if all(other["hand"] for other in seats) else "deal"
        space = "BOL"
    elif kind == "reveal":
        position["deck"].remove(action["piece"])
        market[space] = action["piece"]
        empty = [city for city, card in market.items() if card is None]
        phase = "setup" if was == "setup" and empty else "play"
        space = empty[0] if empty else None
        if was == "reveal":
            phase = None
    elif kind == "play":
        seat["hand"].remove(action["card"])
        seat["played"].append(action["card"])
        crests = position["edition"]["cards"][action["card"]]["crests"]
        pending = {"card": action["card"], "floors": min(crests, seat["supply"])}
        phase = "floor" if pending["floors"] else "placed"
    elif kind == "floor":
        sites = position["cities"][pending["card"][:3]]
        sites[action["site"]].append(seat["colour"])
        seat["supply"] -= 1
        pending["floors"] -= 1
        if len(sites["A"] + sites["B"]) == SPACE[pending["card"][:3]].capacity:
            award(position, pending["card"][:3])
        phase = "floor" if pending["floors"] else "placed"
    elif kind == "move":
        sites = position["cities"][action["city"]]
        sites["B" if action["from"] == "A" else "A"].append(sites[action["from"]].pop())
        phase = "moved"
    elif kind == "skip":
        phase = "moved"
    else:
        space = next(city for city, card in market.items() if card == action["card"])
        market[space] = None
        seat["hand"] = sorted([*seat["hand"], action["card"]])
        phase = "reveal" if position["deck"] else None
    phase = onward(position, phase, pending)
    if phase in ("floor", "move", "take"):
        position["pending"] = pending
    decides = phase in ("play", "floor", "move", "take")
    position["turn"] = {"phase": phase, "seat": position["active"] if decides else None}
    return position, space


def onward(position: dict[str, Json], phase: str | None, pending: dict[str, Json] | None) -> str:
    """Return the phase that follows, skipping those in which there is nothing to do."""
    if phase == "placed":
        assert pending is not None
        move = position["edition"]["cards"][pending["card"]]["move"]
        phase = "move" if move and movable(position, pending["card"][:3]) else "moved"
    if phase == "moved":
        phase = "take" if any(position["market"].values()) else None
    return advance(position) if phase is None else phase


def advance(position: dict[str, Json]) -> str:
    """Pass the turn on; when nobody holds a card, score the cities that are not scored yet."""
    seats = position["seats"]
    for step in range(1, len(seats) + 1):
        following = (position["active"] + step) % len(seats)
        if seats[following]["hand"]:
            position["active"] = following
            return "play"
    for city, sites in position["cities"].items():
        if not sites["scored"]:
            award(position, city)
    return "over"


def award(position: dict[str, Json], city: str) -> None:
    """Hand out the tokens of a city."""
    sites = position["cities"][city]
    sites["scored"] = True
    tall, short = ("A", "B") if len(sites["A"]) >= len(sites["B"]) else ("B", "A")
    for site, value in zip((tall, short), SPACE[city].tokens, strict=True):
        tower = sites[site]
        if tower:
            # From the top down, so that of equal seats the one with the highest floor comes first.
            best = max(reversed(tower), key=tower.count)
            winner = next(seat for seat in position["seats"] if seat["colour"] == best)
            winner["tokens"] = sorted([*winner["tokens"], value], reverse=True)


def points(position: dict[str, Json]) -> list[int]:
    """Return the points of each seat in a game that is over."""
    found = []
    for seat in position["seats"]:
        shown = [head for card in seat["played"] for head in position["edition"]["cards"][card]["heads"]]
        found.append(sum(seat["tokens"]) + 6 * sum(shown.count(head) // 3 for head in ("red", "woman", "beard")))
    return found
