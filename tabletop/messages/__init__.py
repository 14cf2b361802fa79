"""Sentences for people: written once in English, stored apart from their facts, and rendered in any language."""

from tabletop.messages.declined import Declined
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
    listed_pieces,
    render,
    said_by,
)

__all__ = [
    "EMPTY",
    "N_",
    "Declined",
    "Message",
    "PieceRef",
    "SeatRef",
    "either",
    "foreign",
    "join",
    "listed",
    "listed_pieces",
    "render",
    "said_by",
]
