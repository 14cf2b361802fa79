"""The ram disk of a guest: busybox, a few modules, and a script that switches to the real root file system.

The root file system is either this machine's own (``SHARED``) or on the guest's disk (``DISK``).
"""

from __future__ import annotations

import gzip
import lzma
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from kernel import Kernel

APPLETS = ("sh", "mount", "mkdir", "insmod", "switch_root", "sed", "tar", "sleep")


class Change(NamedTuple):
    """How a guest reaches its root file system: the modules needed, and the end of the script."""

    modules: Sequence[str]
    script: str


BEGIN = """\
#!/bin/sh
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
for module in /modules/*; do insmod $module; done
"""
SHARED = Change(
    ("virtio_pci", "9pnet_virtio", "9p", "overlay"),
    """\
mount -t 9p -o trans=virtio,version=9p2000.L,ro,cache=loose,msize=512000 host /lower || exec sh
mount -t tmpfs -o size=1500m tmpfs /upper; mkdir /upper/files /upper/work
said() { sed -n "s/.*$1=\\([^ ]*\\).*/\\1/p" /proc/cmdline; }
tar -xf /lower$(said luggage) -C /upper/files
mount -t overlay -o lowerdir=/lower,upperdir=/upper/files,workdir=/upper/work overlay /newroot || exec sh
script=$(said guest)
for folder in proc sys dev; do mount --move /$folder /newroot/$folder; done
mkdir -p /newroot/dev/pts /newroot/dev/shm /newroot/mnt/out
mount -t devpts devpts /newroot/dev/pts; mount -t tmpfs tmpfs /newroot/dev/shm
mount -t 9p -o trans=virtio,version=9p2000.L,cache=none,msize=512000 out /newroot/mnt/out
echo "the guest is up"
exec switch_root /newroot /bin/bash $script
""",
)
DISK = Change(
    ("virtio_pci", "virtio_blk", "crc32c_generic", "ext4"),
    """\
until [ -b /dev/vda ]; do sleep 1; done
mount -t ext4 -o ro /dev/vda /newroot || exec sh
for folder in proc sys dev; do mount --move /$folder /newroot/$folder; done
exec switch_root /newroot /sbin/init
""",
)


def pack(kernel: Kernel, out: Path, change: Change = SHARED) -> None:
    """Write the compressed ram disk."""
    archive = b"".join(_members(kernel, change)) + _member("TRAILER!!!", 0, b"")
    out.write_bytes(gzip.compress(archive, 1))


def _members(kernel: Kernel, change: Change) -> Iterator[bytes]:
    for folder in ("bin", "proc", "sys", "dev", "newroot", "lower", "upper", "modules"):
        yield _member(folder, 0o040755, b"")
    yield _member("bin/busybox", 0o100755, Path("/bin/busybox").read_bytes())
    for applet in APPLETS:
        yield _member(f"bin/{applet}", 0o120777, b"busybox")
    yield _member("init", 0o100755, (BEGIN + change.script).encode())
    for number, module in enumerate(modules(kernel, change.modules)):
        data = module.read_bytes()
        name = module.name.removesuffix(".xz")
        yield _member(f"modules/{number:02d}-{name}", 0o100644, lzma.decompress(data) if name != module.name else data)


def modules(kernel: Kernel, names: Sequence[str]) -> list[Path]:
    """Return the files of modules, each after those that it depends on."""
    found: dict[Path, None] = {}
    for name in names:
        ask = ["/sbin/modprobe", "-d", str(kernel.tree), "-S", kernel.version, "--show-depends", name]
        told = subprocess.run(ask, capture_output=True, text=True, check=True).stdout
        found |= {Path(line.split()[1]): None for line in told.splitlines() if line.startswith("insmod ")}
    return list(found)


def _member(name: str, mode: int, data: bytes) -> bytes:
    """Return one file as a member of the kernel's cpio format ("newc")."""
    path = name.encode() + b"\0"
    fields = (0, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(path), 0)
    head = b"070701" + b"".join(b"%08X" % field for field in fields) + path
    return head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)
