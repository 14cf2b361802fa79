"""Runs the probes that find out whether this machine is fit to run a table; each tries the real thing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tabletop.hardware.diagnostics import probes, probes_table
from tabletop.hardware.diagnostics.check import Check, CheckState, Probe, ProbedMachine
from tabletop.messages import Message


def examine(machine: ProbedMachine, instead: Mapping[str, Probe] | None = None) -> list[Check]:
    """Run every probe, in the order in which faults should be fixed.

    ``instead`` maps names of probes to replacements: a table that is being served already holds pins, camera and port.
    Raises ValueError for a name that no probe has.
    """
    named, instead = {**probes.ALL, **probes_table.ALL}, instead or {}
    if unknown := instead.keys() - named.keys():
        raise ValueError(f"There are no such probes: {', '.join(sorted(unknown))}")
    checks: list[Check] = []
    for name, probe in {**named, **instead}.items():
        try:
            checks += probe(machine)
        except Exception as error:
            checks.append(
                Check(
                    name,
                    CheckState.FAULT,
                    Message("could not be checked: {error}.", error=repr(error)),
                    Message("Please report this."),
                )
            )
    return checks


def fit(checks: Iterable[Check]) -> bool:
    """Return whether there is no fault among the checks."""
    return all(check.state is not CheckState.FAULT for check in checks)
