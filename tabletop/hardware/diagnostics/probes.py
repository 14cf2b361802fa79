"""Probes of the machine itself: board, system, power, clock, disk, network."""

from __future__ import annotations

import contextlib
import errno
import grp
import importlib.metadata
import os
import platform
import pwd
import re
import shutil
import socket
import statistics
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from tabletop.hardware.diagnostics import linux
from tabletop.hardware.diagnostics.check import Check, CheckState, Probe, ProbedMachine
from tabletop.messages import Message, foreign

MIN_FREE_MB, LOW_FREE_MB = 50, 500
MIN_MEMORY_MB = 800
"""The memory that a board of 1 GB reports at least; the firmware takes the rest."""
MAX_CAMERA_PX = (4608, 2592)
"""The size of pictures that is assumed if none is set: the largest camera's."""
CMA_BYTES_PER_PX = 8.25
"""Contiguous memory per pixel: three buffers, each with a picture of 1.5 bytes and a raw one of 1.25."""
SLOW_SYNC_S = 0.25
MEMORY_FILE_SYSTEMS = ("tmpfs", "ramfs")
THROTTLED = {
    0: Message("undervoltage"),
    1: Message("the processor's clock is capped"),
    2: Message("throttled"),
    3: Message("the temperature limit"),
}
"""Bits of ``vcgencmd get_throttled`` for the present state; sixteen bits higher they mean “since the start”."""
YEAR_2025 = 1735689600
REPORTED_PACKAGES = ("gpiozero", "numpy", "opencv-python-headless", "zxing-cpp", "flask", "waitress")


def board(machine: ProbedMachine) -> Iterable[Check]:
    """Check which Pi it is."""
    if machine.is_pi:
        yield Check("board", CheckState.OK, foreign(linux.board(machine.root)))
    else:
        fix = Message(
            'Fine without a panel: set pins = "none" under [panel] in table.toml. To try things out: tabletop demo.'
        )
        yield Check("board", CheckState.WARNING, Message("This is not a Raspberry Pi."), fix)


def system(machine: ProbedMachine) -> Iterable[Check]:
    """Check which operating system it is, and whether it is 64-bit."""
    fact = f"{linux.system_name(machine.root)}, {platform.machine()}, Python {platform.python_version()}"
    if sys.maxsize > 2**32:
        yield Check("system", CheckState.OK, foreign(fact))
    else:
        fix = Message("Install the 64-bit Raspberry Pi OS.")
        yield Check("system", CheckState.FAULT, Message("{system}: a 32-bit system.", system=fact), fix)


def versions(_: ProbedMachine) -> Iterable[Check]:
    """Report the versions of the libraries that matter."""
    yield Check(
        "versions",
        CheckState.OK,
        foreign(", ".join(f"{name} {importlib.metadata.version(name)}" for name in REPORTED_PACKAGES)),
    )


def memory(machine: ProbedMachine) -> Iterable[Check]:
    """Check whether there is enough memory for a table, and enough contiguous memory for the camera's pictures."""
    total, contiguous = [int(linux.memory_mb(name, machine.root)) for name in ("MemTotal", "CmaTotal")]
    if not total:
        return
    if total < MIN_MEMORY_MB:
        fact = Message("{mb} MB of memory: a table needs a board with 1 GB.", mb=total)
        yield Check("memory", CheckState.FAULT, fact, Message("Use a board with 1 GB of memory or more."))
        return
    camera = machine.config.camera
    width, height = camera.size or MAX_CAMERA_PX
    needed = round(width * height * CMA_BYTES_PER_PX / 2**20)
    if camera.source == "picamera2" and 0 < contiguous < needed:
        fact = Message(
            "{mb} MB of contiguous memory, and the camera needs about {needed}.", mb=contiguous, needed=needed
        )
        fix = Message(
            "Set size = {size} under [camera] in table.toml, or {line} in {file}.",
            size='"2304x1296"', line="dtoverlay=vc4-kms-v3d,cma-256", file="/boot/firmware/config.txt",
        )  # fmt: skip
        yield Check("memory", CheckState.WARNING, fact, fix)
    else:
        yield Check("memory", CheckState.OK, foreign(f"{total} MB"))


def groups(machine: ProbedMachine) -> Iterable[Check]:
    """Check whether this user may use pins and cameras."""
    mine = {grp.getgrgid(group).gr_name for group in os.getgroups() if _known(group)}
    devices = {"gpio": "gpiochip*", "video": "video0"}
    missing = [name for name, node in devices.items() if any((machine.root / "dev").glob(node)) and name not in mine]
    if machine.user == 0:
        yield Check("groups", CheckState.OK, Message("root may do everything"))
    elif missing:
        command = f"sudo usermod -aG {','.join(missing)} $USER"
        fix = Message("{command}, then log in again.", command=command)
        fact = Message("This user is not in {group}.", group=missing[0])
        if len(missing) > 1:
            fact = Message("This user is not in {group} and {other}.", group=missing[0], other=missing[1])
        yield Check("groups", CheckState.FAULT, fact, fix)
    else:
        yield Check("groups", CheckState.OK, Message("this user may use pins and cameras"))


def _known(group: int) -> bool:
    try:
        grp.getgrgid(group)
    except KeyError:
        return False
    return True


def power(machine: ProbedMachine) -> Iterable[Check]:
    """Check whether the power supply is strong enough, now and since the start."""
    answer = machine.run(["vcgencmd", "get_throttled"])
    bits = re.fullmatch(r"throttled=0x([0-9a-fA-F]+)", answer or "")
    if bits is None:
        if machine.is_pi:
            fix = foreign("sudo apt-get install raspi-utils")
            yield Check("power", CheckState.WARNING, Message("vcgencmd does not answer."), fix)
        return
    flags = int(bits[1], 16)
    now = tuple(name for bit, name in THROTTLED.items() if flags >> bit & 1)
    before = tuple(name for bit, name in THROTTLED.items() if flags >> (bit + 16) & 1)
    cure = Message("Use the Pi's own power supply and a short cable; cool it.")
    if now:
        yield Check("power", CheckState.FAULT, Message("At this moment: {troubles}.", troubles=now), cure)
    elif before:
        fact = Message("Fine now; since the start there was: {troubles}.", troubles=before)
        yield Check("power", CheckState.WARNING, fact, cure)
    else:
        yield Check("power", CheckState.OK, Message("no undervoltage or throttling since the start"))


def clock(machine: ProbedMachine) -> Iterable[Check]:
    """Check whether the time of day is set; only the dates of saved games depend on it."""
    fix = Message("Connect to a network once, or: {command}.", command="sudo date -s '2026-01-31 20:00'")
    if machine.now() < YEAR_2025:
        fact = Message("The time of day is not set; games will be saved with a wrong date.")
        yield Check("clock", CheckState.WARNING, fact, fix)
    elif machine.is_pi and not (machine.root / "run/systemd/timesync/synchronized").exists():
        fact = Message("The time of day has not been checked against the network yet.")
        yield Check("clock", CheckState.WARNING, fact, fix)
    else:
        yield Check("clock", CheckState.OK, Message("the time of day is set"))


def disk(machine: ProbedMachine) -> Iterable[Check]:
    """Check whether games can be written, whether there is space, and how fast the disk confirms."""
    folder = existing_folder(machine.config.games)
    free = shutil.disk_usage(folder).free // 1_000_000
    probe = folder / ".tabletop-doctor"
    try:
        times = [_synced(machine, probe) for _ in range(3)]
    except OSError as error:
        fact = Message("{folder} cannot be written to: {error}.", folder=folder, error=error.strerror)
        yield Check("disk", CheckState.FAULT, fact, folder_advice(folder, machine.user))
        return
    finally:
        with contextlib.suppress(OSError):  # a disk that can only be read refuses even to remove what is not there
            probe.unlink()
    if _in_memory(machine, folder):
        fact = Message("{folder} is kept in memory: every game is lost when the power goes.", folder=folder)
        fix = Message("Turn off the Overlay File System (sudo raspi-config), or choose another folder as “games”.")
        yield Check("disk", CheckState.WARNING, fact, fix)
        return
    took = statistics.median(times)
    facts = {"free": free, "folder": folder, "took": f"{took * 1000:.0f}"}
    if free < MIN_FREE_MB:
        fact = Message("{free} MB free in {folder}, a move is saved after {took} ms: too little space.", **facts)
        yield Check("disk", CheckState.FAULT, fact, Message("Free some space."))
    elif free < LOW_FREE_MB:
        fact = Message("{free} MB free in {folder}, a move is saved after {took} ms: little space.", **facts)
        yield Check("disk", CheckState.WARNING, fact, Message("Free some space."))
    elif took > SLOW_SYNC_S:
        fact = Message("{free} MB free in {folder}, a move is saved after {took} ms: slow.", **facts)
        yield Check("disk", CheckState.WARNING, fact, Message("A good SD card (A1 or better) or a USB disk helps."))
    else:
        yield Check(
            "disk", CheckState.OK, Message("{free} MB free in {folder}, a move is saved after {took} ms", **facts)
        )


def _in_memory(machine: ProbedMachine, folder: Path) -> bool:
    """Return whether what is written to a folder is kept in memory only, directly or through an overlay on a disk."""
    kinds = {}
    for line in linux.text_of("proc/mounts", machine.root).splitlines():
        _, place, kind, options, *_ = line.split()
        kinds[Path(place)] = kind, options  # a later mount covers an earlier one

    def mounted(path: Path) -> tuple[str, str]:
        return next((kinds[above] for above in (path, *path.parents) if above in kinds), ("", ""))

    kind, options = mounted(folder)
    upper = re.search(r"\bupperdir=([^,]+)", options) if kind == "overlay" else None
    return (mounted(Path(upper[1]))[0] if upper else kind) in MEMORY_FILE_SYSTEMS


def existing_folder(folder: Path) -> Path:
    """Return the folder, or the nearest one above it that exists and that this user may see."""
    return next(above for above in (folder.absolute(), *folder.absolute().parents) if os.path.isdir(above))


def folder_advice(folder: Path, user: int | None = None) -> Message:
    """Return what to do about a folder for games that this user cannot write to."""
    owner = existing_folder(folder).stat().st_uid
    with contextlib.suppress(KeyError):  # a user whom this system does not know
        if owner not in (0, os.geteuid() if user is None else user):
            name = pwd.getpwuid(owner).pw_name
            return Message("The folder belongs to {user}: run the command with sudo -u {user}.", user=name)
    return Message("Choose another folder as “games”.")


def _synced(machine: ProbedMachine, path: Path) -> float:
    begun = machine.clock()
    with path.open("wb") as file:
        file.write(b"x" * 512)
        file.flush()
        os.fsync(file.fileno())
    return machine.clock() - begun


def port(machine: ProbedMachine) -> Iterable[Check]:
    """Check whether the pages can be served at their address and port."""
    pages = machine.config.pages
    error = cannot_listen(pages.bind, pages.port)
    if error is not None:
        yield _no_port(error, pages.bind, pages.port)
    else:
        yield Check("port", CheckState.OK, Message("{bind} port {port} is free", bind=pages.bind, port=pages.port))


def cannot_listen(host: str, number: int) -> OSError | None:
    """Return why pages cannot be served at this address and port, None if they can."""
    try:
        # As the server does: a name may stand for several addresses, and an empty one for none.
        for family, kind, _, _, address in socket.getaddrinfo(
            host, number, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            with socket.socket(family, kind) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
    except OSError as error:
        return error
    except (TypeError, ValueError) as error:  # characters that no host name can have
        return OSError(errno.EINVAL, str(error))
    return None


def _no_port(error: OSError, bind: str, number: int) -> Check:
    if error.errno == errno.EADDRINUSE:
        fix = Message("If that is not a table already running, choose another [pages] port.")
        return Check("port", CheckState.WARNING, Message("Port {port} is in use.", port=number), fix)
    if error.errno == errno.EACCES:
        fact = Message("This user may not use port {port}.", port=number)
        return Check("port", CheckState.FAULT, fact, Message("Choose one above 1023."))
    fact = Message("{bind} port {port} cannot be used: {error}.", bind=bind, port=number, error=error.strerror)
    return Check("port", CheckState.FAULT, fact, Message("Change [pages] bind."))


ALL: Mapping[str, Probe] = {
    "board": board,
    "system": system,
    "versions": versions,
    "memory": memory,
    "groups": groups,
    "power": power,
    "clock": clock,
    "disk": disk,
    "port": port,
}
"""The probes by name, in the order in which faults should be fixed."""
