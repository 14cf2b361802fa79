"""What tests of the doctor's probes read from their lists."""

from __future__ import annotations

from collections.abc import Iterable

from tabletop.hardware.diagnostics.check import Check

PI = "Raspberry Pi 5 Model B Rev 1.0"


def one(checks: Iterable[Check]) -> Check:
    (check,) = checks
    return check
