"""The project's Palazzo for the piecepack against an oracle written from the text of the rules alone.

Both play the same random games, through JSON requests only; at each decision they must agree about the turn, the
legal actions, the position, the score, and the verdicts on faulty actions of every kind.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import pytest

from tabletop.rules.protocol import ProtocolReferee
from tests.rules.oracle import piecepack as oracle
from tests.rules.oracle.agreement import agree_on_loading, agree_on_scores, agree_on_verdict, ask

CHOICES: dict[str, list[Any]] = {
    "coin_null": [6, 0],
    "exchange_same_cell": [True, False],
    "reserve_only_if_unplaceable": [False, True],
    "yard_refill": ["end_of_turn", "immediate"],
    "holes": ["enclosed_4", "enclosed_8"],
    "final_action_includes_ender": [True, False],
}
JUNK: list[Any] = [
    None, True, 0, 1, -1, 2.5, "", "tm3", "TM6", "DX1", "T M3", [], {}, [1], [0, 0, 0], [0.0, 1], [True, 0],
    ["DM3", "DM3"], ["DM9"], [None], "pass", "TM3", "DM3", "add",
]  # fmt: skip


def shifted(palazzo: dict[str, Any]) -> dict[str, Any]:
    if not palazzo:
        return {}
    left, low = min(x for x, _ in palazzo.values()), min(y for _, y in palazzo.values())
    return {piece: [x - left, y - low] for piece, (x, y) in sorted(palazzo.items())}


def plain(position: dict[str, Any]) -> dict[str, Any]:
    """Return a position without what the text leaves free: the order of sets, a grid's offset, who was last."""
    plain = {key: sorted(position[key]) for key in ("yard", "bank", "coins", "discards", "stack", "pending")}
    for key in ("game", "options", "closing", "turn"):
        plain[key] = position[key]
    if position["turn"]["phase"] in ("action", "place", "reveal"):
        plain |= {key: position[key] for key in ("active", "actions_left")}
    if position["turn"]["phase"] in ("setup", "reveal"):
        plain["awaits"] = position["awaits"]
    plain["seats"] = []
    for seat in position["seats"]:
        sets = {key: sorted(seat[key]) for key in ("hand", "reserve")}
        plain["seats"].append(seat | sets | {"palazzo": shifted(seat["palazzo"])})
    return plain


def kind_of(s: oracle.State, action: dict[str, Any]) -> str:
    """Return the kind of an action, the same for interchangeable coins and equivalent cells."""
    kind, size = dict(action), len(s["seats"][s["active"]]["palazzo"])
    for key in ("coin", "piece"):
        if str(kind.get(key, "")).startswith("D"):
            kind[key] = kind[key][2]
    for key in ("pay", "cards"):
        if key in kind:
            kind[key] = sorted(coin[2] for coin in kind[key])
    if "at" in kind and size == (1 if kind.get("kind") == "exchange" else 0):
        kind["at"] = "anywhere"
    return str(sorted(kind.items()))


def agree(referee: ProtocolReferee, s: oracle.State, legal: bool = True) -> list[dict[str, Any]]:
    """Compare the position and the legal actions; return the oracle's legal actions."""
    theirs = ask(referee, cmd="position")["position"]
    assert plain(theirs) == plain(oracle.position(s)), (plain(theirs), plain(s))
    if not legal:
        return []
    ours, listed = oracle.legal(s), ask(referee, cmd="legal")["actions"]
    kinds = Counter(kind_of(s, action) for action in listed)
    assert set(kinds) == {kind_of(s, action) for action in ours}, (theirs, set(kinds) ^ {kind_of(s, a) for a in ours})
    assert max(kinds.values(), default=1) == 1, kinds
    return ours


def random_action(rng: random.Random, s: oracle.State) -> dict[str, Any]:
    """Return a well-formed action, mostly with pieces from places where they might be wanted."""
    me = s["seats"][s["active"]]
    places = [s["yard"], s["pending"], me["reserve"], me["palazzo"], oracle.STRUCTURES]
    structures = list(rng.choice([place for place in places if place]))
    structure, other = rng.choice(structures), rng.choice(list(me["palazzo"]) or structures)
    coins = list(rng.choice([place for place in (s["bank"], me["hand"], me["hand"], oracle.COINS) if place]))
    cells = [*me["palazzo"].values(), [0, 0]]
    x, y = rng.choice(cells)
    at = [x + rng.choice([-1, 0, 0, 1, 2]), y + rng.choice([-1, 0, 0, 1])]
    pay = rng.sample(coins, rng.randrange(min(4, len(coins)) + 1))
    reserve = {"do": "reserve", "structure": structure}
    exchange = reserve | {"kind": "exchange", "for": other}
    return rng.choice(
        [
            {"do": "coin", "coin": rng.choice(coins)},
            reserve | {"kind": "add", "at": at},
            reserve | {"kind": "remove"},
            exchange if s["options"]["exchange_same_cell"] else exchange | {"at": at},
            {"do": "turret", "on": structure},
            {"do": "purchase", "structure": structure, "pay": pay, "die": rng.random() < 0.5},
            {"do": "build", "structure": structure, "at": at},
            {"do": "keep", "structure": structure},
            {"do": "pass"},
            {"do": "reveal", "piece": rng.choice([structure, *coins])},
            {"do": "deal", "seat": rng.randrange(len(s["seats"])), "cards": rng.sample(oracle.COINS, 2)},
        ]
    )


def spoilt(rng: random.Random, s: oracle.State, action: dict[str, Any]) -> Any:
    """Return an action with one thing changed, left out or added."""
    spoilt = copy.deepcopy(action)
    key = rng.choice(list(spoilt))
    change = rng.randrange(7)
    if change == 0:
        del spoilt[key]
    elif change == 1:
        spoilt[key] = copy.deepcopy(rng.choice(JUNK))
    elif change == 2 and spoilt["do"] != "deal":
        spoilt["seat"] = rng.choice([0, 1, 2, 3, 9, None, oracle.decider(s), "0", True, 1.5])
    elif change == 3:
        spoilt["do"] = rng.choice([*oracle.PHASES, "Pass", "buy", ""])
    elif change == 4:
        spoilt = random_action(rng, s) | {key: spoilt[key]}
    elif change == 5 and spoilt.get("kind") == "exchange":
        spoilt["at"] = [rng.randrange(-2, 3), rng.randrange(-2, 3)]
    elif change == 6 and rng.random() < 0.1:
        return rng.choice([None, [], "pass", 3])
    return spoilt


def verdict(referee: ProtocolReferee, s: oracle.State, action: Any, counted: Counter[str]) -> None:
    def agree_after() -> None:
        agree(referee, oracle.do(s, action), legal=False)

    agree_on_verdict(referee, action, oracle.refuse(s, action), counted, agree_after)


def everything(s: oracle.State) -> list[dict[str, Any]]:
    """Return every change of the palazzo that a seat could want now; most of them are illegal."""
    if oracle.decider(s) is None:
        return []
    me, wishes = s["seats"][s["active"]], oracle.placings(s)
    cells = oracle.cells_near(me["palazzo"])
    for structure in me["reserve"]:
        wishes += [{"do": "reserve", "kind": "add", "structure": structure, "at": at} for at in cells]
        for old in me["palazzo"]:
            exchange = {"do": "reserve", "kind": "exchange", "structure": structure, "for": old}
            same = s["options"]["exchange_same_cell"]
            wishes += [exchange] if same else [exchange | {"at": at} for at in [*cells, me["palazzo"][old]]]
    return wishes + [{"do": "reserve", "kind": "remove", "structure": structure} for structure in me["palazzo"]]


def freely(rng: random.Random, s: oracle.State, action: dict[str, Any]) -> dict[str, Any]:
    """Return an equivalent action with other copies of its coins, or another equivalent cell."""
    action = copy.deepcopy(action)
    if rng.random() < 0.5 and kind_of(s, action) == kind_of(s, action | {"at": [7777, -9999]}) and "at" in action:
        far = rng.choice([9, 9, 999])
        action["at"] = [rng.randrange(-far, far), rng.randrange(-far, far)]
    if action["do"] == "coin":
        action["coin"] = rng.choice([coin for coin in s["bank"] if coin[2] == action["coin"][2]])
    if action["do"] == "reveal" and s["awaits"] == "coin":
        action["piece"] = rng.choice([coin for coin in oracle.pool(s) if coin[2] == action["piece"][2]])
    if action["do"] == "purchase":
        hand = rng.sample(s["seats"][s["active"]]["hand"], len(s["seats"][s["active"]]["hand"]))
        for number, coin in enumerate(action["pay"]):
            same = next(other for other in hand if other[2] == coin[2])
            hand.remove(same)
            action["pay"][number] = same
    return action


def choose(rng: random.Random, actions: list[dict[str, Any]], style: str) -> dict[str, Any]:
    if style == "all":
        return rng.choice(actions)
    groups: dict[str, list[dict[str, Any]]] = {}
    for action in actions:
        groups.setdefault(action["do"] + action.get("kind", ""), []).append(action)
    wish = ["purchase", "build", "keep"] if style == "builder" and rng.random() < 0.6 else list(groups)
    return rng.choice(groups[rng.choice([name for name in wish if name in groups] or list(groups))])


def some_options(rng: random.Random, seats: int) -> dict[str, Any]:
    options = {name: rng.choice(values) for name, values in CHOICES.items() if rng.random() < 0.7}
    return options | {"first_seat": rng.randrange(seats)}


def almost_a_ring(rng: random.Random, structures: list[str]) -> dict[str, list[int]]:
    """Return structures around an empty middle that almost close a ring, so that holes occur; or none."""
    wide, high = rng.choice([(3, 3), (3, 3), (4, 3)])
    ring = [[x, 0] for x in range(wide)] + [[wide - 1, y] for y in range(1, high)]
    ring += [[x, high - 1] for x in range(wide - 2, -1, -1)] + [[0, y] for y in range(high - 2, 0, -1)]
    start = rng.randrange(len(ring))
    ring = (ring[start:] + ring[:start])[rng.randrange(1, 3) :]
    palazzo: dict[str, list[int]] = {}
    for cell in ring:
        fits = [piece for piece in structures if not palazzo or oracle.related(piece, list(palazzo)[-1])]
        if not fits:
            break
        palazzo[rng.choice(fits)] = cell
        structures = [piece for piece in structures if piece not in palazzo]
    return palazzo


def crafted(rng: random.Random) -> oracle.State:
    """Return a position in mid-game with random palazzi that are larger than those of play."""
    count = rng.choice([2, 2, 3, 4])
    s = oracle.start([f"seat {number}" for number in range(count)], some_options(rng, count))
    structures, coins = rng.sample(oracle.STRUCTURES, 24), rng.sample(oracle.COINS, 24)
    ring = almost_a_ring(rng, structures) if rng.random() < 0.5 else {}
    s["seats"][0]["palazzo"] = ring if not oracle.faults(s, ring) else {}
    structures = [piece for piece in structures if piece not in s["seats"][0]["palazzo"]]
    s["pending"] = [structures.pop() for _ in range(rng.choice([0, 0, 1, 1, 2, 3]))]
    s["yard"] = [structures.pop() for _ in range(4 if rng.random() < 0.6 else rng.randrange(1, 5))]
    s["stack"] = [structures.pop() for _ in range(rng.randrange(5))] if len(s["yard"]) == 4 else []
    s["bank"] = [coins.pop() for _ in range(4)]
    for seat in s["seats"]:
        seat["hand"] = [coins.pop() for _ in range(rng.randrange(6))] if coins else []
        seat["die"] = rng.randrange(6)
    while structures:
        seat, structure = rng.choice([s["seats"][0], *s["seats"]]), structures.pop()
        fits = [a for a in oracle.cells_near(seat["palazzo"])
                if not oracle.faults_of_adding(s, seat["palazzo"], structure, a)]  # fmt: skip
        if fits and rng.random() < (0.2 if s["seats"][0]["palazzo"] is ring and ring else 0.9):
            seat["palazzo"][structure] = rng.choice(fits)
        else:
            seat["reserve"].append(structure)
        if rng.random() < 0.2:
            seat["turret"] = rng.choice([None, *seat["palazzo"]])
    for seat in s["seats"]:
        right, up = (rng.randrange(-500, 500), rng.randrange(-500, 500)) if rng.random() < 0.3 else (0, 0)
        seat["palazzo"] = {piece: [x + right, y + up] for piece, (x, y) in seat["palazzo"].items()}
    half = rng.randrange(len(coins) + 1)
    s["coins"], s["discards"] = coins[:half], coins[half:]
    s["active"] = 0 if rng.random() < 0.6 else rng.randrange(count)
    placing = bool(s["pending"]) and rng.random() < 0.5
    s["actions_left"] = 0 if placing else 1
    s["turn"] = {"phase": "place" if placing else "action", "seat": s["active"]}
    if not s["stack"] and not s["pending"] and rng.random() < 0.5:
        s["yard"], s["closing"] = [], [(s["active"] + step) % count for step in range(rng.randrange(1, count + 1))]
        home = {piece for seat in s["seats"] for piece in [*seat["palazzo"], *seat["reserve"]]}
        s["seats"][0]["reserve"] += [piece for piece in oracle.STRUCTURES if piece not in home]
    del s["awaits"]
    return s


def begin(rng: random.Random, seed: int) -> tuple[ProtocolReferee, oracle.State, dict[str, Any]]:
    referee = ProtocolReferee()
    if seed % 2:
        s = crafted(rng)
        answer = ask(referee, cmd="load", position=s)
    else:
        names = [f"seat {number}" for number in range(rng.choice([2, 3, 4]))]
        options = some_options(rng, len(names))
        s = oracle.start(names, options)
        answer = ask(referee, cmd="new", game="piecepack", seats=names, options=options)
    assert answer["ok"], (answer, s)
    return referee, s, answer["turn"]


def match(seed: int, steps: int = 400, every: int = 1, wrong: int = 4) -> dict[str, int]:
    """Play a random game, comparing everything at every ``every``-th decision; odd seeds load a position."""
    rng = random.Random(seed)
    counted: Counter[str] = Counter()
    referee, s, turn = begin(rng, seed)
    style = rng.choice(["all", "kinds", "builder"])
    for step in range(steps if seed % 2 == 0 else steps // 10):
        assert turn == s["turn"], (turn, plain(s))
        full = step % every == 0
        actions = agree(referee, s, full) or oracle.legal(s)
        counted["decisions"] += 1
        counted["actions"] += len(actions)
        for _ in range(wrong if full else 0):
            base = rng.choice(actions) if actions and rng.random() < 0.5 else random_action(rng, s)
            verdict(referee, s, spoilt(rng, s, base) if rng.random() < 0.6 else base, counted)
        for action in rng.sample(everything(s), min(len(everything(s)), 12 * wrong)) if full else ():
            verdict(referee, s, action, counted)
        if full:
            agree_on_scores(referee, oracle.score(s), plain(s))
            agree_on_loading(referee, s["turn"])
        if not actions:
            counted["finished"] += 1
            break
        action = freely(rng, s, choose(rng, actions, style))
        answer = ask(referee, cmd="do", action=action)
        assert answer["ok"], (action, answer, plain(s))
        s, turn = oracle.do(s, action), answer["turn"]
    return counted


def wrong_position(rng: random.Random, s: oracle.State) -> oracle.State | None:
    """Return the position with a palazzo that breaks a building rule, or with a piece missing, doubled or unknown."""
    wrong = copy.deepcopy(s)
    seat, change = rng.choice(wrong["seats"]), rng.randrange(4)
    places = [place for place in (wrong["yard"], wrong["bank"], seat["hand"], seat["reserve"], wrong["stack"]) if place]
    place = rng.choice(places)
    if change == 0 and seat["palazzo"]:
        piece, x, y = rng.choice(list(seat["palazzo"])), rng.randrange(-2, 5), rng.randrange(-2, 5)
        seat["palazzo"][piece] = [x, y]
        return wrong if oracle.faults(wrong, seat["palazzo"]) else None
    if change == 1:
        place.remove(rng.choice(place))
    elif change == 2:
        place.append(rng.choice(place))
    else:
        place[0] = rng.choice(["TM6", "DM9", "tm3", "", "R5a", 3, None])
    return wrong


@pytest.mark.parametrize("seed", range(8))
def test_oracle_and_engine_agree_on_random_games(seed: int) -> None:
    assert match(seed, every=12, wrong=3)["decisions"]


def test_oracle_and_engine_agree_on_every_change_of_a_palazzo() -> None:
    counted: Counter[str] = Counter()
    for seed in range(40):
        rng, referee = random.Random(seed), ProtocolReferee()
        s = crafted(rng)
        assert ask(referee, cmd="load", position=s)["ok"], s
        wishes = everything(s)
        for action in rng.sample(wishes, min(len(wishes), 50)):
            verdict(referee, s, action, counted)
    codes = {"clashing-neighbour", "no-shared-edge", "cell-taken", "splits-the-palazzo", "makes-a-hole"}
    assert codes <= set(counted), counted


def test_a_position_with_a_broken_palazzo_or_a_wrong_piece_is_refused() -> None:
    rng, refused = random.Random(5), 0
    for _ in range(60):
        wrong = wrong_position(rng, crafted(rng))
        if wrong is not None:
            answer = ask(ProtocolReferee(), cmd="load", position=wrong)
            assert answer.get("error", {}).get("code") == "bad-position", wrong
            refused += 1
    assert refused > 40


def test_the_oracle_itself_scores_the_majorities_of_the_rules_example() -> None:
    s = oracle.start(["Dirk", "Phillip", "Brad", "Brunhilde"])
    owned = [["TM0", "TM1", "TS0"], ["TM2", "TM3", "TS1", "TS2"], ["TM4", "TS3"], ["TM5", "TS4", "TS5"]]
    for seat, palazzo in zip(s["seats"], owned, strict=True):
        seat["palazzo"] = {piece: [number, 0] for number, piece in enumerate(palazzo)}
    s["seats"][0]["turret"] = "TM0"
    materials = [1, 2 + 3 + 1 + 2, 4 + 3, 5 + 4 + 5]
    solaria = [1, 6, 1, 6]
    majorities = [oracle.points(s, seat) - materials[seat] - solaria[seat] for seat in range(4)]
    assert majorities == [9, 4, 1, 1]


def test_a_palazzo_may_wander_over_the_grid_as_far_as_it_likes() -> None:
    """A palazzo may move over the grid by any distance: structures leave at one end and are added at the other."""
    s = crafted(random.Random(1))
    pieces, coins = [f"TM{number}" for number in range(6)], list(oracle.COINS)
    s |= {"seats": s["seats"][:2], "pending": [], "closing": None, "active": 0, "actions_left": 1}
    s |= {"turn": {"phase": "action", "seat": 0}, "options": oracle.DEFAULTS, "yard": ["TS0", "TS1", "TS2", "TS3"]}
    s["bank"], s["coins"], s["discards"] = coins[:4], coins[4:], []
    for seat in s["seats"]:
        seat |= {"hand": [], "turret": None, "palazzo": {}, "reserve": []}
    s["seats"][0] |= {"palazzo": {piece: [0, y] for y, piece in enumerate(pieces[:3])}, "reserve": pieces[3:]}
    s["seats"][1] |= {"palazzo": {"TA0": [0, 0], "TA1": [1, 0]}}
    s["stack"] = [piece for piece in oracle.STRUCTURES if piece not in [*pieces, *s["yard"], "TA0", "TA1"]]
    referee = ProtocolReferee()
    assert ask(referee, cmd="load", position=s)["ok"], s
    for turn in range(160):
        me = s["seats"][0]["palazzo"]
        lowest, highest = min(me, key=lambda piece: me[piece][1]), max(y for _, y in me.values())
        action = {"do": "reserve", "kind": "remove", "structure": lowest}
        if turn % 4 == 0:
            action = {"do": "reserve", "kind": "add", "structure": s["seats"][0]["reserve"][0], "at": [0, highest + 1]}
        if turn % 2:
            action = {"do": "turret", "on": "TA0" if turn % 4 == 1 else "TA1"}
        answer = ask(referee, cmd="do", action=action)
        assert answer["ok"], (turn, action, answer)
        s = oracle.do(s, action)
        agree(referee, s, legal=turn % 8 == 0)
    assert highest > 35
