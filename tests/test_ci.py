"""The last line of the whole check says how many tests passed and failed, on real drivers and otherwise."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from doubles.clock import PATIENCE

RUN = Path(__file__).parents[1] / ".ci/run"
GAME_ON_DRIVERS = Path(__file__).parent / "hil/guest/check_serve.py"
PLAY = """\
#!/bin/sh
case $1 in
  hil) echo "{drivers}"; exit {drivers_status} ;;
  test) echo "{tests}"; exit {tests_status} ;;
esac
"""
WELL = "================== 23 passed in 100.12s (0:01:40) =================="


def run(folder: Path, drivers: tuple[str, int], tests: tuple[str, int]) -> tuple[list[str], int]:
    """Run the check with two halves that print and end as given; return its lines and its status."""
    (folder / ".ci").mkdir()
    shutil.copy(RUN, folder / ".ci/run")
    play = folder / "play"
    play.write_text(PLAY.format(drivers=drivers[0], drivers_status=drivers[1], tests=tests[0], tests_status=tests[1]))
    play.chmod(0o755)
    environment = {**os.environ, "TABLETOP_HIL": str(folder / "hil")}
    done = subprocess.run(
        ["bash", ".ci/run"], cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    return done.stdout.splitlines(), done.returncode


@pytest.mark.parametrize(
    ("drivers", "tests", "last", "status"),
    [
        ((WELL, 0), ("3455 passed in 240.58s (0:04:00)", 0), "3478 passed, 0 failed", 0),
        ((WELL, 0), ("2 failed, 3450 passed, 3 skipped, 1 error in 9.10s", 1), "3473 passed, 3 failed, 3 skipped", 1),
        (("=== 1 failed, 22 passed in 5.00s ===", 1), ("3455 passed in 9.10s", 0), "3477 passed, 1 failed", 1),
        (("it cannot be run here", 3), ("3455 passed in 9.10s", 0), "3455 passed, 0 failed", 0),
        ((WELL, 0), ("!! failed before the tests: types\n3455 passed in 9.10s", 1), "3478 passed, 1 failed", 1),
        (("the guest fell silent", 99), ("3455 passed in 9.10s", 0), "3455 passed, 1 failed", 99),
        ((WELL, 0), ("no pytest at all", 2), "23 passed, 1 failed", 2),
    ],
    ids=["well", "tests", "drivers", "no-drivers", "types", "no-guest", "no-tests"],
)
def test_the_last_line_sums_both_halves_and_fails_with_either(
    tmp_path: Path, drivers: tuple[str, int], tests: tuple[str, int], last: str, status: int
) -> None:
    """The last line adds up the tests of both halves; the status is that of a half that failed."""
    lines, ended = run(tmp_path, drivers, tests)
    assert (lines[-1], ended) == (last, status)


def test_each_test_on_real_drivers_that_is_left_out_exists() -> None:
    """Each name that the check leaves out of the game on real drivers is part of exactly one of its tests' names."""
    left_out = re.search(r'^left_out="(.*)"$', RUN.read_text(encoding="utf-8"), re.MULTILINE)
    assert left_out is not None
    tests = re.findall(r"^def (test_\w+)", GAME_ON_DRIVERS.read_text(encoding="utf-8"), re.MULTILINE)
    names = left_out[1].split(" or ")
    assert [sum(name in test for test in tests) for name in names] == [1] * len(names)


def test_each_stage_has_a_heading_and_its_output_in_one_piece(tmp_path: Path) -> None:
    """The halves run at the same time, but their output is printed one after the other, each stage with its heading."""
    tests = "== stage: types\nfine\n== stage: tests\n1 passed in 0.01s"
    lines, _ = run(tmp_path, (WELL, 0), (tests, 0))
    assert lines == [
        "== stage: real drivers in a virtual machine", WELL, *tests.splitlines(), "== stage: result",
        "24 passed, 0 failed",
    ]  # fmt: skip
