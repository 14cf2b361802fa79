"""How the referee follows what is seen from scene to scene: what is new, what is known, what it asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import dist

from tabletop.match.event import Source
from tabletop.match.match import Match
from tabletop.messages import EMPTY, Message, listed_pieces
from tabletop.referee.interpretation.interpret import (
    AskedAbout,
    Doubt,
    Interpretation,
    discarded_pieces,
    interpret,
    unread_buildings,
    unread_shown,
)
from tabletop.referee.interpretation.layout_diff import PieceMove, differences, moved_pieces, newly_laid, without_pieces
from tabletop.referee.interpretation.scene_memory import (
    SAME_PLACE_MM,
    EarlyCards,
    LaidOut,
    LastSeen,
    Leftovers,
    OpenQuestions,
    PastDoubts,
    Stale,
    UnseenPieces,
    Untidy,
)
from tabletop.rules.game import Position
from tabletop.rules.layout import Layout
from tabletop.vision.scene import Scene
from tabletop.vision.tags import payloads


class SceneState:
    """The last scene, its reading, and what is remembered of the table so that it is not taken for news.

    Attributes:
        scene: the last still scene, None before the first.
        reading: what it means, once its actions have been carried out.
    """

    def __init__(self, position: Position) -> None:
        self.scene: Scene | None = None
        self.reading = Interpretation()
        self._confirmed = False
        self._last_seen = LastSeen()
        self._doubted = PastDoubts()
        self._leftovers, self._laid_out, self._stale = Leftovers(), LaidOut(), Stale()
        self._counted: Layout | None = None
        """The layout when an OK counted: until it changes, another OK may be an accidental second press."""
        self._unseen = UnseenPieces(unproven=newly_laid(Layout({}), position.layout()))
        self._asked = OpenQuestions()
        self._early = EarlyCards()
        self._untidy = Untidy()

    @property
    def wrong(self) -> tuple[PieceMove, ...]:
        """Pieces that were moved without an action: what the referee has to ask about.

        While the scene is still being read, only pieces that are read now count: another one may not have been found
        yet, or lie under one that has not.
        """
        seeking = self.scene is not None and self.scene.seeking
        moves = (move for move in self.reading.moves if move.piece in self._last_seen.now or not seeking)
        return tuple(move for move in moves if move.piece not in self._untidy.pieces)

    @property
    def todo(self) -> tuple[PieceMove, ...]:
        """The pieces to move: first those moved without an action, with the rule; then those to tidy up, without it."""
        tidying = [replace(move, rule=EMPTY) for move in self.reading.moves if move.piece in self._untidy.pieces]
        return (*self.wrong, *tidying)

    def take_over(self, earlier: SceneState) -> None:
        """Note what an earlier match left on the table: it has to be cleared away and was not laid for this match."""
        self._leftovers.over(earlier.scene)

    def see(self, scene: Scene, confirmed: bool) -> None:
        """Take in a new scene; in one that answers an OK nothing counts as left over."""
        self.scene, self._confirmed = scene, confirmed
        self._last_seen.see(scene)
        self._doubted.see(scene)
        if confirmed:
            self._leftovers.confirmed()

    def read(self, match: Match, intent: str | None, confirmed: bool) -> Interpretation:
        """Return what the last scene means for the match as it is now; there must have been a scene."""
        assert self.scene is not None
        if self.scene.seeking:
            self._last_seen.name(match.game, self.scene)
        position, seen = match.position, self.scene.layout
        self._unseen.see(position.layout().zone_of(), seen.zone_of())
        self._early.see(position, seen)
        scene = self._stale.laid_out(position.layout(), self.scene)
        reading = self._proven(match, scene, intent, confirmed)
        reading = reading if confirmed else self._without_early(match, scene.layout, intent, reading)
        reading = self._stale.to_lay_out(position.layout(), seen, reading)
        reading = self._leftovers.without_leftovers(position, self.scene, reading)
        reading = self._laid_out.without_undo(match, seen, reading)
        reading = self._unseen.without_vouched(reading)
        again = _button(match.position, intent)
        return self._sure(match, self.scene, self._shown(match, self.scene, reading, again, confirmed), again)

    def settle(self, reading: Interpretation, over: bool) -> None:
        """Keep a reading as the meaning of the scene, once its actions have been carried out.

        Once the game is ``over`` its pieces are cleared away: none of them lies where it should not.
        """
        self.reading = replace(reading, moves=()) if over else reading
        self._untidy.settle(reading.moves)

    def recorded(self) -> None:
        """Note that an event was recorded."""
        self._untidy.since_event = self._early.since_event = True
        self._asked = OpenQuestions()
        self._last_seen.recorded(self.scene)
        self._doubted.recorded(self.scene)

    def acted(self, before: Position, after: Position, source: Source, number: int) -> None:
        """Note an action with the number of its event: one that the camera saw is laid out, any other has yet to be."""
        scene = self.scene
        self._counted = scene.layout if self._confirmed and source == Source.CAMERA and scene is not None else None
        self._laid_out.acted(number, source)
        self._stale.acted(scene, before, after, source)
        self._unseen.acted(scene, before, after, source)

    def taken_back(self, before: Position, after: Position) -> None:
        """Note that acts were undone: the table still shows them, and they are not read again until it changes.

        Pieces that have yet to be put back do not count as taken again if something else is tidied up first.
        """
        self._counted = None
        self._leftovers.undone(self.scene, before, after)
        self._unseen.unproven |= newly_laid(before.layout(), after.layout())

    def vouch(self, lying: Mapping[str, str]) -> None:
        """Believe that pieces lie in these zones, as the record says, until the camera sees them or the record moves.

        It is no longer news that the camera cannot see them there.
        """
        self._unseen.vouched = {**self._unseen.vouched, **lying}

    def forget(self) -> None:
        """Forget the last reading."""
        self.reading = Interpretation()

    def _proven(self, match: Match, scene: Scene, intent: str | None, confirmed: bool) -> Interpretation:
        """Read a scene; ask if the outcome depends on pieces that nobody saw there since the last event.

        Such a piece may be gone without having been seen to leave; a second press says that it is there.
        """
        seen, doubted = scene.layout, self._last_seen.unproven(match, scene)
        # If a copy of a piece is seen elsewhere, it or its copy lies where it lay: it was not taken away.
        copied = {piece for tag in scene.doubles if (piece := payloads.piece_of(match.game, tag))}
        unseen = self._unseen.pieces | copied
        reading = interpret(match, seen, intent, confirmed, unseen)
        if confirmed and not reading.refused and (taken := self._taken(match, seen, intent, unseen)):
            without = interpret(match, seen, intent, confirmed, unseen - taken)
            if not reading.acts:
                reading, unseen = without, unseen - taken
            elif without.acts:  # nobody knows whether they were taken as well
                doubted, unseen = doubted | taken, unseen - taken
        if not doubted or (confirmed and doubted == self._asked.taken):
            return reading
        rest = Layout({zone: without_pieces(there, doubted) for zone, there in seen.items()})
        other = interpret(match, rest, intent, confirmed, unseen)
        if _does(reading) == _does(other):
            return reading
        if not confirmed and not other.acts:
            return other
        self._asked.taken = doubted
        what, button = listed_pieces(sorted(doubted)), _button(match.position, intent)
        text = Message(
            "{what} can no longer be seen where it was put. If {what} is still there, press {button}; if not, enter on "
            "a page what was done.",
            what=what,
            button=button,
        )
        doubt, confirms = Doubt(AskedAbout.TAKEN, doubted), frozenset({button})
        return replace(reading, acts=(), refused=None, question=text, confirms=confirms, doubt=doubt)

    def _without_early(self, match: Match, seen: Layout, intent: str | None, reading: Interpretation) -> Interpretation:
        """Return a reading whose first act does not depend on cards that other seats laid too early."""
        early = self._early.pieces
        if not early or not (reading.acts or reading.refused):
            return reading
        rest = Layout({zone: without_pieces(there, early) for zone, there in seen.items()})
        other = interpret(match, rest, intent, False, self._unseen.pieces)
        if (reading.acts[:1] or _does(reading)) == (other.acts[:1] or _does(other)):
            return reading
        astray = (move for move in differences(match.position.layout(), seen) if move.piece in early)
        return replace(other, moves=(*other.moves, *astray))

    def _taken(self, match: Match, seen: Layout, intent: str | None, unseen: frozenset[str]) -> frozenset[str]:
        """Return the ``unseen`` pieces that an act confirmed by OK took, though the camera never saw them there.

        Empty if anything else lies astray: then nobody can know which of them were taken.
        """
        position, unproven = match.position, self._unseen.unproven - seen.zone_of().keys()
        if not unproven:
            return unproven
        reading = interpret(match, seen, intent, True, unseen - unproven)
        if not reading.acts:
            return unproven if reading.refused else frozenset()
        moved = moved_pieces(position.layout(), reading.acts[0].position.layout())
        astray = {move.piece for move in differences(position.layout(), seen)}
        return moved & unproven if astray <= moved else frozenset()

    def _shown(
        self, match: Match, scene: Scene, reading: Interpretation, button: str, confirmed: bool
    ) -> Interpretation:
        """Ask before a press counts, or is refused, while something cannot be read where its seat shows what it holds.

        It may be part of the payment; a second press is the answer.  The same goes for what could not be read there
        before and is no longer seen: no refusal may rest on that either.
        """
        past = self._doubted.places if reading.refused else ()
        unread = unread_shown(match, scene, past) if confirmed and (reading.acts or reading.refused) else []
        if all(any(dist(place, other) < SAME_PLACE_MM for other in self._asked.unread) for _, place in unread):
            return reading
        self._asked.unread = [place for _, place in unread]
        text = Message(
            "{zone}: something there cannot be read. Push it a little, or lay it elsewhere. If it does not count, "
            "press {button} again.",
            zone=unread[0][0].title,
            button=button,
        )
        doubt, confirms = Doubt(AskedAbout.UNREAD), frozenset({button})
        return replace(reading, acts=(), refused=None, question=text, confirms=confirms, doubt=doubt)

    def _sure(self, match: Match, scene: Scene, reading: Interpretation, button: str) -> Interpretation:
        """Ask before a piece leaves the game unseen while something that was built cannot be read: it may lie there.

        Ask as well if nothing was moved since an OK counted: it may have been pressed twice, with the piece still in a
        hand.  Another press is the answer.
        """
        gone = discarded_pieces(match.position, reading.acts)
        if not gone or gone == self._asked.gone:
            return reading
        unread, twice = unread_buildings(match, scene), scene.layout == self._counted
        if not (unread or twice):
            return reading
        self._asked.gone = gone
        what, confirms = listed_pieces(sorted(gone)), frozenset({button})
        if not unread:
            text = Message(
                "{button} was pressed again before anything was moved. If {what} is really to leave the game, press "
                "{button} once more.",
                button=button,
                what=what,
            )
            return replace(reading, acts=(), waiting=text, confirms=confirms)
        text = Message(
            "{what} cannot be seen, but something on the table cannot be read. If {what} is really gone, press "
            "{button}.",
            what=what,
            button=button,
        )
        doubt = Doubt(AskedAbout.GONE, gone)
        return replace(reading, acts=(), question=text, confirms=confirms, doubt=doubt)


def _button(position: Position, intent: str | None) -> str:
    """Return the button that confirms an intent: the one that finishes it, otherwise OK."""
    meanings = position.game.buttons.get(position.phase, {})
    return next((name for name, meaning in meanings.items() if meaning.finishes and meaning.does == intent), "OK")


def _does(reading: Interpretation) -> tuple[object, ...]:
    """Return the outcome of a reading, to compare with another's: its acts, and the code of its refusal."""
    return reading.acts, reading.refused.code if reading.refused else ""
