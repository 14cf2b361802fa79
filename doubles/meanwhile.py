"""Simulates another thread that acts at the worst moment, deterministically."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, ModuleType
from typing import Any


@contextmanager
def meanwhile(module: ModuleType, number: int, act: Callable[[], object]) -> Iterator[None]:
    """Call ``act``, as another thread could, before the ``number``-th line, from 1, that runs in ``module``."""
    left = number

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal left
        if frame.f_code.co_filename != module.__file__:
            return None
        if event == "line":
            left -= 1
            if left == 0:
                act()
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
