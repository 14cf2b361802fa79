"""A fault that repeats many times a second is logged once, and again when it changes or returns."""

from __future__ import annotations

import logging

import pytest

from tabletop.hardware.log_once import LogOnce


def test_a_fault_is_logged_when_it_begins_and_not_at_every_try(caplog: pytest.LogCaptureFixture) -> None:
    complaint = LogOnce(logging.getLogger("tabletop.test"), "the lamp could not be lit")
    for _ in range(1000):
        complaint.log(OSError("no pin"))
    complaint.log(OSError("no power"))
    complaint.reset()
    complaint.log(OSError("no power"))
    assert [record.getMessage() for record in caplog.records] == ["the lamp could not be lit"] * 3
    assert [str(record.exc_info[1]) for record in caplog.records if record.exc_info] == [
        "no pin",
        "no power",
        "no power",
    ]
