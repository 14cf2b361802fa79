"""Patrician once more, written from the text of the rules alone: slow, plain, and independent.

A state is the protocol's position itself: dicts and lists, changed by :func:`do` into a new one.  :func:`refuse` names
**every** code that fits an action, since the text orders only some of them; an empty set means that it is legal.
"""

from __future__ import annotations

import copy
from itertools import combinations
from typing import Any

State = dict[str, Any]
CITIES = ["BOL", "FIR", "ROM", "LUC", "SIE", "MIL", "FER", "PAR", "VER", "PIS"]
CARDS_OF = dict.fromkeys(CITIES, 7) | dict.fromkeys(["LUC", "SIE", "MIL"], 5) | dict.fromkeys(["FER", "PAR", "VER"], 4)
FLOORS_OF = {city: {7: 9, 5: 7, 4: 5}[CARDS_OF[city]] for city in CITIES}
CARDS = [f"{city}{number}" for city in CITIES for number in range(1, CARDS_OF[city] + 1)]
COLOURS = ["black", "white", "red", "yellow", "blue"]
SUPPLY = {2: 39, 3: 29, 4: 21, 5: 21}
DEFAULTS: dict[str, Any] = {"first_seat": 0, "move_may_empty_site": True, "open_heads": False}
PHASES = {
    "deal": ("deal",),
    "reveal": ("setup", "reveal"),
    "play": ("play",),
    "floor": ("floor",),
    "move": ("move",),
    "skip": ("move",),
    "take": ("take",),
}


def start(seats: list[str], options: dict[str, Any] | None, edition: dict[str, Any]) -> State:
    used = [city for city in CITIES if city != "PIS" or len(seats) == 5]
    chosen, supply = DEFAULTS | (options or {}), SUPPLY[len(seats)]
    return {
        "game": "patrician",
        "options": chosen,
        "edition": edition,
        "seats": [
            {"name": name, "colour": colour, "hand": [], "played": [], "supply": supply, "tokens": []}
            for name, colour in zip(seats, COLOURS, strict=False)
        ],
        "cities": {city: {"A": [], "B": [], "scored": False} for city in used},
        "market": dict.fromkeys(used),
        "deck": [card for card in CARDS if card[:3] in used],
        "active": chosen["first_seat"],
        "turn": {"phase": "deal", "seat": None},
    }


def decider(s: State) -> int | None:
    seat: int | None = s["turn"]["seat"]
    return seat


def shows(s: State, card: str) -> dict[str, Any]:
    shown: dict[str, Any] = s["edition"]["cards"][card]
    return shown


def floors_in(s: State, city: str) -> int:
    return len(s["cities"][city]["A"]) + len(s["cities"][city]["B"])


def other(site: str) -> str:
    return "B" if site == "A" else "A"


# ---- what is legal


def to_deal(s: State) -> int:
    return next(number for number, seat in enumerate(s["seats"]) if not seat["hand"])


def moves(s: State) -> list[dict[str, Any]]:
    wishes = [{"do": "move", "city": city, "from": site} for city in s["cities"] for site in "AB"]
    return [wish for wish in wishes if not why_not_move(s, wish)]


def legal(s: State) -> list[dict[str, Any]]:
    phase, me = s["turn"]["phase"], s["seats"][s["active"]]
    if phase == "deal":
        stars = [card for card in s["deck"] if shows(s, card)["start"]]
        return [{"do": "deal", "seat": to_deal(s), "cards": list(three)} for three in combinations(stars, 3)]
    if phase in ("setup", "reveal"):
        return [{"do": "reveal", "piece": card} for card in s["deck"]]
    if phase == "play":
        return [{"do": "play", "card": card} for card in me["hand"]]
    if phase == "floor":
        return [wish for wish in ({"do": "floor", "site": site} for site in "AB") if not why_not(s, wish)]
    if phase == "move":
        return [*moves(s), {"do": "skip"}]
    if phase == "take":
        wishes = [{"do": "take", "card": card} for card in s["market"].values() if card]
        return [wish for wish in wishes if not why_not(s, wish)]
    return []


# ---- what is refused


def is_card(s: State, value: Any) -> set[str]:
    if not isinstance(value, str):
        return {"bad-request"}
    if value not in CARDS:
        return {"unknown-piece"}
    if value[:3] not in s["cities"]:  # Pistoia's cards are in the box: the text leaves the code open
        return {"unknown-piece", "not-in-hand", "not-in-market", "not-in-pool", "bad-request", "not-your-turn"}
    return set()


def shape(s: State, a: dict[str, Any]) -> set[str]:
    """Return the codes for what is wrong with an action regardless of the position."""
    name, wrong = a.get("do"), set()
    if not isinstance(name, str):
        return {"bad-request"}
    if name not in PHASES:
        return {"unknown-action"}
    if name in ("play", "take"):
        wrong |= is_card(s, a.get("card"))
    if name == "reveal":
        wrong |= is_card(s, a.get("piece"))
    if (name == "floor" and a.get("site") not in ("A", "B")) or (name == "move" and a.get("from") not in ("A", "B")):
        wrong.add("bad-request")
    if name == "move" and not (isinstance(a.get("city"), str) and a["city"] in s["cities"]):
        wrong.add("bad-request")
    if name == "deal":
        if not isinstance(a.get("cards"), list) or len(a["cards"]) != 3:
            wrong.add("bad-request")
        else:
            wrong = wrong.union(*(is_card(s, card) for card in a["cards"]))
            doubled = len({str(card) for card in a["cards"]}) < 3
            wrong |= {"bad-request", "not-in-pool", "not-your-turn"} if doubled else set()
        if type(a.get("seat")) is not int or not 0 <= a["seat"] < len(s["seats"]):
            wrong.add("bad-request")
    return wrong


def why_not(s: State, a: dict[str, Any]) -> set[str]:
    """Return the codes of the rules that a well-formed action in its phase breaks."""
    me, name = s["seats"][s["active"]], a["do"]
    if name == "deal":
        found = set() if all(card in s["deck"] and shows(s, card)["start"] for card in a["cards"]) else {"not-in-pool"}
        return found | (set() if a["seat"] == to_deal(s) else {"not-your-turn", "bad-request", "wrong-phase"})
    if name == "reveal":
        return set() if a["piece"] in s["deck"] else {"not-in-pool"}
    if name == "play":
        return set() if a["card"] in me["hand"] else {"not-in-hand"}
    if name == "floor":
        city = s["pending"]["card"][:3]
        last = floors_in(s, city) + 1 == FLOORS_OF[city]
        other_is_empty = not s["cities"][city][other(a["site"])]
        return {"must-use-empty-site"} if last and other_is_empty and s["cities"][city][a["site"]] else set()
    if name == "move":
        return why_not_move(s, a)
    if name == "take":
        return why_not_take(s, a)
    return set()


def why_not_move(s: State, a: dict[str, Any]) -> set[str]:
    city, found = s["cities"][a["city"]], set()
    if a["city"] == s["pending"]["card"][:3]:
        found.add("own-city-just-built")
    if city["scored"]:
        found.add("city-scored")
    if s["seats"][s["active"]]["colour"] not in city["A"] + city["B"]:
        found.add("no-own-floor")
    if len(city[a["from"]]) < (1 if s["options"]["move_may_empty_site"] else 2):
        found.add("empty-site")
    return found


def why_not_take(s: State, a: dict[str, Any]) -> set[str]:
    if a["card"] not in s["market"].values():
        return {"not-in-market"}
    played = s["pending"]["card"]
    own = s["market"][played[:3]]
    return set() if shows(s, played)["any"] or own in (None, a["card"]) else {"wrong-market"}


def refuse(s: State, a: Any) -> set[str]:
    """Return every code that fits the refusal of an action; empty if it is legal."""
    if not isinstance(a, dict):
        return {"bad-request"}
    found, phase = shape(s, a), s["turn"]["phase"]
    if phase == "over":
        return found | {"game-over"}
    if a.get("do") != "deal" and "seat" in a and (type(a["seat"]) is bool or a["seat"] != decider(s)):
        found |= {"not-your-turn"} | (set() if a["seat"] is None or type(a["seat"]) is int else {"bad-request"})
    if phase not in PHASES.get(str(a.get("do")), (phase,)):
        found.add("wrong-phase")
    if found and phase == "deal" and a.get("do") == "deal" and a.get("seat") != to_deal(s):
        found.add("not-your-turn")
    return found or why_not(s, a)


# ---- what happens


def do(old: State, a: dict[str, Any]) -> State:
    s = copy.deepcopy({key: value for key, value in old.items() if key != "edition"}) | {"edition": old["edition"]}
    me, name, phase = s["seats"][s["active"]], a["do"], s["turn"]["phase"]
    if name == "deal":
        for card in a["cards"]:
            s["deck"].remove(card)
            s["seats"][a["seat"]]["hand"].append(card)
        go(s, "deal" if not all(seat["hand"] for seat in s["seats"]) else "setup")
    elif name == "reveal":
        s["deck"].remove(a["piece"])
        s["market"][next(city for city in s["market"] if s["market"][city] is None)] = a["piece"]
        if phase == "reveal":
            next_turn(s)
        else:
            go(s, "setup" if None in s["market"].values() else "play")
    elif name == "play":
        me["hand"].remove(a["card"])
        me["played"].append(a["card"])
        s["pending"] = {"card": a["card"], "floors": min(shows(s, a["card"])["crests"], me["supply"])}
        after_a_floor(s)
    elif name == "floor":
        s["cities"][s["pending"]["card"][:3]][a["site"]].append(me["colour"])
        me["supply"] -= 1
        s["pending"]["floors"] -= 1
        after_a_floor(s)
    elif name == "move":
        city = s["cities"][a["city"]]
        city[other(a["from"])].append(city[a["from"]].pop())
        to_take(s)
    elif name == "skip":
        to_take(s)
    elif name == "take":
        take(s, me, a["card"])
    return s


def go(s: State, phase: str) -> None:
    s["turn"] = {"phase": phase, "seat": s["active"] if phase in ("play", "floor", "move", "take") else None}


def after_a_floor(s: State) -> None:
    card = s["pending"]["card"]
    if s["pending"]["floors"] > 0:
        go(s, "floor")
        return
    if floors_in(s, card[:3]) == FLOORS_OF[card[:3]]:
        award(s, card[:3])
    if shows(s, card)["move"] and moves(s):
        go(s, "move")
    else:
        to_take(s)


def to_take(s: State) -> None:
    if any(s["market"].values()):
        go(s, "take")
    else:
        next_turn(s)


def take(s: State, me: dict[str, Any], card: str) -> None:
    city = next(city for city in s["market"] if s["market"][city] == card)
    s["market"][city] = None
    me["hand"].append(card)
    if s["deck"]:
        go(s, "reveal")
    else:
        next_turn(s)


def next_turn(s: State) -> None:
    s.pop("pending", None)
    count = len(s["seats"])
    for step in range(1, count + 1):
        seat = (s["active"] + step) % count
        if s["seats"][seat]["hand"]:
            s["active"] = seat
            go(s, "play")
            return
    for city in s["cities"]:
        if not s["cities"][city]["scored"]:
            award(s, city)
    go(s, "over")


# ---- scoring


def winner(s: State, tower: list[str]) -> int | None:
    """Return the seat with the most floors in a tower; of equal ones, the seat with the highest floor."""
    if not tower:
        return None
    most = max(tower.count(colour) for colour in tower)
    best = [colour for colour in tower if tower.count(colour) == most][-1]
    return next(number for number, seat in enumerate(s["seats"]) if seat["colour"] == best)


def tokens_of(s: State, city: str) -> list[tuple[int, int]]:
    """Return who gets which token of a city as (seat, value), the taller tower (or site A) first."""
    a, b = s["cities"][city]["A"], s["cities"][city]["B"]
    taller, shorter = (a, b) if len(a) >= len(b) else (b, a)
    won = [(winner(s, taller), FLOORS_OF[city]), (winner(s, shorter), FLOORS_OF[city] - 3)]
    return [(seat, value) for seat, value in won if seat is not None]


def award(s: State, city: str) -> None:
    for seat, value in tokens_of(s, city):
        s["seats"][seat]["tokens"].append(value)
    s["cities"][city]["scored"] = True


def score(s: State) -> list[dict[str, Any]]:
    rows = []
    standing = [token for city in s["cities"] if not s["cities"][city]["scored"] for token in tokens_of(s, city)]
    for number, seat in enumerate(s["seats"]):
        heads = [head for card in seat["played"] for head in shows(s, card)["heads"]]
        triples = sum(heads.count(kind) // 3 for kind in ("red", "woman", "beard"))
        points = 6 * triples + sum(seat["tokens"]) + sum(value for winner, value in standing if winner == number)
        towers = [tower for city in s["cities"].values() for tower in (city["A"], city["B"])]
        rows.append({"points": points, "tiebreak": sum(tower.count(seat["colour"]) for tower in towers)})
    for row in rows:
        mine = (-row["points"], row["tiebreak"])
        row["rank"] = 1 + sum((-rival["points"], rival["tiebreak"]) < mine for rival in rows)
    return rows


def position(s: State) -> State:
    return s
