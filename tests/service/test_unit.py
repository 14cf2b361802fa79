"""The unit is one that systemd takes, and as closed as it claims to be."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.service import steps
from tabletop.web.server import MAX_CONNECTIONS, THREAD_COUNT

UNIT = steps.FILES / "tabletop.service"


@pytest.fixture
def analyze() -> str:
    found = shutil.which("systemd-analyze")
    if found is None:
        pytest.fail("systemd-analyze is not here: the unit was NOT verified (sudo apt-get install systemd).")
    return found


def test_systemd_takes_the_unit_without_a_word(analyze: str, tmp_path: Path) -> None:
    """Only the program's place is changed: here it is not installed."""
    unit = tmp_path / "tabletop.service"
    unit.write_text(UNIT.read_text().replace("/opt/tabletop/.venv/bin/python", sys.executable))
    done = subprocess.run([analyze, "verify", str(unit)], capture_output=True, text=True, check=False)
    about_us = [line for line in done.stderr.splitlines() if "tabletop" in line]
    assert (done.returncode, about_us) == (0, [])


def test_a_unit_with_a_mistake_would_be_told(analyze: str, tmp_path: Path) -> None:
    """The check above can fail."""
    unit = tmp_path / "tabletop.service"
    unit.write_text(UNIT.read_text())
    done = subprocess.run([analyze, "verify", str(unit)], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "/opt/tabletop" in done.stderr


def test_systemd_calls_it_well_closed(analyze: str) -> None:
    """``systemd-analyze security`` gives marks from 0 (closed) to 10; its own word for up to 4 is “OK”."""
    told = subprocess.run(
        [analyze, "security", "--offline=1", "--no-pager", str(UNIT)], capture_output=True, text=True, check=False
    ).stdout
    mark = re.search(r"Overall exposure level for tabletop.service: ([\d.]+)", told)
    assert mark
    assert float(mark[1]) <= 2.5


@pytest.mark.parametrize(
    ("user", "command", "as_whom"), [("0", "serve", "table"), ("0", "doctor", "self"), ("1000", "serve", "self")]
)
def test_what_root_starts_belongs_to_the_table(tmp_path: Path, user: str, command: str, as_whom: str) -> None:
    """Games and settings that root wrote could not be changed by the service; a report of its log needs root."""
    (tmp_path / "id").write_text(f"#!/bin/sh\necho {user}\n")
    (tmp_path / "runuser").write_text('#!/bin/sh\necho "$@"\n')
    for path in tmp_path.iterdir():
        path.chmod(0o755)
    script = steps.FILES / "tabletop.sh"
    done = subprocess.run(
        ["sh", script, command, "--new"], env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    told = f"-u tabletop -- {script} {command} --new\n"
    assert (done.stdout, "/opt/tabletop" in done.stderr) == ((told, False) if as_whom == "table" else ("", True))


def test_the_unit_and_the_steps_mean_the_same_places() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(UNIT.read_text())
    service = unit["Service"]
    assert service["ExecStart"].startswith(f"{steps.PROGRAM}/.venv/bin/python ")
    assert service["ExecStart"].endswith(f"--service --config {steps.CONFIG}")
    assert service["WorkingDirectory"] == steps.HOME == f"/var/lib/{service['StateDirectory']}"
    assert service["User"] == steps.USER
    assert service["Type"] == "notify"
    assert (service["PrivateTmp"], "TMPDIR=/var/tmp" in service["Environment"]) == ("yes", True)
    assert f"LG_WD=/run/{service['RuntimeDirectory']}" in service["Environment"]
    assert steps.PROGRAM in (steps.FILES / "tabletop.sh").read_text()
    assert steps.CONFIG in (steps.FILES / "tabletop.sh").read_text()


def test_the_unit_says_what_the_table_may_take_of_the_machine() -> None:
    """Memory, threads and files have limits, and running out of memory ends one process, not the service."""
    lines = dict(line.split("=", 1) for line in UNIT.read_text().splitlines() if "=" in line and line[0] != "#")
    assert lines["MemoryMax"].endswith("%")
    assert int(lines["TasksMax"]) > 2 * THREAD_COUNT
    assert int(lines["LimitNOFILE"]) > 2 * MAX_CONNECTIONS
    assert int(lines["OOMScoreAdjust"]) < 0
    assert lines["OOMPolicy"] == "continue"


def test_the_drivers_of_cameras_and_sound_are_there_before_their_devices_are_allowed() -> None:
    """A group of devices whose driver comes later would be forbidden until a restart."""
    drivers = {
        "char-video4linux": "modprobe@videodev.service",
        "char-media": "modprobe@mc.service",
        "char-alsa": "modprobe@snd.service",
    }
    lines = UNIT.read_text().splitlines()
    allowed = {line.partition("=")[2].split()[0] for line in lines if line.startswith("DeviceAllow=char-")}
    assert drivers.keys() <= allowed
    for key in ("Wants=", "After="):
        named = {one for line in lines if line.startswith(key) for one in line.removeprefix(key).split()}
        assert set(drivers.values()) <= named
