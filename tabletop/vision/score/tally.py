"""What every tally says: groups of pieces, their points and faults, and what pictures of one seat show together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from tabletop.messages import EMPTY, Message
from tabletop.rules import registry
from tabletop.rules.game import Game, Json
from tabletop.rules.layout import Cell, Layout
from tabletop.rules.registry import Layer
from tabletop.vision.geometry.columns import Placed
from tabletop.vision.geometry.shapes import LyingPiece
from tabletop.vision.photo.counted_pieces import CountedPieces
from tabletop.vision.tags.catalogue import TAG_MM


@dataclass(frozen=True, slots=True)
class BuildingFault:
    """One way in which a group of pieces breaks a building rule."""

    code: str
    """As the refusals of the rules: ``duplicate-floor`` or ``not-on-top``."""
    message: Message
    rule: str = "Building"


@dataclass(frozen=True, slots=True)
class ScoredGroup:
    """Pieces that count together, in the order in which they are listed; ``points`` is None if they break a rule."""

    tiles: tuple[str, ...]
    points: int | None
    faults: tuple[BuildingFault, ...] = ()


class ScorePart(NamedTuple):
    """Points that a seat has beside those of its palazzi: what for, and how many."""

    title: Message
    points: int


class Built(NamedTuple):
    """What the pictures of one seat show together, and which pieces do not count.

    ``contradicting`` are the groups of pieces about which the pictures contradict each other; ``unplaced`` are those
    that lie on no cell that is known, with what to do about it.
    """

    groups: tuple[tuple[str, ...], ...]
    cells: Mapping[str, Cell]
    contradicting: tuple[tuple[str, ...], ...]
    unplaced: Mapping[str, Message] = {}


class Worth(NamedTuple):
    """What one seat's pieces are worth."""

    palazzi: tuple[ScoredGroup, ...]
    parts: tuple[ScorePart, ...] = ()


class PhotoTable(NamedTuple):
    """What one picture shows of the whole table: its pieces, and how they lie in the zones that it shows whole."""

    pieces: Sequence[LyingPiece]
    layout: Layout
    zones: Collection[str] = ()
    """The zones whose markers are seen, by their names."""


@dataclass(frozen=True, slots=True)
class CommonParts:
    """What pictures show that belongs to the table and not to one seat.

    ``parts`` are points of seats (from 0); ``faults`` are sentences about what cannot be counted.
    """

    parts: Mapping[int, Sequence[ScorePart]] = field(default_factory=dict)
    faults: Sequence[Message] = ()


class Tally(CountedPieces):
    """How a game's final table is scored; unless the game says otherwise no piece counts, and all may lie anywhere."""

    kind: ClassVar[str] = ""
    zones: ClassVar[tuple[str, ...]] = ()
    directed: ClassVar[bool] = False
    apart: ClassVar[bool] = False
    everywhere: ClassVar[bool] = False
    compared: ClassVar[bool] = False
    """True if a seat's points depend on what the others have: nobody's are surer than all the others'."""

    @property
    def unseen(self) -> Message:
        """What counts and cannot be seen, as a sentence; empty if everything can."""
        return EMPTY

    def places(self, tags: Sequence[Placed]) -> Sequence[Placed]:
        """Return where the middles of pieces lie whose tags lie there, in the same order."""
        return tags

    def joined(self, seats: Mapping[int, Sequence[Placed]], loose: Sequence[Placed]) -> Mapping[str, int]:
        """Return the owners of pieces that lie in no zone, by the pieces that they stand beside (piece → seat)."""
        return {}

    def built(self, pictures: Sequence[Sequence[Placed]]) -> Built:
        """Return what pictures of one seat show together."""
        return Built((), {}, ())

    def missing_between(self, placed: Sequence[Placed]) -> list[tuple[str, str]]:
        """Return pairs of pieces, lower and upper, between which there is room for one that cannot be read."""
        return []

    def ambiguous_neighbours(self, placed: Sequence[Placed]) -> list[tuple[str, str]]:
        """Return pairs of pieces, lower and upper, of which nobody can tell whether one stands on the other."""
        return []

    def knowing(self, tables: Sequence[PhotoTable]) -> Tally:
        """Return the tally that knows what pictures show upon the pieces that count, and beside them."""
        return self

    def lacking(self, tables: Sequence[PhotoTable]) -> frozenset[str]:
        """Return the pieces that lie on every final table and that no picture shows; none if there are many."""
        return frozenset()

    def common(self, tables: Sequence[PhotoTable], seats: Mapping[int, Built]) -> CommonParts:
        """Return what belongs to the table and not to one seat; ``seats`` is what each is seen to have."""
        return CommonParts()

    def worth(self, seats: Mapping[int, Built]) -> Mapping[int, Worth]:
        """Return what everybody's pieces are worth."""
        return {}

    def size(self, placed: Sequence[Placed]) -> tuple[float, float]:
        """Return height and width in mm of the pieces whose middles lie there."""
        return TAG_MM, TAG_MM

    def sizes(self, placed: Sequence[Placed]) -> Sequence[tuple[float, float]]:
        """Return the heights and widths in mm that the pieces whose middles lie there may have."""
        return [self.size(placed)]


class TallyError(ValueError):
    """A final table cannot be scored as it was asked; the text says why."""


@dataclass(frozen=True, slots=True)
class StatedFacts:
    """What people say about a final table because pictures do not show it."""

    carriers: frozenset[str] = frozenset()
    """The pieces on which one without a tag stands, such as a turret."""
    tokens: Mapping[int, int] = field(default_factory=dict)
    """Seat, from 0 → the points of its tokens."""
    edition: Json = None
    """The data of an edition; None: the shipped one."""
    make: str = ""
    """The make of the pieces; empty if nobody says."""
    options: Mapping[str, Json] = field(default_factory=dict)
    """The options of the rules, those left out by default."""


class Scoring(NamedTuple):
    """What a game says about scoring its final table."""

    tally: Callable[[StatedFacts], Tally]
    """Makes the tally from what people say.  Raises TallyError, or EditionError, for what is impossible."""
    carrier_kind: str = ""
    """The kind of piece on which one without a tag can stand, empty if there is none."""
    tokens: int = 0
    """What all tokens of the game are worth together, 0 if it has none."""
    has_editions: bool = False
    """True if the score depends on the edition."""


SCORINGS: Layer[Scoring] = Layer("tabletop.games.score", "tabletop.vision.score.{game}", "SCORING", Scoring)


def scoring_of(game: Game) -> Scoring:
    """Return how a game's final table is scored.  Raises TallyError if nothing says so."""
    scoring = SCORINGS.part(game.name)
    if scoring is None:
        raise TallyError(f"Nothing says how the final table of {game.title} is scored from pictures.")
    return scoring


def no_such_seat(game: Game, seat: int) -> Message:
    """Return that a game does not have a seat, from 0."""
    most = max(game.seat_range)
    return Message("There is no seat {seat}; {game} has seats 1 to {most}.", seat=seat + 1, game=game.title, most=most)


def scored_games() -> list[Game]:
    """Return the games whose final table is scored from pictures."""
    scored = SCORINGS.parts()
    return [game for game in registry.games()[0] if game.name in scored]
