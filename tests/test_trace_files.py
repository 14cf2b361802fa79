"""How many files a tap and a frame touch on their ways: layers that only pass things on would show here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tools.trace_files import Tracer, of_a_frame, of_a_tap

A_TAP, A_FRAME = 19, 105
"""As many files at most; if you need one more, look first at which of the others only passes things on."""


@pytest.fixture
def tracer() -> Iterator[Tracer]:
    tracer = Tracer()
    yield tracer
    tracer.close()


def test_a_tap_comes_to_the_journal_through_few_files(tracer: Tracer) -> None:
    """From the request to the commit no more files are touched than are needed to judge, decide and write."""
    files = of_a_tap(tracer)
    assert {"web/pages/acts.py", "referee/referee.py", "match/journal.py"} <= {*files}
    assert len(files) <= A_TAP, files


def test_a_frame_comes_to_the_page_through_few_files(tracer: Tracer) -> None:
    """From the camera through what was laid to the page of the table: so many files at most."""
    files = of_a_frame(tracer)
    assert {"referee/camera_loop.py", "vision/live/tracker.py", "web/live/stream.py"} <= {*files}
    assert len(files) <= A_FRAME, files
