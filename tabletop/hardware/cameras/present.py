"""Lists the cameras of this machine under stable names, which they keep when they are plugged in again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tabletop.messages import EMPTY, Message, foreign

PI_DRIVERS = ("unicam", "rp1-cfe")
"""Prefixes of the devices that a Pi 4 and a Pi 5 have only while a camera is on their own connector."""
NAMES_FOLDER = "sys/class/video4linux"


class PresentCamera(NamedTuple):
    """A camera of this machine: its ``source`` as in table.toml, and what its driver calls it."""

    source: str
    title: Message


def present_cameras(root: Path = Path("/")) -> list[PresentCamera]:
    """Return the cameras that are plugged in, the Pi's own first.  None of them is opened."""
    found = [
        PresentCamera(f"opencv:{path}", foreign(_title(root / NAMES_FOLDER / device) or path))
        for device, path in _stable_paths(root).items()
    ]
    own = any(_title(device).startswith(PI_DRIVERS) for device in (root / NAMES_FOLDER).glob("video*"))
    return [PresentCamera("picamera2", Message("the Raspberry Pi’s own camera")), *found] if own else found


def advice(root: Path = Path("/")) -> Message:
    """Return what to do about a missing camera if another one is plugged in; empty if none is."""
    there = next(iter(present_cameras(root)), None)
    if there is None:
        return EMPTY
    return Message(
        "Check the cable, or set source = {source} under [camera] in table.toml: that camera is there.",
        source=f'"{there.source}"',
    )


def stable_source(device: str, root: Path = Path("/")) -> str | None:
    """Return the stable source of a USB camera given as a number or as ``/dev/videoN``; None if it has none."""
    path = _stable_paths(root).get(f"video{device}" if device.isdigit() else device.removeprefix("/dev/"))
    return path and f"opencv:{path}"


def _stable_paths(root: Path) -> Mapping[str, str]:
    """Return device of a USB camera, such as ``video0`` → the link to it that udev makes.

    A link by-id follows a camera to another socket.  Two cameras of a model without serial numbers share one: then
    links by socket are used for all.  A camera's further devices (index1 …) give no pictures.
    """
    by_id, by_path = (
        {
            link.resolve().name: f"/dev/v4l/{kind}/{link.name}"
            for link in sorted((root / "dev/v4l" / kind).glob("*usb-*-video-index0"))
        }
        for kind in ("by-id", "by-path")
    )
    return by_id if by_id.keys() >= by_path.keys() else by_path


def _title(device: Path) -> str:
    try:
        return (device / "name").read_text("utf-8", "replace").strip()
    except OSError:
        return ""
