"""A table in its own process, to be killed: ``python -m tests.web.served_table FOLDER PORT SEED``.

Referee, journal, seats on disk and pages are real; only the pieces are not.  Chance is drawn from the seed and the
length of the match, so that a table that was killed continues as it would have.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from doubles.pages import CODE, HOST_CODE
from doubles.positions import NAMES
from tabletop.match import store
from tabletop.match.journal import Journal
from tabletop.referee.mailbox import Mailbox
from tabletop.referee.referee import Referee
from tabletop.rules.palazzo import GAME
from tabletop.web.app import create_app
from tabletop.web.pages.session import TableParts
from tabletop.web.seating.room import Room
from tabletop.web.server import Server


def main(folder: Path, port: int, seed: int) -> None:
    store.clean_up(folder)
    path = store.unfinished(folder)
    journal, match = Journal.open(path)[:2] if path else store.start(folder, GAME, NAMES, 0.0)
    referee = Referee(
        match, journal, lambda: 0.0, lambda now: GAME.draw(now.position, random.Random(f"{seed} {now.last}"))
    )
    with Mailbox(referee) as mailbox:
        room = Room(CODE, seats=range(len(NAMES)), host_code=HOST_CODE, store=folder / "seats.json")
        base = f"http://table.local:{port}"
        server = Server(create_app(TableParts(mailbox=mailbox, room=room, addresses=[base])), "127.0.0.1", port)
        print("ready", flush=True)
        server.run()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
