"""The types of the doctor: a probe examines a machine and returns checks, each with a state and perhaps a fix."""

from __future__ import annotations

import enum
import os
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tabletop.config import Config
from tabletop.hardware.diagnostics import linux
from tabletop.messages import EMPTY, Message


class CheckState(enum.Enum):
    """The result of a check; only a fault keeps the table from playing."""

    OK = "ok"
    WARNING = "warning"
    FAULT = "fault"


class Check(NamedTuple):
    """One line of the doctor's list: what was checked, the result, and what to do if it is not ok."""

    name: str
    state: CheckState
    fact: Message
    fix: Message = EMPTY

    def to_json(self) -> dict[str, str]:
        """Return the check as plain data, as commands and files show it."""
        return {"check": self.name, "state": self.state.value, "fact": self.fact, "fix": self.fix}


def run_command(command: Sequence[str]) -> str | None:
    """Return what a command prints; None if it does not exist, fails, or takes longer than five seconds."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


@dataclass(frozen=True, slots=True)
class ProbedMachine:
    """The machine that the probes examine; a test gives it another root and other answers."""

    config: Config
    clock: Callable[[], float]
    """Monotonic seconds."""
    now: Callable[[], float]
    """Unix seconds."""
    root: Path = Path("/")
    run: Callable[[Sequence[str]], str | None] = run_command
    user: int = field(default_factory=os.geteuid)
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    @property
    def is_pi(self) -> bool:
        """Whether the device tree names a Raspberry Pi."""
        return "Raspberry Pi" in linux.board(self.root)


Probe = Callable[[ProbedMachine], Iterable[Check]]
