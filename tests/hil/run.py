"""``./play hil``: the table's hardware side on real kernel devices, without a Pi.

Boots a Debian kernel in QEMU on this machine's own files (read-only, changes go to memory), with a simulated GPIO
chip (gpio-sim) and a loopback camera (v4l2loopback), and runs the tests of ``guest/`` there.  Nothing is installed
into the guest and nothing on this machine is changed but the work folder, which keeps the built modules and a small
Debian system and can be deleted at any time.  In that system the real picamera2 is tried meanwhile
(``camera_library.py``).  Exit status: that of the tests; 3 if this machine cannot run them, with a loud message.
"""

from __future__ import annotations

import argparse
import compileall
import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

import camera_library
import emulator
import luggage
import ramdisk
import scenes
from kernel import NotHere, build, find, need

from tests import systems

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SCENARIO = ROOT / "tests/scenarios/half-game.txt"
LIBRARY_S = 600
"""Seconds that the check of the camera's library may take after the guest has ended."""
TOOLS = ("qemu-system-x86_64", "busybox", "modprobe", "xz", "make", "gcc")
"""Programs that ``./play`` installs for this."""


def main() -> int:
    """Build what is missing, boot the guest, and return the exit status of the tests."""
    parser = argparse.ArgumentParser(
        prog="./play hil",
        description="Tests on real kernel devices, in QEMU.",
        epilog="What else is said goes to pytest; without any file, every one of guest/ is tested.",
    )
    default = Path(os.environ.get("TABLETOP_HIL", ROOT / ".hil"))
    parser.add_argument("--work", type=Path, default=default, help="folder that keeps what was built")
    parser.add_argument(
        "--without-picamera2", action="store_true", help="leave out its check, which makes a Debian the first time"
    )
    parser.add_argument(
        "--processors", type=int, default=2, help="of the virtual machine (default 2; 1 takes less of a busy machine)"
    )
    options, rest = parser.parse_known_args()
    begun = time.monotonic()
    work = options.work.resolve()

    # On SIGTERM it still unmounts what it mounted.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    def step(text: str) -> None:
        print(f"{time.monotonic() - begun:4.0f} s  {text}", file=sys.stderr, flush=True)

    try:
        need(*TOOLS)
        lock = alone(work)
        kernel = find(work)
        build(kernel, step)
        site = pin_library(work)
        ramdisk.pack(kernel, work / "initrd.gz")
    except NotHere as missing:
        print(f"\n!!! The tests on real devices were NOT run: {missing}\n", file=sys.stderr)
        return 3
    library = None
    if options.without_picamera2:
        step("!!! the real picamera2 is left out of this run: ./play hil alone tries it")
    else:
        library = debian(work, step)
    scenes.draw(SCENARIO, work / "scenes")
    compileall.compile_dir(str(ROOT / "tabletop"), quiet=1)
    luggage.pack(ROOT, work / "luggage.tar")
    step("booting")
    environment = {"PYTHONPATH": f"{site}:{HERE / 'guest'}", "SCENARIO": str(SCENARIO), "SCENES": str(work / "scenes")}
    with ExitStack() as stack:
        check = camera_library.start(stack, library, work / "libcamera.txt") if library is not None else None
        status: int = emulator.run(kernel, ROOT, environment, tests(rest), options.processors)
        step(f"the guest ended with status {status}")
        if check is not None:
            status = ended(check, work / "libcamera.txt") or status
            step("the camera's library was looked through")
    lock.close()
    return status


def debian(work: Path, step: Callable[[str], None]) -> Path | None:
    """Return a system with the real picamera2; None, with a loud message, if this machine cannot have it."""
    try:
        library: Path = camera_library.ready(work)
    except systems.NotHere as missing:
        print(f"\n!!! The real picamera2 was NOT tried: {missing}\n", file=sys.stderr)
        return None
    step("a Debian with picamera2 is there")
    return library


def ended(check: subprocess.Popen[bytes], told: Path) -> int:
    """Wait for the check of the camera's library, print its output, and return its status."""
    try:
        status = check.wait(LIBRARY_S)
    except subprocess.TimeoutExpired:
        check.kill()
        status = 1
        print(f"!!! real picamera2 and libcamera: it did not end within {LIBRARY_S} s more.", file=sys.stderr)
    print(told.read_text(errors="replace"), flush=True)
    return status


def alone(work: Path) -> TextIO:
    """Wait until no other run uses the work folder; return the open lock file."""
    try:
        work.mkdir(parents=True, exist_ok=True)
        lock = (work / "lock").open("w")
    except OSError as error:
        raise NotHere(
            f"the work folder {work} cannot be written to: {error.strerror}. Name another with --work."
        ) from None
    fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def tests(words: list[str]) -> list[str]:
    """Return the command that runs the tests in the guest: those named, else all."""
    if not any(".py" in word for word in words):
        words = [*words, *sorted(str(path) for path in (HERE / "guest").glob("check_*.py"))]
    # Plugins that the guest's tests do not need are not loaded: an emulated processor takes seconds for that.
    spared = ["--noconftest", "-p", "no:cacheprovider", "--disable-plugin-autoload"]
    return [sys.executable, "-m", "pytest", "-v", "-s", "--color=no", *spared, *words]


def pin_library(work: Path) -> Path:
    """Return a folder with lgpio, which comes from apt on a Pi and is in no requirements file; installed once."""
    site = work / f"site-{sys.version_info[0]}.{sys.version_info[1]}"
    if not (site / "lgpio.py").exists():
        pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps"]
        wanted = ["--require-hashes", "--only-binary=:all:", "--target", str(site)]
        if subprocess.call([*pip, *wanted, "-r", str(HERE / "requirements.txt")], stdout=sys.stderr):
            raise NotHere("the pin library lgpio has no wheel for this Python.")
    return site


if __name__ == "__main__":
    sys.exit(main())
