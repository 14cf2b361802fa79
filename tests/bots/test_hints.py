"""Hints and analysis show what a bot considers best, using only what the seat could know."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tabletop.bots import levels
from tabletop.bots.bot import Budget, Decision, Estimate
from tabletop.bots.hints import JudgedDecision, NoAdvice, analyse, hint
from tabletop.bots.seen import Seen
from tabletop.bots.tournament.games import Tournament, play
from tabletop.cli import main
from tabletop.cli.common.graph import WIDTH, graph
from tabletop.rules.game import Action, View
from tabletop.rules.text.record import Record
from tabletop.rules.text.record_text import format_record, parse_record
from tabletop.rules.text.recorder import seen_by
from tabletop.rules.text.replay import course
from tabletop.web.seating.seating import MAX_NAME_LENGTH

ONCE = Budget(playouts=1)
GAME = Tournament("palazzo", ("thrifty", "thrifty"), 1, 3, Budget(playouts=1))


class Steady:
    """A bot that finds the first action by name best by ``gap`` points, give or take 1.4, but shows no line of play."""

    def __init__(self, gap: float) -> None:
        self.gap = gap
        self.asked: list[View] = []

    def choose(self, view: View, seen: Seen, legal: Sequence[Action], budget: Budget, rng: random.Random) -> Decision:
        self.asked.append(view)
        order = sorted(legal, key=str)[:3]
        told = [Estimate(one, -self.gap * at, 9.0, 0.5, self.gap * at, 1.4) for at, one in enumerate(order)]
        return Decision(order[0], told)


@pytest.fixture(scope="module")
def text() -> str:
    return play(GAME, 0).record


def cut(text: str, phase: str, after: int = 30) -> Record:
    """Return the record up to the first position of a phase with at least ``after`` actions before it."""
    record = parse_record(text)
    for length in range(after, len(record.lines)):
        shorter = record._replace(lines=record.lines[:length])
        if course(shorter).positions[-1].phase == phase:
            return shorter
    raise AssertionError(phase)


def test_a_hint_is_clear_only_if_the_difference_is(text: str) -> None:
    positions = course(cut(text, "action")).positions
    seat = positions[-1].decider
    assert seat is not None
    assert hint(Steady(5.0), positions, seat, ONCE, random.Random(1)).clear
    assert not hint(Steady(2.0), positions, seat, ONCE, random.Random(1)).clear


def test_a_hint_asks_with_the_view_of_the_seat_alone(text: str) -> None:
    positions = course(cut(text, "action")).positions
    seat, bot = positions[-1].decider, Steady(5.0)
    assert seat is not None
    hint(bot, positions, seat, ONCE, random.Random(1))
    assert bot.asked == [positions[-1].view(seat)]


@pytest.mark.parametrize("phase", ["over", "reveal"])
def test_there_is_no_hint_where_no_seat_decides(text: str, phase: str) -> None:
    record = parse_record(text) if phase == "over" else cut(text, phase)
    with pytest.raises(NoAdvice):
        hint(Steady(5.0), course(record).positions, 0, ONCE, random.Random(1))


def test_a_hint_for_another_seat_names_the_seat_that_decides(text: str) -> None:
    positions = course(cut(text, "action")).positions
    seat = positions[-1].decider
    assert seat is not None
    with pytest.raises(NoAdvice, match=f"decides now \\(seat {seat + 1}\\)"):
        hint(Steady(5.0), positions, 1 - seat, ONCE, random.Random(1))


def test_every_real_decision_is_compared_with_the_best_action(text: str) -> None:
    record = parse_record(text)
    positions, actions = course(record)
    judged = [*analyse(Steady(5.0), positions, actions, ONCE, 1)]
    real = [
        number
        for number, position in enumerate(positions[:-1], 1)
        if position.decider is not None and len([*position.legal.thrifty()]) > 1
    ]
    assert [one.number for one in judged] == real
    for one in judged:
        assert one.played.action == actions[one.number - 1]
        assert (one.cost == 0) == (one.best.action == one.played.action)


def test_a_difference_within_the_errors_costs_nothing() -> None:
    action = parse_action()
    best = Estimate(action, 0, 9, 0)
    near, far = (JudgedDecision(1, 0, Estimate(action, -gap, 9, 0, gap, 1.4), best) for gap in (2, 5))
    assert (near.cost, far.cost) == (0, 5)


def parse_action() -> Action:
    from tabletop.rules import registry

    return registry.game("palazzo").parse("money")


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """The strongest level is the steady bot."""
    monkeypatch.setattr(levels, "find_bot", lambda _game, _level: Steady(5.0))


def run(*arguments: str, given: str = "") -> Any:
    return CliRunner().invoke(main, arguments, prog_name="tabletop", input=given)


@pytest.mark.usefixtures("steady")
def test_the_hint_command_prints_the_document_of_the_protocol(text: str) -> None:
    record = cut(text, "action")
    seat = course(record).positions[-1].decider
    assert seat is not None
    done = run("hint", "--seat", str(seat + 1), "--json", given=format_record(record))
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["clear"] is True
    assert 1 <= len(found["actions"]) <= 3
    assert all(one.keys() == {"action", "points", "error", "wins", "why"} for one in found["actions"])
    own = seen_by(record, seat)
    assert json.loads(run("hint", "--seat", str(seat + 1), "--json", given=format_record(own)).stdout) == found


@pytest.mark.parametrize(("gap", "shown"), [(2.0, "-2.0 ± 2.7"), (5.0, "-5.0 ± 2.7")])
def test_a_difference_is_unclear_exactly_if_it_is_within_the_printed_error(
    text: str, monkeypatch: pytest.MonkeyPatch, gap: float, shown: str
) -> None:
    """A difference is called unclear exactly if it is within the error that is printed beside it."""
    monkeypatch.setattr(levels, "find_bot", lambda _game, _level: Steady(gap))
    record = cut(text, "action")
    seat = course(record).positions[-1].decider
    assert seat is not None
    done = run("hint", "--seat", str(seat + 1), given=format_record(record))
    assert f"{shown} against the first" in done.stdout
    assert ("No clear difference" in done.stdout) == (gap < 2.7)


@pytest.mark.usefixtures("steady")
def test_the_record_of_another_seat_gives_no_hint(text: str) -> None:
    record = cut(text, "action")
    seat = course(record).positions[-1].decider
    assert seat is not None
    done = run("hint", "--seat", str(seat + 1), given=format_record(seen_by(record, 1 - seat)))
    assert done.exit_code == 2
    assert "what somebody else saw" in done.stderr


@pytest.mark.usefixtures("steady")
def test_the_analysis_names_the_three_costliest_and_draws_the_graph(text: str, tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(text)
    arguments = ["analyse", str(tmp_path / "game.txt"), "--svg", str(tmp_path / "graph.svg")]
    done = run(*arguments)
    assert done.exit_code == 0, done.output
    assert done.stdout.count("points against") == 3
    assert "cost 5.0 ± 3.9 points" in done.stdout
    assert (tmp_path / "graph.svg").read_text().count("<polyline") == 2
    found = json.loads(run(*arguments, "--json").stdout)
    assert len(found["costliest"]) == 3
    assert {one["number"] for one in found["decisions"]} >= {*found["costliest"]}


def test_five_long_names_have_room_below_the_graph() -> None:
    """Below the graph, no name begins before the one to its left has ended, at 7 units of the drawing per letter."""
    best = Estimate(parse_action(), 0, 9, 0.5)
    drawn = graph(["M" * MAX_NAME_LENGTH] * 5, [JudgedDecision(1, 0, best, best)])
    places = re.findall(r'<text x="(\d+)" y="(\d+)">M+<', drawn)
    rows = {y: [int(x) for x, other in places if other == y] for _, y in places}
    assert sum(map(len, rows.values())) == 5
    assert all(right - left >= 30 + 7 * MAX_NAME_LENGTH for xs in rows.values() for left, right in pairwise(xs))
    assert all(x + 7 * MAX_NAME_LENGTH <= WIDTH for xs in rows.values() for x in xs)


@pytest.mark.parametrize(
    ("arguments", "given", "status", "sentence"),
    [
        (["hint", "--seat", "1"], "nonsense", 2, "stdin"),
        (["hint", "--seat", "1", "/nowhere/game.txt"], "", 2, "cannot be read"),
        (["hint", "--seat", "1", "--level", "genius"], "", 2, "There is no level “genius”"),
        (["analyse", "-", "--level", "random"], "RECORD", 1, "does not look ahead"),
        (["hint", "--seat", "9"], "RECORD", 2, "the game has 2 seats"),
    ],
)
def test_bad_input_is_one_sentence(text: str, arguments: list[str], given: str, status: int, sentence: str) -> None:
    done = run(*arguments, given=given.replace("RECORD", text))
    assert done.exit_code == status, done.output
    assert sentence in done.stderr
    assert "Traceback" not in done.output
