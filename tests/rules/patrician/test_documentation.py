"""The manual agrees with the rules."""

from __future__ import annotations

import re

import pytest

from tabletop.rules.patrician import GAME
from tabletop.rules.patrician.components import CITIES
from tabletop.rules.patrician.enrolment import face
from tabletop.rules.patrician.phases.reasons import MEANINGS


@pytest.fixture(scope="module")
def manual(pytestconfig: pytest.Config) -> str:
    return (pytestconfig.rootpath / "docs/patrician.md").read_text(encoding="utf-8")


def section(manual: str, title: str) -> str:
    return manual.split(f"## {title}\n")[1].split("\n## ", maxsplit=1)[0]


def test_every_code_is_in_the_manual_with_its_meaning(manual: str) -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", section(manual, "Why an action is refused"), re.MULTILINE)
    assert dict(rows) == dict(MEANINGS)


def test_every_line_of_notation_in_the_manual_is_read_and_written_so(manual: str) -> None:
    lines = re.findall(r"^\| `([^`]+)`", section(manual, "Notation"), re.MULTILINE)
    assert {line.split()[0] for line in lines} == {"deal", "reveal", "play", "floor", "move", "skip", "take"}
    assert [GAME.format(GAME.parse(line)) for line in lines] == lines


def test_every_option_is_in_the_manual_with_its_default_first(manual: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\w+)", section(manual, "Options"), re.MULTILINE)
    assert dict(rows) == {name: str(values[0]).lower() for name, values in GAME.options.items()}


def test_every_city_is_in_the_manual_with_its_numbers(manual: str) -> None:
    for city in CITIES:
        row = next(line for line in section(manual, "Words").splitlines() if f"{city.title} `{city.id}`" in line)
        high, low = city.tokens
        assert row.endswith(f"| {city.cards} | {city.capacity} | {high}, {low} |")


def test_every_answer_in_the_manual_is_understood(manual: str) -> None:
    rows = re.findall(r"^\| (`.+`) \|", section(manual, "The edition file"), re.MULTILINE)
    answers = [answer for row in rows for answer in re.findall(r"`([^`]+)`", row)]
    assert len({face(answer) for answer in answers}) == len(answers) == 12
