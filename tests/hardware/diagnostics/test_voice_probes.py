"""The doctor says whether a table can speak, and what to do if not."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop.config import VoiceConfig
from tabletop.hardware import voice
from tabletop.hardware.diagnostics import probes_table
from tabletop.hardware.diagnostics.check import CheckState, ProbedMachine
from tests.hardware.diagnostics.probed import one


@pytest.mark.parametrize(
    ("on", "found", "state", "said"),
    [
        (False, None, CheckState.OK, "off"),
        (True, "/usr/bin/espeak-ng", CheckState.OK, "speaks de"),
        (True, None, CheckState.WARNING, "not installed"),
    ],
)
def test_a_speaking_table_needs_its_speech_program(
    machine: ProbedMachine, monkeypatch: pytest.MonkeyPatch, on: bool, found: str | None, state: CheckState, said: str
) -> None:
    monkeypatch.setattr(voice, "speech_program_path", lambda: found)
    sound(machine.root).touch()
    config = replace(machine.config, voice=VoiceConfig(on), language="de")
    check = one(probes_table.speech(replace(machine, config=config)))
    assert check.state is state
    assert said in check.fact
    assert ("apt-get install espeak-ng" in check.fix) is (state is CheckState.WARNING)


def sound(root: Path) -> Path:
    """Return the path of a machine's loudspeaker device."""
    (root / "dev/snd").mkdir(parents=True)
    return root / "dev/snd/pcmC0D0p"


def test_a_speaking_table_needs_permission_for_a_loudspeaker(
    machine: ProbedMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voice, "speech_program_path", lambda: "/usr/bin/espeak-ng")
    speaking = replace(machine, config=replace(machine.config, voice=VoiceConfig(True)))
    check = one(probes_table.speech(speaking))
    assert (check.state, str(check.fact)) == (CheckState.WARNING, "There is no sound output here.")
    sound(machine.root).mkdir()  # a folder cannot be opened for writing, not even by root
    check = one(probes_table.speech(speaking))
    assert (check.state, "cannot be opened" in check.fact) == (CheckState.WARNING, True)
    assert "audio" in check.fix


def test_a_loudspeaker_in_use_is_not_a_fault(machine: ProbedMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    device, opened = sound(machine.root), os.open
    device.touch()

    def busy(path: Any, *more: Any, **named: Any) -> int:
        if path == device:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        return opened(path, *more, **named)

    monkeypatch.setattr(voice, "speech_program_path", lambda: "/usr/bin/espeak-ng")
    monkeypatch.setattr(os, "open", busy)
    check = one(probes_table.speech(replace(machine, config=replace(machine.config, voice=VoiceConfig(True)))))
    assert check.state is CheckState.OK
