"""The steps of the installation: each knows what it does, whether it is done already, how to do it and how to undo it.

The tables at the top and the files beside this one say what to install; the classes are the kinds of steps.  Standard
library only: this runs before there is an environment.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import sys
import time
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from tabletop.service.machine import InstallError, TargetMachine

SOURCE = Path(__file__).resolve().parents[2]
"""The checkout that is installed."""
FILES = Path(__file__).parent / "files"
PROGRAM, HOME, USER, UNIT = "/opt/tabletop", "/var/lib/tabletop", "tabletop", "tabletop.service"
CONFIG = f"{HOME}/table.toml"

NEEDED_PACKAGES: Sequence[tuple[str, ...]] = (
    ("python3-venv",), ("libzbar0t64", "libzbar0"), ("avahi-daemon",), ("udev",), ("ca-certificates",),
)  # fmt: skip
"""Packages that every machine needs; of several names, the first that the system offers."""
PI_PACKAGES: Sequence[tuple[str, ...]] = (("python3-lgpio",), ("python3-picamera2",), ("raspi-utils",))
"""Packages that only a Raspberry Pi needs and only its system offers."""
APT_WAIT_S = 300
"""How long to wait for another apt; on a fresh system the first automatic upgrades take minutes."""
APT = ("apt-get", "-q", "-y", "-o", f"DPkg::Lock::Timeout={APT_WAIT_S}")
APT_LISTS_LOCK = "/var/lib/apt/lists/lock"
"""The lock held while another apt fetches the lists of packages; apt-get itself does not wait for it."""
GROUPS = ("gpio", "video", "render", "audio")
"""The groups that may use pins, cameras and loudspeakers; the user joins those that the machine has."""

PLACED_FILES: Sequence[tuple[str, str, int]] = (
    ("tabletop.service", f"/etc/systemd/system/{UNIT}", 0o644),
    ("tabletop.avahi", "/etc/avahi/services/tabletop.service", 0o644),
    ("tabletop.sh", "/usr/local/bin/tabletop", 0o755),
)
"""Files of ours: the name, the path to which it is copied, and the mode."""
BACK_OFF_FILE = ("back-off.conf", f"/etc/systemd/system/{UNIT}.d/back-off.conf", 0o644)
UDEV_RULES = ("60-tabletop.rules", "/etc/udev/rules.d/60-tabletop.rules", 0o644)
MIN_BACK_OFF_SYSTEMD = 254
"""The first version of systemd that supports growing pauses between restarts."""


def how_to_start(config: Path) -> str:
    """Return the command that starts the table of this configuration: the service's, or one in a terminal."""
    return f"sudo systemctl start {USER}" if str(config) == CONFIG else f"tabletop serve --config {config}"


class InstallStep(Protocol):
    """One step, done as root."""

    what: str
    """What it does, as a line of the plan."""
    undoing: str
    """What undoing it does; empty if it is not undone."""

    def done(self) -> bool:
        """Return whether the step is done already."""

    def do(self) -> None:
        """Do the step.  Raises InstallError."""

    def undo(self) -> None:
        """Undo the step, if there is anything to undo.  Raises InstallError."""


class Packages:
    """Packages from the archive of the system."""

    undoing = ""

    def __init__(self, machine: TargetMachine, wait: Callable[[float], None] = time.sleep) -> None:
        self._machine, self._wait = machine, wait
        self._wanted = (*NEEDED_PACKAGES, *(PI_PACKAGES if machine.is_pi else ()))
        self.what = "install with apt: " + ", ".join(" or ".join(names) for names in self._wanted)

    def done(self) -> bool:
        """Return whether every package is installed under one of its names."""
        return not self._missing()

    def do(self) -> None:
        """Install what is missing and available; packages that only Raspberry Pi OS has are left out elsewhere."""
        quiet = {"DEBIAN_FRONTEND": "noninteractive"}
        self._await_lists()
        trouble = None
        try:
            self._machine.run([*APT, "update"], **quiet)
        except InstallError as error:
            trouble = error  # one archive may have failed; the existing lists may be good enough
        offered = {names: next(filter(self._offered, names), "") for names in self._missing()}
        if trouble is not None and not all(offered.values()):
            raise trouble
        for names, name in offered.items():
            if not name:
                print(f"    This system has no {' or '.join(names)}: left out.")
        if found := list(filter(None, offered.values())):
            self._machine.run([*APT, "install", "--no-install-recommends", *found], **quiet)

    def undo(self) -> None:
        """Leave the packages, because other programs may use them."""

    def _await_lists(self) -> None:
        """Wait until no other apt fetches the lists of packages, for APT_WAIT_S at most."""
        try:
            lock = os.open(self._machine.at(APT_LISTS_LOCK), os.O_RDWR)
        except FileNotFoundError:
            return
        try:
            for waited in range(APT_WAIT_S):
                try:
                    fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    return
                except BlockingIOError:
                    if not waited:
                        print("    Another program is using apt: waiting for it, 5 minutes at most …", flush=True)
                    self._wait(1)
        finally:
            os.close(lock)

    def _missing(self) -> list[tuple[str, ...]]:
        return [names for names in self._wanted if not any(map(self._installed, names))]

    def _installed(self, name: str) -> bool:
        return (self._machine.ask("dpkg-query", "-W", "-f=${Status}", name) or "").endswith(" installed")

    def _offered(self, name: str) -> bool:
        policy = self._machine.ask("apt-cache", "policy", name) or ""
        return "Candidate:" in policy and "Candidate: (none)" not in policy


class User:
    """A user of the table's own, who may use pins, cameras and loudspeakers and nothing else."""

    what = f"create the user “{USER}” (no password, no login), in the groups {', '.join(GROUPS)} that this system has"
    undoing = ""

    def __init__(self, machine: TargetMachine) -> None:
        self._machine = machine

    def done(self) -> bool:
        """Return whether the user exists and is in every group."""
        return self._line("passwd", USER) is not None and self._line("group", "gpio") is not None and not self._lacks()

    def do(self) -> None:
        """Make group, user and memberships."""
        run = self._machine.run
        if self._line("group", "gpio") is None:
            # On plain Debian only root may use the pins, so a group and its udev rule are made.
            run(["groupadd", "--system", "gpio"])
            Files(self._machine, [UDEV_RULES]).do()
        if self._line("passwd", USER) is None:
            run(["useradd", "--system", "--user-group", "--home-dir", HOME, "--shell", "/usr/sbin/nologin", USER])
        if lacks := self._lacks():
            run(["usermod", "--append", "--groups", ",".join(lacks), USER])

    def undo(self) -> None:
        """Leave the user as long as games belong to it; :class:`Keepsakes` deletes both."""

    def _lacks(self) -> list[str]:
        lines = {name: self._line("group", name) for name in GROUPS}
        return [name for name, line in lines.items() if line and USER not in line.rpartition(":")[2].split(",")]

    def _line(self, base: str, name: str) -> str | None:
        lines = self._machine.text(f"/etc/{base}").splitlines()
        return next((line for line in lines if line.startswith(f"{name}:")), None)


class Keepsakes:
    """The folder of the table: its configuration and its games."""

    undoing = f"delete {HOME} with every game and the user “{USER}”"

    def __init__(self, machine: TargetMachine) -> None:
        self._machine = machine
        self.what = f"make {HOME} with table.toml; what is there stays as it is"

    def done(self) -> bool:
        """Return whether the configuration exists."""
        return self._machine.at(CONFIG).exists()

    def do(self) -> None:
        """Make the folder and copy the shipped configuration into it; the user owns both, as a page may change it.

        This runs as root in a folder where that user may put links: existing files are neither written nor chowned.
        """
        folder, config = self._machine.at(HOME), self._machine.at(CONFIG)
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        shutil.chown(folder, USER, USER)
        try:
            new = os.open(config, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        except FileExistsError:
            raise InstallError(f"{CONFIG} is a link to a file that does not exist: remove it.") from None
        with open(new, "wb") as file:
            shutil.chown(new, USER, USER)
            file.write((SOURCE / "tabletop/setup/table.toml").read_bytes())

    def undo(self) -> None:
        """Delete the games, the user and, if it was made for the table, the group for the pins."""
        _remove(self._machine.at(HOME))
        if f"\n{USER}:" in "\n" + self._machine.text("/etc/passwd"):
            self._machine.run(["userdel", USER])
        if Files(self._machine, [UDEV_RULES]).done():
            self._machine.run(["groupdel", "gpio"])
            Files(self._machine, [UDEV_RULES]).undo()


class Program:
    """A copy of this checkout, which only root may change, with an environment of its own."""

    what = f"copy the program to {PROGRAM} and make its environment there (about a minute)"
    undoing = f"remove {PROGRAM}"

    def __init__(self, machine: TargetMachine) -> None:
        self._machine = machine
        self._stamp = machine.at(PROGRAM) / "installed"

    def done(self) -> bool:
        """Return whether exactly this program was installed completely."""
        return self._stamp.exists() and self._stamp.read_text() == _digest(SOURCE)

    def do(self) -> None:
        """Copy the checkout, then let the copy make its environment like any checkout."""
        there = self._machine.at(PROGRAM)
        there.mkdir(mode=0o755, parents=True, exist_ok=True)
        self._stamp.unlink(missing_ok=True)
        if there.resolve() != SOURCE:
            _copy(there)
        # The system's own Python: the service could not reach one in somebody's home.
        self._machine.run(["/usr/bin/python3", f"{PROGRAM}/play", "--prepare"])
        # Compiled here, because the service may not write there.
        self._machine.run([f"{PROGRAM}/.venv/bin/python", "-m", "compileall", "-q", f"{PROGRAM}/tabletop"])
        self._stamp.write_text(_digest(SOURCE))
        self._stamp.chmod(0o644)

    def undo(self) -> None:
        """Delete the copy."""
        _remove(self._machine.at(PROGRAM))


def _remove(folder: Path) -> None:
    """Delete a folder if it exists.  Raises OSError if it stays, so that nobody believes it is gone."""
    if folder.exists():
        shutil.rmtree(folder)


def _copy(there: Path) -> None:
    """Replace the installed program with the one in this checkout."""
    fresh, old = there / "tabletop.new", there / "tabletop"
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(SOURCE / "tabletop", fresh, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(old, ignore_errors=True)
    fresh.rename(old)
    for name in ("play", "requirements.txt"):
        shutil.copy(SOURCE / name, there / name)
    _readable(there)


def _readable(folder: Path) -> None:
    """Make the copy readable by everybody, however private the checkout was."""
    for path in (folder, *folder.glob("play"), *folder.glob("*.txt"), *(folder / "tabletop").rglob("*")):
        runs = path.is_dir() or path.name == "play"
        path.chmod(0o755 if runs else 0o644)


def _digest(source: Path) -> str:
    """Return a hash that identifies a program: of its Python version, and the names and bytes of all its files."""
    digest = hashlib.sha256(repr(sys.version_info[:2]).encode())
    files = [path for path in (source / "tabletop").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    for path in sorted([*files, source / "play", source / "requirements.txt"]):
        digest.update(str(path.relative_to(source)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


class Files:
    """Files of ours in folders of the system."""

    def __init__(self, machine: TargetMachine, files: Sequence[tuple[str, str, int]]) -> None:
        self._machine, self._files = machine, files
        places = ", ".join(path for _, path, _ in files)
        self.what, self.undoing = f"write {places}", f"remove {places}"

    def done(self) -> bool:
        """Return whether each file is in place and unchanged."""
        return all(self._same(self._text(name), self._machine.at(path), mode) for name, path, mode in self._files)

    def do(self) -> None:
        """Write the files."""
        for name, path, mode in self._files:
            there = self._machine.at(path)
            there.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
            there.write_text(self._text(name), "utf-8")
            there.chmod(mode)

    def undo(self) -> None:
        """Delete the files, and the folder that was made for one unless it holds other files."""
        for _, path, _ in self._files:
            there = self._machine.at(path)
            there.unlink(missing_ok=True)
            folder = there.parent
            if folder.name == f"{UNIT}.d" and folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()

    def _text(self, name: str) -> str:
        return (FILES / name).read_text("utf-8").replace("@PORT@", str(port_of(self._machine)))

    @staticmethod
    def _same(ours: str, there: Path, mode: int) -> bool:
        return there.exists() and there.read_bytes() == ours.encode() and there.stat().st_mode & 0o777 == mode


def port_of(machine: TargetMachine) -> int:
    """Return the port of the pages from the configuration; 8080 if it is not set or cannot be read."""
    try:
        return int(tomllib.loads(machine.text(CONFIG))["pages"]["port"])
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return 8080


class ServiceStep:
    """The service itself, started now and at every boot."""

    what = "start the table now and at every boot"
    undoing = "stop the table, now and at every boot"

    def __init__(self, machine: TargetMachine) -> None:
        self._machine = machine

    def done(self) -> bool:
        """Return whether the service is enabled and, if systemd runs, active."""
        if self._machine.ask("systemctl", "is-enabled", UNIT) != "enabled":
            return False
        return not self._machine.runs_systemd or self._machine.ask("systemctl", "is-active", UNIT) == "active"

    def do(self) -> None:
        """Enable and restart the service; if systemd does not run (a root folder, an image) it starts at boot."""
        if self._machine.runs_systemd:
            self._machine.run(["systemctl", "daemon-reload"])
        self._machine.run(["systemctl", "enable", UNIT])
        if self._machine.runs_systemd:
            self._machine.run(["udevadm", "trigger", "--subsystem-match=gpio"])
            self._machine.run(["systemctl", "restart", UNIT])

    def undo(self) -> None:
        """Stop and disable the service."""
        if not self._machine.at(f"/etc/systemd/system/{UNIT}").exists():
            return
        if self._machine.runs_systemd:
            self._machine.run(["systemctl", "stop", UNIT])
        self._machine.run(["systemctl", "disable", UNIT])


def files_for(machine: TargetMachine) -> list[tuple[str, str, int]]:
    """Return the files to install on this machine."""
    words = (machine.ask("systemctl", "--version") or "").split()
    version = words[1].split(".")[0].split("~")[0] if len(words) > 1 else ""
    knows = version.isdigit() and int(version) >= MIN_BACK_OFF_SYSTEMD
    return [*PLACED_FILES, BACK_OFF_FILE] if knows else [*PLACED_FILES]


def steps(machine: TargetMachine) -> list[InstallStep]:
    """Return every step, in the order of installing."""
    return [
        Packages(machine), User(machine), Keepsakes(machine), Program(machine),
        Files(machine, files_for(machine)), ServiceStep(machine),
    ]  # fmt: skip
