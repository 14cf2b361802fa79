"""Any data anywhere in a position, an action or a new game is either valid or refused in a short sentence."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from tabletop.rules import registry
from tabletop.rules.contract import play_random_game
from tabletop.rules.game import Action, Illegal, Json, Position
from tabletop.rules.protocol import MAX_REQUEST_LENGTH, ProtocolReferee

GAMES = list(registry.BUILT_IN)
LONGEST_MESSAGE = 400


def nested(depth: int, wrap: Callable[[Json], Json]) -> Json:
    """Return a value nested ``depth`` times."""
    value: Json = "B1.1"
    for _ in range(depth):
        value = wrap(value)
    return value


HOSTILE = {
    "a thousand lists deep": nested(1000, lambda value: [value]),
    "a thousand objects deep": nested(1000, lambda value: {"cards": value}),
    "10 MB of text": "R5a" * 3_500_000,
    "a hundred thousand items": ["R5a"] * 100_000,
    "a hundred thousand keys": {str(key): key for key in range(100_000)},
    "a float": 1.5,
    "no number": float("nan"),
    "endless": float("inf"),
    "a huge number": 10**5000,
    "a negative number": -1,
    "true": True,
    "nothing": None,
    "an empty text": "",
    "a surrogate": "\ud800",
}


@cache
def sample(name: str) -> tuple[dict[str, Position], dict[str, Action]]:
    """Return a position of each phase of a game and an action of each kind."""
    walk = play_random_game(registry.game(name), 4, 3)
    positions = {position.phase: position for position in reversed(walk.positions)}
    return positions, {action.do: action for action in walk.actions}


def places(data: Json, path: tuple[int | str, ...] = ()) -> Iterator[tuple[int | str, ...]]:
    """Yield the path of every value in the data, including the data itself; of a long list the first and the last."""
    yield path
    if isinstance(data, dict):
        for key, value in data.items():
            yield from places(value, (*path, key))
    elif isinstance(data, list):
        for at in sorted({0, len(data) - 1} if data else ()):
            yield from places(data[at], (*path, at))


def put(data: Json, path: tuple[int | str, ...], value: Json) -> Json:
    """Return the data with another value at a path."""
    if not path:
        return value
    changed = copy.deepcopy(data)
    inner = changed
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return changed


def refusal(call: Callable[..., object], *arguments: Json) -> Illegal | None:
    """Return the refusal of a call, or None if it is not refused."""
    try:
        call(*arguments)
    except Illegal as reason:
        return reason
    return None


def check_short(reason: Illegal | None, codes: set[str]) -> None:
    assert reason is None or reason.code in codes
    assert reason is None or len(reason.message) < LONGEST_MESSAGE
    assert reason is None or len(json.dumps(reason.to_json())) < 3 * LONGEST_MESSAGE


@pytest.mark.parametrize("what", HOSTILE)
@pytest.mark.parametrize("name", GAMES)
def test_a_position_with_junk_anywhere_is_refused_shortly_or_loaded(name: str, what: str) -> None:
    game, value = registry.game(name), HOSTILE[what]
    rng = random.Random(what)
    for position in sample(name)[0].values():
        data = position.to_json()
        every = [*places(data)]
        for path in rng.sample(every, min(len(every), 25)):
            check_short(refusal(game.load, put(data, path, value)), {"bad-position"})


@pytest.mark.parametrize("what", HOSTILE)
@pytest.mark.parametrize("name", GAMES)
def test_an_action_with_junk_anywhere_is_refused_shortly_or_valid(name: str, what: str) -> None:
    game, value = registry.game(name), HOSTILE[what]
    for action in sample(name)[1].values():
        for path in places(action.to_json()):
            reason = refusal(game.action, put(action.to_json(), path, value))
            check_short(reason, {"bad-request", "unknown-action", "unknown-piece"})
    if isinstance(value, str):
        assert refusal(game.parse, value) is not None


@pytest.mark.parametrize("what", HOSTILE)
@pytest.mark.parametrize("name", GAMES)
def test_a_new_game_with_junk_anywhere_is_refused_shortly_or_begins(name: str, what: str) -> None:
    request = {"cmd": "new", "game": name, "seats": ["Ada", "Ben"], "options": {}, "seed": 1}
    if name == "patrician":
        request["edition"] = registry.game(name).new(["A", "B"]).to_json()["edition"]
    every = [*places(request)][:40]
    for path in every:
        answer = ProtocolReferee().answer(put(request, path, HOSTILE[what]))
        if not answer["ok"]:
            assert answer["error"]["code"] == "bad-request"
            assert len(answer["error"]["message"]) < LONGEST_MESSAGE


@pytest.mark.parametrize(
    "line",
    ["[" * 100_000, '{"cmd":' * 100_000, "9" * (MAX_REQUEST_LENGTH - 1), "x" * 10_000_000],
    ids=lambda line: line[:5],
)
def test_a_line_of_junk_is_a_bad_request(line: str) -> None:
    answer = json.loads(ProtocolReferee().answer_line(line))
    assert answer["error"]["code"] == "bad-request"
    assert len(answer["error"]["message"]) < LONGEST_MESSAGE


@pytest.mark.parametrize("name", GAMES)
def test_a_name_with_a_lone_surrogate_is_refused(name: str) -> None:
    referee = ProtocolReferee()
    half = {"cmd": "new", "game": name, "seats": ["A", "\ud800"], "seed": 1}
    assert referee.answer(half)["error"]["code"] == "bad-request"
    referee.answer(half | {"seats": ["A", "\U0001f0a1"]})
    assert referee.answer({"cmd": "record"})["ok"]
    data = referee.answer({"cmd": "position"})["position"]
    data["seats"][0]["name"] = "\udfff"
    assert referee.answer({"cmd": "load", "position": data})["error"]["code"] == "bad-position"


@pytest.mark.parametrize("name", GAMES)
def test_a_piece_named_twice_in_a_deal_is_refused(name: str) -> None:
    walk = play_random_game(registry.game(name), 1, 2)
    begun, dealt = next(pair for pair in zip(walk.positions, walk.actions, strict=False) if pair[1].do == "deal")
    first, *others = dealt.to_json()["cards"]
    refusal = begun.refusal(walk.game.action({**dealt.to_json(), "cards": [first, *others[1:], first]}))
    assert refusal is not None
    assert refusal.message == f"{first} is named twice; it can be dealt only once."
