"""What the referee remembers from scene to scene: one small class for each thing, with the rules of its updates."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import dist

from tabletop.match.event import Source
from tabletop.match.match import Match
from tabletop.messages import N_, Message
from tabletop.referee.interpretation.interpret import MAX_EARLIER_POSITIONS, Interpretation
from tabletop.referee.interpretation.layout_diff import (
    PieceMove,
    differences,
    moved_pieces,
    newly_laid,
    spots,
    without_pieces,
)
from tabletop.rules.game import Game, Position
from tabletop.rules.layout import Layout, owner
from tabletop.rules.table import OK_BUTTON
from tabletop.vision.scene import Cause, Point, ReadBy, Scene
from tabletop.vision.tags import payloads

SAME_PLACE_MM = 15.0
"""Something unread within this distance, in mm, of where it was before is the same thing: no two tags lie closer."""
UNCLEARED = Message(
    N_("Pieces from the last game are still on the table: put them away. If they are laid out for this one, press OK.")
)
UNDONE = Message(N_("What was undone still lies there: put it back as it was. If it is to count after all, press OK."))


class LastSeen:
    """The tags that were read in any scene since the last event; ``now`` are the pieces read in the current one.

    A piece that was not seen to leave was not laid again.
    """

    def __init__(self) -> None:
        self.now: frozenset[str] = frozenset()
        self._read: frozenset[str] = frozenset()

    def see(self, scene: Scene) -> None:
        """Add the tags that are read in a scene."""
        self._read |= _read(scene)

    def name(self, game: Game, scene: Scene) -> None:
        """Set ``now`` to the pieces of a game that are read in a scene."""
        pieces = (payloads.piece_of(game, payload) for payload in _read(scene))
        self.now = frozenset(piece for piece in pieces if piece is not None)

    def recorded(self, scene: Scene | None) -> None:
        """Start over after an event, with the tags that are read in the current scene."""
        self._read = frozenset() if scene is None else _read(scene)

    def unproven(self, match: Match, scene: Scene) -> frozenset[str]:
        """Return the pieces that seem to have been moved but whose tags were not read since the last event, only kept.

        A tag that was read since counts as well if it is no longer seen although nothing covers its place: the piece
        may have been taken off another one.
        """
        uncovered = {spot.payload for spot in scene.unreadable if spot.reason == Cause.FACE_DOWN}
        kept = {sighting.payload for sighting in scene.sightings if sighting.how == ReadBy.KEPT}
        kept -= self._read - uncovered
        if not kept:
            return frozenset()
        belongs, lies = match.position.layout().zone_of(), scene.layout.zone_of()
        pieces = (payloads.piece_of(match.game, payload) for payload in kept)
        return frozenset(piece for piece in pieces if piece in lies and lies[piece] != belongs.get(piece))


@dataclass
class PastDoubts:
    """The places where something could not be read in a scene since the last event and no tag was read later."""

    places: Sequence[Point] = ()

    def see(self, scene: Scene) -> None:
        """Add the unread places of a scene, and drop those where a tag is read now."""
        read = [(sighting.x, sighting.y) for sighting in scene.sightings if sighting.how != ReadBy.KEPT]
        places = dict.fromkeys((*self.places, *(spot.place for spot in scene.unreadable if not spot.payload)))
        self.places = [place for place in places if all(dist(place, other) >= SAME_PLACE_MM for other in read)]

    def recorded(self, scene: Scene | None) -> None:
        """Start over after an event, with the unread places of the current scene."""
        self.places = ()
        if scene is not None:
            self.see(scene)


@dataclass
class Leftovers:
    """The pieces that undone acts, or the match before this one, left on the table: they are not read as new acts."""

    layout: Layout | None = None
    """The layout that was seen at the undo or at the end of that match; None if nothing is left over."""
    pieces: frozenset[str] = frozenset()
    """The pieces, and the zones of towers, that those acts moved and that still lie there: this does not count as
    moving them again, whatever else is put back first."""
    of_last_match: bool = False
    """Whether the match before this one left them."""

    def undone(self, scene: Scene | None, before: Position, after: Position) -> None:
        """Note that acts were undone, and that the table still shows them."""
        self.layout = scene.layout if scene else None
        self.pieces |= moved_pieces(before.layout(), after.layout())

    def over(self, scene: Scene | None) -> None:
        """Note that the match before this one left the table as in ``scene``: nothing on it was laid for this match."""
        self.layout, self.of_last_match = scene.layout if scene else None, True
        self.pieces = moved_pieces(Layout({}), scene.layout) if scene else frozenset()

    def confirmed(self) -> None:
        """Note an OK: everything on the table counts as it lies, whatever was undone."""
        self.layout, self.pieces, self.of_last_match = None, frozenset(), False

    def without_leftovers(self, position: Position, scene: Scene, reading: Interpretation) -> Interpretation:
        """Return a reading without the acts that only leftovers show, and forget the leftovers that were moved.

        A piece that is not read does not count as moved while the scene is still being read.
        """
        record, seen = position.layout(), scene.layout
        lying = _unmoved(self.pieces, self.layout, seen, record) if self.layout else frozenset()
        self.pieces = self.pieces - seen.zone_of().keys() | lying if scene.seeking else lying
        acts = reading.acts
        moved = moved_pieces(record, acts[-1].position.layout()) if self.pieces and acts else frozenset()
        if moved & self.pieces or (seen == self.layout and not acts):
            if acts and not reading.confirms and not self.of_last_match:
                reading = replace(reading, waiting=UNDONE, confirms=OK_BUTTON)
            reading = replace(reading, acts=(), refused=None, earlier=None, moves=differences(record, seen))
        elif not self.pieces:
            self.layout, self.of_last_match = None, False
        if self.pieces and self.of_last_match:
            reading = replace(reading, question=UNCLEARED, confirms=OK_BUTTON)
        return reading


@dataclass
class Stale:
    """The pieces that acts entered on pages have yet to bring to their places: where they lie shows no new act."""

    layout: Layout = field(default_factory=lambda: Layout({}))
    """The layout that was seen at the last of those acts."""
    pieces: frozenset[str] = frozenset()
    """Those pieces, and the zones of towers."""

    def acted(self, scene: Scene | None, before: Position, after: Position, source: Source) -> None:
        """Note an action; what the camera saw is laid out."""
        if source != Source.CAMERA and scene is not None:
            laid = after.layout()
            in_sight = newly_laid(Layout({}), laid) | laid.keys()
            self.layout, self.pieces = scene.layout, self.pieces | moved_pieces(before.layout(), laid) & in_sight

    def laid_out(self, record: Layout, scene: Scene) -> Scene:
        """Return a scene without these pieces, and with their towers as recorded; forget those that were moved."""
        self.pieces = _unmoved(self.pieces, self.layout, scene.layout, record)
        if not self.pieces:
            return scene
        towers = {zone: record[zone] for zone in self.pieces & record.keys()}
        rest = {zone: without_pieces(there, self.pieces) for zone, there in scene.layout.items()}
        return replace(scene, layout=Layout({**rest, **towers}))

    def to_lay_out(self, record: Layout, seen: Layout, reading: Interpretation) -> Interpretation:
        """Return a reading of the scene without these pieces, with the moves that they need."""
        record = reading.acts[-1].position.layout() if reading.acts else record
        stale = [move for move in differences(record, seen) if not self.pieces.isdisjoint((move.piece, move.belongs))]
        moves = (move for move in reading.moves if move.piece not in self.pieces)
        return replace(reading, moves=(*moves, *stale)) if self.pieces else reading


@dataclass
class LaidOut:
    """The number of the event up to which the table has been laid out, 0 before the first scene.

    While people lay out what was entered on pages, the table shows earlier positions or passes through them: that means
    an undo only once the newest position has been laid out.
    """

    number: int = 0

    def acted(self, number: int, source: Source) -> None:
        """Note an action with the number of its event: what the camera saw is laid out."""
        if source == Source.CAMERA:
            self.number = number

    def without_undo(self, match: Match, seen: Layout, reading: Interpretation) -> Interpretation:
        """Return a reading without the undo that a table suggests on which something has yet to be laid out.

        A table on which nothing has been moved since an event is laid out up to that one, even if it looks as a later
        one would leave it.
        """
        steps = match.steps[-1 - MAX_EARLIER_POSITIONS :]
        self.number = min(self.number, steps[-1].event.number)
        later = [step for step in steps if step.event.number >= self.number]
        reached = next((step for step in later if not differences(step.position.layout(), seen)), later[0])
        self.number = reached.event.number
        if reading.earlier is None or reached.position.layout() == match.position.layout():
            return reading
        return replace(reading, earlier=None)


@dataclass
class UnseenPieces:
    """Pieces that the camera need not see where the record has them."""

    unlaid: frozenset[str] = frozenset()
    """Those that were recorded there without being seen: people have yet to lay them."""
    unproven: frozenset[str] = frozenset()
    """Those that the record had there before anything was seen, or has there again by an undo: they were not taken
    unless an OK confirms an act that takes them."""
    vouched: Mapping[str, str] = field(default_factory=dict)
    """Those that somebody vouched for: piece → zone."""

    @property
    def pieces(self) -> frozenset[str]:
        """All of them."""
        return self.unlaid | self.unproven | self.vouched.keys()

    def see(self, belongs: Mapping[str, str], lies: Mapping[str, str]) -> None:
        """Forget the pieces that lie where they belong now, and vouched pieces that are seen or belong elsewhere."""
        self.unlaid, self.unproven = (
            frozenset(piece for piece in some if lies.get(piece) != belongs.get(piece))
            for some in (self.unlaid, self.unproven)
        )
        self.vouched = {
            piece: zone for piece, zone in self.vouched.items() if piece not in lies and belongs.get(piece) == zone
        }

    def acted(self, scene: Scene | None, before: Position, after: Position, source: Source) -> None:
        """Note an action: pieces that the camera sees are laid, those recorded in another way have yet to be."""
        self.unproven -= moved_pieces(before.layout(), after.layout())
        if source == Source.CAMERA:
            seen = scene.layout.zone_of().keys() if scene else frozenset()
            self.unlaid, self.unproven = self.unlaid - seen, self.unproven - seen
        else:
            self.unlaid |= newly_laid(before.layout(), after.layout())

    def without_vouched(self, reading: Interpretation) -> Interpretation:
        """Return a reading without the moves of pieces that somebody vouched for."""
        if not self.vouched:
            return reading
        return replace(reading, moves=tuple(move for move in reading.moves if move.piece not in self.vouched))


@dataclass
class EarlyCards:
    """Cards that other seats laid in front of them before the deciding seat laid its own: they answer nothing."""

    pieces: frozenset[str] = frozenset()
    since_event: bool = True
    """True until the first scene after an event."""

    def see(self, position: Position, seen: Layout) -> None:
        """Update from a layout: until the deciding seat has laid a card of its hand, all cards of others are early."""
        record, seats = position.layout(), len(position.names)
        hands = {zone: seat for seat in range(seats) for zone in record.hand_zones(seat, seats)}
        homes, zones = record.zone_of(), {*record, *seen}
        laid = {
            piece: seat
            for piece, zone in seen.zone_of().items()
            if (seat := hands.get(homes.get(piece, ""))) is not None and owner(zone, zones, seats) == seat
        }
        others = frozenset(piece for piece, seat in laid.items() if seat != position.decider)
        begun = position.decider in laid.values() and not self.since_event
        self.pieces, self.since_event = self.pieces & others if begun else others, False


@dataclass
class OpenQuestions:
    """The questions that were asked since the last event: a second press answers them."""

    taken: frozenset[str] = frozenset()
    """Pieces that were not seen to leave: are they still there?"""
    gone: frozenset[str] = frozenset()
    """Pieces that seem to have left the game: have they?"""
    unread: Sequence[Point] = ()
    """Places where something cannot be read: does it count?"""


@dataclass
class Untidy:
    """Pieces that lie wrong since an event and have to be tidied up; one that is wrong later was moved by somebody."""

    pieces: frozenset[str] = frozenset()
    since_event: bool = True
    """True until the first reading after an event."""

    def settle(self, moves: Sequence[PieceMove]) -> None:
        """Update from the moves that a reading asks for."""
        astray = frozenset(move.piece for move in moves)
        self.pieces = astray if self.since_event else self.pieces & astray
        self.since_event = False


def _unmoved(pieces: Collection[str], then: Layout, now: Layout, record: Layout) -> frozenset[str]:
    """Return the pieces that lie where they lay ``then``, and not where the record has them.

    A tower, named by its zone, is one of them if it was seen and has only become lower since.
    """
    lay, lie, belongs = spots(then), spots(now), spots(record)

    def stands(zone: str) -> bool:
        floors = now.floors(zone)
        return zone in then and floors == then.floors(zone)[: len(floors)] and floors != record.floors(zone)

    return frozenset(
        piece
        for piece in pieces
        if (stands(piece) if piece in record else lie.get(piece) == lay.get(piece) not in (None, belongs.get(piece)))
    )


def _read(scene: Scene) -> frozenset[str]:
    return frozenset(sighting.payload for sighting in scene.sightings if sighting.how != ReadBy.KEPT)
