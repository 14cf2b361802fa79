"""Seats of a served table that the program plays: the pages say which pieces go where, and people move them."""

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
    """Within this context, let the program play the seats that the host gave to it.

    It thinks in a separate process.  It enters its actions as on a page, then waits until people have moved the pieces.
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
