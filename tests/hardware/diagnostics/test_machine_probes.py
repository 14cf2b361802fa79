"""The doctor distinguishes a good, a doubtful and a broken machine, and says what to do."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tabletop.config import CameraConfig
from tabletop.hardware.diagnostics import probes, probes_table
from tabletop.hardware.diagnostics.check import Check, CheckState, ProbedMachine
from tabletop.messages import Message
from tabletop.vision.aim import assess
from tabletop.vision.aim.assessment import Aim, Hint
from tests.hardware.diagnostics.probed import PI, one


def test_a_pi_is_recognised_by_its_model(machine: ProbedMachine) -> None:
    assert one(probes.board(machine)) == Check("board", CheckState.OK, Message(PI))


def test_another_machine_is_a_warning_that_says_what_works_on_it(machine: ProbedMachine, tmp_path: Path) -> None:
    check = one(probes.board(replace(machine, root=tmp_path / "none")))
    assert (check.state, "tabletop demo" in check.fix) == (CheckState.WARNING, True)


def test_the_system_is_named(machine: ProbedMachine) -> None:
    assert "Debian 13" in one(probes.system(machine)).fact


@pytest.mark.parametrize(
    ("bits", "state", "words"),
    [
        ("0x0", CheckState.OK, "no undervoltage"),
        ("0x50000", CheckState.WARNING, "Fine now; since the start there was: undervoltage, throttled"),
        ("0x50005", CheckState.FAULT, "At this moment: undervoltage, throttled"),
        ("0x8", CheckState.FAULT, "temperature"),
    ],
)
def test_throttling_now_and_since_the_start_are_told_apart(
    machine: ProbedMachine, bits: str, state: CheckState, words: str
) -> None:
    check = one(probes.power(replace(machine, run=lambda _: f"throttled={bits}")))
    assert check.state is state
    assert words in check.fact


def test_a_pi_that_does_not_report_its_power_is_a_warning(machine: ProbedMachine) -> None:
    assert one(probes.power(replace(machine, run=lambda _: None))).state is CheckState.WARNING


@pytest.mark.parametrize(("now", "state"), [(0.0, CheckState.WARNING), (1.9e9, CheckState.OK)])
def test_a_clock_that_was_never_set_is_reported(machine: ProbedMachine, now: float, state: CheckState) -> None:
    assert one(probes.clock(replace(machine, now=lambda: now))).state is state


def test_a_clock_that_no_network_confirmed_is_reported(machine: ProbedMachine, tmp_path: Path) -> None:
    (tmp_path / "run/systemd/timesync/synchronized").unlink()
    assert one(probes.clock(machine)).state is CheckState.WARNING


@pytest.mark.parametrize(
    ("total", "contiguous", "size", "state", "words"),
    [
        (426, 256, None, CheckState.FAULT, "426 MB of memory: a table needs a board with 1 GB."),
        (906, 64, None, CheckState.WARNING, "64 MB of contiguous memory, and the camera needs about 94."),
        (906, 64, (2304, 1296), CheckState.OK, "906 MB"),
        (3800, 320, None, CheckState.OK, "3800 MB"),
        (8000, 0, None, CheckState.OK, "8000 MB"),
    ],
)
def test_memory_is_compared_with_the_size_of_the_pictures(
    machine: ProbedMachine, tmp_path: Path, total: int, contiguous: int, size: tuple[int, int] | None,
    state: CheckState, words: str,
) -> None:  # fmt: skip
    """512 MB are reported as too few, and a Pi's camera also needs enough contiguous memory for its buffers."""
    (tmp_path / "proc").mkdir(exist_ok=True)
    text = f"MemTotal:       {total * 1024} kB\nCmaTotal:       {contiguous * 1024} kB\n"
    (tmp_path / "proc/meminfo").write_text(text)
    config = replace(machine.config, camera=CameraConfig("picamera2", size=size))
    check = one(probes.memory(replace(machine, config=config)))
    assert (check.state, str(check.fact)) == (state, words)
    assert bool(check.fix) is (state is not CheckState.OK)


def test_pictures_that_could_be_smaller_are_reported(
    machine: ProbedMachine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The doctor repeats the advice of tabletop aim that smaller pictures would do."""
    cv2.imwrite(str(tmp_path / "table.png"), np.tile(np.arange(3840) % 250, (2160, 1)).astype(np.uint8))
    told = Hint("smaller", Message("Smaller pictures would do."))
    monkeypatch.setattr(assess, "assess_frame", lambda *_: Aim((), advice=(told,)))
    config = replace(machine.config, camera=CameraConfig(f"images:{tmp_path}"))
    checks = list(probes_table.camera(replace(machine, config=config)))
    assert ("size", CheckState.OK, told.message) in [check[:3] for check in checks]


def test_root_needs_no_groups(machine: ProbedMachine) -> None:
    assert one(probes.groups(replace(machine, user=0))).state is CheckState.OK


def test_a_user_outside_a_group_is_advised_to_join_it(
    machine: ProbedMachine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user outside a group whose devices exist is told the usermod command, even if the chip's number is not 0."""
    monkeypatch.setattr(os, "getgroups", list)
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/gpiochip11").touch()
    assert one(probes.groups(machine)).fix == "sudo usermod -aG gpio $USER, then log in again."
