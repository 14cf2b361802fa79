"""The guest: a Debian kernel in QEMU on this machine's own files, with a GPIO chip and a camera of its own.

It presents itself as a Pi 5 on a current kernel: by its model, and by chips 11 to 15, the last of which has the header.
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
"""Seconds without output after which a guest counts as hanging; there is no limit on its whole run."""
BOOTS = 2
"""Most starts of a guest: a kernel gives up if a busy machine keeps it waiting at the wrong moment."""
PROCESSOR = "Nehalem"
"""The oldest processor that numpy runs on: with the vector instructions of newer ones, QEMU 7.2 crashes programs."""
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
    """Boot the guest, run a command under ``root`` there, print its output and return its status.

    The status is 99 if there was none: the guest did not start, or was switched off because it fell silent.
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
    """Return the command for QEMU with this kernel, ram disk and kernel options ``words``, without any device yet.

    Two processors are faster on an idle machine, but wait for each other and so take more of its time.
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
    """Print the guest's output once it is up; switch it off when it has been silent for too long.

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
    """Return whether a guest that has closed its console ends by itself."""
    end = time.monotonic() + 10
    while guest.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    return guest.poll() is not None
