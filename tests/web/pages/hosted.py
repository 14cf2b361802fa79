"""A table with a host, and what its phones send and show."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

from doubles.finished_games import NOW
from doubles.pages import Pages, Phone
from doubles.positions import NAMES
from tabletop.match import store
from tabletop.match.archive import Archive
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.journal import Journal
from tabletop.referee.mailbox import Mailbox
from tabletop.referee.referee import Referee
from tabletop.rules.game import Game
from tabletop.rules.palazzo import GAME


class Table:
    """A table with a real referee and a journal, without camera and panel."""

    def __init__(self, folder: Path, game: Game = GAME, actions: int = 60) -> None:
        self.folder = folder
        journal, match = store.start(folder, game, NAMES, NOW)
        rng, position = random.Random(4), match.position
        facts: list[Fact] = []
        while len(facts) < actions or position.decider is None:
            chance = position.decider is None
            action = game.draw(position, rng) if chance else rng.choice(list(position.legal.thrifty()))
            facts.append(Fact(EventKind.ACTION, dict(action.to_json()), position.decider, Source.PAGE, NOW))
            position = position.after(action)
        journal.append(facts)
        journal.close()
        self.open(journal.path)

    def open(self, path: Path, store: Path | None = None) -> None:
        """Start the table on a journal, as after a power cut."""
        self.journal, match, _ = Journal.open(path)
        rng = random.Random(1)
        referee = Referee(match, self.journal, lambda: NOW, lambda match: match.game.draw(match.position, rng))
        self.mailbox = Mailbox(referee).__enter__()
        room = {"store": self.folder / "seats.json"}
        self.pages = Pages(self.mailbox, archive=Archive(self.folder), press=None, room=room)  # type: ignore[arg-type]

    def close(self) -> None:
        self.pages.close()
        self.mailbox.__exit__(None, None, None)
        self.journal.close()

    def restart(self) -> None:
        path = self.journal.path
        self.close()
        self.open(path)


def post(phone: Phone, path: str, **data: Any) -> Any:
    phone.sent += 1
    return phone.post(path, {"id": f"request-{phone.sent:04d}", **data})


def log_of(phone: Phone, path: str = "/") -> str:
    text = phone.get(path).text
    return re.sub(r"<[^>]+>|\s+", " ", text[text.index('id="log"') :])
