"""The log's lines: what happened in the game, and what was decided about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import merge
from typing import NamedTuple

from tabletop.match import happenings
from tabletop.match.event import Event, EventKind, Source
from tabletop.match.match import HINT_NOTE, Step, position_after
from tabletop.messages import N_, listed
from tabletop.rules.game import Action, Around, Game
from tabletop.rules.secrecy import known_pieces
from tabletop.web.games.game_ui import AnyUI, LogLine, Names
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import say

EVENT_SENTENCES: Mapping[str, str] = {
    EventKind.PAUSE: N_("The game is paused."),
    EventKind.RESUME: N_("The game resumes."),
    EventKind.END: N_("The host ended the game early."),
}
"""Kind of event → its sentence, for those that need no facts."""
SOURCE_SENTENCES: Mapping[str, str] = {
    Source.HOST: N_("By the host: %(line)s"),
    Source.PHOTO: N_("From a photo: %(line)s"),
    Source.HOST_PHOTO: N_("By the host, from a photo: %(line)s"),
}
"""Source of an event → how its line says where it comes from."""
NOTE_SENTENCES: Mapping[str, str] = {
    "shown": N_("A photo shows that the pieces lie as the record says."),
    "secret-refused": N_("The host tried to move pieces that not everyone may see: that was refused."),
    "backup": N_("The host saved a backup: it contains the hands of this game."),
}
"""What a note is about → its sentence."""


def line(steps: Sequence[Step], at: int, ui: AnyUI, seat: int | None, names: Names) -> LogLine | None:
    """Return the log's line for a step as one seat (None: a spectator) may read it, or None if it has none."""
    event, position = steps[at]
    around = Around(steps[at - 1].position, position) if at else None
    return _line(event, ui, seat, names, around, steps[: at + 1])


def action_line(
    action: Action,
    doer: int | None,
    ui: AnyUI,
    reader: int | None,
    names: Names,
    game: Game,
    around: Around | None = None,
) -> LogLine:
    """Return the line for an action of a seat (None: of chance), as a reader may know it; it has no number yet."""
    telling = happenings.tell(game, action, doer, reader, around)
    return LogLine(0, telling.seat, say(telling.text, ui.shown(names)), telling.pieces)


def taken_back(event: Event, ui: AnyUI, seat: int | None, names: Names, now: Step) -> LogLine | None:
    """Return the log's line for an event that was undone, worded without the positions before and after it."""
    undone = _line(event, ui, seat, names, None, (now,))
    return replace(undone, text=_("Undone: %(line)s", line=undone.text), undone=True) if undone is not None else None


def _line(
    event: Event, ui: AnyUI, seat: int | None, names: Names, around: Around | None, until: Sequence[Step]
) -> LogLine | None:
    match event.kind:
        case EventKind.ACTION:
            game = until[-1].position.game
            entry = action_line(game.action(dict(event.data)), event.seat, ui, seat, names, game, around)
            return _sourced(replace(entry, number=event.number), event)
        case EventKind.DEPUTY:
            return LogLine(event.number, None, _deputy(event, until[:-1], names))
        case EventKind.POSITION:
            known = known_pieces(position_after(until[-1].position, event), None)
            moved = [piece for piece in event.data["moved"] if piece in known]
            entry = LogLine(event.number, None, _("The record was corrected from the table:"), tuple(moved))
            return _sourced(entry, event) if event.source != Source.HOST else entry
    if event.kind == EventKind.NOTE and event.data["what"] == HINT_NOTE and event.seat is not None:
        return LogLine(event.number, event.seat, _("%(name)s asks for a hint.", name=names[event.seat]))
    is_note = event.kind == EventKind.NOTE
    text = NOTE_SENTENCES.get(str(event.data.get("what"))) if is_note else EVENT_SENTENCES.get(event.kind)
    return LogLine(event.number, None, _(text)) if text else None


def _sourced(told: LogLine, event: Event) -> LogLine:
    """Return a line that also says where its event comes from, if it should."""
    source = SOURCE_SENTENCES.get(event.source)
    return replace(told, text=_(source, line=told.text)) if source else told


class _Told(NamedTuple):
    """An event and its line as each reader may read it, under None for all who read the same."""

    event: Event
    lines: dict[int | None, LogLine | None]


class Log:
    """The log in one language; each event is put into words once for all who read the same."""

    def __init__(self) -> None:
        self._told: tuple[Names, dict[tuple[int, bool], _Told]] = ((), {})

    def newest(
        self, steps: Sequence[Step], undone: Sequence[Event], ui: AnyUI, seat: int | None, names: Names, most: int
    ) -> list[LogLine]:
        """Return the newest lines, newest first, of the events that count and of those in ``undone``."""
        called, known = self._told
        entries: dict[tuple[int, bool], _Told] = {}
        newest: list[LogLine] = []
        for event, at in _newest_first(steps, undone):
            # An event is known by its identity: every match numbers its events from 1.
            key = id(event), at is None
            kept = entries[key] = (known.get(key) if called == names else None) or _Told(event, {})
            reader = None if happenings.is_same_for_all(steps[0].position.game, event) else seat
            if reader not in kept.lines:
                kept.lines[reader] = (
                    taken_back(event, ui, reader, names, steps[-1])
                    if at is None
                    else line(steps, at, ui, reader, names)
                )
            said = kept.lines[reader]
            if said is not None:
                newest.append(said)
            if len(newest) == most:
                break
        self._told = names, entries
        return newest


def _newest_first(steps: Sequence[Step], undone: Sequence[Event]) -> Iterator[tuple[Event, int | None]]:
    """Iterate over the events, newest first, each with its index among the steps, None if it was undone."""
    count = ((steps[at].event, at) for at in reversed(range(len(steps))))
    gone = ((event, None) for event in sorted(undone, key=_number, reverse=True))
    return merge(count, gone, key=lambda pair: pair[0].number, reverse=True)


def _number(event: Event) -> int:
    return event.number


def _deputy(event: Event, before: Sequence[Step], names: Names) -> str:
    """Return the sentence that names the people for whom the host now plays, or no longer plays."""
    newest = next((event for event, _position in reversed(before) if event.kind == EventKind.DEPUTY), None)
    now, then = set(event.data["seats"]), set(newest.data["seats"] if newest is not None else ())
    changed = say(listed([names[seat] for seat in sorted(now - then or then - now)]))
    if now - then:
        return _("The host plays for %(names)s from now on.", names=changed)
    return _("The host no longer plays for %(names)s.", names=changed)
