"""The interface of tallies, which score a game's final table: groups of pieces with their points and faults."""

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
from tabletop.vision.photo.photo_contents import CountedPieces
from tabletop.vision.tags.catalogue import TAG_MM


@dataclass(frozen=True, slots=True)
class BuildingFault:
    """One way in which a group of pieces breaks a building rule."""

    code: str
    """The code of the rules' refusal: ``duplicate-floor`` or ``not-on-top``."""
    message: Message
    rule: str = "Building"


@dataclass(frozen=True, slots=True)
class ScoredGroup:
    """Pieces that count together, in the order in which they are listed; ``points`` is None if they break a rule."""

    tiles: tuple[str, ...]
    points: int | None
    faults: tuple[BuildingFault, ...] = ()


class ScorePart(NamedTuple):
    """Points of a seat besides those of its palazzi: what they are for, and how many."""

    title: Message
    points: int


class Built(NamedTuple):
    """The merged contents of all pictures of one seat, and the pieces that do not count.

    ``contradicting``: the groups of pieces about which the pictures contradict each other; ``unplaced``: the pieces
    without a known cell, with what to do about it.
    """

    groups: tuple[tuple[str, ...], ...]
    cells: Mapping[str, Cell]
    contradicting: tuple[tuple[str, ...], ...]
    unplaced: Mapping[str, Message] = {}


class Worth(NamedTuple):
    """The points of one seat's pieces."""

    palazzi: tuple[ScoredGroup, ...]
    parts: tuple[ScorePart, ...] = ()


class PhotoTable(NamedTuple):
    """What one picture shows of the whole table: its pieces, and the layout of the zones that it shows completely."""

    pieces: Sequence[LyingPiece]
    layout: Layout
    zones: Collection[str] = ()
    """The names of the zones whose markers are seen."""


@dataclass(frozen=True, slots=True)
class CommonParts:
    """The parts of the score that come from the whole table and not from one seat's pieces.

    ``parts``: points by seat (from 0); ``faults``: sentences about what cannot be counted.
    """

    parts: Mapping[int, Sequence[ScorePart]] = field(default_factory=dict)
    faults: Sequence[Message] = ()


class Tally(CountedPieces):
    """Scores a game's final table; by default no piece counts, and pieces may lie anywhere."""

    kind: ClassVar[str] = ""
    zones: ClassVar[tuple[str, ...]] = ()
    directed: ClassVar[bool] = False
    apart: ClassVar[bool] = False
    everywhere: ClassVar[bool] = False
    compared: ClassVar[bool] = False
    """True if a seat's points depend on what the others have, so that any doubt affects all seats."""

    @property
    def carriers(self) -> frozenset[str]:
        """The pieces on which one that may lack a tag stands, such as a turret, as stated or seen."""
        return frozenset()

    @property
    def unseen(self) -> Message:
        """A sentence about things that count but cannot be seen; empty if everything can."""
        return EMPTY

    def places(self, tags: Sequence[Placed]) -> Sequence[Placed]:
        """Return the middles of pieces, given by their tags, in the same order."""
        return tags

    def joined(self, seats: Mapping[int, Sequence[Placed]], loose: Sequence[Placed]) -> Mapping[str, int]:
        """Return piece → seat for loose pieces outside all zones that stand next to a seat's pieces."""
        return {}

    def astride(self, seats: Mapping[int, Sequence[Placed]]) -> Mapping[str, int]:
        """Return piece → another seat, for pieces that stand edge to edge with those of that seat."""
        return {}

    def built(self, pictures: Sequence[Sequence[Placed]]) -> Built:
        """Return the merged contents of pictures of one seat."""
        return Built((), {}, ())

    def missing_between(self, placed: Sequence[Placed]) -> list[tuple[str, str]]:
        """Return pairs of pieces, lower and upper, between which there is room for one that cannot be read."""
        return []

    def ambiguous_neighbours(self, placed: Sequence[Placed]) -> list[tuple[str, str]]:
        """Return pairs of pieces, lower and upper, for which it is ambiguous whether one stands on the other."""
        return []

    def updated_from(self, tables: Sequence[PhotoTable]) -> Tally:
        """Return the tally updated with what the pictures show besides the pieces that count, such as turrets."""
        return self

    def missing_from(self, tables: Sequence[PhotoTable]) -> frozenset[str]:
        """Return the pieces that are on every final table but in no picture; none if there are many."""
        return frozenset()

    def common_parts(self, tables: Sequence[PhotoTable], seats: Mapping[int, Built]) -> CommonParts:
        """Return the parts of the score that come from the whole table; ``seats``: what each seat has built."""
        return CommonParts()

    def worth(self, seats: Mapping[int, Built]) -> Mapping[int, Worth]:
        """Return the worth of each seat's pieces."""
        return {}

    def size(self, placed: Sequence[Placed]) -> tuple[float, float]:
        """Return height and width in mm of the pieces, given by their middles."""
        return TAG_MM, TAG_MM

    def sizes(self, placed: Sequence[Placed]) -> Sequence[tuple[float, float]]:
        """Return the possible heights and widths in mm of the pieces, given by their middles."""
        return [self.size(placed)]


NO_CARRIER = "none"
"""What people state instead of a piece if none carries one without a tag."""


class TallyError(ValueError):
    """A final table cannot be scored as requested; the text says why."""


@dataclass(frozen=True, slots=True)
class StatedFacts:
    """Facts about a final table that people state because pictures do not show them."""

    carriers: frozenset[str] = frozenset()
    """The pieces on which one without a tag stands, such as a turret, or ``NO_CARRIER`` alone."""
    tokens: Mapping[int, int] = field(default_factory=dict)
    """Seat, from 0 → the points of its tokens."""
    edition: Json = None
    """The data of an edition; None: the included one."""
    make: str = ""
    """The make of the pieces; empty if not stated."""
    options: Mapping[str, Json] = field(default_factory=dict)
    """The options of the rules; those left out have their defaults."""


class Scoring(NamedTuple):
    """How a game's final table is scored."""

    tally: Callable[[StatedFacts], Tally]
    """Makes the tally from the stated facts.  Raises TallyError or EditionError if they are impossible."""
    carrier_kind: str = ""
    """The kind of piece on which one without a tag can stand, empty if there is none."""
    tokens: int = 0
    """The total worth of all tokens of the game, 0 if it has none."""
    has_editions: bool = False
    """True if the score depends on the edition."""


SCORINGS: Layer[Scoring] = Layer("tabletop.games.score", "tabletop.vision.score.{game}", "SCORING", Scoring)


def scoring_of(game: Game) -> Scoring:
    """Return how a game's final table is scored.  Raises TallyError if the game does not define it."""
    scoring = SCORINGS.part(game.name)
    if scoring is None:
        raise TallyError(f"Nothing says how the final table of {game.title} is scored from pictures.")
    return scoring


def carriers_of(game: Game) -> list[str]:
    """Return the ids of the pieces on which one without a tag can stand.  Raises TallyError as ``scoring_of`` does."""
    kind = scoring_of(game).carrier_kind
    return [piece.id for piece in game.pieces.values() if kind and piece.kind == kind]


def no_such_seat(game: Game, seat: int) -> Message:
    """Return the sentence that a game does not have a seat, given from 0."""
    most = max(game.seat_range)
    return Message("There is no seat {seat}; {game} has seats 1 to {most}.", seat=seat + 1, game=game.title, most=most)


def scored_games() -> list[Game]:
    """Return the games whose final table can be scored from pictures."""
    scored = SCORINGS.parts()
    return [game for game in registry.games() if game.name in scored]
