"""Palazzo a second time: small, slow and plain, written from the text of the rules alone.

It shares no line and no import with the engine, so that the two can agree only if they mean the same rules.  A state is
the position of the referee protocol itself, a plain dict; :func:`legal` tries every candidate against :func:`refuse`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from tests.rules.oracle.palazzo_pieces import CARDS, ENDS, PIECES, floor, points, read, tiebreak, windows

State = dict[str, Any]
Action = dict[str, Any]
Key = tuple[Any, ...]

DEFAULTS: dict[str, Any] = {
    "price_basis": "start_of_buy",
    "min_price": 0,
    "certificates_alone": True,
    "handout_discard": True,
    "tiebreak_groups": True,
    "stacks": "synthetic",
    "first_seat": 0,
    "architect": 1,
}
PHASE_OF = {
    "reveal": ("setup", "reveal"),
    "deal": ("deal",),
    "money": ("action",),
    "build": ("action",),
    "rebuild": ("action",),
    "take": ("take",),
    "buy": ("choose",),
    "auction": ("choose",),
    "bid": ("bid",),
    "pass": ("bid",),
    "claim": ("claim",),
    "place": ("place",),
    "scrap": ("place",),
}


def start(seats: list[str], options: dict[str, Any], stacks: dict[str, list[str]]) -> State:
    """Return the beginning of a game; ``stacks`` says which tiles lie in which stack."""
    chosen = {**DEFAULTS, **options}
    return {
        "game": "palazzo",
        "options": chosen,
        "seats": [{"name": name, "hand": [], "palazzi": []} for name in seats],
        "warehouse": [],
        "quarries": [[], [], [], []],
        "architect": chosen["architect"],
        "unseen": {name: list(tiles) for name, tiles in stacks.items()},
        "end_tiles": [],
        "deck": list(CARDS),
        "discards": [],
        "box": [],
        "row": [],
        "pending": [],
        "active": chosen["first_seat"],
        "turn": {"phase": "setup", "seat": None},
    }


# --- money -----------------------------------------------------------------------------------------------------------


def laid_so_far(state: State, seat: int) -> tuple[int, str | None]:
    """Return the total of a seat's bid and the currency it is bound to; each act is read separately."""
    total, fixed = 0, None
    for act in state["auction"]["laid"].get(str(seat), []):
        own = [card for card in act if card != "C3"]
        result = read(state["options"], own, fixed)
        assert not isinstance(result, str), act
        total += result[0] + 3 * (len(act) - len(own))
        fixed = result[1]
    return total, fixed


def highest(state: State) -> int:
    return max(laid_so_far(state, seat)[0] for seat in range(len(state["seats"])))


def price(state: State) -> int:
    lying = len(state["warehouse"])
    if state["options"]["price_basis"] == "start_of_turn" and state["drawn"][0] not in ENDS:
        lying -= 1
    return max(10 - int(lying), int(state["options"]["min_price"]))


# --- what may be done -----------------------------------------------------------------------------------------------


def pool(state: State) -> list[str]:
    """Return every piece that chance may turn up next."""
    if state["turn"]["phase"] == "reveal" and "drawn" not in state:
        cards: list[str] = state["deck"] or state["discards"]
        return cards
    stacks = [state["unseen"].get(name, []) for name in ("I", "II", "III")]
    if state["options"]["stacks"] == "unknown":
        union = [piece for stack in stacks for piece in stack]
        return [p for p in union if p not in ENDS] if state["turn"]["phase"] == "setup" else union
    return next((stack for stack in stacks if stack), [])


def offered(state: State) -> list[str]:
    tiles: list[str] = state["quarries"][state["architect"] - 1]
    return tiles


def palazzo_of(state: State, seat: int, tile: str) -> list[str] | None:
    return next((p for p in state["seats"][seat]["palazzi"] if tile in p), None)


def next_to_deal(state: State) -> int:
    return next(seat for seat, person in enumerate(state["seats"]) if not person["hand"])


def is_text(thing: object) -> bool:
    return isinstance(thing, str)


def is_texts(thing: object) -> bool:
    return isinstance(thing, list) and all(isinstance(item, str) for item in thing)


SHAPES: dict[str, dict[str, Callable[[Any], bool]]] = {
    "reveal": {"piece": is_text},
    "deal": {"seat": lambda x: type(x) is int, "cards": is_texts},
    "money": {},
    "build": {},
    "rebuild": {"kind": lambda x: x in ("lift", "insert", "scrap"), "tile": is_text, "pay": is_text},
    "take": {"card": is_text},
    "buy": {"tiles": is_texts, "pay": is_texts},
    "auction": {},
    "bid": {"cards": is_texts},
    "pass": {},
    "claim": {"tile": is_text},
    "place": {"tile": is_text, "onto": lambda x: x is None or isinstance(x, str)},
    "scrap": {"tile": is_text},
}


def is_insert(action: Action) -> bool:
    return action["do"] == "rebuild" and action.get("kind") == "insert"


def named(action: Action) -> list[str]:
    """Return every id that an action names under the keys it needs."""
    wanted = {*SHAPES[action["do"]], *(["onto"] if is_insert(action) else [])}
    found: list[Any] = []
    for name in wanted - {"seat", "kind"}:
        thing = action.get(name)
        found += thing if isinstance(thing, list) else [thing]
    return [piece for piece in found if isinstance(piece, str)]


def as_good(action: Action) -> set[str]:
    """Return further codes that the text allows if an action has two faults of form at once."""
    if not isinstance(action, dict) or action.get("do") not in SHAPES:
        return set()
    unknown = {"unknown-piece"} if any(piece not in PIECES for piece in named(action)) else set()
    kind = action.get("kind", "lift")
    return unknown | ({"bad-request", "unknown-action"} if kind not in ("lift", "insert", "scrap") else set())


def refuse(state: State, action: Action) -> str | None:
    """Return the code with which an action is refused, or None if it is legal."""
    phase = state["turn"]["phase"]
    if not isinstance(action, dict) or not isinstance(action.get("do"), str):
        return "bad-request"
    does = action["do"]
    if does not in PHASE_OF:
        return "unknown-action"
    shape = dict(SHAPES[does])
    if is_insert(action):
        shape["onto"] = is_text
    if any(key not in action or not fits(action[key]) for key, fits in shape.items()):
        return "bad-request"
    if does == "buy" and not action["tiles"]:
        return "bad-request"
    if any(piece not in PIECES for piece in named(action)):
        return "unknown-piece"
    if phase == "over":
        return "game-over"
    if does != "deal" and "seat" in action and action["seat"] != state["turn"]["seat"]:
        return "not-your-turn"
    if phase not in PHASE_OF[does]:
        return "wrong-phase"
    code: str | None = globals()[f"refuse_{does}"](state, action)
    return code


def beyond(wanted: list[str], there: list[str]) -> bool:
    return bool(Counter(wanted) - Counter(there))


def refuse_reveal(state: State, action: Action) -> str | None:
    return None if action["piece"] in pool(state) else "not-in-pool"


def refuse_deal(state: State, action: Action) -> str | None:
    if action["seat"] != next_to_deal(state):
        return "not-your-turn"
    if len(action["cards"]) != 4:
        return "bad-request"
    return "not-in-pool" if beyond(action["cards"], state["deck"]) else None


def refuse_money(state: State, action: Action) -> str | None:
    enough = len(state["deck"]) + len(state["discards"]) >= len(state["seats"]) + 1
    return None if enough else "deck-too-short"


def refuse_build(state: State, action: Action) -> str | None:
    return None


def refuse_rebuild(state: State, action: Action) -> str | None:
    seat, tile, kind = state["turn"]["seat"], action["tile"], action["kind"]
    home = palazzo_of(state, seat, tile)
    if home is None:
        return "not-your-palazzo"
    if kind == "lift" and len(home) == 1:
        return "stands-alone"
    if kind != "lift" and len(home) > 1:
        return "not-alone"
    if kind == "insert":
        target = palazzo_of(state, seat, action["onto"])
        if target is None:
            return "not-your-palazzo"
        if target is home:
            return "stands-alone"
        if floor(tile) in [floor(other) for other in target]:
            return "duplicate-floor"
    hand = state["seats"][seat]["hand"]
    if not hand:
        return "no-money-left"
    return None if action["pay"] in hand else "not-in-hand"


def refuse_take(state: State, action: Action) -> str | None:
    return None if action["card"] in state["row"] else "not-in-pool"


def refuse_buy(state: State, action: Action) -> str | None:
    if beyond(action["tiles"], state["warehouse"]):
        return "not-in-warehouse"
    if len(action["tiles"]) > 2:
        return "too-many-tiles"
    if beyond(action["pay"], state["seats"][state["turn"]["seat"]]["hand"]):
        return "not-in-hand"
    result = read(state["options"], action["pay"])
    if isinstance(result, str):
        return result
    return "too-little" if result[0] < len(action["tiles"]) * price(state) else None


def refuse_auction(state: State, action: Action) -> str | None:
    return None


def refuse_bid(state: State, action: Action) -> str | None:
    seat = state["turn"]["seat"]
    if not action["cards"]:
        return "not-a-payment"
    if beyond(action["cards"], state["seats"][seat]["hand"]):
        return "not-in-hand"
    total, fixed = laid_so_far(state, seat)
    result = read(state["options"], action["cards"], fixed)
    if isinstance(result, str):
        return result
    return "too-little" if total + result[0] <= highest(state) else None


def refuse_pass(state: State, action: Action) -> str | None:
    return None


def refuse_claim(state: State, action: Action) -> str | None:
    return None if action["tile"] in offered(state) else "not-on-quarry"


def refuse_place(state: State, action: Action) -> str | None:
    if action["tile"] not in state["pending"]:
        return "not-in-pool"
    if action["onto"] is None:
        return None
    target = palazzo_of(state, state["turn"]["seat"], action["onto"])
    if target is None:
        return "not-your-palazzo"
    if floor(action["tile"]) in [floor(tile) for tile in target]:
        return "duplicate-floor"
    on_top = action["onto"] == target[-1] and floor(action["tile"]) > floor(target[-1])
    return None if on_top else "not-on-top"


def refuse_scrap(state: State, action: Action) -> str | None:
    if "handout" in state and not state["options"]["handout_discard"]:
        return "wrong-phase"
    return None if action["tile"] in state["pending"] else "not-in-pool"


def some_cards(hand: list[str]) -> list[list[str]]:
    """Return every choice of cards from a hand, treating copies of a face as equal."""
    faces: dict[str, list[str]] = {}
    for card in sorted(hand):
        faces.setdefault(card[:2], []).append(card)
    choices = product(*([cards[:n] for n in range(len(cards) + 1)] for cards in faces.values()))
    return [[card for part in choice for card in part] for choice in choices]


def candidates(state: State) -> list[Action]:
    """Return a superset of the legal actions, with one of each group of interchangeable ones."""
    phase, seat = state["turn"]["phase"], state["turn"]["seat"]
    hand = state["seats"][seat]["hand"] if seat is not None else []
    own = [tile for p in state["seats"][seat]["palazzi"] for tile in p] if seat is not None else []
    if phase in ("setup", "reveal"):
        return [{"do": "reveal", "piece": piece} for piece in pool(state)]
    if phase == "deal":
        return [{"do": "deal", "seat": next_to_deal(state), "cards": four} for four in some_deals(state["deck"])]
    if phase == "action":
        found: list[Action] = [{"do": "money"}, {"do": "build"}]
        for tile, card in product(own, hand):
            paid = {"do": "rebuild", "tile": tile, "pay": card}
            found += [{**paid, "kind": "lift"}, {**paid, "kind": "scrap"}]
            found += [{**paid, "kind": "insert", "onto": onto} for onto in own]
        return found
    if phase == "take":
        return [{"do": "take", "card": card} for card in state["row"]]
    if phase == "choose":
        lying = state["warehouse"]
        chosen = [list(tiles) for n in (1, 2) for tiles in combinations(lying, n)]
        buys = [{"do": "buy", "tiles": tiles, "pay": pay} for tiles in chosen for pay in some_cards(hand)]
        return [{"do": "auction"}, *buys]
    if phase == "bid":
        return [{"do": "pass"}, *({"do": "bid", "cards": cards} for cards in some_cards(hand))]
    if phase == "claim":
        return [{"do": "claim", "tile": tile} for tile in offered(state)]
    if phase == "place":
        placing = [{"do": "place", "tile": t, "onto": onto} for t in state["pending"] for onto in [None, *own]]
        return [*placing, *({"do": "scrap", "tile": tile} for tile in state["pending"])]
    return []


def some_deals(deck: list[str]) -> list[list[str]]:
    """Return every deal of four cards, treating copies of a face as equal."""
    faces: dict[str, list[str]] = {}
    for card in sorted(deck):
        faces.setdefault(card[:2], []).append(card)
    fours = [Counter(four) for four in combinations_with_replacement(faces, 4)]
    there = [four for four in fours if all(len(faces[face]) >= n for face, n in four.items())]
    return [[card for face, n in four.items() for card in faces[face][:n]] for four in there]


def kind_of(state: State, piece: str) -> str:
    """Return the kind of a piece; a twin counts as a copy of the other one only if both lie together."""
    if piece in CARDS:
        return piece[:2]
    if piece in ENDS:
        return "E"
    if piece.endswith(("a", "b")):
        other = piece[:-1] + ("b" if piece.endswith("a") else "a")
        together = [state["warehouse"], state["pending"], *state["quarries"]]
        if state["turn"]["phase"] in ("setup", "reveal"):
            together = [pool(state)]
        if any(piece in place and other in place for place in together):
            return piece[:-1]
    return piece


def key(state: State, action: Action) -> Key:
    """Return a key that is equal for actions that differ only by interchangeable copies."""
    parts: list[Any] = [action["do"], action.get("kind")]
    for name in ("piece", "cards", "card", "tile", "tiles", "pay"):
        thing = action.get(name)
        if thing is not None:
            many = thing if isinstance(thing, list) else [thing]
            parts.append((name, tuple(sorted(kind_of(state, piece) for piece in many))))
    onto = action.get("onto")
    if onto is not None:
        parts.append(tuple(palazzo_of(state, state["turn"]["seat"], onto) or [onto]))
    return tuple(parts)


def legal(state: State) -> dict[Key, Action]:
    """Return every legal action of the seat that decides, one of each kind, by its key."""
    return {key(state, action): action for action in candidates(state) if refuse(state, action) is None}


# --- what it does ---------------------------------------------------------------------------------------------------


def do(state: State, action: Action) -> State:
    """Return the state after a legal action."""
    assert refuse(state, action) is None, (refuse(state, action), action)
    after: State = json.loads(json.dumps(state))
    globals()[f"do_{action['do']}"](after, action)
    return after


def turn(state: State, phase: str, seat: int | None) -> None:
    state["turn"] = {"phase": phase, "seat": seat}


def end_turn(state: State) -> None:
    for name in ("drawn", "auction", "handout"):
        state.pop(name, None)
    state["active"] = (state["active"] + 1) % len(state["seats"])
    turn(state, "action", state["active"])


def do_reveal(state: State, action: Action) -> None:
    piece, phase = action["piece"], state["turn"]["phase"]
    if phase == "reveal" and "drawn" not in state:
        if not state["deck"]:
            state["deck"], state["discards"] = state["discards"], []
        state["deck"].remove(piece)
        state["row"].append(piece)
        if len(state["row"]) == len(state["seats"]) + 1:
            turn(state, "take", state["active"])
        return
    for stack in state["unseen"].values():
        if piece in stack:
            stack.remove(piece)
    if phase == "setup":
        empty = [quarry for quarry in state["quarries"] if not quarry]
        (empty[0] if empty else state["warehouse"]).append(piece)
        if state["warehouse"]:
            turn(state, "deal", None)
        return
    state["drawn"].append(piece)
    if piece in ENDS:
        state["end_tiles"].append(piece)
        if len(state["end_tiles"]) == 5:
            turn(state, "over", None)
            return
    elif len(state["drawn"]) == 1:
        state["warehouse"].append(piece)
    else:
        state["quarries"][(state["architect"] - 1 + windows(piece)) % 4].append(piece)
    if len(state["drawn"]) == 2:
        turn(state, "choose", state["active"])


def do_deal(state: State, action: Action) -> None:
    for card in action["cards"]:
        state["deck"].remove(card)
    state["seats"][action["seat"]]["hand"] = list(action["cards"])
    if action["seat"] == len(state["seats"]) - 1:
        turn(state, "action", state["active"])


def do_money(state: State, action: Action) -> None:
    turn(state, "reveal", None)


def do_build(state: State, action: Action) -> None:
    state["drawn"] = []
    turn(state, "reveal", None)


def do_take(state: State, action: Action) -> None:
    seat, seats = state["turn"]["seat"], len(state["seats"])
    state["row"].remove(action["card"])
    state["seats"][seat]["hand"].append(action["card"])
    if not state["row"]:
        end_turn(state)
    elif len(state["row"]) < seats:
        turn(state, "take", (seat + 1) % seats)


def do_rebuild(state: State, action: Action) -> None:
    seat, tile = state["turn"]["seat"], action["tile"]
    person = state["seats"][seat]
    person["hand"].remove(action["pay"])
    state["discards"].append(action["pay"])
    home = palazzo_of(state, seat, tile)
    assert home is not None
    home.remove(tile)
    if action["kind"] == "lift":
        person["palazzi"].append([tile])
    elif action["kind"] == "scrap":
        state["box"].append(tile)
    else:
        target = palazzo_of(state, seat, action["onto"])
        assert target is not None
        target.append(tile)
        target.sort(key=floor)
    person["palazzi"] = [palazzo for palazzo in person["palazzi"] if palazzo]
    end_turn(state)


def do_buy(state: State, action: Action) -> None:
    seat = state["turn"]["seat"]
    for card in action["pay"]:
        state["seats"][seat]["hand"].remove(card)
        state["discards"].append(card)
    for tile in action["tiles"]:
        state["warehouse"].remove(tile)
        state["pending"].append(tile)
    del state["drawn"]
    turn(state, "place", seat)


def do_auction(state: State, action: Action) -> None:
    seats, active = len(state["seats"]), state["active"]
    del state["drawn"]
    stops = [(state["architect"] - 1 + steps) % 4 for steps in (1, 2, 3, 4)]
    holding = [stop for stop in stops if state["quarries"][stop]]
    if not holding:
        end_turn(state)
        return
    state["architect"] = holding[0] + 1
    if len(offered(state)) >= 4:
        state["handout"] = [(active + n) % seats for n in range(seats)]
        turn(state, "claim", active)
    else:
        state["auction"] = {"laid": {str(active): [["C3"]]}, "out": []}
        turn(state, "bid", (active + 1) % seats)


def next_bidder(state: State) -> int:
    seats = len(state["seats"])
    later = [(state["turn"]["seat"] + n) % seats for n in range(1, seats + 1)]
    seat: int = next(seat for seat in later if seat not in state["auction"]["out"])
    return seat


def do_bid(state: State, action: Action) -> None:
    seat = state["turn"]["seat"]
    for card in action["cards"]:
        state["seats"][seat]["hand"].remove(card)
    state["auction"]["laid"].setdefault(str(seat), []).append(list(action["cards"]))
    turn(state, "bid", next_bidder(state))


def do_pass(state: State, action: Action) -> None:
    seat, auction = state["turn"]["seat"], state["auction"]
    acts = auction["laid"].pop(str(seat), [])
    state["seats"][seat]["hand"] += [card for act in acts for card in act if card != "C3"]
    auction["out"].append(seat)
    winner = next_bidder(state)
    if len(auction["out"]) < len(state["seats"]) - 1:
        turn(state, "bid", winner)
        return
    acts = auction["laid"].pop(str(winner))
    state["discards"] += [card for act in acts for card in act if card != "C3"]
    state["pending"] += offered(state)
    offered(state).clear()
    del state["auction"]
    turn(state, "place", winner)


def do_claim(state: State, action: Action) -> None:
    offered(state).remove(action["tile"])
    state["pending"].append(action["tile"])
    state["handout"].pop(0)
    turn(state, "place", state["turn"]["seat"])


def do_place(state: State, action: Action) -> None:
    seat = state["turn"]["seat"]
    if action["onto"] is None:
        state["seats"][seat]["palazzi"].append([action["tile"]])
    else:
        target = palazzo_of(state, seat, action["onto"])
        assert target is not None
        target.append(action["tile"])
    placed(state, action["tile"])


def do_scrap(state: State, action: Action) -> None:
    state["box"].append(action["tile"])
    placed(state, action["tile"])


def placed(state: State, tile: str) -> None:
    state["pending"].remove(tile)
    if state["pending"]:
        return
    if state.get("handout"):
        turn(state, "claim", state["handout"][0])
        return
    if "handout" in state:
        state["box"] += offered(state)
        offered(state).clear()
    end_turn(state)


# --- the end --------------------------------------------------------------------------------------------------------


def score(state: State) -> list[dict[str, Any]]:
    """Return each seat's points, parts, tie-break and rank as if the game ended now."""
    rows = []
    for person in state["seats"]:
        parts = [{"palazzo": list(p), "points": points(p)} for p in person["palazzi"]]
        total = sum(points(palazzo) for palazzo in person["palazzi"])
        rows.append({"points": total, "parts": parts, "tiebreak": tiebreak(state["options"], person["hand"])})
    for row in rows:
        mine = (row["points"], row["tiebreak"])
        row["rank"] = 1 + sum((other["points"], other["tiebreak"]) > mine for other in rows)
    return rows
