"""The results of a measurement: figures, the machine, and which of its parts were real; to plain data and back."""

from __future__ import annotations

import os
import platform
import re
import statistics
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tabletop import __version__
from tabletop.hardware.diagnostics import linux

FORMAT_NUMBER = 1
"""The version of the files' format; files of another version are not read."""
MIN_REPEATS = 3
"""The least number of repeats of each measurement, however long they take."""


class BenchError(RuntimeError):
    """This machine cannot be measured, or a file holds no measurements; the text says why."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that was measured ``count`` times: its median and its worst, in ``unit``.

    ``real`` is False if a part stood in for hardware that this machine does not have.
    """

    name: str
    unit: str
    median: float
    worst: float
    count: int
    real: bool = True


@dataclass(frozen=True, slots=True)
class HardwarePart:
    """A part of the table, ``real`` or a stand-in; ``about`` says which part it is, or why it is not real."""

    name: str
    real: bool
    about: str


@dataclass(frozen=True, slots=True)
class Measurements:
    """The measurements of one machine: ``machine`` describes it, ``notes`` are sentences on what was left out."""

    machine: Mapping[str, str]
    parts: tuple[HardwarePart, ...]
    figures: tuple[Figure, ...]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return plain data, without names of people, hosts or networks."""
        return {"format": FORMAT_NUMBER, "tabletop": __version__, **asdict(self)}

    @classmethod
    def from_json(cls, data: Any) -> Measurements:
        """Return the measurements from plain data.  Raises BenchError if they are not."""
        try:
            if data["format"] != FORMAT_NUMBER:
                raise BenchError(f"The measurements have the form {data['format']!r}, not {FORMAT_NUMBER}.")
            return cls(
                {str(name): str(words) for name, words in data["machine"].items()},
                tuple(HardwarePart(**part) for part in data["parts"]),
                tuple(Figure(**figure) for figure in data["figures"]),
                tuple(map(str, data["notes"])),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise BenchError(f"This is not a file of measurements ({error!r}).") from None


def figure(name: str, seconds: Iterable[float], *, unit: str = "ms", real: bool = True) -> Figure:
    """Return the figure of something that took that many seconds each time."""
    spent = [1000 * one if unit == "ms" else one for one in seconds]
    return Figure(name, unit, round(statistics.median(spent), 2), round(max(spent), 2), len(spent), real)


def time_repeatedly(do: Callable[[], object], seconds: float) -> list[float]:
    """Return the seconds of each call of ``do``, as often as fits into ``seconds`` after a first one unmeasured."""
    do()
    spent: list[float] = []
    end = time.perf_counter() + seconds
    while len(spent) < MIN_REPEATS or time.perf_counter() < end:
        begun = time.perf_counter()
        do()
        spent.append(time.perf_counter() - begun)
    return spent


def describe_machine(root: Path = linux.ROOT) -> dict[str, str]:
    """Return what this machine is, in words: board, processor, memory, system, Python."""
    processor = re.search(r"^model name\s*: (.+)$", linux.text_of("proc/cpuinfo", root), re.M)
    return {
        "board": linux.board(root) or "not a Raspberry Pi",
        "processor": f"{processor[1] if processor else platform.machine()}, {os.cpu_count()} cores",
        "memory": f"{linux.memory_mb('MemTotal', root):.0f} MB",
        "system": f"{linux.system_name(root)}, {platform.machine()}",
        "python": platform.python_version(),
    }
