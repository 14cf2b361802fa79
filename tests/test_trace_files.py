"""How many files a tap and a frame pass through: layers that only pass things on would show here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.trace_files import Tracer, of_a_frame, of_a_tap

A_TAP, A_FRAME = 19, 108
"""Most files; before raising one, look for a file that only passes things on."""
PAGE = Path(__file__).parents[1] / "docs/decisions/0023-size.md"


@pytest.fixture
def tracer() -> Iterator[Tracer]:
    tracer = Tracer()
    yield tracer
    tracer.close()


def test_a_tap_reaches_the_journal_through_few_files(tracer: Tracer) -> None:
    """A tap goes from the request to the commit through at most 19 files."""
    files = of_a_tap(tracer)
    assert {"web/pages/acts.py", "referee/referee.py", "match/journal.py"} <= {*files}
    assert len(files) <= A_TAP, files


def test_a_frame_reaches_the_page_through_few_files(tracer: Tracer) -> None:
    """A frame goes from the camera to the table's page through at most 108 files."""
    files = of_a_frame(tracer)
    assert {"referee/camera_loop.py", "vision/live/tracker.py", "web/live/stream.py"} <= {*files}
    assert len(files) <= A_FRAME, files


def test_the_decision_about_size_names_both_numbers() -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"A tap passes through {A_TAP} files" in text
    assert f"A frame passes through {A_FRAME};" in text
