"""The doctor's list: it goes on after a failing probe, is printed as JSON, and its probes can be replaced."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tabletop.cli.doctor import command
from tabletop.config import PiecesConfig
from tabletop.hardware.diagnostics import doctor, probes, probes_table
from tabletop.hardware.diagnostics.check import Check, CheckState, ProbedMachine
from tabletop.messages import Message


def test_each_reader_reads_the_test_card(machine: ProbedMachine) -> None:
    first, second = probes_table.readers(machine)
    assert (first.name, first.state) == ("zxing-cpp", CheckState.OK)
    assert second.name == "libzbar"


def test_a_failing_probe_becomes_a_line_and_the_others_continue(
    machine: ProbedMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: ProbedMachine) -> Iterable[Check]:
        raise RuntimeError("what")

    monkeypatch.setattr(probes, "ALL", {"broken": broken, "board": probes.board})
    monkeypatch.setattr(probes_table, "ALL", {})
    first, second = doctor.examine(machine)
    assert (first.name, first.state, second.name) == ("broken", CheckState.FAULT, "board")


def test_the_command_prints_the_list_as_json_and_ends_with_1_on_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(f"[camera]\nsource = 'images:{tmp_path / 'none'}'\n[panel]\npins = 'mock'\n")
    done = CliRunner().invoke(command, ["--config", str(path), "--json"])
    states = {check["check"]: check["state"] for check in json.loads(done.stdout)}
    assert (states["camera"], states["zxing-cpp"], done.exit_code) == ("fault", "ok", 1)


def test_a_wrong_configuration_ends_with_2_and_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("colour = 1\n")
    done = CliRunner().invoke(command, ["--config", str(path)])
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert "line 1" in done.stderr


def test_a_probe_can_be_replaced_while_a_table_holds_the_device(machine: ProbedMachine) -> None:
    mine = Check("port", CheckState.OK, Message("served there"))
    found = doctor.examine(machine, {"port": lambda _: [mine]})
    assert [check for check in found if check.name == "port"] == [mine]


def test_an_unknown_probe_cannot_be_replaced(machine: ProbedMachine) -> None:
    with pytest.raises(ValueError, match="no such probes: prot"):
        doctor.examine(machine, {"prot": lambda _: []})


@pytest.mark.parametrize(
    ("pieces", "state", "words"),
    [
        (PiecesConfig(), CheckState.OK, "Palazzo, make printed, set –, tags of 20 mm"),
        (PiecesConfig("box", "B", 1.25), CheckState.OK, "Palazzo, make box, set B, tags of 25 mm"),
        (PiecesConfig("wood"), CheckState.FAULT, "Palazzo has no make “wood”; choose printed, box."),
    ],
)
def test_the_pieces_of_the_settings_are_named_and_an_unknown_make_is_a_fault(
    machine: ProbedMachine, pieces: PiecesConfig, state: CheckState, words: str
) -> None:
    """The doctor names the make, set and size of tags; a make that the game lacks is a fault that lists its makes."""
    [check] = probes_table.pieces(replace(machine, config=replace(machine.config, pieces=pieces)))
    assert (check.state, str(check.fact)) == (state, words)
