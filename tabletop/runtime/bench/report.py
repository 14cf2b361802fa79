"""The measurements as a table, beside those of the machine that the program was written on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files

from tabletop.runtime.bench.figures import Figure, Measurements

STAND_IN_MARK = "°"
"""Marks a figure in which a part stood in for hardware."""


def reference() -> Measurements:
    """Return the measurements of the machine that the program was written on."""
    text = files("tabletop.runtime.bench").joinpath("reference.json").read_text("utf-8")
    return Measurements.from_json(json.loads(text))


def in_words(here: Measurements, there: Measurements) -> str:
    """Return the measurements ``here`` as lines for a terminal, beside those ``there`` for comparison."""
    lines = [f"here       {_machine(here.machine)}", f"reference  {_machine(there.machine)}", ""]
    lines += [f"{part.name:7} {'real' if part.real else 'NOT real'}: {part.about}" for part in here.parts]
    known = {figure.name: figure for figure in there.figures}
    width = max(len(figure.name) for figure in here.figures)
    lines += ["", f"{'':{width}}  {'median':>10}  {'worst':>9}  {'times':>5}  {'reference':>10}"]
    for figure in here.figures:
        beside = _value(known[figure.name], known[figure.name].median) if figure.name in known else "–"
        values = f"{_value(figure, figure.median):>10}  {_value(figure, figure.worst, bare=True):>9}"
        lines.append(f"{figure.name:{width}}  {values}  {figure.count:>5}  {beside:>10}")
    lines += ["", f"{STAND_IN_MARK} a part stood in for hardware that was not there"]
    return "\n".join([*lines, *here.notes])


def _machine(facts: Mapping[str, str]) -> str:
    return " · ".join(facts.values())


def _value(figure: Figure, value: float, *, bare: bool = False) -> str:
    number = f"{value:.1f}" if value < 100 else f"{value:.0f}"
    return number if bare else f"{number} {figure.unit}{' ' if figure.real else STAND_IN_MARK}"
