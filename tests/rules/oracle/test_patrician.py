"""The project's Patrician against an oracle written from the text of the rules alone.

Both play the same random games with random editions, through JSON requests only; at each decision they must agree about
the turn, the legal actions, the position, the score, and the verdicts on faulty actions of every kind.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from typing import Any

import pytest

from tabletop.rules.protocol import ProtocolReferee
from tests.rules.oracle import patrician as oracle
from tests.rules.oracle.agreement import agree_on_loading, agree_on_scores, agree_on_verdict, ask

HEADS = ["red", "woman", "beard"]
JUNK: list[Any] = [
    None, True, 0, 1, -1, 2.5, "", "rom1", "ROM8", "ROM", "XXX", "C", "a", "A", "PIS", "PIS1", [], {}, [1],
    ["ROM1", "ROM1", "ROM2"], ["ROM1"], [None, 1, []], "LUC2", "MIL", "skip", "B3.2",
]  # fmt: skip


def an_edition(rng: random.Random, seats: int) -> dict[str, Any]:
    """Return a random edition: everything on the cards that the text leaves open is drawn at random."""
    cards: dict[str, Any] = {}
    for city in oracle.CITIES:
        names = [card for card in oracle.CARDS if card[:3] == city]
        rng.shuffle(names)
        doubles = oracle.FLOORS_OF[city] - len(names)
        for number, card in enumerate(names):
            cards[card] = {"crests": 1, "heads": [], "any": False, "move": False, "start": False}
            what = "crest" if number < doubles else rng.choice(["one", "one", "two", "any", "move", "move"])
            what = "one" if number == doubles or (what != "crest" and number == doubles + 1) else what
            cards[card]["crests"] += what == "crest"
            cards[card]["heads"] = {"one": 1, "two": 2}.get(what, 0) * [rng.choice(HEADS)]
            cards[card]["any"], cards[card]["move"] = what == "any", what == "move"
    used = [card for card in oracle.CARDS if seats == 5 or card[:3] != "PIS"]
    heads = [card for card in used if len(cards[card]["heads"]) == 1]
    stars = rng.sample(heads, min(len(heads), 3 * seats + rng.randrange(3)))
    for card in stars:
        cards[card]["start"] = True
    return {"cards": cards}


def plain(position: dict[str, Any]) -> dict[str, Any]:
    """Return a position without what the text leaves free: the order of sets, and whose turn the last one was."""
    phase = position["turn"]["phase"]
    plain = {key: position[key] for key in ("game", "options", "edition", "cities", "market", "turn")}
    plain["deck"] = sorted(position["deck"])
    plain["seats"] = [
        seat | {"hand": sorted(seat["hand"]), "tokens": sorted(seat["tokens"])} for seat in position["seats"]
    ]
    if phase != "over":
        plain["active"] = position["active"]
    if phase in ("floor", "move", "take"):
        plain["pending"] = position["pending"]
    return plain


def kind_of(action: dict[str, Any]) -> str:
    cards = {"cards": sorted(action["cards"])} if "cards" in action else {}
    return str(sorted((action | cards).items()))


def agree(referee: ProtocolReferee, s: oracle.State, legal: bool = True) -> list[dict[str, Any]]:
    """Compare the position and the legal actions; return the oracle's legal actions."""
    theirs = ask(referee, cmd="position")["position"]
    assert plain(theirs) == plain(oracle.position(s)), (plain(theirs), plain(s))
    ours = oracle.legal(s)
    if legal:
        listed = Counter(kind_of(action) for action in ask(referee, cmd="legal")["actions"])
        assert listed == Counter(kind_of(action) for action in ours), (listed, ours, plain(s))
    return ours


def random_action(rng: random.Random, s: oracle.State) -> dict[str, Any]:
    """Return a well-formed action, mostly with cards from places where they might be wanted."""
    market = [card for card in s["market"].values() if card]
    places = [s["deck"], market, *[seat["hand"] for seat in s["seats"]], oracle.CARDS]
    card = rng.choice(rng.choice([place for place in places if place]))
    return rng.choice(
        [
            {"do": "play", "card": card},
            {"do": "floor", "site": rng.choice("AB")},
            {"do": "move", "city": rng.choice(oracle.CITIES), "from": rng.choice("AB")},
            {"do": "skip"},
            {"do": "take", "card": card},
            {"do": "reveal", "piece": card},
            {"do": "deal", "seat": rng.randrange(len(s["seats"])), "cards": rng.sample(s["deck"] + oracle.CARDS, 3)},
        ]
    )


def in_phase(rng: random.Random, s: oracle.State) -> dict[str, Any]:
    """Return a random action of a kind that is asked for now, if possible."""
    names = [name for name, phases in oracle.PHASES.items() if s["turn"]["phase"] in phases]
    actions = [random_action(rng, s) for _ in range(12)]
    return next((action for action in actions if action["do"] in names), actions[0])


def spoilt(rng: random.Random, s: oracle.State, action: dict[str, Any]) -> Any:
    """Return an action with one thing changed, left out or added."""
    spoilt = copy.deepcopy(action)
    key = rng.choice(list(spoilt))
    change = rng.randrange(6)
    if change == 0:
        del spoilt[key]
    elif change == 1:
        spoilt[key] = copy.deepcopy(rng.choice(JUNK))
    elif change == 2 and spoilt["do"] != "deal":
        spoilt["seat"] = rng.choice([0, 1, 2, 3, 4, 9, None, oracle.decider(s), "0", True, 1.5])
    elif change == 3:
        spoilt["do"] = rng.choice([*oracle.PHASES, "Play", "pass", ""])
    elif change == 4:
        spoilt = in_phase(rng, s) | {key: spoilt[key]}
    elif rng.random() < 0.1:
        return rng.choice([None, [], "skip", 3])
    return spoilt


def verdict(referee: ProtocolReferee, s: oracle.State, action: Any, counted: Counter[str]) -> None:
    def agree_after() -> None:
        agree(referee, oracle.do(s, action), legal=False)

    agree_on_verdict(referee, action, oracle.refuse(s, action), counted, agree_after)


def everything(s: oracle.State) -> list[dict[str, Any]]:
    """Return every floor, move or card from the market that a seat could want now; most of them are illegal."""
    if s["turn"]["phase"] == "floor":
        return [{"do": "floor", "site": site} for site in "AB"]
    if s["turn"]["phase"] == "move":
        return [{"do": "move", "city": city, "from": site} for city in s["cities"] for site in "AB"]
    if s["turn"]["phase"] == "take":
        return [{"do": "take", "card": card} for card in s["market"].values() if card]
    return []


def crafted(rng: random.Random, steer: float | None = None) -> oracle.State:
    """Return a position in mid-game in which one seat got the cards with two crests and may run out of floors."""
    count = rng.choice([2, 3, 4, 4, 5, 5])
    options = {"first_seat": rng.randrange(count), "move_may_empty_site": rng.random() < 0.5}
    s = oracle.start([f"seat {number}" for number in range(count)], options, an_edition(rng, count))
    each = len(s["deck"]) // count
    cards = sorted(rng.sample(s["deck"], len(s["deck"])), key=lambda card: -oracle.shows(s, card)["crests"])
    greedy = rng.randrange(count)
    rows = {greedy: cards[:each]}
    rest = rng.sample(cards[each:], len(cards) - each)
    for seat in range(count):
        if seat != greedy:
            rows[seat], rest = rest[:each], rest[each:]
    turns = int(len(cards) * (rng.random() ** 0.3 if steer is None else steer))
    for turn in range(turns):
        s["active"] = (options["first_seat"] + turn) % count
        if count * each - turn <= count and steer is None and rng.random() < 0.3:
            break
        play_in_silence(rng, s, rows[s["active"]].pop(0))
        s["active"] = (s["active"] + 1) % count
    lay_out(rng, s, rows)
    return s


def play_in_silence(rng: random.Random, s: oracle.State, card: str) -> None:
    """Place a card's floors, and sometimes move one, as in a turn of the active seat but without comparing."""
    me, city = s["seats"][s["active"]], card[:3]
    s["deck"].remove(card)
    me["played"].append(card)
    s["pending"] = {"card": card, "floors": min(oracle.shows(s, card)["crests"], me["supply"])}
    s["turn"] = {"phase": "floor", "seat": s["active"]}
    while s["pending"]["floors"]:
        site = rng.choice(oracle.legal(s))["site"]
        s["cities"][city][site].append(me["colour"])
        me["supply"] -= 1
        s["pending"]["floors"] -= 1
    if oracle.floors_in(s, city) == oracle.FLOORS_OF[city]:
        oracle.award(s, city)
    if oracle.shows(s, card)["move"] and oracle.moves(s):
        move = rng.choice(oracle.moves(s))
        towers = s["cities"][move["city"]]
        towers[oracle.other(move["from"])].append(towers[move["from"]].pop())
    del s["pending"]


def lay_out(rng: random.Random, s: oracle.State, rows: dict[int, list[str]]) -> None:
    """Deal out the remaining cards: hands of three while they last, then the market, then the deck."""
    for number, seat in enumerate(s["seats"]):
        seat["hand"] = rows[number][:3]
        s["deck"] = [card for card in s["deck"] if card not in seat["hand"]]
    rng.shuffle(s["deck"])
    for city in rng.sample(list(s["market"]), len(s["market"])):
        if s["deck"]:
            s["market"][city] = s["deck"].pop()
    if any(seat["hand"] for seat in s["seats"]):
        s["turn"] = {"phase": "play", "seat": s["active"]}
    else:
        for city in s["cities"]:
            if not s["cities"][city]["scored"]:
                oracle.award(s, city)
        s["turn"] = {"phase": "over", "seat": None}


def begin(rng: random.Random, seed: int) -> tuple[ProtocolReferee, oracle.State, dict[str, Any]]:
    referee = ProtocolReferee()
    if seed % 2:
        s = crafted(rng)
        answer = ask(referee, cmd="load", position=s)
    else:
        names = [f"seat {number}" for number in range(rng.choice([2, 3, 4, 5]))]
        options = {"first_seat": rng.randrange(len(names))} if rng.random() < 0.8 else {}
        options |= {name: rng.random() < 0.5 for name in ("move_may_empty_site", "open_heads") if rng.random() < 0.7}
        edition = an_edition(rng, len(names))
        answer = ask(referee, cmd="new", game="patrician", seats=names, options=options, edition=edition)
        s = oracle.start(names, options, edition)
    assert answer["ok"], (answer, s)
    return referee, s, answer["turn"]


def match(seed: int, every: int = 1, wrong: int = 4) -> dict[str, int]:
    """Play a random game, comparing everything at every ``every``-th decision; odd seeds load a position."""
    rng = random.Random(seed)
    counted: Counter[str] = Counter()
    referee, s, turn = begin(rng, seed)
    step = 0
    while True:
        assert turn == s["turn"], (turn, plain(s))
        full, step = step % every == 0 or turn["phase"] == "over", step + 1
        actions = agree(referee, s, full)
        counted["decisions"] += 1
        counted["actions"] += len(actions)
        for _ in range(wrong if full else 0):
            base = rng.choice(actions) if actions and rng.random() < 0.3 else in_phase(rng, s)
            verdict(referee, s, spoilt(rng, s, base) if rng.random() < 0.6 else base, counted)
        for action in everything(s) if full else ():
            verdict(referee, s, action, counted)
        if full:
            agree_on_scores(referee, oracle.score(s), plain(s))
            agree_on_loading(referee, s["turn"])
        if not actions:
            assert s["turn"]["phase"] == "over", plain(s)
            counted["finished"] += 1
            return counted
        action = rng.choice(actions)
        answer = ask(referee, cmd="do", action=action)
        assert answer["ok"], (action, answer, plain(s))
        s, turn = oracle.do(s, action), answer["turn"]


@pytest.mark.parametrize("seed", range(8))
def test_oracle_and_engine_agree_on_random_games(seed: int) -> None:
    assert match(seed, every=14)["finished"]


def spoilt_edition(rng: random.Random, edition: dict[str, Any], seats: int) -> dict[str, Any]:
    """Return the edition with one rule about its cards broken."""
    if rng.random() < 0.1:
        return {"cards": rng.choice([None, [], {}, 5, "cards"])}
    cards = copy.deepcopy(edition["cards"])
    doubles = [name for name, card in cards.items() if card["crests"] == 2]
    stars = [name for name, card in cards.items() if card["start"] and (seats == 5 or name[:3] != "PIS")]
    special = [name for name, card in cards.items() if card["any"] or card["move"]]
    single = [name for name, card in cards.items() if card["heads"] and not card["start"]] + special
    blank = {"crests": 1, "heads": [], "any": False, "move": False, "start": False}
    heads = rng.choice([["red", "woman"], ["red"] * 3, ["man"], "red", [1], [[]]])
    some, key = rng.choice(list(cards)), rng.choice(list(blank))
    changed: dict[str, Any] = rng.choice(
        [
            {rng.choice(["ROM8", "rom1", "XXX1", ""]): cards[some]},
            {rng.choice(doubles): blank | {"any": True}},
            {rng.choice(single): blank | {"crests": 2}},
            {rng.choice(special): blank},
            {rng.choice(single): blank | {"any": True, "move": True}},
            {rng.choice(single): blank | {"heads": heads}},
            {rng.choice(special): blank | {"any": True, "start": True}},
            {rng.choice(doubles): blank | {"crests": 2, "start": True}},
            {star: cards[star] | {"start": False} for star in stars[: len(stars) - 3 * seats + 1]},
            {some: {name: value for name, value in cards[some].items() if name != key}},
            {some: cards[some] | {key: rng.choice([None, "yes", 7, {}])}},
        ]
    )
    return {"cards": cards | changed}


def test_an_edition_that_breaks_a_rule_is_refused_by_new_and_by_load() -> None:
    rng = random.Random(11)
    for _ in range(40):
        s = crafted(rng)
        seats, options = [seat["name"] for seat in s["seats"]], s["options"]
        wrong = spoilt_edition(rng, s["edition"], len(seats))
        answer = ask(ProtocolReferee(), cmd="new", game="patrician", seats=seats, options=options, edition=wrong)
        assert answer.get("error", {}).get("code") == "bad-request", (answer, wrong)
        answer = ask(ProtocolReferee(), cmd="load", position=s | {"edition": wrong})
        assert answer.get("error", {}).get("code") == "bad-position", (answer, wrong)


def spoilt_position(rng: random.Random, s: oracle.State) -> oracle.State:
    """Return the position with a card missing, doubled or unknown, with a floor too many, or with other tokens."""
    wrong: dict[str, Any] = json.loads(json.dumps(s))
    seat, city, change = rng.choice(wrong["seats"]), rng.choice(list(wrong["cities"])), rng.randrange(9)
    piles = [
        pile for pile in (wrong["deck"], *(each[key] for each in wrong["seats"] for key in ("hand", "played"))) if pile
    ]
    pile = rng.choice(piles)
    if change == 0:
        pile.remove(rng.choice(pile))
    elif change == 1:
        pile.append(rng.choice(pile))
    elif change == 2:
        pile[0] = rng.choice(["ROM8", "rom1", "R5a", "", 3, None, "PIS1" if len(s["seats"]) < 5 else "PIS8"])
    elif change == 3:
        wrong["cities"][city]["A"].append(seat["colour"])
        seat["supply"] -= 1
    elif change == 4:
        seat["tokens"].append(rng.choice([9, 6, 4, 3]))
    elif change == 5 and seat["tokens"]:
        seat["tokens"].pop()
    elif change == 6:
        wrong["cities"][city]["scored"] = not wrong["cities"][city]["scored"]
    elif change == 7:
        wrong["cities"][city]["B"].append(rng.choice(["green", "Black", 1, None]))
    else:
        seat["supply"] += rng.choice([-1, 1])
    return wrong


def test_an_impossible_position_is_refused() -> None:
    rng = random.Random(12)
    for _ in range(60):
        s = crafted(rng)
        wrong = spoilt_position(rng, s)
        answer = ask(ProtocolReferee(), cmd="load", position=wrong)
        assert answer.get("error", {}).get("code") == "bad-position", (answer, wrong, s)


def test_the_oracle_itself_scores_the_city_of_the_rules_example() -> None:
    s = oracle.start(["black", "white"], {}, {"cards": {}})
    s["cities"]["SIE"] |= {"A": ["white", "white", "black", "white"], "B": ["black", "white", "black"]}
    assert oracle.tokens_of(s, "SIE") == [(1, 7), (0, 4)]
