"""The real picamera2 on the real libcamera, in a Debian 13 system, beside the virtual machine.

Debian ships libcamera with a virtual camera that draws its own pictures; ``libcamera/`` adds what it lacks of a Pi's.
Nothing is emulated, so a hundred openings take minutes instead of hours.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.systems import NotHere, Release, System, inside, lend, made

HERE = Path(__file__).parent / "libcamera"
DEBIAN = Release(
    "trixie",
    (
        "python3",
        "python3-pip",
        "python3-dev",
        "gcc",
        "libc6-dev",
        "python3-libcamera",
        "python3-numpy",
        "python3-prctl",
    ),
)
THERE = "/home/checkout/tests/hil/libcamera"
ENVIRONMENT = (
    f"PYTHONPATH=/home/checkout:{THERE}", "PYTHONDONTWRITEBYTECODE=1", "LD_PRELOAD=/usr/local/lib/dma_heap.so",
    "LIBCAMERA_PIPELINES_MATCH_LIST=virtual", "LIBCAMERA_LOG_LEVELS=*:ERROR",
    # In libcamera 0.4 the virtual camera decides by uninitialised memory whether a picture is good: fill it with zeros.
    "GLIBC_TUNABLES=glibc.malloc.perturb=255:glibc.malloc.tcache_count=0",
)  # fmt: skip


class CameraSystem(System):
    """A Debian system with picamera2 and the checkout."""

    more = ("tests/hil/libcamera",)


def ready(work: Path) -> Path:
    """Return the system's folder, building it the first time.  Raises NotHere."""
    return made(DEBIAN, work / "debian", finish=_with_picamera2)


def start(stack: ExitStack, base: Path, told: Path) -> subprocess.Popen[bytes]:
    """Start the check with its output going to the file ``told``; return its process."""
    system = CameraSystem(stack, base)
    command = system.command(*ENVIRONMENT, "python3", f"{THERE}/check.py")
    with told.open("wb") as file:
        check = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT)
    stack.callback(check.wait)
    stack.callback(check.kill)
    return check


def _with_picamera2(root: Path) -> None:
    """Install picamera2, the virtual camera, and memory for its pictures."""
    lend(root)
    shutil.copy(HERE / "requirements.txt", root / "tmp")
    shutil.copy(HERE / "dma_heap.c", root / "tmp")
    virtual = root / "usr/share/libcamera/pipeline/virtual"
    virtual.mkdir(parents=True)
    shutil.copy(HERE / "virtual.yaml", virtual)
    (root / "dev/dma_heap").mkdir()
    (root / "dev/dma_heap/linux,cma").touch()
    pip = (
        "pip3",
        "install",
        "-q",
        "--break-system-packages",
        "--root-user-action=ignore",
        "-r",
        "/tmp/requirements.txt",
    )
    gcc = ("gcc", "-shared", "-fPIC", "-O1", "-o", "/usr/local/lib/dma_heap.so", "/tmp/dma_heap.c")
    for words in (pip, gcc):
        done = subprocess.run(inside(root, *words), capture_output=True, text=True, check=False)
        if done.returncode:
            raise NotHere(f"{words[0]} fails in a Debian 13 system:\n{(done.stdout + done.stderr)[-1500:]}")
