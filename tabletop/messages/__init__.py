"""Sentences for people: written once in English, with their facts apart, and rendered in any language at the edge."""

from tabletop.messages.message import N_, Message, MessageError, PieceRef, SeatRef, join, listed, render

__all__ = ["N_", "Message", "MessageError", "PieceRef", "SeatRef", "join", "listed", "render"]
