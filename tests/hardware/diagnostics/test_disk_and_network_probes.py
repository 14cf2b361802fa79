"""The doctor says whether games can be written and pages served, and what to do if not."""

from __future__ import annotations

import errno
import os
import pwd
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop.config import PagesConfig
from tabletop.hardware.diagnostics import probes
from tabletop.hardware.diagnostics.check import CheckState, ProbedMachine
from tests.hardware.diagnostics.probed import one


def test_a_writable_disk_with_space_is_ok_and_unchanged(machine: ProbedMachine, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    assert one(probes.disk(machine)).state is CheckState.OK
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("mounts", "state"),
    [
        (("overlayroot / overlay rw,upperdir=/media/root-rw/overlay", "tmpfs-root /media/root-rw tmpfs rw"), "warning"),
        (("overlay / overlay rw,upperdir=/media/root-rw/overlay", "/dev/mmcblk0p5 /media/root-rw ext4 rw"), "ok"),
        (("/dev/mmcblk0p2 / ext4 rw", "tmpfs {folder} tmpfs rw"), "warning"),
        (("tmpfs / tmpfs rw", "/dev/sda1 {folder} ext4 rw"), "ok"),
    ],
)
def test_games_that_are_kept_in_memory_are_reported(
    machine: ProbedMachine, tmp_path: Path, mounts: tuple[str, ...], state: str
) -> None:
    """Games on a disk kept in memory, as with Raspberry Pi OS's overlay, are reported, since they would be lost."""
    lines = [line.format(folder=tmp_path) + " 0 0\n" for line in mounts]
    (tmp_path / "proc/mounts").write_text("".join(lines))
    assert one(probes.disk(machine)).state.value == state


def test_a_slow_disk_is_reported(machine: ProbedMachine) -> None:
    ticks = iter(range(10))
    assert one(probes.disk(replace(machine, clock=lambda: float(next(ticks))))).fact.endswith("after 1000 ms: slow.")


def test_a_folder_that_cannot_be_written_is_a_fault(machine: ProbedMachine) -> None:
    config = replace(machine.config, games=Path("/proc/games"))
    check = one(probes.disk(replace(machine, config=config)))
    assert check.state is CheckState.FAULT
    assert "/proc cannot be written" in check.fact


def test_another_user_is_told_who_owns_the_folder_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user who may not write the folder of games is told its owner and the sudo command, unless that is root."""
    owner = 1

    class Folder:
        def stat(self) -> os.stat_result:
            return os.stat_result((0, 0, 0, 0, owner, 0, 0, 0, 0, 0))

    monkeypatch.setattr(probes, "existing_folder", lambda _: Folder())
    name = pwd.getpwuid(owner).pw_name
    assert probes.folder_advice(Path("games"), 1000).endswith(
        f"belongs to {name}: run the command with sudo -u {name}."
    )
    other = "Choose another folder as “games”."
    assert probes.folder_advice(Path("games"), owner) == other
    owner = 0
    assert probes.folder_advice(Path("games"), 1000) == other


def test_of_a_closed_folder_the_closest_visible_one_is_reported(
    machine: ProbedMachine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a folder inside somebody's closed home, the closest folder above it that can be seen is reported."""
    stat = os.stat

    def guarded(path: Any, **how: Any) -> os.stat_result:
        if str(path).startswith(f"{tmp_path}/home/"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return stat(path, **how)

    (tmp_path / "home").mkdir()
    monkeypatch.setattr(os, "stat", guarded)
    assert probes.existing_folder(tmp_path / "home/games") == tmp_path / "home"


def test_a_port_in_use_is_reported_with_its_number(machine: ProbedMachine) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        number = busy.getsockname()[1]
        config = replace(machine.config, pages=PagesConfig("127.0.0.1", number))
        check = one(probes.port(replace(machine, config=config)))
    assert check.fact == f"Port {number} is in use."
    assert check.state is CheckState.WARNING


@pytest.mark.parametrize("bind", ["", "a\0b", "ä..ö", "x" * 70 + ".lan"])
def test_a_bind_that_is_not_an_address_is_a_fault_of_the_settings(machine: ProbedMachine, bind: str) -> None:
    """A “bind” in table.toml that is not a machine's address is a fault, and the fix names the setting."""
    config = replace(machine.config, pages=PagesConfig(bind, 8080))
    check = one(probes.port(replace(machine, config=config)))
    assert check.state is CheckState.FAULT
    assert check.fix == "Change [pages] bind."


def test_a_read_only_disk_is_a_single_fault(machine: ProbedMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    assert one(probes.disk(machine)).fact.endswith("cannot be written to: Read-only file system.")


def test_an_ipv6_address_is_tried_too(machine: ProbedMachine) -> None:
    config = replace(machine.config, pages=PagesConfig("2001:db8::7", 8080))
    assert one(probes.port(replace(machine, config=config))).state is CheckState.FAULT


def test_an_address_that_is_not_ours_is_a_fault(machine: ProbedMachine) -> None:
    config = replace(machine.config, pages=PagesConfig("203.0.113.7", 8080))
    assert one(probes.port(replace(machine, config=config))).state is CheckState.FAULT
