"""The options of the rules in words: how this table plays where the rules leave a choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tabletop.rules.game import Json, Position
from tabletop.web.games.game_ui import AnyUI, Names
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import plainly


class OptionValue(NamedTuple):
    """A value that an option may have in the next game: as it is sent, what it means, whether it is set now."""

    value: str
    text: str
    now: bool


def choices(position: Position, ui: AnyUI, names: Names) -> list[list[OptionValue]]:
    """Return, for each option that leaves a choice, its possible values in the next game."""
    now = _options(position)
    return [
        [
            OptionValue(f"{option} {number}", meaning(ui, option, value, names), value == now.get(option))
            for number, value in enumerate(values)
            if option != "first_seat" or value < len(names)
        ]
        for option, values in position.game.options.items()
        if values
    ]


def sentences(position: Position, ui: AnyUI, names: Names) -> list[str]:
    """Return what every option of a position means, in one sentence each."""
    return [meaning(ui, option, value, names) for option, value in _options(position).items()]


def _options(position: Position) -> Mapping[str, Json]:
    """Return the options of a position, none for a game without options."""
    options = position.to_json().get("options")
    return options if isinstance(options, dict) else {}


def meaning(ui: AnyUI, option: str, value: Json, names: Names) -> str:
    """Return what an option of this value means, in one sentence."""
    if option == "first_seat" and isinstance(value, int) and value < len(names):
        return _("%(name)s starts.", name=names[value])
    if isinstance(value, str | int) and value in ui.options.get(option, {}):
        return _(ui.options[option][value])
    if option in ui.any_option:
        return _(ui.any_option[option], value=value)
    return f"{option}: {plainly(value)}"
