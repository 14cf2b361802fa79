"""The log's lines: what happened in the game, and what was decided about the evening."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tabletop.match.event import Event
from tabletop.web.games.game_ui import GameUI, LogLine, Names
from tabletop.web.i18n import N_
from tabletop.web.i18n import gettext as _

EVENTS: Mapping[str, str] = {
    "pause": N_("The game is paused."),
    "resume": N_("The game goes on."),
    "end": N_("The host ended the game before its time."),
}
"""Kinds of event that need no facts to be told."""
SOURCES: Mapping[str, str] = {
    "host": N_("By the host: %(line)s"),
    "photo": N_("From a photograph: %(line)s"),
    "host-photo": N_("By the host, from a photograph: %(line)s"),
}
"""Where an event comes from, if that is to be told with it."""
NOTES: Mapping[str, str] = {
    "shown": N_("A photograph shows that the pieces lie as the record says."),
    "secret-refused": N_("The host said where pieces lie that not everybody may see: that was refused."),
    "backup": N_("The host saved a backup: the hands of this game are in it."),
}
"""Notes by what they say."""
OUT_OF_SIGHT = ("hand", "deck", "stack")
"""Places in which nobody sees a piece; what was put there is not named."""


def line(
    event: Event, part: GameUI, seat: int | None, names: Names, before: Sequence[Event] = (), *, undone: bool = False
) -> LogLine | None:
    """Return the log's line for an event as one seat may read it (None: a spectator); None: nothing is said of it.

    ``before`` are the events that came before it and count, ``undone`` tells that it was taken back.
    """
    if undone:
        # What was taken back with it is not among the events before: it is told by itself.
        told = line(event, part, seat, names)
        return replace(told, text=_("Taken back: %(line)s", line=told.text), undone=True) if told is not None else None
    match event.kind:
        case "action":
            told = part.line(part.placed(event, before) if before else event, seat, names)
            return _sourced(told, event) if told is not None else None
        case "deputy":
            return LogLine(event.number, None, _deputy(event, before, names))
        case "position":
            moved = [piece for piece, place in event.data["moved"].items() if not place.startswith(OUT_OF_SIGHT)]
            told = LogLine(event.number, None, _("The table was taken as it lies:"), tuple(moved))
            return _sourced(told, event) if event.source != "host" else told
    text = NOTES.get(str(event.data.get("what"))) if event.kind == "note" else EVENTS.get(event.kind)
    return LogLine(event.number, None, _(text)) if text else None


def _sourced(told: LogLine, event: Event) -> LogLine:
    """Return a line with where its event comes from, if that is to be told."""
    source = SOURCES.get(event.source)
    return replace(told, text=_(source, line=told.text)) if source else told


class Log:
    """The log as one seat may read it (None: a spectator), each event put into words once while it is shown."""

    def __init__(self) -> None:
        self._told: tuple[Names, dict[tuple[int, bool], tuple[Event, LogLine | None]]] = ((), {})

    def newest(
        self, events: Sequence[Event], undone: Sequence[Event], part: GameUI, seat: int | None, names: Names, most: int
    ) -> list[LogLine]:
        """Return the newest lines, newest first, of the events that count and those that were taken back in sight."""
        called, known = self._told
        told: dict[tuple[int, bool], tuple[Event, LogLine | None]] = {}
        found: list[LogLine] = []
        gone = set(map(id, undone))
        for event in reversed(sorted((*events, *undone), key=_number) if undone else events):
            # An event is known by its identity: numbers begin anew with the next game.
            key = id(event), id(event) in gone
            kept = known.get(key) if called == names else None
            if kept is None:
                before = events[: bisect_left(events, event.number, key=_number)]
                kept = event, line(event, part, seat, names, before, undone=key[1])
            told[key] = kept
            if kept[1] is not None:
                found.append(kept[1])
            if len(found) == most:
                break
        self._told = names, told
        return found


def _number(event: Event) -> int:
    return event.number


def _deputy(event: Event, before: Sequence[Event], names: Names) -> str:
    """Return for whom the host began to play, or plays no longer."""
    newest = next((one for one in reversed(before) if one.kind == "deputy"), None)
    now, then = set(event.data["seats"]), set(newest.data["seats"] if newest is not None else ())
    changed = ", ".join(names[seat] for seat in sorted(now - then or then - now))
    if now - then:
        return _("The host plays for %(names)s from now on.", names=changed)
    return _("The host plays for %(names)s no longer.", names=changed)
