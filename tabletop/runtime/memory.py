"""Gives memory back to the system: pictures are large, and neither Python nor the C library frees them at once."""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress


def give_back() -> None:
    """Give unused memory back to the system.

    Python looks for reference cycles only once many objects were made, and a few pictures are not many.  The GNU C
    library keeps memory that was freed between two pictures in an arena per thread; other C libraries have no trim.
    """
    gc.collect()
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
