"""Installing into a folder says what it will do, does what is missing, and undoes what it did."""

from __future__ import annotations

import errno
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tabletop.service import install, steps
from tabletop.service.machine import InstallError, TargetMachine


@dataclass(frozen=True, slots=True)
class Folder(TargetMachine):
    """A machine whose commands are recorded, and carried out as far as files are concerned."""

    ran: list[str] = field(default_factory=list)
    packages: set[str] = field(default_factory=set)
    offered: frozenset[str] = frozenset({"python3-venv", "libzbar0", "avahi-daemon", "udev", "ca-certificates"})
    systemd: int = 252

    def ask(self, *command: str) -> str | None:
        if command[0] == "dpkg-query":
            return "install ok installed" if command[-1] in self.packages else None
        if command[0] == "apt-cache":
            return "Candidate: 1.0" if command[-1] in self.offered else ""
        if command == ("systemctl", "--version"):
            return f"systemd {self.systemd} ({self.systemd}.1-2)"
        if command[:2] == ("systemctl", "is-enabled"):
            last = [line for line in self.ran if line.startswith(("systemctl enable", "systemctl disable"))][-1:]
            return "enabled" if last == ["systemctl enable tabletop.service"] else "disabled"
        return None

    def run(self, command: Sequence[str], **more: str) -> None:
        self.ran.append(" ".join(command))
        match list(command):
            case ["apt-get", "-q", "-y", "-o", _, "install", "--no-install-recommends", *names]:
                self.packages.update(names)
            case ["groupadd", "--system", name]:
                self.add_line("group", f"{name}:x:990:")
            case ["useradd", *_, name]:
                self.add_line("passwd", f"{name}:x:991:991::/var/lib/tabletop:/usr/sbin/nologin")
            case ["usermod", "--append", "--groups", names, user]:
                for name in names.split(","):
                    self._join(name, user)
            case ["userdel", name]:
                self._drop("passwd", name)
            case ["groupdel", name]:
                self._drop("group", name)
            case ["/usr/bin/python3", _, "--prepare"]:
                (self.at("/opt/tabletop") / ".venv/bin").mkdir(parents=True, exist_ok=True)

    def add_line(self, base: str, line: str) -> None:
        path = self.at(f"/etc/{base}")
        path.write_text(path.read_text() + line + "\n")

    def _join(self, group: str, user: str) -> None:
        path = self.at("/etc/group")
        lines = path.read_text().splitlines()
        path.write_text("".join(f"{one}{user if one.startswith(group + ':') else ''}\n" for one in lines))

    def _drop(self, base: str, name: str) -> None:
        path = self.at(f"/etc/{base}")
        path.write_text("".join(f"{one}\n" for one in path.read_text().splitlines() if not one.startswith(f"{name}:")))


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """A clean Debian with the groups video, render and audio, without gpio and without our files."""
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/bash\n")
    (tmp_path / "etc/group").write_text("root:x:0:\nvideo:x:44:\nrender:x:106:\naudio:x:29:\n")
    monkeypatch.setattr("shutil.chown", lambda *_: None)
    return Folder(root=tmp_path)


def files(machine: TargetMachine) -> dict[str, bytes]:
    found = [path for path in machine.root.rglob("*") if path.is_file()]
    return {str(path.relative_to(machine.root)): path.read_bytes() for path in found}


def go(machine: TargetMachine, *, dry: bool = False, agree: bool = True) -> int:
    return install.install(machine, lambda: agree, dry=dry)


def away(machine: TargetMachine, *, purge: bool = False, dry: bool = False) -> int:
    return install.uninstall(machine, lambda: True, dry=dry, purge=purge)


@pytest.mark.parametrize("refusal", [{"dry": True}, {"agree": False}])
def test_neither_a_plan_nor_a_refusal_changes_anything(
    machine: Folder, capsys: pytest.CaptureFixture[str], refusal: dict[str, bool]
) -> None:
    before = files(machine)
    assert go(machine, **refusal) == (0 if "dry" in refusal else 2)
    assert (files(machine), machine.ran) == (before, [])
    said = capsys.readouterr().out
    for step in steps.steps(machine):
        assert step.what in said


def test_a_full_install_puts_everything_in_its_place(machine: Folder) -> None:
    assert go(machine) == 0
    there = files(machine)
    for name, path, mode in steps.PLACED_FILES:
        assert there[path.lstrip("/")].decode() == (steps.FILES / name).read_text().replace("@PORT@", "8080")
        assert machine.at(path).stat().st_mode & 0o777 == mode
    assert there["var/lib/tabletop/table.toml"] == (steps.SOURCE / "tabletop/setup/table.toml").read_bytes()
    assert "opt/tabletop/tabletop/__main__.py" in there
    assert "tabletop" in machine.text("/etc/passwd")
    assert all(line.endswith("tabletop") for line in machine.text("/etc/group").splitlines()[1:])
    assert "systemctl enable tabletop.service" in machine.ran


@pytest.mark.parametrize(
    ("said", "port"),
    [("[pages]\nport = 8099\n", 8099), ("\ufeff[pages]\r\nport = 8099\r\n", 8099), ("[pages]\nport = inf\n", 8080)],
)
def test_the_pages_are_announced_on_the_configured_port(
    machine: Folder, capsys: pytest.CaptureFixture[str], said: str, port: int
) -> None:
    """Installing again announces the pages on the port in table.toml, however it was written there."""
    go(machine)
    machine.at(steps.CONFIG).write_bytes(said.encode())
    go(machine)
    assert f"<port>{port}</port>" in machine.text("/etc/avahi/services/tabletop.service")
    assert f".local:{port}/" in capsys.readouterr().out


def test_a_file_of_ours_that_was_damaged_is_written_again(machine: Folder) -> None:
    """A damaged file of ours is written again, even if it is no longer text."""
    go(machine)
    announced = machine.at("/etc/avahi/services/tabletop.service")
    whole = announced.read_bytes()
    announced.write_bytes(b"\xff")
    assert go(machine) == 0
    assert announced.read_bytes() == whole


def test_the_dry_run_changes_nothing(tmp_path: Path) -> None:
    """``./play install --dry-run`` changes nothing; without apt-get it says so and ends with status 2."""
    done = subprocess.run(
        [str(steps.SOURCE / "play"), "install", "--dry-run"], capture_output=True, text=True, check=False
    )
    if shutil.which("apt-get"):
        assert (done.returncode, done.stderr) == (0, "")
        assert "Nothing was changed" in done.stdout or "Nothing to do" in done.stdout
    else:
        assert done.returncode == 2
        assert "apt-get" in done.stderr


def test_everybody_may_read_the_program_and_nobody_may_change_it(machine: Folder) -> None:
    old = os.umask(0o077)
    try:
        go(machine)
    finally:
        os.umask(old)
    for path in (machine.at("/opt/tabletop/tabletop")).rglob("*"):
        assert path.stat().st_mode & 0o777 == (0o755 if path.is_dir() else 0o644)


def test_a_second_run_has_nothing_to_do(machine: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    go(machine)
    before, ran = files(machine), list(machine.ran)
    capsys.readouterr()
    assert go(machine) == 0
    assert (files(machine), machine.ran) == (before, ran)
    assert "Nothing to do." in capsys.readouterr().out


def test_a_newer_program_is_copied_and_the_table_started_again(
    machine: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    go(machine)
    monkeypatch.setattr(steps, "_digest", lambda _: "newer")
    machine.ran.clear()
    go(machine)
    assert machine.ran[-1] == "systemctl enable tabletop.service"
    assert not any(line.startswith(("apt-get", "useradd")) for line in machine.ran)


def test_a_configuration_and_games_are_never_overwritten(machine: Folder) -> None:
    go(machine)
    config = machine.at(steps.CONFIG)
    config.write_text('game = "patrician"\n')
    game = machine.at("/var/lib/tabletop/games/evening.tabletop")
    game.parent.mkdir()
    game.write_text("a game")
    away(machine)
    assert game.read_text() == "a game"
    go(machine)
    assert config.read_text() == 'game = "patrician"\n'
    assert game.read_text() == "a game"


def test_a_link_in_place_of_the_configuration_is_refused(
    machine: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link in place of the configuration is refused: the table's user could otherwise take over a system file."""
    given: list[object] = []
    monkeypatch.setattr("shutil.chown", lambda path, *_: given.append(path))
    target, config = tmp_path / "etc/cron.d", machine.at(steps.CONFIG)
    config.parent.mkdir(parents=True)
    config.symlink_to(target)
    with pytest.raises(InstallError, match="is a link to a file that does not exist: remove it"):
        go(machine)
    assert not target.exists()
    assert given == [config.parent]
    config.unlink()
    assert go(machine) == 0
    assert not config.is_symlink()


def test_uninstalling_keeps_the_games_and_their_owner(machine: Folder) -> None:
    before = set(files(machine))
    go(machine)
    away(machine)
    left = set(files(machine)) - before
    assert left == {"var/lib/tabletop/table.toml", "etc/udev/rules.d/60-tabletop.rules"}
    assert "tabletop" in machine.text("/etc/passwd")
    assert not machine.at("/etc/systemd/system/tabletop.service.d").exists()


def test_uninstalling_keeps_the_owners_override_of_the_service(tmp_path: Path, machine: Folder) -> None:
    """Uninstalling keeps an override made by ``systemctl edit tabletop``, which lies beside our own file."""
    newer = Folder(root=tmp_path, systemd=257)
    go(newer)
    own = newer.at("/etc/systemd/system/tabletop.service.d/override.conf")
    own.write_text("[Service]\nNice=-5\n")
    assert away(newer) == 0
    assert [path.name for path in own.parent.iterdir()] == ["override.conf"]


def test_purging_leaves_the_machine_as_it_was(machine: Folder) -> None:
    before = files(machine)
    go(machine)
    away(machine, purge=True)
    after = files(machine)
    assert set(after) == set(before)
    assert after["etc/passwd"] == before["etc/passwd"]
    assert b"gpio" not in after["etc/group"]


def test_a_folder_that_cannot_be_deleted_is_an_error(
    machine: Folder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stays(path: Path, **_: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), str(path))

    go(machine)
    monkeypatch.setattr("shutil.rmtree", stays)
    with pytest.raises(PermissionError, match="/opt/tabletop"):
        away(machine, purge=True)
    assert "is gone" not in capsys.readouterr().out


def test_a_group_of_pins_that_the_system_has_is_used_and_left(machine: Folder) -> None:
    """An existing gpio group, as on Raspberry Pi OS, is used without our rule, and kept when uninstalling."""
    machine.add_line("group", "gpio:x:986:")
    go(machine)
    assert not machine.at(steps.UDEV_RULES[1]).exists()
    away(machine, purge=True)
    assert "gpio:x:986:" in machine.text("/etc/group")


def test_uninstalling_what_was_never_installed_does_nothing(machine: Folder) -> None:
    before = files(machine)
    assert away(machine, purge=True) == 0
    assert (files(machine), machine.ran) == (before, [])


def test_growing_pauses_are_configured_if_systemd_supports_them(tmp_path: Path, machine: Folder) -> None:
    assert steps.BACK_OFF_FILE not in steps.files_for(machine)
    assert steps.BACK_OFF_FILE in steps.files_for(Folder(root=tmp_path, systemd=257))


def test_another_apt_is_waited_for(machine: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    """Installing waits for another apt: itself for the lock on the lists, and by apt's own option for all else."""
    lock = machine.at(steps.APT_LISTS_LOCK)
    lock.parent.mkdir(parents=True)
    lock.touch()
    holding = "import fcntl, sys; f = open(sys.argv[1], 'w'); fcntl.lockf(f, fcntl.LOCK_EX); print(flush=True); input()"
    waits: list[float] = []
    with subprocess.Popen(
        [sys.executable, "-c", holding, lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout
        other.stdout.readline()

        def wait(seconds: float) -> None:
            assert machine.ran == []
            waits.append(seconds)
            if len(waits) == 3:
                other.communicate(b"\n")

        steps.Packages(machine, wait).do()
    assert waits == [1, 1, 1]
    assert capsys.readouterr().out.count("Another program is using apt: waiting for it") == 1
    assert [line.partition("-o DPkg::Lock::Timeout=300 ")[2].split()[0] for line in machine.ran] == [
        "update",
        "install",
    ]


def test_an_unreachable_archive_only_matters_for_packages_that_are_missing(
    machine: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If lists cannot be fetched, old ones suffice if they have every package; otherwise apt's error is reported."""

    def run(machine: Folder, command: Sequence[str], **more: str) -> None:
        if command[-1] == "update":
            raise InstallError("“apt-get … update” ended with status 100.")
        carry_out(machine, command, **more)

    carry_out = Folder.run
    monkeypatch.setattr(Folder, "run", run)
    packages = steps.Packages(machine)
    packages.do()
    assert packages.done()
    poor = Folder(root=machine.root, offered=frozenset({"udev"}))
    with pytest.raises(InstallError, match="status 100"):
        steps.Packages(poor).do()
    assert poor.ran == []


def test_a_pi_gets_its_libraries_from_apt_and_elsewhere_they_are_left_out(machine: Folder, tmp_path: Path) -> None:
    assert "picamera2" not in steps.Packages(machine).what
    (tmp_path / "proc/device-tree").mkdir(parents=True, exist_ok=True)
    (tmp_path / "proc/device-tree/model").write_bytes(b"Raspberry Pi 5 Model B\0")
    pi = Folder(root=tmp_path, offered=machine.offered | {"python3-lgpio", "python3-picamera2"})
    steps.Packages(pi).do()
    assert {"python3-lgpio", "python3-picamera2"} <= pi.packages


def test_a_step_that_fails_stops_there_and_the_next_run_goes_on(
    machine: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: object) -> None:
        raise InstallError("no network")

    with monkeypatch.context() as patch:
        patch.setattr(steps.Program, "do", broken)
        with pytest.raises(InstallError):
            go(machine)
    assert not machine.at("/etc/systemd/system/tabletop.service").exists()
    assert go(machine) == 0
    assert machine.at("/etc/systemd/system/tabletop.service").exists()


def test_the_installed_copy_can_install_itself_again(machine: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    """The installed copy can install itself again, for instance after an upgrade of Python without a checkout."""
    go(machine)
    monkeypatch.setattr(steps, "SOURCE", machine.at(steps.PROGRAM).resolve())
    monkeypatch.setattr(steps, "_digest", lambda _: "another Python")
    assert go(machine) == 0
    assert machine.at("/opt/tabletop/tabletop/__main__.py").exists()
    assert steps.Program(machine).done()


def test_the_systems_commands_answer_in_english(tmp_path: Path) -> None:
    """Commands of the system run with LC_ALL=C, since their output is parsed in English."""
    script = tmp_path / "says"
    script.write_text('#!/bin/sh\necho "$LC_ALL"\n')
    script.chmod(0o755)
    assert TargetMachine(environment={"PATH": str(tmp_path), "LC_ALL": "de_DE.UTF-8"}).ask(str(script)) == "C"


@pytest.mark.parametrize("trouble", [InstallError("“apt-get” ended with status 100."), OSError(28, "No space left")])
def test_an_error_is_one_sentence_with_how_to_continue(
    trouble: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> list[steps.InstallStep]:
        raise trouble

    monkeypatch.setattr(install, "steps", broken)
    monkeypatch.setattr(TargetMachine, "has", lambda *_: True)
    assert install.main(["install", "--dry-run"]) == 1
    said = capsys.readouterr().err
    assert str(trouble) in said
    assert "the same command continues" in said


def test_nobody_at_the_terminal_is_not_consent(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Nobody:
        def isatty(self) -> bool:
            return False

    monkeypatch.setattr("sys.stdin", Nobody())
    assert not install._agreed()
    assert "--yes" in capsys.readouterr().err


def test_the_end_of_the_input_is_not_consent(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ended(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Ended())
    assert not install._agreed()
