"""The machine to install on: its root folder and its commands.  Tests provide another one."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


class InstallError(RuntimeError):
    """A step could not be done; the text says which and why.  Running the same command again continues."""


@dataclass(frozen=True, slots=True)
class TargetMachine:
    """The machine that the steps examine and change; ``environment`` is passed to every command."""

    root: Path = Path("/")
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    def at(self, path: str) -> Path:
        """Return the real path of an absolute path on that machine."""
        return self.root / path.lstrip("/")

    def text(self, path: str) -> str:
        """Return a small file's text, without the byte order mark that some editors write; empty if it is not there."""
        try:
            return self.at(path).read_text("utf-8-sig", "replace")
        except OSError:
            return ""

    @property
    def is_pi(self) -> bool:
        """True if the device tree names a Raspberry Pi."""
        return "Raspberry Pi" in self.text("/proc/device-tree/model")

    @property
    def runs_systemd(self) -> bool:
        """True if services can be started now, not only enabled."""
        return self.at("/run/systemd/system").is_dir()

    def has(self, command: str) -> bool:
        """Return whether a command can be found."""
        return shutil.which(command, path=self.environment.get("PATH")) is not None

    def ask(self, *command: str) -> str | None:
        """Return what a command prints, always in English; None if it does not exist or fails."""
        plain = {**self.environment, "LC_ALL": "C"}
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=True, env=plain)
        except (OSError, subprocess.CalledProcessError):
            return None
        return done.stdout.strip()

    def run(self, command: Sequence[str], **more: str) -> None:
        """Run a command, with its output to the terminal.  Raises InstallError if it fails."""
        try:
            done = subprocess.run(command, check=False, env={**self.environment, **more}, stdin=subprocess.DEVNULL)
        except OSError as error:
            raise InstallError(f"“{command[0]}” could not be run: {error.strerror}.") from None
        if done.returncode != 0:
            raise InstallError(f"“{' '.join(command)}” ended with status {done.returncode}; its lines above say why.")
