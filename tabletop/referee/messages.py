"""The referee's own sentences: code → template; the rules' refusals, the table and the camera bring their own.

:class:`Announcements` says what there is to say now, besides the headline.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tabletop.hardware.cameras.camera import CameraState
from tabletop.hardware.panel.buttons import ButtonState
from tabletop.match.event import Event, EventKind
from tabletop.match.match import Match
from tabletop.messages import EMPTY, N_, Declined, Message, PieceRef, SeatRef, join
from tabletop.referee.interpretation.interpret import zones_at
from tabletop.referee.interpretation.scene_state import SceneState
from tabletop.referee.snapshot import Said
from tabletop.rules.game import Game, Position
from tabletop.rules.table import Zone
from tabletop.vision.scene import Cause, Scene

SENTENCES: Mapping[str, str] = {
    "decides": N_("{name} decides: {phase}."),
    "chance": N_("{name}’s turn: {phase}."),
    "over": N_("The game is over."),
    "paused": N_("The game is paused."),
    "halted": N_("The game is paused: the host can resume it."),
    "agrees": N_("The record already says that everything lies there."),
    "secret-place": N_(
        "Hands and other secret places cannot be corrected here: only what everyone can see can be moved."
    ),
    "no-table": N_("This game continues from its record alone: undo, or enter what was done."),
    "unfit-name": N_("A name contains a character that cannot be shown."),
    "ended": N_("The game was ended."),
    "going-on": N_("A game is being played at this table: end it first."),
    "undo-offer": N_("The table looks as it did before: {what}. Press UNDO to undo it, or put things right."),
    "undo-empty": N_("There is nothing to undo."),
    "undone": N_("Undone: {what}. Put the pieces back as they were."),
    "unreadable": N_("{where}: something cannot be read ({reason})."),
    "double": N_("{piece} can be seen in two places; neither counts until one is gone."),
    "stranger": N_("{piece} does not belong to this game: take it off the table."),
    "camera-lost": N_("The camera gives no picture. Meanwhile, enter on the pages what you do at the table."),
    "panel-lost": N_("The game continues on the pages, without buttons and lights. The host’s health page says why."),
    "disk-retry": N_("The table tries again every few seconds."),
    "disk-again": N_("The disk takes the record again, and the game continues. What was refused can be done now."),
    "panel-back": N_("The buttons and lights work again."),
    "button-stuck": N_("The button {button} is held down or stuck and does not count until it is released."),
    "button-loose": N_("The button {button} keeps flickering: is a wire loose?"),
    "button-nothing": N_("{button} does nothing now."),
    "pressed-twice": N_("{button} was pressed twice in a row and counted once. If you meant both, press it again."),
}


UNREADABLE_REASONS: Mapping[Cause, str] = {
    Cause.COVERED: N_("it is covered"),
    Cause.GLARE: N_("there is glare on it"),
    Cause.CUT_OFF: N_("it is only partly in the picture"),
    Cause.TOO_SMALL: N_("it is too small in the picture"),
    Cause.FACE_DOWN: N_("it is face down"),
    Cause.DISAGREE: N_("it can be read in two ways"),
    Cause.FOREIGN: N_("it is not part of this game"),
    Cause.UNKNOWN: N_("no tag can be seen on it"),
}
"""Cause → why something on the table cannot be read."""
UNREADABLE_HELPS: Mapping[Cause, str] = {
    Cause.COVERED: N_("Take away what covers it, or pull it out."),
    Cause.GLARE: N_("Move it out of the reflection, or turn the lamp away."),
    Cause.CUT_OFF: N_("Push it to where the camera sees all of it."),
    Cause.TOO_SMALL: N_("Lay it nearer to the middle of the picture."),
    Cause.FACE_DOWN: N_("Turn it over."),
    Cause.DISAGREE: N_("Push it a little."),
    Cause.UNKNOWN: N_("If it is a piece, push it a little and keep its tag up; if not, take it away."),
}
"""Cause → what people can do about it."""


def say(code: str, **facts: Any) -> Said:
    """Return the sentence with its facts filled in.  Raises KeyError for a code without a sentence."""
    return Said(code, Message(SENTENCES[code], **facts), facts)


def passed_on(code: str, message: Message, **facts: Any) -> Said:
    """Return a sentence that another part made: the game about its table, vision, the journal."""
    return Said(code, message, {"text": message, **facts})


def waiting(position: Position, what: Message) -> Said:
    """Return the sentence on what the table waits for; it speaks to the seat that decides, so others read its name."""
    if position.decider is None:
        return passed_on("waiting", what)
    return passed_on("waiting", Message("{name}: {what}", name=seat_of(position, position.decider), what=what))


def unreadable(reason: Cause, zone: Zone | None) -> Said:
    """Return the sentence that something in a zone, or outside all of them, cannot be read, and what helps."""
    why = Message(UNREADABLE_REASONS[reason]) if reason in UNREADABLE_REASONS else reason
    code, where = "unreadable", Message("Table") if zone is None else zone.title
    text = Message(SENTENCES[code], where=where, reason=why)
    helps = [Message(UNREADABLE_HELPS[reason])] if reason in UNREADABLE_HELPS else []
    return Said(code, join([text, *helps]), {"reason": reason})


def seat_of(position: Position, seat: int) -> SeatRef:
    """Return a seat as a fact of a sentence."""
    return SeatRef(seat, position.names[seat])


def of_scene(match: Match, scene: Scene) -> Iterator[Said]:
    """Iterate over the sentences about a scene: vision's notes, tags seen twice, and what is unread or foreign."""
    yield from (passed_on("note", notice.value) for notice in scene.notices)
    yield from (say("double", piece=PieceRef(payload)) for payload in scene.doubles)
    unread = [spot for spot in scene.unreadable if not spot.payload]
    zones = zones_at(match, scene, [spot.place for spot in unread])
    told = (unreadable(spot.reason, zone) for spot, zone in zip(unread, zones, strict=True))
    yield from {one.text: one for one in told}.values()
    yield from (
        say("stranger", piece=PieceRef(spot.payload)) for spot in scene.unreadable if spot.reason == Cause.FOREIGN
    )


def headline(match: Match) -> Said:
    """Return one sentence saying who decides what, or that nobody does."""
    if match.ended or match.paused:
        return say("ended" if match.ended else "paused")
    position = match.position
    if position.over:
        return say("over")
    if position.decider is None:
        return say("chance", name=seat_of(position, position.active), phase=position.phase)
    return say("decides", name=seat_of(position, position.decider), phase=position.phase)


def news(before: Position, now: Position) -> tuple[Said, ...]:
    """Return what people now have to do that no camera sees, such as taking cards, after the step from ``before``."""
    table = now.game.table
    text = table.news(before, now) if table is not None else EMPTY
    return (passed_on("news", text),) if text else ()


def of_event(code: str, event: Event, game: Game) -> Said:
    """Return a sentence about an event; an action's facts go with it, for pages that show it as a seat may know it."""
    facts = {"act": dict(event.data), "seat": event.seat} if event.kind == EventKind.ACTION else {}
    return say(code, what=event_notation(game, event), **facts)


def event_notation(game: Game, event: Event) -> Message | str:
    """Return what an event was, in the game's short notation; of an action that may be secret only its name."""
    if event.kind == EventKind.ACTION and game.may_be_secret(event.data["do"]):
        return Message("the deal") if event.seat is None else str(event.data["do"])
    if event.kind == EventKind.ACTION:
        return game.format(game.action(dict(event.data)))
    return Message("the correction from the table") if event.kind == EventKind.POSITION else event.kind


class Announcements:
    """The state of the devices and the disk, and the sentences that follow from it.

    ``news`` is what to say about the last event or press; ``trouble`` is the disk's refusal, None if it takes writes;
    ``damage`` is what was wrong with the record when it was opened.
    """

    def __init__(self) -> None:
        self.news: tuple[Said, ...] = ()
        self.trouble: Said | None = None
        self.damage: Message = EMPTY
        self.camera = CameraState.NONE
        self._buttons: dict[str, ButtonState] = {}
        self._no_panel = False

    def take_over(self, earlier: Announcements) -> None:
        """Take over the state of the devices from an earlier match."""
        self.camera, self._buttons, self._no_panel = earlier.camera, earlier._buttons, earlier._no_panel

    def button(self, name: str, state: ButtonState) -> bool:
        """Note the state of a button; return whether it changed."""
        known = self._buttons.get(name, ButtonState.OK)
        self._buttons[name] = state
        return state != known

    def panel(self, there: bool) -> None:
        """Note whether there are buttons and lights; announce it if they are back."""
        if there and self._no_panel:
            self.news = (*self.news, say("panel-back"))
        self._no_panel = not there

    def disk_refusal(self) -> Declined:
        """Return why a request was not recorded."""
        return Declined("journal", self.trouble.text if self.trouble else EMPTY)

    def sentences(self, match: Match, scene_state: SceneState) -> tuple[Said, ...]:
        """Return all there is to say, the most urgent first."""
        scene, reading = scene_state.scene, scene_state.reading
        sentences = [*([self.trouble] if self.trouble else []), *self.news]
        if self.damage:
            sentences.append(passed_on("damaged", self.damage))
        if self.camera is CameraState.LOST:
            sentences.append(say("camera-lost"))
        if self._no_panel:
            sentences.append(say("panel-lost"))
        faulty = {name: state for name, state in self._buttons.items() if state is not ButtonState.OK}
        sentences += [say(f"button-{state}", button=name) for name, state in faulty.items()]
        if reading.earlier is not None:
            back = match.taken_back_by(reading.earlier)
            assert back is not None
            sentences.append(of_event("undo-offer", back, match.game))
        if reading.question:
            sentences.append(passed_on("question", reading.question, doubt=reading.doubt))
        if scene is not None and not (match.paused or match.over):
            sentences += of_scene(match, scene)
        if reading.waiting:
            sentences.append(waiting(match.position, reading.waiting))
        return tuple(sentences)
