"""The examples in the pages about adding games, records and the referee are run."""

from __future__ import annotations

import json
import re
import sys
import tomllib
import types
from pathlib import Path

import pytest

from tabletop.rules import registry
from tabletop.rules.contract import ContractBroken, play_random_game
from tabletop.rules.piecepack import GAME
from tabletop.rules.protocol import ProtocolReferee
from tabletop.rules.text import record, record_text, recorder
from tabletop.rules.text.record import Line
from tabletop.rules.text.record_text import MIGRATIONS, SCHEMA
from tests.rules.tiny import lantern

DOCS = Path(__file__).parents[2] / "docs"
RULES = Path(registry.__file__).parent
ADDING = (DOCS / "adding-a-game.md").read_text(encoding="utf-8")
RECORDS = (DOCS / "records.md").read_text(encoding="utf-8")
REFEREE = (DOCS / "referee.md").read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def test_the_code_of_the_page_is_the_tiny_game() -> None:
    assert (
        "\n\n".join(block.strip("\n") for block in blocks(ADDING, "python")).split()
        == Path(lantern.__file__).read_text(encoding="utf-8").split()
    )


def test_the_code_of_the_page_runs_and_keeps_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("lantern_of_the_page")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    code = "\n\n".join([*blocks(ADDING, "python"), *blocks(ADDING, "python test")])
    exec(compile(code, "adding-a-game.md", "exec"), module.__dict__)
    module.test_lantern_keeps_the_contract()


def test_the_page_names_every_promise_of_the_contract() -> None:
    names = ("data_shape", "promises", "walks")  # promises for games with more, such as a table, are left out
    sources = [(RULES / "contract" / f"{name}.py").read_text(encoding="utf-8") for name in names]
    promises = set(re.findall(r'ContractBroken\(\s*"([^"]+)"', "".join(sources)))
    assert promises == set(re.findall(r"^\| ([a-z ]+) \| (?!means)", ADDING, re.M))
    assert issubclass(ContractBroken, AssertionError)


def test_the_page_names_every_group_of_entry_points() -> None:
    declared = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    assert set(re.findall(r"^\| `(tabletop\.games[\w.]*)` \|", ADDING, re.M)) == set(declared)


def test_the_modules_that_the_page_names_exist() -> None:
    rows = ADDING.split("| module of `tabletop.rules` |")[1]
    named = [name for row in re.findall(r"^\| (`.+?`) \|", rows, re.M) for name in re.findall(r"`([\w.]+)`", row)]
    assert len(named) > 8
    assert [name for name in named if not (RULES / f"{name.replace('.', '/')}.py").is_file()] == []


def test_the_page_about_records_names_every_key_of_the_header() -> None:
    fields = {"rules", "schema", *record.Record._fields} - {"lines"}
    assert set(re.findall(r"^\| `(\w+)` \|", RECORDS, re.M)) == fields


def test_the_example_of_the_page_about_records_can_be_read() -> None:
    one = record_text.parse_record(blocks(RECORDS, "")[0])
    assert one.lines[0] == Line("comment", "played in the kitchen")
    assert [line.kind for line in one.lines].count("action") == 5


def test_the_code_of_the_page_about_records_runs(capsys: pytest.CaptureFixture[str]) -> None:
    walk = play_random_game(GAME, 1, 2)
    text = recorder.write(walk.positions[0], walk.actions[:20])
    exec("\n".join(blocks(RECORDS, "python")), {"text": text})
    assert "view: 0" in capsys.readouterr().out


def test_the_page_names_the_schema_that_is_written() -> None:
    assert f"now {SCHEMA}" in RECORDS
    assert len(MIGRATIONS) == SCHEMA - 1


def test_the_session_of_the_page_about_the_referee_is_what_the_program_answers() -> None:
    referee = ProtocolReferee()
    lines = blocks(REFEREE, "")[0].splitlines()
    assert len(lines) == 14
    for asked, answered in zip(lines[::2], lines[1::2], strict=True):
        assert referee.answer_line(asked.removeprefix("> ")) == answered.removeprefix("< ")


def test_the_page_about_the_referee_names_every_request() -> None:
    unknown = ProtocolReferee().answer({"cmd": "unknown"})["error"]["message"]
    requests = set(unknown.removeprefix("cmd must be one of: ").removesuffix(".").split(", "))
    named = set(re.findall(r"^\| `(\w+)` \|", REFEREE.split("## Actions")[0], re.M))
    assert named - {"cmd"} == requests


@pytest.mark.parametrize("number", range(3))
def test_every_action_of_the_page_about_the_referee_is_one_and_none_is_missing(number: int) -> None:
    game = registry.game(list(registry.BUILT_IN)[number])
    part = REFEREE.split("\n### ")[number + 1]
    assert part.startswith(game.title)
    found = [json.loads(text) for text in re.findall(r'`(\{"do".*?\})`', part)]
    assert all(game.action(data).to_json() == data for data in found)
    walk = play_random_game(game, 5, 3)
    assert {action.do for action in walk.actions} <= {data["do"] for data in found}
    phases = {phase for row in re.findall(r"^\| (`.*?) \|", part, re.M) for phase in re.findall(r"`(\w+)`", row)}
    assert {position.phase for position in walk.positions} <= {*phases, "over"}
