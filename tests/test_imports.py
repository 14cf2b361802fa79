"""Imports point down only, and importing does no work."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
HEAVY = {"cv2", "numpy", "flask", "waitress", "reportlab", "gpiozero", "zxingcpp", "pyzbar", "PIL", "picamera2"}


def python(code: str) -> str:
    """Run code in a fresh interpreter in which nothing is imported yet; return its output."""
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_imports_keep_the_layers() -> None:
    """The import rules of pyproject.toml are kept."""
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_help_needs_no_heavy_library() -> None:
    """``tabletop --help`` loads no library for pictures, pages or pins, so that it answers at once."""
    loaded = python(
        "import sys; from tabletop.cli import main; main(['--help'], standalone_mode=False); "
        "print('LOADED', *sorted(m for m in sys.modules if '.' not in m))"
    )
    assert not HEAVY & set(loaded.rsplit("LOADED", 1)[1].split())


def test_the_pis_camera_needs_no_opencv() -> None:
    """The Pi's camera and its process can be imported without OpenCV, which the trial of the real picamera2 lacks."""
    loaded = python(
        "import sys, tabletop.hardware.cameras.camera_process, tabletop.hardware.cameras.picamera; "
        "print(*(m for m in sys.modules if '.' not in m))"
    )
    assert "cv2" not in loaded.split()


def test_importing_has_no_side_effects() -> None:
    """Importing any module starts no thread, opens no pin or camera, and prints nothing."""
    import tabletop

    names = [m.name for m in pkgutil.walk_packages(tabletop.__path__, "tabletop.") if m.name != "tabletop.__main__"]
    assert names
    printed = python(
        f"import importlib, threading\nfor name in {names!r}: importlib.import_module(name)\n"
        "assert threading.active_count() == 1, threading.enumerate()\n"
        "from gpiozero import Device\nassert Device.pin_factory is None"
    )
    assert printed == ""
