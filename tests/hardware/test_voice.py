"""The table's own voice: each sentence reaches the speech program as text, and failures are reported."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tabletop.hardware import voice
from tabletop.hardware.errors import VoiceLost
from tabletop.hardware.voice import Voice


def test_a_sentence_is_given_to_the_program_in_its_language_and_never_as_an_option() -> None:
    told: list[tuple[Sequence[str], str]] = []
    Voice("de", lambda command, text: told.append((command, text))).say("--help, sagt Anna.")
    assert told == [(("espeak-ng", "-v", "de", "--stdin"), "--help, sagt Anna.")]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileNotFoundError(2, "No such file"), "espeak-ng is not installed. sudo apt-get install espeak-ng"),
        (subprocess.CalledProcessError(1, "espeak-ng", stderr=b"no audio\nat all"), "cannot speak: no audio."),
        (subprocess.TimeoutExpired("espeak-ng", 60), "cannot speak: Command"),
    ],
)
def test_the_reason_for_being_unable_to_speak_comes_with_a_fix(error: Exception, said: str) -> None:
    def fails(_command: Sequence[str], _text: str) -> None:
        raise error

    with pytest.raises(VoiceLost, match=said):
        Voice("en", fails).say("Hello.")


def test_ctrl_c_does_not_interrupt_a_sentence(tmp_path: Path) -> None:
    """The speech program runs in its own process group, so that Ctrl-C for the table does not reach it."""
    group = tmp_path / "group"
    voice.run_program(("/bin/sh", "-c", f"cut -d ' ' -f 5 /proc/$$/stat > {group}"), "")
    assert int(group.read_text()) != os.getpgrp()


@pytest.mark.parametrize("language", ["en", "de", "it"])
def test_the_real_program_makes_sound_of_a_sentence(language: str, tmp_path: Path) -> None:
    """The installed espeak-ng accepts our options and makes sound, here into a file."""
    if shutil.which(voice.SPEECH_PROGRAM) is None:
        pytest.fail("espeak-ng is not here: nothing was spoken (sudo apt-get install espeak-ng).")
    out = tmp_path / "said.wav"
    Voice(language, lambda command, text: voice.run_program((*command, "-w", str(out)), text)).say("Anna: 5 – più, ß.")
    assert out.stat().st_size > 10_000
