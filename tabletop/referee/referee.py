"""The referee: scenes, presses and requests in; accepted events, lights and sentences out.

Single-threaded and without a clock of its own; :mod:`tabletop.referee.mailbox` puts it behind one mailbox.  Every
accepted action goes to the journal before the snapshot that shows it exists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tabletop.hardware.cameras.camera import CameraState
from tabletop.hardware.panel.buttons import ButtonState, Kind, Press
from tabletop.hardware.panel.lights import Signals
from tabletop.match.errors import JournalError
from tabletop.match.event import ASIDE_KINDS, EventKind, Fact, Source
from tabletop.match.journal import Journal
from tabletop.match.match import HINT_NOTE, Act, Match
from tabletop.messages import Declined, Message, join, said_by
from tabletop.referee import admin
from tabletop.referee.interpretation.interpret import Interpretation
from tabletop.referee.interpretation.layout_diff import PieceMove
from tabletop.referee.interpretation.scene_state import SceneState
from tabletop.referee.messages import Announcements, headline, news, of_event, passed_on, say
from tabletop.referee.pressed import Pressed
from tabletop.referee.signals import signals
from tabletop.referee.snapshot import Answer, Answers, Snapshot
from tabletop.rules.game import Action, Position
from tabletop.vision.scene import Scene

Draw = Callable[[Match], Action]
"""Draws a chance action if no camera shows it (a table played on the pages alone)."""


class Referee:
    """The state machine between the table and the match.

    ``clock`` gives Unix seconds.  ``draw``, if given, decides chance; otherwise the camera or a page reports outcomes.
    """

    def __init__(self, match: Match, journal: Journal, clock: Callable[[], float], draw: Draw | None = None) -> None:
        self._match, self._journal, self._clock, self._draw = match, journal, clock, draw
        self._pressed, self._announced, self._scene_state = Pressed(), Announcements(), SceneState(match.position)
        self._refused: Declined | None = None
        self.answers, self._revision = Answers(), -1
        self._draw_chance()
        self._publish()

    def successor(self, match: Match, journal: Journal) -> Referee:
        """Return the referee of the next match at this table, which keeps the known states of camera and buttons."""
        following = Referee(match, journal, self._clock, self._draw)
        following._revision = self._revision
        following._announced.take_over(self._announced)
        following._scene_state.take_over(self._scene_state)
        following._publish()
        return following

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self._match

    def see(self, scene: Scene) -> None:
        """Interpret a still scene; it answers a waiting OK only if it was seen after it and is read to its end."""
        confirmed = self._pressed.answered_by(scene)
        with self._shown():
            self._scene_state.see(scene, confirmed)
            self._look(confirmed)
            self._publish()

    def press(self, press: Press, light: Callable[[Signals], None] = lambda _: None) -> None:
        """Carry out a press; ``light`` is called with the new lights before the scene is read again."""
        if press.kind is not Kind.PRESS or self._match.halted:
            return
        if not self._pressed.counts(press, self._match.position):
            self.tell(say("pressed-twice", button=press.button).text)
            return
        self._announced.news, self._refused = (), None
        with self._shown():
            if press.button == "OK" and self._announced.camera is CameraState.NONE and not self._scene_state.scene:
                self._refused = self._pressed.without_effect()  # no camera will answer it
            elif press.button == "OK":
                self._pressed.ok(press.time)
            elif press.button == "UNDO":
                self._undo_last()
            else:
                self._press_action(press)
            light(self._signals())
            self._look()
            self._publish()

    def act(self, action: Action, *, on: int, id: str, seat: int | None, source: Source = Source.PAGE) -> Answer:
        """Do an action that a page decided on event number ``on``."""

        def attempt() -> bool:
            position = self._match.position
            if seat is not None and position.decider not in (None, seat):
                raise admin.not_decider(position)
            return self._accept([self._judged(action)], source)

        return self._once(id, on, attempt)

    def undo(self, to: int, *, on: int, id: str, source: Source = Source.PAGE) -> Answer:
        """Undo every event after number ``to``; it is stale only if the game itself went on since event ``on``."""

        def attempt() -> bool:
            self._require_running()
            return self._take_back(to, source)

        return self._once(id, self._match.last if self._match.unchanged_since(on) else on, attempt)

    def adopt(self, places: Mapping[str, str], *, on: int, id: str, source: Source = Source.HOST) -> Answer:
        """Let the table win over the record: pieces lie where ``places`` says, and the game continues from there."""

        def attempt() -> bool:
            try:
                position = admin.adopted_position(self._match, places)
            except admin.Secret:
                self._note_once("secret-refused", source)
                raise
            change = {"position": position.to_json(), "moved": dict(places)}
            if recorded := self._note(EventKind.POSITION, change, source):
                self._forget()
            return recorded

        answer = self._once(id, on, attempt)
        admin.log_adoption(places, source, answer)
        return answer

    def vouch(self, lying: Mapping[str, str], *, on: int, id: str, source: Source) -> Answer:
        """Accept that pieces lie where the record has them: somebody showed what the camera cannot see."""

        def attempt() -> bool:
            admin.require_playing(self._match)
            if recorded := self._note(EventKind.NOTE, {"what": "shown"}, source):
                self._scene_state.vouch(lying)
            return recorded

        return self._once(id, on, attempt)

    def hint(self, seat: int, *, on: int, id: str) -> Answer:
        """Record that the seat which decides asks for a hint, before it gets one: everybody is told."""

        def attempt() -> bool:
            admin.require_playing(self._match)
            if seat != self._match.position.decider:
                raise admin.not_decider(self._match.position)
            return self._note(EventKind.NOTE, {"what": HINT_NOTE}, Source.PAGE, seat)

        return self._once(id, on, attempt)

    def decide(self, kind: EventKind, data: Mapping[str, Any], *, id: str) -> Answer:
        """Record a decision of the host; one that changes nothing does not become an event."""

        def attempt() -> bool:
            if refusal := admin.refusal(self._match, kind, data):
                raise refusal
            if not admin.is_news(self._match, kind, data):
                return True
            recorded = self._note(kind, dict(data), Source.HOST)
            if recorded and kind in (EventKind.PAUSE, EventKind.END):
                self._forget()
            self._draw_chance()
            return recorded

        return self._once(id, None, attempt)

    def camera(self, state: CameraState) -> None:
        """Note the state of the camera."""
        if state != self._announced.camera:
            self._announced.camera = state
            self._publish()

    def button(self, name: str, state: ButtonState) -> None:
        """Note the state of a button."""
        if self._announced.button(name, state):
            self._publish()

    def panel(self, there: bool) -> None:
        """Note whether there are buttons and lights: everybody is told, and can play on the pages if not."""
        self._announced.panel(there)
        self._publish()

    def tell(self, notice: Message) -> None:
        """Tell everybody something that is not about the table, until the next thing happens."""
        self._announced.news = (*self._announced.news, passed_on("notice", notice))
        self._publish()

    @property
    def disk_refuses(self) -> bool:
        """True while the disk is known to refuse writes."""
        return self._announced.trouble is not None

    def try_again(self) -> None:
        """Retry the refused writes that nobody repeats (drawing chance, reading the table); say so once they work."""
        if self._announced.trouble is None:
            return
        with self._shown():
            self._draw_chance()
            if self._announced.trouble is None or self._journal.refusal() is None:
                self._announced.trouble, self._announced.news = None, (say("disk-again"),)
                self._look()
                self._publish()

    def try_disk(self) -> None:
        """If the disk cannot be written to, say so before anybody acts."""
        if error := self._journal.refusal():
            self._refuse(error)

    def damaged(self, what: Message) -> None:
        """Note that the record of this match was damaged when it was opened, and tell everybody."""
        self._announced.damage = what
        self._publish()

    def _press_action(self, press: Press) -> None:
        try:
            action = self._pressed.action(press, self._match.position)
            if action is not None:
                self._accept([self._judged(action)], Source.BUTTON)
        except Declined as refusal:
            self._refused = refusal

    def _undo_last(self) -> None:
        """Undo to the position that the table shows, else drop an intent, else undo the last action and its chance."""
        offered = self._scene_state.reading.earlier
        if offered is not None:
            self._take_back(offered, Source.TABLE)
        elif self._pressed.intent is not None:
            self._pressed.intent = None
        elif (to := self._undo_to()) is not None:
            self._take_back(to, Source.BUTTON)
        else:
            self._announced.news = (say("undo-empty"),)

    def _undo_to(self) -> int | None:
        return self._match.undo_to(drawn=self._draw is not None)

    def _judged(self, action: Action) -> Act:
        """Return the action with the position after it.  Raises Declined if it is illegal, or nothing counts now."""
        self._require_running()
        return Act(action, self._match.position.after(action))

    def _require_running(self) -> None:
        """Raise Declined if nothing counts now: in a pause, or once the game was ended."""
        if self._match.halted and (halted := admin.why_halted(self._match)):
            raise halted

    def _accept(self, acts: Sequence[Act], source: Source) -> bool:
        """Record the actions, then let them count.  Return False, and tell everybody, if the disk refused."""
        asked = position = self._match.position
        facts = []
        for action, following in acts:
            facts.append(Fact(EventKind.ACTION, action.to_json(), position.decider, source, self._clock()))
            position = following
        if not self._record(facts, [act.position for act in acts]):
            return False
        if (position.phase, position.decider) != (asked.phase, asked.decider):
            self._pressed.forget_ok()
        self._scene_state.acted(asked, position, source, self._match.last)
        self._pressed.intent = self._refused = None
        self._announced.news = news(asked, self._match.position)
        self._draw_chance()
        return True

    def _take_back(self, to: int, source: Source) -> bool:
        taken, asked = self._match.taken_back_by(to), self._match.position
        if taken is None:
            raise Declined("bad-request", Message("There is nothing to undo."))
        if not self._note(EventKind.UNDO, {"to": to}, source):
            return False
        self._scene_state.taken_back(asked, self._match.position)
        self._forget()
        self._announced.news = (of_event("undone", taken, self._match.game), *news(asked, self._match.position))
        self._draw_chance()
        return True

    def _forget(self) -> None:
        """Forget what was asked, said and begun: the table is looked at afresh."""
        self._pressed = Pressed()
        self._announced.news, self._refused = (), None
        self._scene_state.forget()

    def _note_once(self, what: str, source: Source) -> None:
        """Record a note that everybody reads, unless the newest event says it already."""
        newest = self._match.events[-1]
        if (newest.kind, newest.data.get("what"), newest.source) != (EventKind.NOTE, what, source):
            self._note(EventKind.NOTE, {"what": what}, source)

    def _note(self, kind: EventKind, data: Mapping[str, Any], source: Source, seat: int | None = None) -> bool:
        """Record something that is not a player's turn; ``seat`` is the seat that asked for it, if one did."""
        return self._record([Fact(kind, data, seat, source, self._clock())])

    def _record(self, facts: Sequence[Fact], positions: Sequence[Position | None] = (None,)) -> bool:
        """Write the facts, then let them count; ``positions`` are those after judged acts, None for other facts."""
        try:
            events = self._journal.append(facts)
        except JournalError as error:
            self._refuse(error)
            return False
        self._announced.trouble = None
        if any(fact.kind not in ASIDE_KINDS for fact in facts):
            self._scene_state.recorded()
        for event, position in zip(events, positions, strict=True):
            self._match = self._match.with_event(event, position)
        return True

    def _refuse(self, error: JournalError) -> None:
        """Tell everybody that the disk refuses; it is tried again."""
        self._announced.trouble = passed_on("journal", join((said_by(error), say("disk-retry").text)))
        self._publish()

    def _draw_chance(self) -> None:
        if self._draw is None or self._match.halted:
            return
        while self._match.position.decider is None and not self._match.position.over:
            act = self._judged(self._draw(self._match))
            drawn = Fact(EventKind.ACTION, act.action.to_json(), None, Source.DRAW, self._clock())
            if not self._record([drawn], [act.position]):
                return

    def _look(self, confirmed: bool = False) -> None:
        """Interpret the last scene from the position as it is now."""
        if self._scene_state.scene is None or self._match.halted:
            return
        before = self._scene_state.reading
        reading = self._scene_state.read(self._match, self._pressed.meant(confirmed), confirmed)
        if reading.acts and not self._accept(reading.acts, Source.CAMERA):
            reading = Interpretation()
        elif confirmed and not reading.answers(before):
            self._refused = self._pressed.without_effect()
        self._scene_state.settle(reading, self._match.position.over)

    def _once(self, id: str, on: int | None, attempt: Callable[[], bool]) -> Answer:
        if (known := self.answers.get(id)) is not None:
            return known
        with self._shown():
            self._draw_chance()  # what could not be drawn while the disk was full is drawn with the next request
            if on is not None and on != self._match.last:
                return Answer(False, self._match.last, stale=True)
            answer = self._answers_to(id, attempt)
            self._look()
            self._publish()
        return answer

    def _answers_to(self, id: str, attempt: Callable[[], bool]) -> Answer:
        """Carry out a request and keep the answer for repeats, unless the disk refused: then a repeat tries again."""
        try:
            if not attempt():
                return Answer(False, self._match.last, error=self._announced.disk_refusal())
            answer = Answer(True, self._match.last)
        except Declined as refusal:
            answer = Answer(False, self._match.last, error=refusal)
        return self.answers.keep(id, answer)

    @contextmanager
    def _shown(self) -> Iterator[None]:
        """Publish what was recorded inside the block, even if something failed after that."""
        try:
            yield
        finally:
            if self.snapshot.match is not self._match:
                self._publish()

    @property
    def wrong(self) -> tuple[PieceMove, ...]:
        """Pieces that were moved without an action: what the referee has to ask about."""
        return self._scene_state.wrong

    def _signals(self) -> Signals:
        state, reading = self._scene_state, self._scene_state.reading
        return signals(
            self._match,
            intent=self._pressed.intent,
            confirms=reading.confirms,
            undo_offered=reading.earlier is not None,
            undoable=self._undo_to() is not None,
            wrong=bool(self._refused or reading.refused or self._announced.trouble or reading.question or state.wrong),
            camera_lost=self._announced.camera is CameraState.LOST,
            missing={move.belongs for move in state.todo} if state.scene is not None else None,
        )

    def _publish(self) -> None:
        self._revision += 1
        state, reading = self._scene_state, self._scene_state.reading
        self.snapshot = Snapshot(
            revision=self._revision,
            match=self._match,
            headline=headline(self._match),
            intent=self._pressed.intent,
            todo=state.todo,
            say=self._announced.sentences(self._match, state),
            refused=reading.refused or self._refused,
            signals=self._signals(),
            camera=self._announced.camera,
            scene=state.scene,
            confirm_from=self._pressed.since,
        )
