"""The disk of a guest that runs a whole system: an ext4 image of Debian, dressed up as a Pi."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import ramdisk
from kernel import Kernel

SIZE = "4G"
"""Size of the image, which takes only as much of this machine's disk as is written into it."""
MODULES = ("virtio_net", "pi-device-tree", "v4l2loopback")
PLACED = {
    "etc/fstab": "/dev/vda / ext4 defaults 0 1\n",
    "etc/hostname": "tabletop\n",
    "etc/machine-id": "0123456789abcdef0123456789abcdef\n",
    "etc/systemd/network/80-dhcp.network": "[Match]\nName=en* eth*\n[Network]\nDHCP=ipv4\n",
    "etc/modules-load.d/pi.conf": "pi-device-tree\n",
    "etc/systemd/system/tabletop.service.d/emulated.conf": "[Service]\nTimeoutStartSec=20min\nWatchdogSec=10min\n",
}
"""Files written into the system: its disk and network, a Pi's board, and time-outs long enough for emulation."""
WRITE = 'mount --bind "$1" /mnt; exec mkfs.ext4 -q -d /mnt "$2" "$3"'
"""Makes the image from a second mount of the folder, which leaves out whatever the machine has mounted inside it."""
NETWORK = "systemd-networkd.service"


def make(kernel: Kernel, root: Path, image: Path) -> None:
    """Write an image of the system in a folder; the folder itself is changed, because a guest needs some more files."""
    for name, text in PLACED.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    wanted = root / "etc/systemd/system/multi-user.target.wants"
    wanted.mkdir(exist_ok=True)
    (wanted / NETWORK).symlink_to(f"/usr/lib/systemd/system/{NETWORK}")
    _modules(kernel, root)
    with image.open("wb"):
        subprocess.run(["unshare", "--mount", "sh", "-ec", WRITE, "sh", str(root), str(image), SIZE], check=True)


def _modules(kernel: Kernel, root: Path) -> None:
    """Copy the modules and make them loadable by the names of their devices."""
    place = f"lib/modules/{kernel.version}"
    for module in ramdisk.modules(kernel, MODULES):
        there = root / "usr" / module.relative_to(kernel.tree)
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(module, there)
    for name in ("modules.builtin", "modules.builtin.modinfo", "modules.order"):
        shutil.copy(kernel.tree / place / name, root / "usr" / place)
    subprocess.run(["depmod", "-b", str(root / "usr"), kernel.version], check=True)
