"""Clean Debian systems in folders: built once, used under an overlay, so that every run begins with a clean one.

Whatever needs them is a command of its own, run as root: ``tests/install/run``, ``tests/install/arm64``, and a part of
``./play hil``.  They need debootstrap, overlayfs and Debian's packages, from this machine's own source unless
``--mirror`` says otherwise.  ``--lend FOLDER`` shows a folder of this machine inside, for a mirror of Python packages;
the settings of pip and the certificates of this machine are always lent.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parents[1]
CERTIFICATES = "etc/lent-certificates.crt"
LENT = {
    "/etc/pip.conf": "etc/pip.conf",
    "/etc/resolv.conf": "etc/resolv.conf",
    "/etc/ssl/certs/ca-certificates.crt": CERTIFICATES,
}
"""Files of this machine → their copies inside, so that Python's packages are reached from there as from here."""
TOOLS = ("debootstrap", "unshare", "mount")
CACHE = Path("/var/tmp/tabletop-install")


class NotHere(Exception):
    """This machine cannot have such a system; the text says what is missing."""


class Release(NamedTuple):
    """A Debian release with further packages, for a kind of processor (empty: this machine's)."""

    name: str
    packages: tuple[str, ...]
    processor: str = ""

    @property
    def title(self) -> str:
        """The release's name for people, with its processor if it is not this machine's."""
        return f"{self.name}-{self.processor}" if self.processor else self.name

    @property
    def folder(self) -> str:
        """The name of its folder, which differs for other packages."""
        return f"{self.title}-{zlib.crc32(' '.join(self.packages).encode()):08x}"


def through(releases: Sequence[Release], kind: type[System], about: str | None, done: str) -> int:
    """Go through the releases named on the command line, else all; return 0 only if all succeeded."""
    parser = argparse.ArgumentParser(description=(about or "").splitlines()[0])
    parser.add_argument("releases", nargs="*", default=[release.name for release in releases])
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--lend", type=Path, action="append", default=[])
    parser.add_argument("--mirror", help="where Debian's packages are; where this machine's own are, if not said")
    asked = parser.parse_args()
    # On SIGTERM it still unmounts what it mounted.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        for release in releases:
            if release.name in asked.releases:
                base = made(release, asked.cache, asked.mirror)
                begun = time.monotonic()
                with ExitStack() as stack:
                    kind(stack, base, asked.lend).try_everything()
                print(f"== {release.title}: {done}; {time.monotonic() - begun:.0f} s", flush=True)
    except NotHere as missing:
        print(f"NOT RUN: {missing}", file=sys.stderr)
        return 2
    return 0


def own_mirror() -> str:
    """Return the address from which this machine gets Debian's packages.  Raises NotHere if it is not a Debian."""
    wanted = ["--format", "$(ORIGIN) $(RELEASE) $(REPO_URI)", "Created-By: Packages"]
    try:
        listed = subprocess.run(["apt-get", "indextargets", *wanted], capture_output=True, text=True, check=False)
    except OSError:
        raise NotHere("this machine has no apt-get: say --mirror ADDRESS.") from None
    # "bookworm" is the archive itself; updates and security, with a dash in their names, hold no whole system.
    found = re.search(r"^Debian [^\s-]+ (\S+)$", listed.stdout, re.M)
    if found is None:
        raise NotHere("this machine's apt-get names no Debian archive: say --mirror ADDRESS.")
    return found[1]


def made(
    release: Release, cache: Path, mirror: str | None = None, finish: Callable[[Path], None] = lambda _: None
) -> Path:
    """Return a clean system of that release, completed by ``finish`` when it is first built.  Raises NotHere."""
    missing = [name for name in TOOLS if shutil.which(name) is None]
    if os.geteuid() != 0 or missing:
        raise NotHere(f"this needs root{' and ' + ', '.join(missing) if missing else ''}.")
    base = cache / release.folder
    if not (base / "etc/os-release").exists():
        cache.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(base, ignore_errors=True)
        fresh = cache / f"{release.folder}.new"
        shutil.rmtree(fresh, ignore_errors=True)
        # Its mounts vanish with it, however it ends.
        command = ["unshare", "--mount", "debootstrap", "--variant=minbase", f"--include={','.join(release.packages)}"]
        command += [f"--arch={release.processor}"] if release.processor else []
        if subprocess.call([*command, release.name, str(fresh), mirror or own_mirror()], stdout=2):
            raise NotHere(f"debootstrap does not bring {release.title}; the lines above say why.")
        finish(fresh)
        fresh.rename(base)
    return base


def lend(root: Path) -> None:
    """Copy files into a system that let it reach packages as this machine does."""
    for path, there in LENT.items():
        if Path(path).exists():
            (root / there).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, root / there)


def inside(root: Path, *words: str) -> list[str]:
    """Return the command that runs ``words`` in a system, in a process tree of its own."""
    apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child", f"--mount-proc={root}/proc"]
    clean = ["env", "-i", "PATH=/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin", "HOME=/root", "LANG=C.UTF-8"]
    certificates = [f"{name}=/{CERTIFICATES}" for name in ("PIP_CERT", "SSL_CERT_FILE")]
    return [*apart, "chroot", str(root), *clean, *certificates, *words]


class System:
    """A clean system under an overlay, with the project's files, and those in ``more``, in ``/home/checkout``."""

    more: tuple[str, ...] = ()

    def __init__(self, stack: ExitStack, base: Path, shown: Sequence[Path] = ()) -> None:
        work = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=base.parent)))
        self.root = work / "root"
        for name in ("root", "upper", "work"):
            (work / name).mkdir(mode=0o755)
        layers = f"lowerdir={base},upperdir={work / 'upper'},workdir={work / 'work'},volatile"
        self._mount(stack, "-t", "overlay", "overlay", "-o", layers, str(self.root))
        # Copies and read-only folders: nothing in there changes this machine.
        lend(self.root)
        for folder in shown:
            there = self.root / str(folder).lstrip("/")
            there.mkdir(parents=True, exist_ok=True)
            self._mount(stack, "--bind", str(folder), str(there))
            subprocess.run(["mount", "-o", "remount,bind,ro", str(there)], check=True)
        checkout = self.root / "home/checkout"
        wanted = ["tabletop", "play", "requirements.txt", *self.more]
        names = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", *wanted],
            cwd=HERE, capture_output=True, text=True, check=True,
        ).stdout.splitlines()  # fmt: skip
        for name in filter(lambda one: (HERE / one).is_file(), names):
            (checkout / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(HERE / name, checkout / name)

    @staticmethod
    def _mount(stack: ExitStack, *words: str) -> None:
        subprocess.run(["mount", *words], check=True)
        stack.callback(subprocess.run, ["umount", "--recursive", "--lazy", words[-1]], check=True)

    def command(self, *words: str) -> list[str]:
        """Return the command that runs ``words`` inside, in a process tree of its own."""
        return inside(self.root, *words)

    def run(self, *words: str, status: int = 0) -> str:
        """Run a command inside and return its output.  Ends the program if its status is not ``status``."""
        print(f"   $ {' '.join(words)}", flush=True)
        done = subprocess.run(self.command(*words), capture_output=True, text=True, check=False)
        told = done.stdout + done.stderr
        expect(done.returncode == status, f"status {done.returncode} instead of {status}:\n{told}")
        return told

    def try_everything(self) -> None:
        """Try what the system is for."""
        raise NotImplementedError


def expect(true: bool, what: str) -> None:
    """End the program with status 1 and a sentence unless ``true``."""
    if not true:
        sys.exit(f"FAILED: {what}")
