"""Garbage for the referee protocol: plausible requests, broken in many ways.

:mod:`tests.campaigns.garbage` feeds it to the referee.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

from tabletop.rules import registry
from tabletop.rules.protocol import ProtocolReferee

PIECES = ["R5a", "R5A", "R5", "B3.1", "B3.1a", "E1", "C3", "C2a", "ARCH", "TM3", "DC0", "ROM1", "", "\u0000", "🂡"]
VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 5, 10**30, 1.5, "", "A", [], {}, [[]], [[[[]]]], {"": {}}, ["R5a"] * 70, "x" * 5000,
]  # fmt: skip


def requests(rng: random.Random, number: int) -> Iterator[dict[str, Any]]:
    """Iterate over requests that mostly make sense, about one game that is played a little."""
    game = rng.choice(list(registry.BUILT_IN))
    driver = ProtocolReferee()
    first = {"cmd": "new", "game": game, "seats": ["A", "B", "C"][: rng.choice([2, 3])], "seed": rng.randrange(99)}
    driver.answer(first)
    yield first
    for _ in range(number):
        kind = rng.choice(["do", "do", "do", "load", "undo", "view", "score", "legal", "record", "layout", "new"])
        request: dict[str, Any] = {"cmd": kind}
        if kind == "do":
            legal = driver.answer({"cmd": "legal"})["actions"]
            request["action"] = rng.choice(legal) if legal else {"do": "money"}
        elif kind == "load":
            request["position"] = driver.answer({"cmd": "position"})[rng.choice(["position", "line"])]
        elif kind == "view":
            request["seat"] = rng.choice([None, 0, 1])
        elif kind == "new":
            request = first
        driver.answer(request)
        yield request


def garble(request: Any, rng: random.Random) -> str:
    """Return a request as a line, often broken in its values, keys, nested parts or text."""
    data = json.loads(json.dumps(request))
    for _ in range(rng.choice([0, 1, 1, 2, 5])):
        _break(data, rng)
    line = json.dumps(data)
    if rng.random() < 0.1:
        at = rng.randrange(len(line) + 1)
        line = (
            line[:at]
            + rng.choice(["", "[", "}", '"', "\\", "NaN", "9" * 5000, "\ud800"])
            + line[at + rng.randrange(3) :]
        )
    return line


def _break(data: Any, rng: random.Random) -> None:
    """Change one randomly chosen part of a request."""
    place = data
    for _ in range(rng.randrange(6)):
        inner = [
            value
            for value in (place.values() if isinstance(place, dict) else place)
            if value and isinstance(value, dict | list)
        ]
        if not inner:
            break
        place = rng.choice(inner)
    if isinstance(place, dict) and place:
        key = rng.choice(list(place))
        how = rng.randrange(4)
        if how == 0:
            del place[key]
        elif how == 1:
            place[rng.choice(PIECES)] = place[key]
        else:
            place[key] = copy.deepcopy(rng.choice([*VALUES, *PIECES]))
    elif isinstance(place, list) and place:
        at = rng.randrange(len(place))
        how = rng.randrange(4)
        if how == 0:
            del place[at]
        elif how == 1:
            place.append(place[at])
        else:
            place[at] = copy.deepcopy(rng.choice([*VALUES, *PIECES]))
