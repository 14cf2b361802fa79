"""Seats of a served table that the program plays: people move the pieces, and the pages say which and where to."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

from tabletop.bots.thinking.bot_process import BotProcess
from tabletop.referee.mailbox import Mailbox
from tabletop.simulator.play.table_bots import PageBots
from tabletop.web.seating.room import Room


@contextmanager
def bots_in_seats(room: Room, mailbox: Mailbox, game: str, speed: float = 1.0) -> Iterator[None]:
    """Let the program play, as long as this lasts, the seats for which the host chose that.

    It thinks in a process of its own.  What it does is said as on a page; then it waits until its
    pieces have been moved.
    """
    thinking = BotProcess(game)

    def people_play(seat: int) -> bool:
        return seat not in room.seating.bots or seat in room.seating.taken or seat in mailbox.snapshot.match.deputed

    bots = PageBots(mailbox, lambda seat: thinking.bot(room.seating.bots[seat]), people_play, random.Random(), speed)
    bots.start()
    try:
        yield
    finally:
        bots.stop()
        thinking.close()
