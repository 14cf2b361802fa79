"""Lone surrogates and control characters are found wherever they stand."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tabletop.rules import registry
from tabletop.rules.game import Illegal, Json
from tabletop.rules.protocol import ProtocolReferee
from tabletop.rules.validate import unfit, without_unfit

UNFIT = {
    "U+D800": "\ud800",
    "U+DFFF": "a\udfffb",
    "U+0000": "\0",
    "U+0007": "Ada\a",
    "U+007F": "\x7f",
    "U+0085": "\x85",
}
GAMES = tuple(registry.BUILT_IN)


@pytest.mark.parametrize("code", UNFIT)
def test_an_unfit_character_is_named_wherever_it_stands(code: str) -> None:
    text = UNFIT[code]
    for data in (text, [1, ["x", text]], {"a": {"b": text}}, {text: 1}, ("x", text)):
        assert unfit(data) == unfit(data, breaks=True) == code
    assert unfit(without_unfit(text)) == ""


def test_ordinary_text_of_any_script_is_accepted() -> None:
    """Letters of any script are accepted, including those beyond the BMP; line breaks only where allowed."""
    data = {"é": ["Ζωή", "张", "🏰", "A\u2028B", 1, None, True, 1.5]}
    assert unfit(data) == ""
    assert unfit("one\ttwo\r\n") == "U+0009"
    assert unfit("one\ttwo\r\n", breaks=True) == ""
    assert without_unfit("Zoë\n") == "Zoë\ufffd"


def test_deeply_nested_data_is_searched_without_recursion() -> None:
    data: Json = "\a"
    for _ in range(100_000):
        data = [data]
    assert unfit(data) == "U+0007"


@pytest.mark.parametrize("code", UNFIT)
@pytest.mark.parametrize("name", GAMES)
def test_no_game_begins_with_such_a_name(name: str, code: str) -> None:
    """No game accepts such a name from the protocol, from Python or in a position; the refusal names the character."""
    game = registry.game(name)
    data = game.new(["Ada", "Ben"]).to_json()
    data["seats"][1]["name"] = UNFIT[code]
    calls: tuple[tuple[str, Callable[[Json], object], Json], ...] = (
        ("bad-request", game.new, ["Ada", UNFIT[code]]),
        ("bad-position", game.load, data),
    )
    for refused, call, argument in calls:
        with pytest.raises(Illegal) as refusal:
            call(argument)
        assert refusal.value.code == refused
        assert code in refusal.value.message
    line = json.dumps({"cmd": "new", "game": name, "seats": ["Ada", UNFIT[code]]})
    error = json.loads(ProtocolReferee().answer_line(line))["error"]
    assert error["code"] == "bad-request"
    assert code in error["message"]


@pytest.mark.parametrize("name", ["palazzo", "patrician", "piecepack"])
def test_seats_in_refusals_are_counted_from_one(name: str) -> None:
    """Refusals of a position's data count the seats from 1."""
    game = registry.game(name)
    data = game.new(["Ada", "Ben"]).to_json()
    data["seats"][0]["hand"] = ["nothing"]
    with pytest.raises(Illegal, match="seat 1"):
        game.load(data)
    data["seats"][0]["name"] = "x" * 1000
    with pytest.raises(Illegal, match="seat 1"):
        game.load(data)
