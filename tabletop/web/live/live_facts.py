"""The facts for the templates of the live pages: those for everybody, for one audience, for one seat.

The context of a template is made of these and of what the game declares (:mod:`tabletop.web.games.game_facts`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NotRequired, TypedDict

from markupsafe import Markup

from tabletop.messages import Declined
from tabletop.referee.snapshot import Snapshot
from tabletop.web.games.game_ui import LogLine, Names
from tabletop.web.http.addresses import WayIn
from tabletop.web.seating.claims import SeatClaim
from tabletop.web.seating.looks import ShownLooks
from tabletop.web.seating.room import Room
from tabletop.web.seating.seat_hints import Hints
from tabletop.web.seating.votes import Refusal, Vote


class TableOffers(TypedDict):
    """What this table can do, for as long as the program runs: read photos, keep games, begin the next one.

    At a ``simulated`` table the program moves the pieces.
    """

    with_photo: bool
    simulated: bool
    with_games: bool
    begins: bool


class CommonFacts(TableOffers, WayIn, ShownLooks):
    """The facts that everybody may know.

    ``concerned`` is the seat that decides or whose hands turn something up; ``deciding`` is the same while the game is
    played, else None.  ``lit`` says that the lights of the panel are shown; ``camera`` is a sentence on its state.
    ``vote_at_panel`` says how a vote is answered there, ``vote_after`` which event would be the last to count after
    it.  ``undo_act`` is the first of the acts that an undo would take back.
    """

    snapshot: Snapshot
    phase: str
    over: bool
    names: Names
    decider: int | None
    active: int
    concerned: int
    deciding: int | None
    lit: bool
    camera: str
    refused: str | None
    refused_rule: str
    explain: Callable[[Declined], str]
    topic_of: Callable[[str], str]
    help: Callable[[str, str], Markup]
    room: Room
    hints: Hints
    confirmed: str
    confirmed_host: bool
    let_in: Callable[[SeatClaim], str]
    vote: Vote | None
    vote_at_panel: str
    vote_refused: Refusal | None
    vote_after: str
    called: Callable[[str], str]
    lines: Sequence[LogLine]
    undo_asked: int | None
    undo_act: LogLine | None
    unknown: Sequence[str]


class AudienceFacts(TypedDict):
    """The further facts for one audience: its seat, whether that decides, the log as it may read it, and prompts.

    ``common_lines`` is the log as everybody may read it, ``together`` the seats of a phone that holds several.
    """

    page: str
    me: int | None
    mine: bool
    status: str
    prompts: Sequence[tuple[str, str]]
    together: tuple[int, ...]
    lines: Sequence[LogLine]
    common_lines: Sequence[LogLine]


class OwnFacts(TypedDict):
    """The further facts for the page of a seat: how far it may undo freely, its lesson, and at the end of the game what
    decided ``ties``.
    """

    lesson: str
    undo_free: int | None
    undo_act: NotRequired[LogLine | None]
    ties: NotRequired[Mapping[int, str]]
