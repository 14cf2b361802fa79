"""The table's own voice: each sentence reaches the program as text, and it reports why it cannot speak."""

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
def test_why_it_cannot_speak_is_told_with_the_fix(error: Exception, said: str) -> None:
    def fails(_command: Sequence[str], _text: str) -> None:
        raise error

    with pytest.raises(VoiceLost, match=said):
        Voice("en", fails).say("Hello.")


def test_ctrl_c_in_the_terminal_interrupts_no_sentence(tmp_path: Path) -> None:
    """It is meant for the table and reaches all of its process group; the voice was then said to have failed."""
    group = tmp_path / "group"
    voice.run_program(("/bin/sh", "-c", f"cut -d ' ' -f 5 /proc/$$/stat > {group}"), "")
    assert int(group.read_text()) != os.getpgrp()


@pytest.mark.parametrize("language", ["en", "de", "it"])
def test_the_real_program_makes_sound_of_it(language: str, tmp_path: Path) -> None:
    """Its options are those of the installed version; a file takes the place of the loudspeaker."""
    if shutil.which(voice.SPEECH_PROGRAM) is None:
        pytest.fail("espeak-ng is not here: nothing was spoken (sudo apt-get install espeak-ng).")
    out = tmp_path / "said.wav"
    Voice(language, lambda command, text: voice.run_program((*command, "-w", str(out)), text)).say("Anna: 5 – più, ß.")
    assert out.stat().st_size > 10_000
