"""The whole check says in its last line how many tests passed and failed, on real drivers and otherwise."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.clock import PATIENCE

RUN = Path(__file__).parents[1] / ".ci/run"
PLAY = """\
#!/bin/sh
case $1 in
  hil) echo "{drivers}"; exit {drivers_status} ;;
  test) echo "{tests}"; exit {tests_status} ;;
esac
"""
WELL = "================== 23 passed in 100.12s (0:01:40) =================="


def run(folder: Path, drivers: tuple[str, int], tests: tuple[str, int]) -> tuple[str, int]:
    """Let the check run whose two halves say and end so; return its last line and its status."""
    (folder / ".ci").mkdir()
    shutil.copy(RUN, folder / ".ci/run")
    play = folder / "play"
    play.write_text(PLAY.format(drivers=drivers[0], drivers_status=drivers[1], tests=tests[0], tests_status=tests[1]))
    play.chmod(0o755)
    environment = {**os.environ, "TABLETOP_HIL": str(folder / "hil")}
    done = subprocess.run(
        ["bash", ".ci/run"], cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    return done.stdout.splitlines()[-1], done.returncode


@pytest.mark.parametrize(
    ("drivers", "tests", "last", "status"),
    [
        ((WELL, 0), ("3455 passed in 240.58s (0:04:00)", 0), "3478 passed, 0 failed", 0),
        ((WELL, 0), ("2 failed, 3450 passed, 3 skipped, 1 error in 9.10s", 1), "3473 passed, 3 failed, 3 skipped", 1),
        (("=== 1 failed, 22 passed in 5.00s ===", 1), ("3455 passed in 9.10s", 0), "3477 passed, 1 failed", 1),
        (("it cannot be had here", 3), ("3455 passed in 9.10s", 0), "3455 passed, 0 failed", 0),
        ((WELL, 0), ("!! failed before the tests: types\n3455 passed in 9.10s", 1), "3478 passed, 1 failed", 1),
        (("the guest fell silent", 99), ("3455 passed in 9.10s", 0), "3455 passed, 1 failed", 99),
        ((WELL, 0), ("no pytest at all", 2), "23 passed, 1 failed", 2),
    ],
    ids=["well", "tests", "drivers", "no-drivers", "types", "no-guest", "no-tests"],
)
def test_the_last_line_sums_both_halves_and_fails_with_either(
    tmp_path: Path, drivers: tuple[str, int], tests: tuple[str, int], last: str, status: int
) -> None:
    assert run(tmp_path, drivers, tests) == (last, status)
