"""``tabletop referee``: the rules over JSON lines."""

from __future__ import annotations

import sys

import click


@click.command()
def command() -> None:
    """Answer the referee protocol: one JSON request a line on stdin, one JSON answer a line on stdout."""
    from tabletop.rules.protocol import LONGEST_LINE, Referee

    referee = Referee()
    requests = sys.stdin.buffer
    while line := requests.readline(LONGEST_LINE + 2):
        whole = line
        while not line.endswith(b"\n") and (line := requests.readline(LONGEST_LINE)):
            pass  # the rest of a line that is too long is dropped unread
        text = whole.decode("utf-8", errors="replace")
        if text.strip():
            sys.stdout.write(referee.answer_line(text) + "\n")
            sys.stdout.flush()
