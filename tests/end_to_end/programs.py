"""Programs of our own that tests start, ask and end."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]


@contextmanager
def running(*words: str, **more: object) -> Iterator[subprocess.Popen[str]]:
    """Run Python with these arguments as a process, which is killed at the end of the block at the latest."""
    # Write no bytecode: where files may not grow, a cut-off module would be left behind for every later process.
    environment = os.environ | {
        "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        **more,  # type: ignore[call-overload]
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()
