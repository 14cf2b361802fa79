"""What the tracker expects to see of the recorded position."""

from __future__ import annotations

from tabletop.vision.live.tracker_for import awaited_pieces
from tests.rules.palazzo.board import auction


def test_pieces_are_awaited_that_may_be_seen_next() -> None:
    """Awaited are pieces in the open, on their way, or in the hand of the seat that decides, and the tops of piles."""
    position = auction({0: [["C3"]]}, hands=[["R5a"], ["N6a", "G7a"]], seat=1, discards=["C2a", "C2b"])
    waited = awaited_pieces(position)
    assert {"N6a", "G7a", "B5.1", "C3", "C2b"} <= waited
    assert not waited & {"R5a", "C2a", *position.layout().pieces("deck"), *position.layout().pieces("stack1")}
