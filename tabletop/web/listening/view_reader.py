"""A view in sentences: each of its facts appears in one of the lines, whatever the view's shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from tabletop.messages import N_
from tabletop.rules.game import Json, Position, View
from tabletop.web.games.game_ui import AnyUI, Names
from tabletop.web.games.rule_options import meaning
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import number

Path = tuple[str, ...]
"""The keys that lead to a place of the view; an item of a list has its number from 0."""

COMMON_PLACES: Mapping[str, str] = {
    "game": N_("Game"),
    "active": N_("Whose turn it is"),
    "turn.phase": N_("Now"),
    "turn.seat": N_("Who decides now"),
}
"""Places that every game has, in words."""
SEAT_PLACES = frozenset({"active", "turn.seat"})
"""Places of every game whose numbers are seats."""
PLAIN_TYPES = (str, int, float, bool, type(None))


class HeardLine(NamedTuple):
    """One line: the place in the view, the label of that place, and what stands there, in words."""

    path: Path
    label: str
    text: str

    @property
    def said(self) -> str:
        """The line as a sentence."""
        return f"{self.label}: {self.text}." if self.label else self.text


class Reader:
    """Reads a game's data to the listener of a ``seat`` (None: a spectator)."""

    def __init__(self, ui: AnyUI, position: Position, names: Names, seat: int | None) -> None:
        self._ui, self._position, self._names, self._seat = ui, position, names, seat
        self._places = {**COMMON_PLACES, **ui.spoken.places}
        self._of_seats = SEAT_PLACES | ui.spoken.seats

    def lines(self, view: View) -> list[HeardLine]:
        """Return the lines of a view, in the order of its data."""
        return list(self._walk(view, ()))

    def value(self, data: Json, path: Path = ()) -> str:
        """Return any data in words: pieces as people call them, lists and objects in their order."""
        if isinstance(data, Mapping):
            items = [f"{self._key(key, path)}: {self.value(item, (*path, key))}" for key, item in data.items()]
            return "; ".join(items) or _("nothing")
        if isinstance(data, list | tuple):
            items = [self.value(item, (*path, str(at))) for at, item in enumerate(data)]
            joined = (", " if all(isinstance(item, PLAIN_TYPES) for item in data) else "; ").join(items)
            return joined or self._plain(None, path)
        return self._plain(data, path)

    def _plain(self, data: Json, path: Path) -> str:
        """Return a number, a word, a name, yes or no, in words."""
        if data is None:
            return _("nobody") if self._counts_seats(path) else _("nothing")
        if isinstance(data, bool):
            return _("yes") if data else _("no")
        if isinstance(data, int):
            is_seat = self._counts_seats(path) and 0 <= data < len(self._names)
            return self._names[data] if is_seat else number(data)
        if path == ("game",) and data == self._ui.name and self._ui.title:
            return _(self._ui.title)
        words, placed = self._ui.spoken.words, f"{'.'.join(path)}={data}"
        return _(words[placed]) if placed in words else self.word(str(data))

    def word(self, text: str) -> str:
        """Return a word of the data as people say it: a piece with what it shows."""
        if text in self._position.game.pieces:
            return self._ui.described(self._position, text)
        return _(self._ui.spoken.words[text]) if text in self._ui.spoken.words else str(self._ui.word(text))

    def _walk(self, data: Json, path: Path) -> Iterator[HeardLine]:
        if len(path) == 2 and path[0] == "options":
            yield HeardLine(path, "", meaning(self._ui, path[1], data, self._names).rstrip(".") + ".")
        elif path and (self._label(path) or _is_flat(data)):
            yield HeardLine(path, self._label(path) or self._by_keys(path), self.value(data, path))
        elif isinstance(data, Mapping):
            for key, value in data.items():
                if not (key == "name" and self._owner(path) is not None and len(path) == 2):
                    yield from self._walk(value, (*path, str(key)))
        else:
            for at, value in enumerate(data):
                yield from self._walk(value, (*path, str(at)))

    def _label(self, path: Path) -> str:
        """Return the game's words for a place, empty if it has none."""
        owner = self._owner(path)
        for pattern, label in self._patterns:
            mine = pattern[0] == "mine"
            if mine and (owner is None or owner != self._seat):
                continue
            if _matches(("seats", "*", *pattern[1:]) if mine else pattern, path):
                last = path[-1]
                at = int(last) + 1 if last.isdigit() else last
                name = self._names[owner] if owner is not None else ""
                return _(label, name=name, number=at, key=self._key(last, path[:-1]))
        return ""

    @cached_property
    def _patterns(self) -> Sequence[tuple[Path, str]]:
        return [(tuple(place.split(".")), label) for place, label in self._places.items()]

    def _by_keys(self, path: Path) -> str:
        """Return a place by its keys alone: a seat's number is its name, an item counts from 1."""
        return ", ".join(self._key(key, path[:at]) for at, key in enumerate(path) if key != "seats")

    def _key(self, key: str, path: Path) -> str:
        """Return one key in words; ``path`` leads to what it is a key of."""
        if key.isdigit():
            seated = path[-1:] == ("seats",) or self._counts_seats(path) or self._is_by_seat(path)
            return self._names[int(key)] if seated and int(key) < len(self._names) else str(int(key) + 1)
        return self._ui.called(key) if key in self._position.game.pieces else self.word(key)

    def _is_by_seat(self, path: Path) -> bool:
        """Return whether a list of the view has an item per seat: one where the listener sees more of its own only."""
        if len(path) != 1:
            return False
        seat = self._seat or 0
        own, public = (self._position.view(who).get(path[0]) for who in (seat, None))
        if not isinstance(own, list) or not isinstance(public, list) or len(own) != len(self._names):
            return False
        return [at for at, pair in enumerate(zip(own, public, strict=True)) if pair[0] != pair[1]] == [seat]

    def _owner(self, path: Path) -> int | None:
        """Return the seat that a place belongs to, None if it is not a seat's."""
        if len(path) > 1 and path[0] == "seats" and path[1].isdigit() and int(path[1]) < len(self._names):
            return int(path[1])
        return None

    def _counts_seats(self, path: Path) -> bool:
        """Return whether the numbers at a place, or in the list that lies there, are seats."""
        return any(".".join(path[:end]) in self._of_seats for end in (len(path), len(path) - 1))


def _matches(pattern: Path, path: Path) -> bool:
    return len(pattern) == len(path) and all(wanted in ("*", key) for wanted, key in zip(pattern, path, strict=True))


def _is_flat(data: Json) -> bool:
    """Return whether data fits in one line: a fact, or a list of facts."""
    if isinstance(data, Mapping):
        return not data
    return not isinstance(data, list) or all(isinstance(item, PLAIN_TYPES) for item in data)
