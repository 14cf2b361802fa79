"""The names of the places of a table, as far as everybody may know what lies there."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tabletop.rules.game import Position
from tabletop.rules.layout import Columns
from tabletop.rules.secrecy import known_pieces
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import say

if TYPE_CHECKING:
    from tabletop.web.games.game_ui import AnyUI, Names


class ZoneNames:
    """The names of the places of one position."""

    def __init__(self, position: Position, ui: AnyUI, names: Names) -> None:
        table = position.game.table
        self._ui, self._names, self._position = ui, names, position
        self._layout = position.layout()
        self._titles = {zone.name: zone.title for zone in table.zones(len(position.names))} if table is not None else {}

    @cached_property
    def _known_pieces(self) -> frozenset[str]:
        """The pieces whose place everybody may know."""
        return known_pieces(self._position, None)

    def zone(self, zone: str, seat: int | None = None) -> str:
        """Return a zone as people call it, a seat's own as that ``seat`` does."""
        called = self._ui.place(zone, self._names, seat)
        return called or say(self._titles.get(zone, zone), self._ui.shown(self._names))

    def place(self, value: str) -> str:
        """Return a place in words; ``value`` is the form that is sent, with the lowest piece of its column if any."""
        zone, _bar, lowest = value.partition("/")
        text = self.zone(zone)
        if lowest:
            return _("%(place)s, with %(piece)s", place=text, piece=self._ui.called(lowest))
        return _("%(place)s, on its own", place=text) if isinstance(self._layout.get(zone), Columns) else text

    def home(self, piece: str, zone: str) -> str:
        """Return where the record has a piece; if that is secret, only that it does not lie on the table."""
        return (
            self.place(zone)
            if piece in self._known_pieces or zone not in self._layout.hidden
            else _("not on the table")
        )
