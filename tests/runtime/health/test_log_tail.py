"""The last lines of the log that a bug report contains."""

from __future__ import annotations

import logging

import pytest

from doubles.meanwhile import meanwhile
from tabletop.runtime.health import log_tail
from tabletop.runtime.health.log_tail import MAX_LOG_LINES, LogTail


def test_only_the_last_lines_of_the_log_are_kept() -> None:
    tail = LogTail()
    with tail.attached():
        for number in range(MAX_LOG_LINES + 10):
            logging.getLogger("tabletop.test").warning("line %d", number)
    logging.getLogger("tabletop.test").warning("too late")
    lines = tail.text().splitlines()
    assert len(lines) == MAX_LOG_LINES
    assert lines[-1].endswith(f"line {MAX_LOG_LINES + 9}")


@pytest.mark.parametrize("number", range(1, 5))
def test_the_log_can_be_read_while_other_threads_log(number: int) -> None:
    """The log can be read while other threads write to it, as when the health page makes a report."""
    tail = LogTail()
    log = logging.getLogger("tabletop.test")
    with tail.attached():
        log.warning("before")
        with meanwhile(log_tail, number, lambda: log.warning("meanwhile")):
            assert "before" in tail.text()


def test_kept_warnings_are_also_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """Kept warnings are also printed to standard error, from which systemd fills the system's log."""
    root = logging.getLogger()
    others, root.handlers = root.handlers, []
    try:
        with LogTail().attached():
            logging.getLogger("tabletop.test").warning("a button hangs")
            logging.getLogger("tabletop.test").info("nothing of note")
    finally:
        root.handlers = others
    assert capsys.readouterr().err == "a button hangs\n"
