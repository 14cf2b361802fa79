"""A Debian kernel with three modules that Debian does not build: gpio-sim, v4l2loopback and a Pi's device tree."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

IMAGE = re.compile(r"^(linux-image-(6\.12\.\d+\+deb\d+-amd64)) ", re.M)
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
APT = ("apt-get", "-qq", "-o", "Acquire::http::Timeout=20", "-o", "Acquire::https::Timeout=20")
APT_LIMIT_S = 300
"""Seconds that one apt-get may take, on a slow line."""
PLAY = Path(__file__).parents[2] / "play"
DEVICE_TREE = Path(__file__).with_name("pi-device-tree.c")
GPIO_SOURCES = ("drivers/gpio/gpio-sim.c", "kernel/irq/irq_sim.c")


class NotHere(Exception):
    """This machine cannot boot such a guest; the text says what is missing."""


class Kernel(NamedTuple):
    """A kernel package and the folder with its parts."""

    package: str
    version: str
    work: Path

    @property
    def tree(self) -> Path:
        """Root folder of the unpacked package."""
        return self.work / "kernel"

    @property
    def image(self) -> Path:
        """The kernel image."""
        return self.tree / "boot" / f"vmlinuz-{self.version}"


def need(*programs: str) -> None:
    """Raise NotHere if one of these programs, which ``./play`` installs, is missing."""
    missing = [program for program in programs if shutil.which(program, path=PATH) is None]
    if missing:
        raise NotHere(f"it needs {', '.join(missing)}.")


def find(work: Path) -> Kernel:
    """Return the newest kernel that fits.  Raises NotHere."""
    built = sorted(work.glob("kernel/boot/vmlinuz-*"))
    if built:
        version = built[-1].name.removeprefix("vmlinuz-")
        return Kernel(f"linux-image-{version}", version, work)
    for attempt in range(2):
        listed = subprocess.run(
            ["apt-cache", "search", "^linux-image-6[.]12[.]"], capture_output=True, text=True, check=False
        )
        found = sorted(IMAGE.findall(listed.stdout), key=lambda one: [int(part) for part in re.findall(r"\d+", one[1])])
        if found:
            return Kernel(found[-1][0], found[-1][1], work)
        if attempt == 0:
            _renew_lists()
    raise NotHere("there is no 6.12 kernel for amd64 in this machine's package lists.")


def build(kernel: Kernel, step: Callable[[str], None]) -> None:
    """Fetch the kernel, its headers and the modules' sources, and build the modules, unless that has been done."""
    stamp, wanted = kernel.work / "modules-are-built", f"{kernel.version} {DEVICE_TREE.read_text()}"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    for folder in ("debs", "kernel", "headers", "source", "build"):
        shutil.rmtree(kernel.work / folder, ignore_errors=True)
    _fetch(kernel)
    step("fetched kernel, headers and sources")
    headers = kernel.work / "headers/usr/src" / f"linux-headers-{kernel.version}"
    _point_at(headers / "Makefile", kernel.work / "headers")
    extra = kernel.tree / "lib/modules" / kernel.version / "extra"
    extra.mkdir(parents=True)
    for module, source in (("gpio", _gpio(kernel)), ("v4l2", _v4l2(kernel)), ("tree", _device_tree(kernel))):
        make = ["make", "-s", f"-j{os.cpu_count()}", "-C", str(headers), f"M={source}"]
        make += ["CONFIG_DEBUG_INFO_BTF_MODULES=", "modules"]
        done = subprocess.run(make, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NotHere(f"the {module} module does not build:\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
        for built in source.glob("*.ko"):
            _run(["strip", "--strip-debug", "-o", str(extra / built.name), str(built)])
    _run(["depmod", "-b", str(kernel.tree), kernel.version])
    for folder in ("debs", "headers", "source", "build"):
        shutil.rmtree(kernel.work / folder)
    stamp.write_text(wanted)
    step("built gpio-sim, v4l2loopback and a Pi's device tree")


def _fetch(kernel: Kernel) -> None:
    short = kernel.version.removesuffix("-amd64")
    packages = [
        kernel.package, f"linux-headers-{kernel.version}", f"linux-headers-{short}-common", f"linux-kbuild-{short}",
        "linux-source-6.12", "v4l2loopback-dkms",
    ]  # fmt: skip
    debs = kernel.work / "debs"
    debs.mkdir()
    if _quiet([*APT, "download", *packages], debs):
        raise NotHere(f"apt-get does not bring {', '.join(packages)}.")
    for deb in debs.iterdir():
        is_kernel, is_source = deb.name.startswith("linux-image"), deb.name.startswith(("linux-source", "v4l2"))
        where = "kernel" if is_kernel else "source" if is_source else "headers"
        _run(["dpkg", "-x", str(deb), str(kernel.work / where)])


def _point_at(makefile: Path, tree: Path) -> None:
    """Replace the folders under /usr in the headers' Makefile by those of the unpacked package."""
    text = makefile.read_text()
    makefile.write_text(text.replace("/usr/src", f"{tree}/usr/src").replace("/usr/lib", f"{tree}/usr/lib"))


def _gpio(kernel: Kernel) -> Path:
    """Lay out gpio-sim to be built outside of the kernel, together with irq_sim, which it needs."""
    source, folder = kernel.work / "source", kernel.work / "build/gpio"
    folder.mkdir(parents=True)
    names = [f"linux-source-6.12/{name}" for name in GPIO_SOURCES]
    archive = source / "usr/src/linux-source-6.12.tar.xz"
    _run(["tar", "-xJf", str(archive), "-C", str(folder), "--strip-components=3", "--occurrence=1", *names])
    (folder / "gpio-sim.c").rename(folder / "gpio-sim-main.c")
    irq = folder / "irq_sim.c"
    # irq_to_desc is not exported to modules; generic_handle_irq does the same by number.
    irq.write_text(irq.read_text().replace("handle_simple_irq(irq_to_desc(irqnum));", "generic_handle_irq(irqnum);"))
    about = '#include <linux/module.h>\nMODULE_LICENSE("GPL");\nMODULE_DESCRIPTION("irq_sim, built outside");\n'
    (folder / "irq_about.c").write_text(about)
    (folder / "Makefile").write_text(
        "obj-m := irq-sim.o gpio-sim.o\nirq-sim-y := irq_sim.o irq_about.o\ngpio-sim-y := gpio-sim-main.o\n"
    )
    return folder


def _v4l2(kernel: Kernel) -> Path:
    folder = kernel.work / "build/v4l2"
    folder.mkdir(parents=True)
    (found,) = (kernel.work / "source/usr/src").glob("v4l2loopback*/")
    for file in found.glob("*.[ch]"):
        shutil.copy(file, folder)
    # Debian 12's version is older than the kernel's removal of strlcpy.
    (folder / "Makefile").write_text("obj-m := v4l2loopback.o\nccflags-y += -Dstrlcpy=strscpy\n")
    return folder


def _device_tree(kernel: Kernel) -> Path:
    folder = kernel.work / "build/tree"
    folder.mkdir(parents=True)
    shutil.copy(DEVICE_TREE, folder)
    (folder / "Makefile").write_text("obj-m := pi-device-tree.o\n")
    return folder


def _renew_lists() -> None:
    with PLAY.open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one apt-get at a time: ./play uses the same lock
        _quiet([*APT, "update"])


def _quiet(command: Sequence[str], folder: Path | None = None) -> int:
    try:
        quiet = subprocess.DEVNULL
        return subprocess.call(command, cwd=folder, stdout=quiet, stderr=quiet, timeout=APT_LIMIT_S)
    except (OSError, subprocess.TimeoutExpired):
        return 1


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotHere(f"{' '.join(command)} failed: {done.stderr[-1000:]}")
