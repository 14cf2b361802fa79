"""The pages about adding games and about records are run, not believed."""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path

from tabletop.rules import record, testing
from tabletop.rules.piecepack import GAME
from tabletop.rules.record import MIGRATIONS, SCHEMA, Line
from tabletop.rules.testing import ContractBroken, take_walk
from tests.rules.tiny import lantern

DOCS = Path(__file__).parents[2] / "docs"
ADDING = (DOCS / "adding-a-game.md").read_text(encoding="utf-8")
RECORDS = (DOCS / "records.md").read_text(encoding="utf-8")


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def test_the_page_is_the_tiny_game():
    assert (
        "\n\n".join(block.strip("\n") for block in blocks(ADDING, "python")).split()
        == Path(lantern.__file__).read_text(encoding="utf-8").split()
    )


def test_the_code_of_the_page_runs_and_keeps_the_contract(monkeypatch):
    module = types.ModuleType("lantern_of_the_page")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    code = "\n\n".join([*blocks(ADDING, "python"), *blocks(ADDING, "python test")])
    exec(compile(code, "adding-a-game.md", "exec"), module.__dict__)
    module.test_lantern_keeps_the_contract()


def test_the_page_names_every_promise_of_the_contract():
    source = Path(testing.__file__).read_text(encoding="utf-8")
    promises = set(re.findall(r'ContractBroken\(\s*"([^"]+)"', source))
    assert promises == set(re.findall(r"^\| ([a-z ]+) \| (?!means)", ADDING, re.M))
    assert issubclass(ContractBroken, AssertionError)


def test_the_page_about_records_names_every_key_of_the_header():
    fields = {"rules", "schema", *record.Record._fields} - {"lines"}
    assert set(re.findall(r"^\| `(\w+)` \|", RECORDS, re.M)) == fields


def test_the_example_of_the_page_about_records_can_be_read():
    one = record.parse_record(blocks(RECORDS, "")[0])
    assert one.lines[0] == Line("comment", "played in the kitchen")
    assert [line.kind for line in one.lines].count("action") == 5


def test_the_code_of_the_page_about_records_runs(capsys):
    walk = take_walk(GAME, 1, 2)
    text = record.write(walk.game, walk.positions[0], walk.actions[:20])
    exec("\n".join(blocks(RECORDS, "python")), {"text": text})
    assert "view: 0" in capsys.readouterr().out


def test_the_page_tells_the_schema_that_is_written():
    assert f"now {SCHEMA}" in RECORDS
    assert len(MIGRATIONS) == SCHEMA - 1
