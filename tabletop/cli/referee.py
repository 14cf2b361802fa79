"""``tabletop referee``: the rules over JSON lines."""

from __future__ import annotations

import sys

import click


@click.command()
def command() -> None:
    """Speak the referee protocol: JSON lines in, JSON lines out.

    Each line on stdin is a request, and each line on stdout is its answer.  Begin with
    {"cmd": "new", "game": "GAME", "seats": ["Ada", "Ben"], "seed": 7}; then legal, do, undo, position, view, score,
    record, layout.  docs/referee.md describes them all.
    """
    from tabletop.rules.protocol import MAX_REQUEST_BYTES, ProtocolReferee

    referee = ProtocolReferee()
    requests = sys.stdin.buffer
    while line := requests.readline(MAX_REQUEST_BYTES):
        whole = line
        while not line.endswith(b"\n") and (line := requests.readline(MAX_REQUEST_BYTES)):
            pass  # the rest of a line that is too long is dropped unread
        # Some shells put a byte order mark before what they pipe.
        text = whole.decode("utf-8-sig", errors="replace").rstrip("\r\n")
        if text.strip():
            sys.stdout.write(referee.answer_line(text) + "\n")
            sys.stdout.flush()
