"""The guest: a Debian kernel in QEMU on this machine's own files, with a GPIO chip and a camera of its own.

It shows itself as a Pi 5 on a current kernel: by its model, and with chips 11 to 15, of which the last has the header.
"""

from __future__ import annotations

import os
import selectors
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from kernel import Kernel

SILENCE_S = 600
"""A guest that prints nothing for this many seconds hangs; how long it takes as a whole is the machine's business."""
BOOTS = 2
"""How often it is started at most: a kernel gives up where a busy machine lets it wait at the wrong moment."""
PROCESSOR = "Nehalem"
"""The oldest that numpy runs on: with the vectors of newer ones, QEMU 7.2 crashes programs."""
UP = b"the guest is up\r\n"
SCRIPT = """\
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TZ=UTC LG_WD=/tmp PYTHONDONTWRITEBYTECODE=1 {environment}
modprobe -d {tree} gpio-sim
modprobe -d {tree} pi-device-tree
modprobe -d {tree} v4l2loopback video_nr=60 card_label=tablecam
mount -t configfs none /sys/kernel/config
chips=/sys/kernel/config/gpio-sim
bank() {{ mkdir -p $chips/$1/bank$2; echo $3 > $chips/$1/bank$2/num_lines; echo $4 > $chips/$1/bank$2/label; }}
for n in $(seq 0 10); do bank early $n 8 early@$n; done
echo 1 > $chips/early/live
for n in $(seq 11 14); do bank decoys $n 8 gpio-brcmstb@$n; done
echo 1 > $chips/decoys/live
bank pi 0 54 pinctrl-rp1
echo 1 > $chips/pi/live
echo 0 > $chips/early/live
ip link set lo up 2>/dev/null
cd {root}
{command} 2>&1
echo $? > /mnt/out/status
sync
echo o > /proc/sysrq-trigger
while true; do true; done # no program can be read any more
"""


def run(kernel: Kernel, root: Path, environment: Mapping[str, str], command: Sequence[str], processors: int = 1) -> int:
    """Boot the guest and run a command under ``root`` there; print what it says and return its status.

    99 if it gave none: it did not start, or fell silent and was switched off.
    """
    out = kernel.work / "out"
    out.mkdir(exist_ok=True)
    status = out / "status"
    status.unlink(missing_ok=True)
    script = kernel.work / "guest.sh"
    given = " ".join(f"{name}={shlex.quote(value)}" for name, value in environment.items())
    script.write_text(SCRIPT.format(tree=kernel.tree, environment=given, root=root, command=shlex.join(command)))
    for _ in range(BOOTS):
        with subprocess.Popen(
            _qemu(kernel, script, out, processors), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
        ) as guest:
            if _pass_on(guest):
                break
        print("!!! The guest did not come up.", file=sys.stderr, flush=True)
    return int(status.read_text()) if status.exists() else 99


def qemu(kernel: Kernel, ramdisk: Path, words: str, processors: int = 1) -> list[str]:
    """Return what starts QEMU with this kernel and first file system, and ``words`` for the kernel; no device yet.

    Two processors are faster on a machine without other work, but wait for each other: they take more of its time.
    """
    append = f"console=ttyS0 panic=-1 quiet mitigations=off nokaslr random.trust_cpu=on no_timer_check {words}"
    return [
        "qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", PROCESSOR, "-m", "2048", "-smp", str(processors),
        "-nodefaults", "-nographic", "-no-reboot",
        "-kernel", str(kernel.image), "-initrd", str(ramdisk), "-append", append,
    ]  # fmt: skip


def _qemu(kernel: Kernel, script: Path, out: Path, processors: int) -> list[str]:
    words = f"guest={script} luggage={kernel.work / 'luggage.tar'}"
    return [
        *qemu(kernel, kernel.work / "initrd.gz", words, processors),
        "-serial", "stdio",
        "-virtfs", "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap",
        "-virtfs", f"local,path={out},mount_tag=out,security_model=none",
    ]  # fmt: skip


def _pass_on(guest: subprocess.Popen[bytes]) -> bool:
    """Print what the guest says once it is up; switch it off when it has said nothing for too long.

    Returns whether it came up.
    """
    assert guest.stdout is not None
    said, speaks = b"", False
    with selectors.DefaultSelector() as selector:
        selector.register(guest.stdout, selectors.EVENT_READ)
        while selector.select(SILENCE_S) and (part := os.read(guest.stdout.fileno(), 65536)):
            said += part
            if not speaks and UP in said:
                speaks, said = True, said.partition(UP)[2]
            if speaks:
                sys.stdout.write(said.replace(b"\r", b"").decode(errors="replace"))
                sys.stdout.flush()
                said = b""
    if guest.poll() is None and not _ends(guest):
        print(f"\n!!! The guest said nothing for {SILENCE_S} s and was switched off.", file=sys.stderr)
        guest.kill()
    if not speaks:
        print(said.decode(errors="replace"), file=sys.stderr)
    return speaks


def _ends(guest: subprocess.Popen[bytes]) -> bool:
    """Return whether a guest that closed its console ends by itself."""
    end = time.monotonic() + 10
    while guest.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    return guest.poll() is not None
