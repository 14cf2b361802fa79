"""Palazzo for the piecepack once more, written from the text of the rules alone: slow, plain, and independent.

A state is the protocol's position itself: dicts and lists, changed by :func:`do` into a new one.  :func:`refuse` names
**every** code that fits an action, since the text orders only some of them; an empty set means that it is legal.
"""

from __future__ import annotations

import copy
from typing import Any

State = dict[str, Any]
SUITS, FACES = "MSAC", "012345"
STRUCTURES = [f"T{suit}{face}" for suit in SUITS for face in FACES]
COINS = [f"D{suit}{face}" for suit in SUITS for face in FACES]
DEFAULTS: dict[str, Any] = {
    "coin_null": 6,
    "exchange_same_cell": True,
    "reserve_only_if_unplaceable": False,
    "yard_refill": "end_of_turn",
    "holes": "enclosed_4",
    "final_action_includes_ender": True,
    "first_seat": 0,
}
PLACES = ("pool", "hand", "bank", "yard", "reserve", "palazzo")
PHASES = {
    "reveal": ("setup", "reveal"),
    "deal": ("deal",),
    "build": ("place", "action"),
    "keep": ("place", "action"),
    "coin": ("action",),
    "reserve": ("action",),
    "turret": ("action",),
    "purchase": ("action",),
    "pass": ("action",),
}


def start(seats: list[str], options: dict[str, Any] | None = None) -> State:
    chosen = DEFAULTS | (options or {})
    return {
        "game": "piecepack",
        "options": chosen,
        "seats": [{"name": n, "hand": [], "die": 5, "turret": None, "palazzo": {}, "reserve": []} for n in seats],
        "yard": [],
        "bank": [],
        "coins": list(COINS),
        "discards": [],
        "stack": list(STRUCTURES),
        "active": chosen["first_seat"],
        "actions_left": 1,
        "pending": [],
        "closing": None,
        "turn": {"phase": "setup", "seat": None},
        "awaits": "structure",
    }


# ---- the grid


def face(piece: str) -> int:
    return int(piece[2])


def worth(s: State, coin: str) -> int:
    return s["options"]["coin_null"] if face(coin) == 0 else face(coin)


def beside(cell: tuple[int, int]) -> list[tuple[int, int]]:
    x, y = cell
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def around(cell: tuple[int, int]) -> list[tuple[int, int]]:
    x, y = cell
    return [*beside(cell), (x + 1, y + 1), (x + 1, y - 1), (x - 1, y + 1), (x - 1, y - 1)]


def reach(first: tuple[int, int], inside: set[tuple[int, int]], step: Any) -> set[tuple[int, int]]:
    reached, waiting = {first}, [first]
    while waiting:
        for cell in step(waiting.pop()):
            if cell in inside and cell not in reached:
                reached.add(cell)
                waiting.append(cell)
    return reached


def has_hole(s: State, cells: set[tuple[int, int]]) -> bool:
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    area = {(x, y) for x in range(min(xs) - 1, max(xs) + 2) for y in range(min(ys) - 1, max(ys) + 2)}
    empty = area - cells
    outside = reach((min(xs) - 1, min(ys) - 1), empty, beside if s["options"]["holes"] == "enclosed_4" else around)
    return outside != empty


def related(one: str, other: str) -> bool:
    return one[1] == other[1] or one[2] == other[2]


def faults(s: State, palazzo: dict[str, Any]) -> set[str]:
    """Return the codes of all rules that a whole palazzo breaks."""
    at = {tuple(cell): structure for structure, cell in palazzo.items()}
    if not at:
        return set()
    found = set()
    if len(at) < len(palazzo):
        found.add("cell-taken")
    if reach(next(iter(at)), set(at), beside) != set(at):
        found.add("splits-the-palazzo")
    for cell, structure in at.items():
        for other in beside(cell):
            if other in at and not related(structure, at[other]):
                found.add("clashing-neighbour")
    if has_hole(s, set(at)):
        found.add("makes-a-hole")
    return found


def faults_of_adding(s: State, palazzo: dict[str, Any], structure: str, at: Any) -> set[str]:
    taken = {tuple(cell) for cell in palazzo.values()}
    if not taken:
        return set()
    if tuple(at) in taken:
        return {"cell-taken"}
    if not any(cell in taken for cell in beside(tuple(at))):
        return {"no-shared-edge"}
    return faults(s, palazzo | {structure: list(at)})


def faults_of_exchange(s: State, palazzo: dict[str, Any], new: str, old: str, at: Any) -> set[str]:
    rest = {structure: cell for structure, cell in palazzo.items() if structure != old}
    found = faults(s, rest | {new: list(at)})
    taken = {tuple(cell) for cell in rest.values()}
    if "cell-taken" in found:
        return {"cell-taken"}
    if taken and not any(cell in taken for cell in beside(tuple(at))):
        found.add("no-shared-edge")
    return found


def cells_near(palazzo: dict[str, Any]) -> list[list[int]]:
    if not palazzo:
        return [[0, 0]]
    near = {other for cell in palazzo.values() for other in around(tuple(cell))}
    return [list(cell) for cell in sorted(near | {tuple(cell) for cell in palazzo.values()})]


# ---- what is legal


def decider(s: State) -> int | None:
    seat: int | None = s["turn"]["seat"]
    return seat


def ways_to_pay(hand: list[str]) -> list[list[str]]:
    """Return every choice of coins, treating copies of one value as equal."""
    ways: list[list[str]] = [[]]
    for value in FACES:
        copies = [coin for coin in hand if coin[2] == value]
        ways = [way + copies[:count] for way in ways for count in range(len(copies) + 1)]
    return ways


def others_than_pass(s: State) -> list[dict[str, Any]]:
    me, yes = s["seats"][s["active"]], []
    palazzo, reserve, options = me["palazzo"], me["reserve"], s["options"]
    yes += [{"do": "coin", "coin": coin} for coin in s["bank"]]
    for structure in reserve:
        for at in cells_near(palazzo):
            yes.append({"do": "reserve", "kind": "add", "structure": structure, "at": at})
        for old in palazzo:
            exchange = {"do": "reserve", "kind": "exchange", "structure": structure, "for": old}
            if options["exchange_same_cell"]:
                yes.append(exchange)
            else:
                near = [palazzo[old]] if len(palazzo) == 1 else cells_near(palazzo)
                yes += [exchange | {"at": at} for at in near]
    yes += [{"do": "reserve", "kind": "remove", "structure": structure} for structure in palazzo]
    yes += [{"do": "turret", "on": structure} for structure in palazzo]
    for pay in ways_to_pay(me["hand"]):
        for structure in s["yard"]:
            for die in (False, True):
                yes.append({"do": "purchase", "structure": structure, "pay": pay, "die": die})
    return [action for action in yes + placings(s) if not why_not(s, action)]


def placings(s: State) -> list[dict[str, Any]]:
    near = cells_near(s["seats"][s["active"]]["palazzo"])
    builds = [{"do": "build", "structure": structure, "at": at} for structure in s["pending"] for at in near]
    return builds + [{"do": "keep", "structure": structure} for structure in s["pending"]]


def legal(s: State) -> list[dict[str, Any]]:
    phase = s["turn"]["phase"]
    if phase in ("setup", "reveal"):
        kinds: dict[Any, str] = {}
        for piece in pool(s):
            kinds.setdefault(face(piece) if piece[0] == "D" else piece, piece)
        return [{"do": "reveal", "piece": piece} for piece in kinds.values()]
    if phase == "deal":
        return [{"do": "deal", "seat": to_deal(s), "cards": w} for w in ways_to_pay(s["coins"]) if len(w) == 2]
    if phase == "place":
        return [action for action in placings(s) if not why_not(s, action)]
    if phase == "action":
        others = others_than_pass(s)
        return others if others and s["closing"] is None else [*others, {"do": "pass"}]
    return []


def pool(s: State) -> list[str]:
    """Return the pieces that may be turned up now; the discards become the coins only when no coin is left."""
    pieces: list[str] = s["stack"] if s["awaits"] == "structure" else s["coins"] or s["discards"]
    return pieces


def to_deal(s: State) -> int:
    return next(number for number, seat in enumerate(s["seats"]) if not seat["hand"])


# ---- what is refused


def is_cell(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value)


def is_seat(s: State, value: Any) -> bool:
    return type(value) is int and 0 <= value < len(s["seats"])


def wrong_ids(ids: Any, known: list[str]) -> set[str]:
    if not isinstance(ids, list) or not all(isinstance(piece, str) for piece in ids):
        return {"bad-request"}
    if not set(ids) <= set(STRUCTURES + COINS):
        return {"unknown-piece"}
    if not set(ids) <= set(known):  # a coin in place of a structure: the text leaves the code open
        places = {f"not-in-{place}" for place in PLACES}
        return {"unknown-piece", "bad-request", "wrong-phase", "nothing-to-exchange", "die-spent"} | places
    doubled = {"bad-request", "not-in-hand", "not-in-pool", "not-in-yard", "die-spent", "too-little"}
    return doubled if len(set(ids)) < len(ids) else set()


def keys_with_ids(name: str, kind: Any) -> dict[str, list[str]]:
    if name == "reserve":
        return {"structure": STRUCTURES} | ({"for": STRUCTURES} if kind == "exchange" else {})
    return {
        "coin": {"coin": COINS},
        "reveal": {"piece": STRUCTURES + COINS},
        "turret": {"on": STRUCTURES},
        "purchase": {"structure": STRUCTURES, "pay": COINS},
        "build": {"structure": STRUCTURES},
        "keep": {"structure": STRUCTURES},
        "deal": {"cards": COINS},
    }.get(name, {})


def shape(s: State, a: Any) -> set[str]:
    """Return the codes for what is wrong with an action regardless of the position."""
    name, kind = a.get("do"), a.get("kind")
    if not isinstance(name, str):
        return {"bad-request"}
    if name not in PHASES:
        return {"unknown-action"}
    if name == "reserve" and kind not in ("add", "remove", "exchange"):
        return {"unknown-action" if isinstance(kind, str) else "bad-request"}
    wrong = set()
    for key, known in keys_with_ids(name, kind).items():
        wrong |= wrong_ids(a.get(key) if key in ("pay", "cards") else [a.get(key)], known)
    elsewhere = not s["options"]["exchange_same_cell"]
    exchange = name == "reserve" and kind == "exchange"
    if name == "build" or (name == "reserve" and kind == "add") or (exchange and elsewhere):
        wrong |= set() if is_cell(a.get("at")) else {"bad-request"}
    elif exchange and "at" in a:
        wrong.add("bad-request")
    if name == "purchase" and type(a.get("die")) is not bool:
        wrong.add("bad-request")
    if name == "deal" and (
        not is_seat(s, a.get("seat")) or not isinstance(a.get("cards"), list) or len(a["cards"]) != 2
    ):
        wrong.add("bad-request")
    return wrong


def why_not(s: State, a: dict[str, Any]) -> set[str]:
    """Return the codes of the rules that a well-formed action in its phase breaks, except for ``pass``."""
    me, name = s["seats"][s["active"]], a["do"]
    if name == "reveal":
        return set() if a["piece"] in pool(s) else {"not-in-pool"}
    if name == "deal":
        found = set() if set(a["cards"]) <= set(s["coins"]) else {"not-in-pool"}
        return found | (set() if a["seat"] == to_deal(s) else {"not-your-turn", "wrong-phase", "bad-request"})
    if name == "coin":
        return set() if a["coin"] in s["bank"] else {"not-in-bank"}
    if name == "turret":
        if a["on"] not in me["palazzo"]:
            return {"not-in-palazzo"}
        return {"cell-taken"} if me["turret"] == a["on"] else set()
    if name == "purchase":
        return why_not_purchase(s, me, a)
    if name == "reserve":
        return why_not_reserve(s, me, a)
    return why_not_place(s, me, a)


def why_not_purchase(s: State, me: dict[str, Any], a: dict[str, Any]) -> set[str]:
    found = set()
    if a["structure"] not in s["yard"]:
        found.add("not-in-yard")
    if not set(a["pay"]) <= set(me["hand"]):
        found.add("not-in-hand")
    if a["die"] and me["die"] == 0:
        found.add("die-spent")
    return found or ({"too-little"} if paid(s, a) < 5 + face(a["structure"]) else set())


def why_not_reserve(s: State, me: dict[str, Any], a: dict[str, Any]) -> set[str]:
    palazzo, reserve, piece = me["palazzo"], me["reserve"], a["structure"]
    if a["kind"] == "remove":
        return faults(s, {p: c for p, c in palazzo.items() if p != piece}) if piece in palazzo else {"not-in-palazzo"}
    if a["kind"] == "add":
        return faults_of_adding(s, palazzo, piece, a["at"]) if piece in reserve else {"not-in-reserve"}
    found = set() if reserve and palazzo else {"nothing-to-exchange"}
    found |= set() if piece in reserve else {"not-in-reserve"}
    found |= set() if a["for"] in palazzo else {"not-in-palazzo"}
    return found or faults_of_exchange(s, palazzo, piece, a["for"], a.get("at", palazzo.get(a["for"])))


def why_not_place(s: State, me: dict[str, Any], a: dict[str, Any]) -> set[str]:
    piece, palazzo = a["structure"], me["palazzo"]
    if piece not in s["pending"]:
        return {"not-in-pool"} if s["pending"] else {"wrong-phase"}
    if a["do"] == "build":
        return faults_of_adding(s, palazzo, piece, a["at"])
    fits = any(not faults_of_adding(s, palazzo, piece, at) for at in cells_near(palazzo))
    return {"wrong-phase"} if fits and s["options"]["reserve_only_if_unplaceable"] else set()


def paid(s: State, a: dict[str, Any]) -> int:
    return sum(worth(s, coin) for coin in a["pay"]) + (s["seats"][s["active"]]["die"] if a["die"] else 0)


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
    if found:
        return found
    if a["do"] == "pass":
        return {"wrong-phase"} if s["closing"] is None and others_than_pass(s) else set()
    found = why_not(s, a)
    return found | {"wrong-phase"} if found and a["do"] == "purchase" and s["closing"] is not None else found


# ---- what happens


def do(old: State, a: dict[str, Any]) -> State:
    s = copy.deepcopy(old)
    me, name, phase = s["seats"][s["active"]], a["do"], s["turn"]["phase"]
    if name == "reveal":
        if s["awaits"] == "coin" and not s["coins"]:
            s["coins"], s["discards"] = s["discards"], []
        where, pool = ("bank", "coins") if s["awaits"] == "coin" else ("yard", "stack")
        s[pool].remove(a["piece"])
        s[where].append(a["piece"])
    elif name == "deal":
        for coin in a["cards"]:
            s["coins"].remove(coin)
            s["seats"][a["seat"]]["hand"].append(coin)
    elif name == "build":
        s["pending"].remove(a["structure"])
        me["palazzo"][a["structure"]] = a["at"]
    elif name == "keep":
        s["pending"].remove(a["structure"])
        me["reserve"].append(a["structure"])
    else:
        s["actions_left"] -= 1
    if name == "coin":
        s["bank"].remove(a["coin"])
        me["hand"].append(a["coin"])
    elif name == "turret":
        me["turret"] = a["on"]
    elif name == "purchase":
        purchase(s, me, a)
    elif name == "reserve":
        reserve(me, a)
    go_on(s, phase)
    return s


def reserve(me: dict[str, Any], a: dict[str, Any]) -> None:
    leaves = {"remove": a["structure"], "exchange": a.get("for"), "add": None}[a["kind"]]
    cell = a["at"] if "at" in a else me["palazzo"].get(leaves)
    if leaves is not None:
        del me["palazzo"][leaves]
        me["reserve"].append(leaves)
        me["turret"] = None if me["turret"] == leaves else me["turret"]
    if a["kind"] != "remove":
        me["reserve"].remove(a["structure"])
        me["palazzo"][a["structure"]] = cell


def purchase(s: State, me: dict[str, Any], a: dict[str, Any]) -> None:
    exact = paid(s, a) == 5 + face(a["structure"])
    s["yard"].remove(a["structure"])
    s["pending"].append(a["structure"])
    for coin in a["pay"]:
        me["hand"].remove(coin)
        s["discards"].append(coin)
    if a["die"]:
        me["die"] -= 1
    if exact:
        s["actions_left"] += 1


def go_on(s: State, phase: str) -> None:
    """Enter the next phase: setup, a reveal, the same seat again, the next seat, or the end."""
    s.pop("awaits", None)
    if phase in ("setup", "deal"):
        if len(s["yard"]) < 4 or len(s["bank"]) < 4:
            s["awaits"] = "structure" if len(s["yard"]) < 4 else "coin"
            s["turn"] = {"phase": "setup", "seat": None}
            return
        if not all(seat["hand"] for seat in s["seats"]):
            s["turn"] = {"phase": "deal", "seat": None}
            return
        s["turn"] = {"phase": "action", "seat": s["active"]}
        return
    if len(s["bank"]) < 4 and (s["coins"] or s["discards"]):
        s["awaits"], s["turn"] = "coin", {"phase": "reveal", "seat": None}
        return
    short = len(s["yard"]) < 4 and s["stack"]
    turn_is_over = s["actions_left"] == 0 and not s["pending"]
    if short and (turn_is_over or s["options"]["yard_refill"] == "immediate"):
        s["awaits"], s["turn"] = "structure", {"phase": "reveal", "seat": None}
    elif s["actions_left"] > 0:
        s["turn"] = {"phase": "action", "seat": s["active"]}
    elif s["pending"]:
        s["turn"] = {"phase": "place", "seat": s["active"]}
    else:
        next_turn(s)


def next_turn(s: State) -> None:
    count, ender = len(s["seats"]), s["active"]
    if s["closing"] is not None:
        s["closing"] = s["closing"][1:]
    elif not s["yard"] and not s["stack"]:
        last = [ender] if s["options"]["final_action_includes_ender"] else []
        s["closing"] = [(ender + step) % count for step in range(1, count)] + last
    if s["closing"] == []:
        s["turn"] = {"phase": "over", "seat": None}
        return
    s["active"] = s["closing"][0] if s["closing"] else (ender + 1) % count
    s["actions_left"] = 1
    s["turn"] = {"phase": "action", "seat": s["active"]}


# ---- what is compared


def position(s: State) -> State:
    return s


def points(s: State, number: int) -> int:
    def count(seat: dict[str, Any], suit: str) -> int:
        return sum(2 if p == seat["turret"] else 1 for p in seat["palazzo"] if p[1] == suit)

    me, total = s["seats"][number], 0
    for suit in SUITS:
        ahead = sum(count(seat, suit) > count(me, suit) for seat in s["seats"])
        total += count(me, suit) * max(0, 3 - ahead)
    return total + sum(face(p) * (2 if p == me["turret"] else 1) for p in me["palazzo"])


def score(s: State) -> list[dict[str, Any]]:
    rows = []
    for number, seat in enumerate(s["seats"]):
        ducats = sum(worth(s, coin) for coin in seat["hand"]) + seat["die"]
        rows.append({"points": points(s, number), "tiebreak": [ducats, len(seat["palazzo"])]})

    def key(row: dict[str, Any]) -> tuple[int, int, int]:
        return (-row["points"], -row["tiebreak"][0], row["tiebreak"][1])

    for row in rows:
        row["rank"] = 1 + sum(key(other) < key(row) for other in rows)
    return rows
