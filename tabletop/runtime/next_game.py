"""The next game: begun by the host's page or at the panel, for the people who are there."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from tabletop.hardware.panel.io import Kind, Press
from tabletop.match.errors import JournalError
from tabletop.referee.desk import Desk
from tabletop.referee.messages import SENTENCES
from tabletop.rules.game import Illegal
from tabletop.runtime.panel_claims import HELD
from tabletop.web.seating.room import Person, Room
from tabletop.web.seating.votes import Votes

log = logging.getLogger(__name__)


class NextGameTable(Protocol):
    """A table at which one game follows another: :class:`~tabletop.app.App`, or a demo around it."""

    @property
    def desk(self) -> Desk:
        """The referee's desk."""

    def begin_next(self, names: Sequence[str], options: Mapping[str, Any]) -> None:
        """Begin the next match of the same game.

        Raises Illegal while one is played and for people or options that the game refuses, JournalError where the disk
        does; then all stays as it is.
        """


class NextGame:
    """Begins the next game at a table once one is over; whoever plays on keeps the phone."""

    def __init__(self, app: NextGameTable, room: Room, votes: Votes) -> None:
        self._app, self._room, self._votes = app, room, votes

    def begin(self, people: Sequence[Person], options: Mapping[str, Any]) -> None:
        """Begin a game with these people and options.

        Raises Illegal while one is played and where the game refuses them, JournalError where the disk does.
        """
        snapshot, names = self._app.desk.snapshot, [one.name for one in people]
        # What can be refused comes first: nobody is moved to another seat for it.
        if not snapshot.over:
            raise Illegal("wrong-phase", SENTENCES["going-on"])
        snapshot.position.game.new(names, options, snapshot.events[0].data.get("edition"))
        # They sit down first: whoever sees the new game sees it from the new seat.
        with self._room.seated(people):
            self._app.begin_next(names, options)
        self._votes.drop()

    def same(self) -> None:
        """Begin a game as the last one with the same people.

        Raises as :meth:`begin`.
        """
        snapshot, called = self._app.desk.snapshot, self._room.names
        people = [Person(called.get(seat, name), seat) for seat, name in enumerate(snapshot.position.names)]
        self.begin(people, snapshot.events[0].data["options"])

    def press(self, press: Press) -> bool:
        """Begin a game as the last one with the same people: OK held down once that is over."""
        if not (self._app.desk.snapshot.over and press.button in HELD and press.kind is Kind.LONG):
            return False
        try:
            self.same()
        except (Illegal, JournalError):
            log.exception("the next game could not be begun")
        return True
