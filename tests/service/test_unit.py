"""systemd accepts the unit, and it is as restricted as it claims."""

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


def test_systemd_verifies_the_unit(analyze: str, tmp_path: Path) -> None:
    """systemd-analyze verify has nothing to say about the unit, apart from where the program is installed."""
    unit = tmp_path / "tabletop.service"
    unit.write_text(UNIT.read_text().replace("/opt/tabletop/.venv/bin/python", sys.executable))
    done = subprocess.run([analyze, "verify", str(unit)], capture_output=True, text=True, check=False)
    about_us = [line for line in done.stderr.splitlines() if "tabletop" in line]
    assert (done.returncode, about_us) == (0, [])


def test_systemd_finds_a_mistake_in_a_unit(analyze: str, tmp_path: Path) -> None:
    """systemd-analyze verify does find a mistake, such as a program that does not exist."""
    unit = tmp_path / "tabletop.service"
    unit.write_text(UNIT.read_text())
    done = subprocess.run([analyze, "verify", str(unit)], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "/opt/tabletop" in done.stderr


def test_systemd_rates_the_exposure_as_low(analyze: str) -> None:
    """``systemd-analyze security`` rates the unit's exposure at 2.5 or less, where up to 4 counts as “OK”."""
    told = subprocess.run(
        [analyze, "security", "--offline=1", "--no-pager", str(UNIT)], capture_output=True, text=True, check=False
    ).stdout
    mark = re.search(r"Overall exposure level for tabletop.service: ([\d.]+)", told)
    assert mark
    assert float(mark[1]) <= 2.5


@pytest.mark.parametrize(
    ("user", "command", "as_whom"), [("0", "serve", "table"), ("0", "doctor", "self"), ("1000", "serve", "self")]
)
def test_commands_started_by_root_run_as_the_tables_user(tmp_path: Path, user: str, command: str, as_whom: str) -> None:
    """Started by root, commands run as the table's user, who owns its files; only the report of the log does not."""
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


def test_the_unit_limits_what_the_table_may_use() -> None:
    """The unit limits memory, threads and files, and running out of memory ends one process, not the service."""
    lines = dict(line.split("=", 1) for line in UNIT.read_text().splitlines() if "=" in line and line[0] != "#")
    assert lines["MemoryMax"].endswith("%")
    assert int(lines["TasksMax"]) > 2 * THREAD_COUNT
    assert int(lines["LimitNOFILE"]) > 2 * MAX_CONNECTIONS
    assert int(lines["OOMScoreAdjust"]) < 0
    assert lines["OOMPolicy"] == "continue"


def test_drivers_are_loaded_before_their_devices_are_allowed() -> None:
    """Drivers of cameras and sound are loaded before the service: devices unknown at its start would stay forbidden."""
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
