"""``./play hil``: the table's hardware side on real kernel devices, without a Pi.

Boots a Debian kernel in QEMU on this machine's own files (read-only, changes go to memory), beside a simulated GPIO
chip (gpio-sim) and a loopback camera (v4l2loopback), and runs the tests of ``guest/`` there.  Nothing is installed
into the guest and nothing on this machine is changed but the work folder, which keeps the built modules: delete it at
any time.  Exit status: that of the tests; 3 if this machine cannot do it, said loudly.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from kernel import Kernel, NotHere, build, find, need
from ramdisk import pack

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
LIMIT_S = 420
"""Longest life of the guest."""
PI_4B = "c03115"
"""The revision that the guest shows as its own: gpiozero derives the header from it."""

GUEST = """\
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LG_WD=/tmp PYTHONPATH={paths} PYTHONDONTWRITEBYTECODE=1
modprobe -d {tree} gpio-sim
modprobe -d {tree} v4l2loopback video_nr=60 card_label=tablecam exclusive_caps=1
mount -t configfs none /sys/kernel/config
sim=/sys/kernel/config/gpio-sim/pi
mkdir -p $sim/bank0 && echo 54 > $sim/bank0/num_lines && echo pinctrl-bcm2711 > $sim/bank0/label && echo 1 > $sim/live
(cat /proc/cpuinfo; printf '\\nRevision\\t: {revision}\\n') > /tmp/cpuinfo && mount --bind /tmp/cpuinfo /proc/cpuinfo
ip link set lo up 2>/dev/null
cd {root}
timeout {limit} {command} 2>&1
echo $? > /mnt/out/status
sync
echo o > /proc/sysrq-trigger
sleep 5
"""


def main() -> int:
    """Build what is missing, boot, and pass on how the tests ended."""
    parser = argparse.ArgumentParser(prog="./play hil", description="Tests on real kernel devices, in QEMU.")
    default = Path(os.environ.get("TABLETOP_HIL", ROOT / ".hil"))
    parser.add_argument("--work", type=Path, default=default, help="folder that keeps what was built")
    parser.add_argument("tests", nargs="*", help="what to give to pytest; without it every file of guest/")
    options = parser.parse_args()
    begun = time.monotonic()
    work = options.work.resolve()

    def step(text: str) -> None:
        print(f"{time.monotonic() - begun:4.0f} s  {text}", file=sys.stderr, flush=True)

    try:
        need(("qemu-system-x86_64", "qemu-system-x86"), ("busybox", "busybox-static"), ("modprobe", "kmod"),
             ("xz", "xz-utils"), ("make", "build-essential"), ("gcc", "build-essential"))  # fmt: skip
        kernel = find(work)
        build(kernel, step)
        site = pin_library(work)
        pack(kernel, work / "initrd.gz")
    except NotHere as missing:
        print(f"\n!!! The tests on real devices were NOT run: {missing}\n", file=sys.stderr)
        return 3
    tests = options.tests or sorted(str(path) for path in (HERE / "guest").glob("check_*.py"))
    command = [
        str(ROOT / ".venv/bin/python"),
        "-m",
        "pytest",
        "-q",
        "-s",
        "--color=no",
        "-p",
        "no:cacheprovider",
        *tests,
    ]
    step("booting")
    status = boot(kernel, work, site, command)
    step(f"the guest ended with status {status}")
    return status


def pin_library(work: Path) -> Path:
    """Bring lgpio, which comes from apt on a Pi and is in no requirements file, into a folder of its own."""
    site = work / f"site-{sys.version_info[0]}.{sys.version_info[1]}"
    if not (site / "lgpio.py").exists():
        pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps"]
        wanted = [
            "--require-hashes",
            "--only-binary=:all:",
            "--target",
            str(site),
            "-r",
            str(HERE / "requirements.txt"),
        ]
        if subprocess.call([*pip, *wanted], stdout=sys.stderr):
            raise NotHere("the pin library lgpio has no wheel for this Python.")
    return site


def boot(kernel: Kernel, work: Path, site: Path, command: Sequence[str]) -> int:
    """Boot the guest, let it run a command, print what it says; 99 if it gave no answer."""
    out = work / "out"
    out.mkdir(exist_ok=True)
    (out / "status").unlink(missing_ok=True)
    script = work / "guest.sh"
    script.write_text(GUEST.format(
        tree=kernel.tree, paths=f"{site}:{HERE / 'guest'}", root=ROOT, limit=LIMIT_S - 40, revision=PI_4B,
        command=shlex.join(command),
    ))  # fmt: skip
    append = f"console=ttyS0 panic=-1 quiet mitigations=off nokaslr random.trust_cpu=on guest={script}"
    qemu = [
        "timeout", str(LIMIT_S), "qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "max", "-m", "2048",
        "-smp", "2", "-nodefaults", "-nographic", "-no-reboot", "-serial", "stdio",
        "-kernel", str(kernel.image), "-initrd", str(work / "initrd.gz"), "-append", append,
        "-virtfs", "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap",
        "-virtfs", f"local,path={out},mount_tag=out,security_model=none",
    ]  # fmt: skip
    with subprocess.Popen(qemu, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, errors="replace") as guest:
        assert guest.stdout is not None
        speaks = False
        for line in guest.stdout:
            if "guest is up" in line:
                speaks = True
            elif speaks:
                print(line.rstrip("\r\n"), flush=True)
    status = out / "status"
    return int(status.read_text()) if status.exists() else 99


if __name__ == "__main__":
    sys.exit(main())
