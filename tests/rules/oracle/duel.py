"""A duel of oracle and engine: both play one game and are compared after every action through JSON alone."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from math import prod
from typing import Any

from tabletop.rules.protocol import ProtocolReferee
from tests.rules.oracle import palazzo as oracle
from tests.rules.oracle.crafted import bargaining, crafted, some_options
from tests.rules.oracle.palazzo_pieces import CARDS, ENDS, TILES, read, value

Json = Any
State = oracle.State
MOST_PAYMENTS = 800
"""Most payments that are listed at every step: a hand of 14 different cards has 16384."""

MUTANTS_IN = {"choose": 3, "bid": 4, "action": 2, "place": 2, "claim": 2}
"""Factors by which more wrong actions are tried in phases in which more can go wrong."""


@dataclass
class Tally:
    """Counts of what a duel compared."""

    games: int = 0
    positions: int = 0
    legal_sets: int = 0
    actions_listed: int = 0
    verdicts: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    cases: Counter[str] = field(default_factory=Counter)


class Difference(AssertionError):
    """The two sides differ; the text holds the position and the action that reproduce it."""


class Engine:
    """The project behind its protocol, each request and answer a line of JSON."""

    def __init__(self) -> None:
        self._referee = ProtocolReferee()

    def ask(self, cmd: str, **rest: Json) -> Json:
        return json.loads(self._referee.answer_line(json.dumps({"cmd": cmd, **rest})))

    def want(self, cmd: str, **rest: Json) -> Json:
        answer = self.ask(cmd, **rest)
        if not answer["ok"]:
            raise Difference(f"{cmd} {rest} was refused: {answer['error']}")
        return answer


def joined(lists: Iterable[list[str]]) -> list[str]:
    return [item for one in lists for item in one]


def plain(state: State) -> Json:
    """Return a position with its sets sorted, without keys that do not apply in its phase."""
    phase = state["turn"]["phase"]
    same = {name: state[name] for name in ("game", "options", "architect", "active", "turn")}
    for name in ("warehouse", "end_tiles", "deck", "discards", "box", "row", "pending"):
        same[name] = sorted(state.get(name, []))
    same["quarries"] = [sorted(quarry) for quarry in state["quarries"]]
    same["seats"] = [
        {"name": person["name"], "hand": sorted(person["hand"]), "palazzi": sorted(person["palazzi"])}
        for person in state["seats"]
    ]
    unseen = {name: sorted(state["unseen"].get(name, [])) for name in ("I", "II", "III")}
    unknown = state["options"]["stacks"] == "unknown"
    same["unseen"] = sorted(joined(unseen.values())) if unknown else unseen
    if phase in ("reveal", "choose"):
        same["drawn"] = state.get("drawn")
    if phase == "bid":
        laid = state["auction"]["laid"]
        same["laid"] = {seat: [sorted(act) for act in acts] for seat, acts in laid.items() if acts}
        same["out"] = sorted(state["auction"]["out"])
    if phase in ("claim", "place"):
        same["handout"] = state.get("handout")
    return same


def check(mine: Json, theirs: Json, what: str, state: State) -> None:
    if mine != theirs:
        raise Difference(f"{what}\n oracle {mine}\n engine {theirs}\n in {json.dumps(state)}")


def payments(state: State) -> int:
    """Return the number of payments that the deciding seat's hand can lay."""
    seat = state["turn"]["seat"]
    if seat is None or state["turn"]["phase"] not in ("choose", "bid"):
        return 1
    choices = prod(n + 1 for n in Counter(card[:2] for card in state["seats"][seat]["hand"]).values())
    tiles = len(state["warehouse"]) if state["turn"]["phase"] == "choose" else 1
    return choices * (tiles * (tiles + 1) // 2)


def without_legal_deals(state: State) -> bool:
    return state["turn"]["phase"] == "deal" and len(state["deck"]) < len(CARDS)


def compare(engine: Engine, state: State, tally: Tally) -> dict[oracle.Key, oracle.Action]:
    """Compare position, score, views and legal actions; return the legal actions, or some if there are too many."""
    theirs = engine.want("position")["position"]
    check(plain(state), plain(theirs), "position", state)
    tally.positions += 1
    check(oracle.score(state), sorted_parts(engine.want("score")["seats"], state), "score", state)
    if payments(state) > MOST_PAYMENTS or without_legal_deals(state):
        return {}
    mine = oracle.legal(state)
    listed = engine.want("legal")["actions"]
    keys = [oracle.key(state, action) for action in listed]
    if len(keys) != len(set(keys)) or set(keys) != set(mine):
        twice = [key for key, n in Counter(keys).items() if n > 1]
        extra, missing = set(keys) - set(mine), set(mine) - set(keys)
        raise Difference(f"legal: engine twice {twice} extra {extra} missing {missing}\n in {json.dumps(state)}")
    tally.legal_sets += 1
    tally.actions_listed += len(keys)
    return mine


def sorted_parts(rows: Json, state: State) -> Json:
    """Return the scores with their parts in the order of the oracle's palazzi, since palazzi have no order."""
    for row, person in zip(rows, state["seats"], strict=True):
        row["parts"].sort(key=lambda part: person["palazzi"].index(part["palazzo"]))
    return rows


def check_views(engine: Engine, state: State) -> None:
    """Check that each view is the position with other hands and the deck reduced to numbers."""
    for viewer in [*range(len(state["seats"])), None]:
        seen = engine.want("view", seat=viewer)["view"]
        hands = [
            sorted(person["hand"]) if seat == viewer else len(person["hand"])
            for seat, person in enumerate(state["seats"])
        ]
        got = [sorted(p["hand"]) if isinstance(p["hand"], list) else p["hand"] for p in seen["seats"]]
        check(hands, got, f"hands in the view of {viewer}", state)
        hidden = set(state["deck"]).union(*(p["hand"] for s, p in enumerate(state["seats"]) if s != viewer))
        told = {piece for piece in hidden if f'"{piece}"' in json.dumps(seen)}
        check(set(), told, f"secrets in the view of {viewer}", state)
        open_part = {name: seen[name] for name in ("architect", "active", "turn")}
        check({name: state[name] for name in open_part}, open_part, f"view of {viewer}", state)


def check_load(engine: Engine, state: State) -> None:
    """Check that an engine loads its own printed position, and the oracle's, and prints the same again."""
    printed = engine.want("position")["position"]
    for given in (printed, state):
        other = Engine()
        check(state["turn"], other.want("load", position=given)["turn"], "turn after load", state)
        again = other.want("position")["position"]
        check(plain(state), plain(again), "position after load", state)
        if given is printed:
            check(json.dumps(printed), json.dumps(again), "the bytes after load", state)


def check_bad_positions(engine: Engine, state: State, rng: random.Random) -> None:
    """Check that a position with a missing, doubled or unknown piece or option is refused without effect."""
    before = engine.want("position")
    lists = [state["deck"], state["discards"], state["warehouse"], state["box"], *state["quarries"]]
    lists += [person["hand"] for person in state["seats"]] + list(state["unseen"].values())
    where = rng.randrange(len(lists))
    for spoil in ("missing", "twice", "unknown", "option"):
        bad = json.loads(json.dumps(state))
        lists = [bad["deck"], bad["discards"], bad["warehouse"], bad["box"], *bad["quarries"]]
        lists += [person["hand"] for person in bad["seats"]] + list(bad["unseen"].values())
        spoilt = lists[where] or next(some for some in lists if some)
        if spoil == "missing":
            spoilt.pop()
        elif spoil == "twice":
            spoilt.append(spoilt[0])
        elif spoil == "unknown":
            spoilt[0] = rng.choice(NONSENSE)
        else:
            bad["options"]["fly"] = True
        answer = engine.ask("load", position=bad)
        check("bad-position", answer.get("error", {}).get("code"), f"load with {spoil}", bad)
    check(before, engine.want("position"), "the position after refused loads", state)


def judge(engine: Engine, state: State, action: Json, tally: Tally) -> None:
    """Compare the verdict on an action and, if both allow it, the position after it; then undo it."""
    code = oracle.refuse(state, action)
    answer = engine.ask("do", action=action)
    tally.verdicts += 1
    tally.codes[str(code)] += 1
    theirs = None if answer["ok"] else answer["error"]["code"]
    either = oracle.as_good(action) if code in ("bad-request", "unknown-piece") else set()
    if code != theirs and theirs not in either:
        raise Difference(f"verdict on {json.dumps(action)}: oracle {code}, engine {answer}\n in {json.dumps(state)}")
    if code is None:
        after = oracle.do(state, action)
        check(plain(after), plain(engine.want("position")["position"]), f"after {action}", state)
        engine.want("undo")
    elif not answer["error"].get("message"):
        raise Difference(f"no message for {code}: {action}")


SAMPLES: list[oracle.Action] = [
    {"do": "reveal", "piece": "B1.1"},
    {"do": "deal", "seat": 0, "cards": ["R3a", "R3b", "R3c", "R4a"]},
    {"do": "money"},
    {"do": "build"},
    {"do": "rebuild", "kind": "lift", "tile": "B1.1", "pay": "R3a"},
    {"do": "rebuild", "kind": "insert", "tile": "B1.1", "onto": "B2.1", "pay": "R3a"},
    {"do": "rebuild", "kind": "scrap", "tile": "B1.1", "pay": "R3a"},
    {"do": "take", "card": "R3a"},
    {"do": "buy", "tiles": ["B1.1"], "pay": ["R7a", "R7b"]},
    {"do": "auction"},
    {"do": "bid", "cards": ["R7a"]},
    {"do": "pass"},
    {"do": "claim", "tile": "B1.1"},
    {"do": "place", "tile": "B1.1", "onto": None},
    {"do": "scrap", "tile": "B1.1"},
]
NONSENSE = ["R5A", "R5", "B3.1", "b1.1", "", "R8a", "C2k", "E6", "S6.1", "Q1", "warehouse", "R5a ", "C3a"]
WRONG = [5, True, {}, 1.5]


def any_of(rng: random.Random, state: State, kind: str) -> str:
    """Return a piece, mostly from a place that the action could mean."""
    seat = state["turn"]["seat"]
    hands = [card for person in state["seats"] for card in person["hand"]]
    built = [tile for person in state["seats"] for palazzo in person["palazzi"] for tile in palazzo]
    if kind == "card":
        mine = state["seats"][seat]["hand"] if seat is not None else []
        places = [mine, mine, mine, hands, state["row"], state["deck"], state["discards"], ["C3"], ["B1.1", "E1"]]
    else:
        mine = [t for palazzo in state["seats"][seat]["palazzi"] for t in palazzo] if seat is not None else []
        around = joined(state["quarries"])
        places = [mine, mine, built, state["warehouse"], state["pending"], around, TILES, ENDS]
        places += [oracle.offered(state), ["R3a", "C3", "ARCH"], joined(state["unseen"].values())]
    piece: str = rng.choice(rng.choice([place for place in places if place]))
    return piece


def mutant(rng: random.Random, state: State, legal: list[oracle.Action]) -> Json:
    """Return an action made from a legal one (or a sample) by up to two mistakes."""
    action = json.loads(json.dumps(rng.choice(legal if legal and rng.random() < 0.8 else SAMPLES)))
    for _ in range(rng.choice((0, 1, 1, 1, 2))):
        slip(rng, state, action)
    return action


def slip(rng: random.Random, state: State, action: Json) -> None:
    """Make one mistake in an action."""
    keys = [key for key in action if key not in ("do", "kind")]
    what = rng.random()
    if what < 0.04:
        action["do"] = rng.choice(["fly", "BUY", "", "reveal", "pass", "money"])
    elif what < 0.07 and "kind" in action:
        action["kind"] = rng.choice(["lift", "insert", "scrap", "fly", 3])
        action.setdefault("onto", any_of(rng, state, "tile"))
    elif what < 0.11:
        action["seat"] = rng.choice([*range(len(state["seats"])), 7])
    elif not keys:
        return
    elif what < 0.14:
        del action[rng.choice(keys)]
    elif what < 0.18:
        key = rng.choice(keys)
        action[key] = 7 if key == "seat" else rng.choice([None, *WRONG]) if key != "onto" else rng.choice(WRONG)
    else:
        change(rng, state, action, rng.choice(keys))


def change(rng: random.Random, state: State, action: Json, key: str) -> None:
    """Replace one key's piece, add or remove one, or name one that does not exist."""
    if key == "seat":
        action[key] = rng.randrange(len(state["seats"]))
        return
    is_card = key in ("card", "cards", "pay") or (key == "piece" and "drawn" not in state)
    piece = any_of(rng, state, "card" if is_card else "tile")
    if rng.random() < 0.05:
        piece = rng.choice(NONSENSE)
    old = action[key]
    if not isinstance(old, list):
        action[key] = rng.choice([None, piece]) if key == "onto" else piece
        return
    how = rng.random()
    hand = state["seats"][state["turn"]["seat"]]["hand"] if state["turn"]["seat"] is not None else []
    if is_card and rng.random() < 0.4:
        action[key] = rng.sample(hand, rng.randint(0, min(len(hand), 7)))
    elif how < 0.35 and old:
        old.remove(rng.choice(old))
    elif how < 0.75:
        old.append(piece)
    elif how < 0.95 and old:
        old[rng.randrange(len(old))] = piece
    else:
        old.clear()


def choose(rng: random.Random, state: State, legal: list[oracle.Action]) -> oracle.Action:
    """Return a legal action, each sort being equally likely, so that no phase dominates."""
    if not legal:
        return by_hand(rng, state)
    sorts = sorted({action["do"] for action in legal})
    sort = rng.choice(sorts)
    same = [action for action in legal if action["do"] == sort]
    if "bid" in sorts and rng.random() < 0.5:
        same = [action for action in legal if action["do"] == "bid"]
    if same[0]["do"] == "bid" and rng.random() < 0.8:
        same = sorted(same, key=lambda action: len(action["cards"]))[:6]
    return rng.choice(same)


def by_hand(rng: random.Random, state: State) -> oracle.Action:
    """Return a legal action in a position with too many to list."""
    phase = state["turn"]["phase"]
    if phase == "deal":
        return {"do": "deal", "seat": oracle.next_to_deal(state), "cards": rng.sample(state["deck"], 4)}
    hand = state["seats"][state["turn"]["seat"]]["hand"]
    for _ in range(40):
        cards = rng.sample(hand, rng.randint(1, min(len(hand), 8)))
        if phase == "bid":
            action = {"do": "bid", "cards": cards}
        else:
            tiles = rng.sample(state["warehouse"], min(len(state["warehouse"]), rng.randint(1, 2)))
            action = {"do": "buy", "tiles": tiles, "pay": cards}
        if oracle.refuse(state, action) is None:
            return action
    return {"do": "pass"} if phase == "bid" else {"do": "auction"}


def rare_cases(state: State, action: oracle.Action) -> list[str]:
    """Return names of what is special about an action that is about to be done."""
    does, drawn = action["do"], state.get("drawn")
    if does == "reveal":
        is_fifth = action["piece"] in ENDS and len(state["end_tiles"]) == 4
        again = drawn is None and not state["deck"] and state["row"]
        return [f"fifth end tile, turned up {len(drawn or []) + 1}"] * is_fifth + ["reshuffle in mid-row"] * bool(again)
    if does == "auction":
        after = oracle.do(state, action)
        if after["turn"]["phase"] == "action":
            return ["auction of nothing"]
        wrapped = after["architect"] == state["architect"]
        return ["hand-out" if "handout" in after else "auction"] + ["back to his own quarry"] * wrapped
    if does == "buy":
        reading = read(state["options"], action["pay"])
        assert not isinstance(reading, str)
        worth = reading[0]
        costs = oracle.price(state) * len(action["tiles"])
        return ["free"] * (costs == 0) + ["paid nothing"] * (not action["pay"]) + ["overpaid"] * (worth > costs)
    if does == "bid":
        reading = read(state["options"], action["cards"], oracle.laid_so_far(state, state["turn"]["seat"])[1])
        assert not isinstance(reading, str)
        worth = reading[0]
        again = str(state["turn"]["seat"]) in state["auction"]["laid"]
        grouped = worth != sum(map(value, action["cards"]))
        return ["raised again"] * again + ["bid a group"] * grouped
    handed = "handout" in state and does in ("place", "scrap") and not state["handout"]
    return ["left over from a hand-out"] * bool(handed and oracle.offered(state))


def split(names: list[str], options: dict[str, Any]) -> dict[str, list[str]]:
    """Return which tiles are in which stack, from the engine, because the text of the rules does not say."""
    engine = Engine()
    engine.want("new", game="palazzo", seats=names, options=options)
    stacks: dict[str, list[str]] = engine.want("position")["position"]["unseen"]
    check(sorted(TILES + ENDS), sorted(joined(stacks.values())), "the pieces of the stacks", {})
    return stacks


def follow(state: State, events: list[oracle.Action]) -> State:
    """Return the state after these chance actions, each of which must be legal."""
    for event in events:
        state = oracle.do(state, event)
    return state


def play(seed: int, tally: Tally, mutants: int = 3, most_actions: int = 400) -> State:
    """Play one seeded random game from its beginning and return its last state."""
    rng = random.Random(seed)
    names = ["Ada", "Bo", "Cy", "Di"][: rng.randint(2, 4)]
    options = some_options(rng)
    options["first_seat"] = rng.randrange(len(names))
    engine = Engine()
    engine.want("new", game="palazzo", seats=names, options=options)
    return go_on(engine, oracle.start(names, options, split(names, options)), rng, tally, mutants, most_actions)


def play_with_a_seed(seed: int, tally: Tally, most_actions: int = 200) -> State:
    """Play a game whose chance the engine draws; the oracle follows the ``events`` in its answers."""
    rng = random.Random(seed)
    options = some_options(rng)
    names = ["Ada", "Bo", "Cy", "Di"][: rng.randint(2, 4)]
    engine = Engine()
    answer = engine.want("new", game="palazzo", seats=names, options=options, seed=seed)
    state = follow(oracle.start(names, options, split(names, options)), answer["events"])
    tally.games += 1
    for _ in range(most_actions):
        legal = list(compare(engine, state, tally).values())
        if state["turn"]["phase"] == "over":
            break
        action = choose(rng, state, legal)
        before = engine.want("position")
        engine.want("do", action=action)
        engine.want("undo")
        check(before, engine.want("position"), f"undo of {action} with its chance", state)
        state = follow(oracle.do(state, action), engine.want("do", action=action)["events"])
    return state


def load_and_play(state: State, seed: int, tally: Tally, mutants: int = 3, most_actions: int = 400) -> State:
    """Play on from a given position on both sides and return the last state."""
    engine = Engine()
    engine.want("load", position=state)
    return go_on(engine, state, random.Random(seed), tally, mutants, most_actions)


def go_on(engine: Engine, state: State, rng: random.Random, tally: Tally, mutants: int, most_actions: int) -> State:
    tally.games += 1
    for _ in range(most_actions):
        legal = list(compare(engine, state, tally).values())
        if rng.random() < 0.05:
            check_views(engine, state)
        if rng.random() < 0.05:
            check_load(engine, state)
            check_bad_positions(engine, state, rng)
        for _ in range(mutants * MUTANTS_IN.get(state["turn"]["phase"], 1)):
            judge(engine, state, mutant(rng, state, legal), tally)
        if state["turn"]["phase"] == "over":
            check([], engine.want("legal")["actions"], "legal at the end", state)
            break
        action = choose(rng, state, legal)
        tally.cases.update(rare_cases(state, action))
        answer = engine.want("do", action=action)
        state = oracle.do(state, action)
        check(state["turn"], answer["turn"], f"turn after {action}", state)
    return state


def bargain(seed: int, tally: Tally, tries: int = 30) -> None:
    """Compare the verdicts on random payments and bids, from hands rich in groups, until the auction is over."""
    rng = random.Random(seed)
    state = bargaining(seed)
    engine = Engine()
    engine.want("load", position=state)
    tally.games += 1
    while state["turn"]["phase"] in ("choose", "bid"):
        hand = state["seats"][state["turn"]["seat"]]["hand"]
        fair: list[oracle.Action] = []
        for _ in range(tries):
            cards = rng.sample(hand, rng.randint(0, min(len(hand), 6)))
            action: oracle.Action = {"do": "bid", "cards": cards}
            if state["turn"]["phase"] == "choose":
                action = {"do": "buy", "tiles": rng.sample(state["warehouse"], 1), "pay": cards}
            judge(engine, state, action, tally)
            if action["do"] == "bid" and oracle.refuse(state, action) is None:
                fair.append(action)
        end: oracle.Action = {"do": "auction" if state["turn"]["phase"] == "choose" else "pass"}
        small = min(fair, key=lambda bid: bidding_worth(state, bid), default=end)
        action = rng.choice([small, small, *fair[:1], end])
        tally.cases.update(rare_cases(state, action))
        engine.want("do", action=action)
        state = oracle.do(state, action)
    compare(engine, state, tally)


def bidding_worth(state: State, bid: oracle.Action) -> int:
    """Return the value that the cards of a legal bid add to it."""
    reading = read(state["options"], bid["cards"], oracle.laid_so_far(state, state["turn"]["seat"])[1])
    assert not isinstance(reading, str)
    return reading[0]


def match(seed: int) -> dict[str, int]:
    """Play one match of the kind chosen by the seed; return what was compared.  Raises Difference."""
    tally = Tally()
    if seed % 4 == 0:
        play(seed, tally)
    elif seed % 16 == 1:
        play_with_a_seed(seed, tally)
    elif seed % 4 == 2:
        bargain(seed, tally)
    else:
        load_and_play(crafted(seed), seed, tally, most_actions=60)
    numbers = {name: number for name, number in asdict(tally).items() if isinstance(number, int)}
    return {**numbers, **tally.cases}
