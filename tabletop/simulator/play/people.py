"""Simulated people, who carry out decisions with hands and buttons, and help a referee that has not understood."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from tabletop.hardware.panel.lights import Pattern
from tabletop.match.event import EventKind
from tabletop.messages import PieceRef
from tabletop.referee.interpretation.interpret import AskedAbout, Doubt
from tabletop.referee.snapshot import Snapshot
from tabletop.rules.game import Action, Json, Position
from tabletop.simulator.table.hands import Elsewhere, Lay, Nudge, Push, Step, TurnLamp, visit
from tabletop.simulator.table.simulated_table import SimulatedTable
from tabletop.simulator.world import World
from tabletop.vision.scene import ReadBy

MAX_TRIES = 6
"""How often people push a piece or press OK again before they enter on a page what they did."""

PUSHES_MM = (1.5, -3.0)
"""How far people push a piece that is not seen, before they lay it elsewhere because in glare no push helps."""
LAMP_TRIES = (3, 5)
"""The tries at which people turn the lamp if the table asks for that."""


class People:
    """The hands of all people at one simulated table.

    ``perform`` carries out steps while the camera watches, ``settle`` leaves the table still until the referee has
    seen it, ``snapshot`` returns what the pages show to people.  They settle ``patience`` times before they help,
    because nobody pushes a piece the moment it is laid.
    """

    def __init__(
        self,
        world: World,
        snapshot: Callable[[], Snapshot],
        perform: Callable[[Sequence[Step]], None],
        settle: Callable[[], None],
        patience: int,
    ) -> None:
        self._world = world
        self._snapshot = snapshot
        self._perform = perform
        self._settle = settle
        self._patience = patience

    def show(self, position: Position, actions: Sequence[Action]) -> list[str]:
        """Do the actions at the table; return the help that the referee needed, each in a few words for debugging.

        The snapshot shows afterwards whether they were understood.
        """
        first = self._snapshot().number
        steps = self._world.steps_for(position, *actions)
        laid = [step.piece for step in steps if isinstance(step, Lay)]
        confirm = steps[-1].button if laid and isinstance(steps[-1], Push) else ""
        self._perform(steps)
        self._settle()
        helped: list[str] = []
        for attempt in range(MAX_TRIES):
            if self._understood(first, actions):
                break
            helped += self._help(attempt, laid, confirm)
        return helped

    def _understood(self, first: int, actions: Sequence[Action]) -> bool:
        """Return whether the actions were accepted after event ``first``, waiting a little if necessary."""
        for _ in range(self._patience):
            if len(accepted_since(self._snapshot(), first)) >= len(actions):
                return True
            self._settle()
        return len(accepted_since(self._snapshot(), first)) >= len(actions)

    def tidy(self) -> None:
        """Put everything where the record says it belongs."""
        self._perform(self._world.tidy_for(self._snapshot().position))

    def _help(self, attempt: int, laid: Sequence[str], confirm: str) -> list[str]:
        """Push pieces that were laid but are not seen, later lay them elsewhere, and confirm again if asked.

        If that does not help and the table speaks of a lamp, it is turned.  Return what was done besides waiting, for
        debugging.
        """
        hidden = self._hidden([*laid, *self._missed()])
        mirrored = any("lamp" in said.text for said in self._snapshot().say)
        if hidden and mirrored and attempt in LAMP_TRIES:
            self._perform([TurnLamp()])
            self._settle()
            return ["turned the lamp"]
        if attempt < len(PUSHES_MM):
            self._perform([Nudge(piece, PUSHES_MM[attempt], 1.0, 2.0) for piece in hidden])
        else:
            position = self._snapshot().position
            seat = position.decider if position.decider is not None else position.active
            self._perform(visit(self._world.table, seat, map(Elsewhere, hidden)))
        self._settle()
        wanted = self._snapshot().signals.get(confirm) is Pattern.SLOW
        doubts = [said.facts["doubt"] for said in self._snapshot().say if said.code == "question"]
        table, unseen = self._world.table, self._hidden(laid)
        if wanted and not any(is_unfounded(doubt, table, unseen) for doubt in doubts if doubt is not None):
            self._perform([Push(confirm)])
            return [f"{confirm} again"]
        return [f"pushed {', '.join(hidden)}"] if hidden else []

    def _hidden(self, laid: Sequence[str]) -> list[str]:
        """Return those of these pieces that lie on the table with a tag that is not seen.

        A tag that is only taken to lie where it lay before is not seen.
        """
        scene, table = self._snapshot().scene, self._world.table
        read = [sighting for sighting in scene.sightings if sighting.how is not ReadBy.KEPT] if scene else []
        seen = {sighting.payload.partition(":")[2] for sighting in read}
        return [
            piece
            for piece in laid
            if piece in table.lying and table.sizes[table.lying[piece].kind].tag and piece.upper() not in seen
        ]

    def _missed(self) -> list[str]:
        """Return the pieces that lie where they belong though the pages call them missing, and those the referee names.

        People pay attention to both.
        """
        snapshot = self._snapshot()
        missed = [move.piece for move in snapshot.todo if not move.lies and self._lies_in(move.piece, move.belongs)]
        named = (fact for said in snapshot.say for fact in said.text.facts.values())
        return missed + [fact for fact in named if isinstance(fact, PieceRef)]

    def _lies_in(self, piece: str, zone: str) -> bool:
        lying = self._world.table.lying.get(piece)
        return lying is not None and lying.zone == zone


def is_unfounded(doubt: Doubt, table: SimulatedTable, unseen: Sequence[str]) -> bool:
    """Return whether OK would be a wrong answer to a doubt of the referee.

    OK means that a piece that may have been taken is there, that a piece that is to leave the game is gone, or that
    something unreadable does not count.  ``unseen`` are the pieces that were laid but are not seen.
    """
    match doubt.about:
        case AskedAbout.TAKEN:
            return not doubt.pieces.isdisjoint(table.away)
        case AskedAbout.GONE:
            return not doubt.pieces.isdisjoint(table.lying)
        case AskedAbout.UNREAD:
            return bool(unseen)


def accepted_since(snapshot: Snapshot, first: int) -> list[str]:
    """Return the actions that were accepted after event ``first``, as text."""
    return [text_of(event.data) for event in snapshot.events if event.number > first and event.kind == EventKind.ACTION]


def text_of(action: Mapping[str, Json]) -> str:
    """Return an action's JSON as text that can be compared."""
    return json.dumps(action, sort_keys=True)
