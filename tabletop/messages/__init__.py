"""Sentences for people: written once in English, with their facts apart, and rendered in any language at the edge."""

from tabletop.messages.message import (
    EMPTY,
    N_,
    Message,
    PieceRef,
    SeatRef,
    either,
    foreign,
    join,
    listed,
    render,
    said_by,
)

__all__ = ["EMPTY", "N_", "Message", "PieceRef", "SeatRef", "either", "foreign", "join", "listed", "render", "said_by"]
