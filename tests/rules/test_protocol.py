"""The referee protocol: every request, garbage included, has one answer, and a refused one changes nothing."""

from __future__ import annotations

import json
import random
import subprocess
import sys

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from doubles.clock import PATIENCE
from tabletop.cli.referee import command
from tabletop.rules import registry
from tabletop.rules.game import Json
from tabletop.rules.protocol import MAX_REQUEST_LENGTH, ProtocolReferee
from tests.campaigns.garble import garble, requests

NEW = {"cmd": "new", "game": "palazzo", "seats": ["A", "B"], "options": {}, "seed": 7}


@pytest.fixture
def referee() -> ProtocolReferee:
    referee = ProtocolReferee()
    assert referee.answer(NEW)["ok"]
    return referee


def code(answer: dict[str, Json]) -> str:
    assert answer["ok"] is False
    assert set(answer) == {"ok", "error"}
    assert {"code", "message", "rule"} <= set(answer["error"])
    code: str = answer["error"]["code"]
    return code


def do(referee: ProtocolReferee, **action: Json) -> dict[str, Json]:
    return referee.answer({"cmd": "do", "action": action})


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_every_built_in_game_plays_through_the_protocol_to_its_end(name: str) -> None:
    referee, rng = ProtocolReferee(), random.Random(3)
    answer = referee.answer({"cmd": "new", "game": name, "seats": ["A", "B"], "seed": 3})
    assert answer["ok"], answer
    for _ in range(2000):
        if answer["turn"]["phase"] == "over":
            break
        legal = referee.answer({"cmd": "legal"})["actions"]
        answer = do(referee, **rng.choice(legal))
        assert answer["ok"], answer
    assert answer["turn"] == {"phase": "over", "seat": None}
    assert referee.answer({"cmd": "legal"}) == {"ok": True, "actions": []}
    assert sorted(seat["rank"] for seat in referee.answer({"cmd": "score"})["seats"])[0] == 1
    assert referee.answer({"cmd": "record"})["record"].count("\n") > 20


def test_with_a_seed_chance_is_drawn_and_reported(referee: ProtocolReferee) -> None:
    events = referee.answer(NEW)["events"]
    assert [event["do"] for event in events] == ["reveal"] * 5 + ["deal"] * 2
    answer = do(referee, do="money")
    assert [event["do"] for event in answer["events"]] == ["reveal"] * 3
    assert answer["turn"] == {"phase": "take", "seat": 0}


def test_the_same_seed_brings_the_same_chance_and_another_another() -> None:
    first, again, other = (ProtocolReferee().answer(NEW | {"seed": seed})["events"] for seed in (7, 7, 8))
    assert first == again != other


def test_without_a_seed_the_driver_supplies_chance() -> None:
    referee = ProtocolReferee()
    answer = referee.answer({key: value for key, value in NEW.items() if key != "seed"})
    assert answer == {"ok": True, "turn": {"phase": "setup", "seat": None}, "events": []}
    answer = do(referee, do="reveal", piece="B1.1")
    assert answer == {"ok": True, "turn": {"phase": "setup", "seat": None}, "events": []}


def test_undo_takes_back_one_do_with_the_chance_that_followed_and_brings_the_same_again(
    referee: ProtocolReferee,
) -> None:
    before = referee.answer({"cmd": "position"})
    record = referee.answer({"cmd": "record"})
    answer = do(referee, do="money")
    assert referee.answer({"cmd": "undo"}) == {"ok": True, "turn": {"phase": "action", "seat": 0}, "events": []}
    assert referee.answer({"cmd": "position"}) == before
    assert referee.answer({"cmd": "record"}) == record
    assert do(referee, do="money") == answer


def test_nothing_to_undo_is_a_bad_request_and_load_clears_the_history(referee: ProtocolReferee) -> None:
    assert code(referee.answer({"cmd": "undo"})) == "bad-request"
    do(referee, do="money")
    referee.answer({"cmd": "load", "position": referee.answer({"cmd": "position"})["position"]})
    assert code(referee.answer({"cmd": "undo"})) == "bad-request"


def test_load_then_position_is_byte_for_byte_the_same(referee: ProtocolReferee) -> None:
    for action in ({"do": "build"}, {"do": "auction"}):
        do(referee, **action)
        printed = referee.answer_line('{"cmd": "position"}')
        position = json.loads(printed)["position"]
        assert referee.answer({"cmd": "load", "position": position})["ok"]
        assert referee.answer_line('{"cmd": "position"}') == printed
        referee.answer(NEW)
        do(referee, do="build")


def test_an_action_may_name_its_seat_and_another_seats_is_refused(referee: ProtocolReferee) -> None:
    assert code(do(referee, do="money", seat=1)) == "not-your-turn"
    assert code(do(referee, do="money", seat="0")) == "bad-request"
    assert do(referee, do="money", seat=0)["ok"]


def test_views_are_for_a_seat_or_a_spectator(referee: ProtocolReferee) -> None:
    own = referee.answer({"cmd": "view", "seat": 0})["view"]
    assert [type(seat["hand"]) for seat in own["seats"]] == [list, int]
    spectator = referee.answer({"cmd": "view", "seat": None})["view"]
    assert [type(seat["hand"]) for seat in spectator["seats"]] == [int, int]
    for request in ({}, {"seat": 2}, {"seat": -1}, {"seat": "0"}, {"seat": True}):
        assert code(referee.answer({"cmd": "view"} | request)) == "bad-request"


def test_layout_names_where_every_piece_lies(referee: ProtocolReferee) -> None:
    layout = referee.answer({"cmd": "layout"})["layout"]
    assert "C3" in layout["warehouse"]
    assert len(layout["hand0"]) == 4


@pytest.mark.parametrize("command", ["legal", "do", "undo", "position", "view", "score", "record", "layout"])
def test_before_the_first_game_everything_else_is_a_bad_request(command: str) -> None:
    request = {"cmd": command, "seat": 0, "action": {"do": "money"}}
    assert code(ProtocolReferee().answer(request)) == "bad-request"


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ({"do": "dance"}, "unknown-action"),
        ({"do": 7}, "bad-request"),
        ({}, "bad-request"),
        ({"do": "take"}, "bad-request"),
        ({"do": "take", "card": 7}, "bad-request"),
        ({"do": "take", "card": "R5A"}, "unknown-piece"),
        ({"do": "take", "card": "R5"}, "unknown-piece"),
        ({"do": "take", "card": "B3.1"}, "unknown-piece"),
        ({"do": "take", "card": "R5a"}, "wrong-phase"),
        ({"do": "buy", "tiles": [], "pay": []}, "bad-request"),
        ({"do": "buy", "tiles": ["B1.1"]}, "bad-request"),
        ({"do": "buy", "tiles": "B1.1", "pay": []}, "bad-request"),
        ({"do": "place", "tile": "B1.1"}, "bad-request"),
        ({"do": "rebuild", "tile": "B1.1", "pay": "R5a"}, "bad-request"),
        ({"do": "rebuild", "kind": "insert", "tile": "B1.1", "pay": "R5a"}, "bad-request"),
        ({"do": "deal", "cards": []}, "bad-request"),
        ({"do": "bid", "cards": ["R5a"] * 1000}, "bad-request"),
    ],
)
def test_malformed_actions_are_told_apart(referee: ProtocolReferee, action: dict[str, Json], expected: str) -> None:
    assert code(do(referee, **action)) == expected


@pytest.mark.parametrize(
    "change",
    [
        {"game": "chess"},
        {"game": None},
        {"seats": ["A"]},
        {"seats": ["A"] * 5},
        {"seats": "AB"},
        {"seats": [1, 2]},
        {"seed": 1.5},
        {"seed": "7"},
        {"options": []},
        {"options": {"speed": 1}},
        {"options": {"min_price": 2}},
        {"options": {"first_seat": 2}},
        {"options": {"stacks": "printed"}},
        {"edition": {"stacks": {}}},
    ],
)
def test_an_impossible_new_game_is_refused_and_the_old_one_continues(
    referee: ProtocolReferee, change: dict[str, Json]
) -> None:
    before = referee.answer({"cmd": "position"})
    assert code(referee.answer(NEW | change)) == "bad-request"
    assert referee.answer({"cmd": "position"}) == before


@pytest.mark.parametrize("position", [None, [], {}, {"game": "chess"}, {"game": "palazzo"}, {"game": ["palazzo"]}])
def test_a_malformed_position_is_refused_and_the_old_game_continues(referee: ProtocolReferee, position: Json) -> None:
    before = referee.answer({"cmd": "position"})
    assert code(referee.answer({"cmd": "load", "position": position})) in ("bad-position", "bad-request")
    assert referee.answer({"cmd": "position"}) == before


@pytest.mark.parametrize(
    "line",
    ["", "nonsense", "[]", "7", "null", '{"cmd": 7}', '{"cmd": "dance"}', "[" * 100_000, '{"a":' * 50_000, "1" * 9_999,
     "x" * (MAX_REQUEST_LENGTH + 1), '{"cmd": "view", "seat": 1e999}', '{"cmd": "do", "action": NaN}', "\ud800"],
)  # fmt: skip
def test_garbage_is_a_bad_request(referee: ProtocolReferee, line: str) -> None:
    assert code(json.loads(referee.answer_line(line))) == "bad-request"


@given(seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_garbled_requests_get_an_answer_and_change_nothing_when_refused(seed: int) -> None:
    rng = random.Random(seed)
    referee = ProtocolReferee()
    for request in requests(rng, 12):
        before = referee.answer_line('{"cmd": "position"}')
        answer = json.loads(referee.answer_line(garble(request, rng)))
        assert answer["ok"] in (True, False)
        if not answer["ok"]:
            assert code(answer)
            assert referee.answer_line('{"cmd": "position"}') == before


def test_the_command_answers_line_by_line_and_survives_bytes_that_are_not_text() -> None:
    lines = [
        b"\xef\xbb\xbf" + json.dumps(NEW).encode(),
        b"\xff\xfe",
        b"",
        b"[" * (MAX_REQUEST_LENGTH + 5),
        b'{"cmd": "legal"}',
    ]
    command = [sys.executable, "-m", "tabletop", "referee"]
    told = subprocess.run(command, input=b"\n".join(lines), capture_output=True, check=False, timeout=PATIENCE)
    answers = [json.loads(line) for line in told.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, False, True]
    assert (told.returncode, told.stderr) == (0, b"")


def test_the_command_reads_requests_that_are_as_long_as_they_may_be() -> None:
    """A request may have a million characters, whatever letters they are and whatever ends its line."""
    longest = '{"cmd": "position", "why": "%s"}'
    letters = ["x", "\U0001f0a1"]
    lines = [
        longest % (letter * (MAX_REQUEST_LENGTH - len(longest) + 2 + more)) for letter in letters for more in (0, 1)
    ]
    done = CliRunner().invoke(command, input="\r\n".join([*lines, ""]).encode())
    told = [json.loads(line)["error"]["message"] for line in done.stdout.splitlines()]
    too_long = "A request has at most 1000000 characters."
    assert told == ["There is no game yet: begin with new or load.", too_long] * 2


def test_the_built_in_games_come_first_and_an_unknown_one_is_named() -> None:
    assert registry.names()[:3] == ["palazzo", "patrician", "piecepack"]
    answer = ProtocolReferee().answer(NEW | {"game": "chess"})
    assert "'chess'" in answer["error"]["message"]
