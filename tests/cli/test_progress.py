"""Slow commands report progress on standard error; fast ones stay silent."""

from __future__ import annotations

import threading

import pytest

from tabletop.cli.common.progress import Progress, report_if_slow


def test_slow_work_reports_progress(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    told = threading.Event()

    def echo(text: str, err: bool) -> None:
        print(text)
        told.set()

    monkeypatch.setattr("tabletop.cli.common.progress.click.echo", echo)
    with report_if_slow("Reading a.jpg", patience=0.0):
        assert told.wait(20)
    assert capsys.readouterr().out == "Reading a.jpg …\n"


def test_quick_work_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with report_if_slow("Reading a.jpg", patience=600.0):
        pass
    assert capsys.readouterr().err == ""


def test_slow_steps_are_reported_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    """A line is printed after every tenth of the work, and whenever the last line is older than people like to wait."""
    times = iter([0.0, 5.0, 21.0, 30.0, 31.0])
    progress = Progress(10, lambda: next(times))
    for done in (1, 2, 9, 10):
        progress.tell(done, f"{done} of 20")
    assert capsys.readouterr().err == "2 of 20\n10 of 20\n"
