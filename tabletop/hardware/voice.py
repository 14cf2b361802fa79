"""The table's own voice: sentences read out by espeak-ng, if it is installed."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from tabletop.hardware.errors import VoiceLost
from tabletop.messages import Message, foreign

SPEECH_PROGRAM = "espeak-ng"
SPEECH_TIMEOUT_S = 60.0
"""How long a sentence may take before it is cut off."""
INSTALL_FIX = foreign(f"sudo apt-get install {SPEECH_PROGRAM}")

Run = Callable[[Sequence[str], str], None]
"""Runs a program with a text as its input, until it ends.  Raises OSError or subprocess.SubprocessError."""


def speech_program_path() -> str | None:
    """Return the path of the program, None if it is not installed."""
    return shutil.which(SPEECH_PROGRAM)


def try_output(sound: Path) -> None:
    """Open a loudspeaker's device in the folder of the sound devices, and close it again.

    Raises VoiceLost if there is none, or none that this process may use.
    """
    refused: OSError | None = None
    for device in sorted(sound.glob("pcm*p")):
        try:
            os.close(os.open(device, os.O_WRONLY | os.O_NONBLOCK))
        except OSError as error:
            if error.errno != errno.EBUSY:  # busy: another program is using it at the moment
                refused = error
                continue
        return
    if refused is None:
        fact, fix = Message("There is no sound output here."), Message("Connect a loudspeaker, for example by USB.")
    else:
        fact = Message("{device} cannot be opened: {error}.", device=refused.filename, error=refused.strerror or "")
        fix = Message("{command}, then log in again.", command="sudo usermod -aG audio $USER")
    raise VoiceLost(fact, fix)


def run_program(command: Sequence[str], text: str) -> None:
    """Run a program with a text as its input, until it ends."""
    # In a group of its own, so that Ctrl-C in the terminal ends the table, not the sentence.
    subprocess.run(
        command, input=text.encode(), capture_output=True, timeout=SPEECH_TIMEOUT_S, check=True, process_group=0
    )


class Voice:
    """Speaks one language; the program is not looked for before there is something to say."""

    def __init__(self, language: str, run: Run = run_program) -> None:
        self._command, self._run = (SPEECH_PROGRAM, "-v", language, "--stdin"), run

    def say(self, text: str) -> None:
        """Read a sentence out, until it is over.  Raises VoiceLost if it cannot be heard."""
        try:
            self._run(self._command, text)
        except FileNotFoundError:
            raise VoiceLost(Message("{program} is not installed.", program=SPEECH_PROGRAM), INSTALL_FIX) from None
        except (OSError, subprocess.SubprocessError) as error:
            fix = Message("Is a loudspeaker connected, and may this user use it?")
            raise VoiceLost(
                Message("{program} cannot speak: {error}.", program=SPEECH_PROGRAM, error=_why(error)), fix
            ) from None


def _why(error: Exception) -> str:
    """Return what the program or the system says about its failure, in one line."""
    said = getattr(error, "stderr", None)
    return (said or b"").decode("utf-8", "replace").strip().partition("\n")[0][:200] or str(error)
