"""The stored results of games between bots can be added to later."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from bench import strength
from tabletop.bots.bot import Budget
from tabletop.bots.tournament.games import GameResult, Tournament
from tabletop.bots.tournament.tournament_folder import ResultFile


def test_each_result_names_the_bots_that_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing games are played and named after today's bots; games already stored stay as they are."""
    asked: list[int] = []

    def results(_: Tournament, numbers: Sequence[int], *__: Any) -> Iterator[GameResult]:
        for number in numbers:
            asked.append(number)
            yield GameResult(number, 1 + number // 2, (number % 2, 1 - number % 2), (7, 3), (1, 2))

    monkeypatch.setattr(strength, "play_all", results)
    file = ResultFile(tmp_path / "palazzo-2@0.1s.jsonl")
    for bots, games in (("11111111", 2), ("22222222", 4)):
        monkeypatch.setattr(strength, "played_by", lambda bots=bots: bots)
        strength.play_row(file, Tournament("palazzo", ("strong", "thrifty"), games, 1, Budget(0.1)), 1)
    assert asked == [0, 1, 2, 3]
    assert [json.loads(line)["bots"] for line in file.lines()] == ["11111111"] * 2 + ["22222222"] * 2
    assert strength.versions(tmp_path) == ["palazzo-2@0.1s: 2 by 11111111, 2 by 22222222"]
    assert strength.table(tmp_path)[-1].startswith("| strong, thrifty (Palazzo) | 0.1 s | 4 of 200 | 50.0 % |")


@pytest.mark.parametrize(
    ("spelt", "budget"), [("1s", Budget(1.0)), ("0.3s", Budget(0.3)), ("16playouts", Budget(playouts=16))]
)
def test_the_name_of_a_file_gives_the_budget(spelt: str, budget: Budget) -> None:
    """The budget in a results file's name is read back as it was written."""
    assert strength.budget_of(spelt) == budget
