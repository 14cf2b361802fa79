"""The options of the rules in words: how this table plays where the rules leave a choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tabletop.messages import N_
from tabletop.rules.game import Json, Position
from tabletop.web.games.game_ui import Names
from tabletop.web.i18n import gettext as _

SENTENCES: Mapping[str, Mapping[Json, str]] = {
    "price_basis": {
        "start_of_buy": N_("A tile just added to the warehouse already lowers the price."),
        "start_of_turn": N_("The price is worked out before the new tile is added."),
    },
    "min_price": {
        0: N_("A tile in the warehouse can be free."),
        1: N_("A tile in the warehouse costs at least 1."),
    },
    "certificates_alone": {
        True: N_("Single certificates may be played on their own."),
        False: N_("Single certificates must be played with a currency card."),
    },
    "handout_discard": {
        True: N_("A tile from the hand-out may be discarded."),
        False: N_("A tile from the hand-out must be built."),
    },
    "tiebreak_groups": {
        True: N_("Groups of three count in the tie-break."),
        False: N_("Groups of three do not count in the tie-break."),
    },
    "move_may_empty_site": {
        True: N_("You may move the only floor of a site."),
        False: N_("You may not move the only floor of a site."),
    },
    "open_heads": {
        True: N_("Everyone may look through all played piles."),
        False: N_("Only the top card of a played pile can be seen."),
    },
    "coin_null": {6: N_("A null coin is worth 6."), 0: N_("A null coin is worth nothing.")},
    "exchange_same_cell": {
        True: N_("An exchange uses the same cell."),
        False: N_("An exchange may put the structure in another cell."),
    },
    "reserve_only_if_unplaceable": {
        True: N_("A bought structure may be kept only if it fits nowhere."),
        False: N_("A bought structure may always be kept."),
    },
    "yard_refill": {
        "end_of_turn": N_("The yard is filled at the end of the turn."),
        "immediate": N_("The yard is filled right after a purchase."),
    },
    "stacks": {
        "synthetic": N_("Which tile is in which stack is made up and may differ from the printed backs."),
        "unknown": N_("It is not known which tile is in which stack; any tile may be turned up."),
    },
    "holes": {
        "enclosed_4": N_("An empty cell must have a way out across edges."),
        "enclosed_8": N_("An empty cell may also open across a corner."),
    },
    "final_action_includes_ender": {
        True: N_("The last buyer also gets a last action."),
        False: N_("The last buyer gets no last action."),
    },
}
"""Option → value → what it means; an option of the same name means the same in every game."""
FREE_SENTENCES: Mapping[str, str] = {
    "stacks": N_("Which tile is in which stack: %(value)s."),
    "architect": N_("The architect starts at quarry %(value)s."),
}
"""Options with any value."""


class OptionValue(NamedTuple):
    """A value that an option may have in the next game: as it is sent, what it means, whether it holds now."""

    value: str
    text: str
    now: bool


def choices(position: Position, names: Names) -> list[list[OptionValue]]:
    """Return, for each option that leaves a choice, what it may be in the next game."""
    now = _options(position)
    return [
        [
            OptionValue(f"{option} {number}", meaning(option, value, names), value == now.get(option))
            for number, value in enumerate(values)
            if option != "first_seat" or value < len(names)
        ]
        for option, values in position.game.options.items()
        if values
    ]


def sentences(position: Position, names: Names) -> list[str]:
    """Return what every option of a position means, in one sentence each."""
    return [meaning(option, value, names) for option, value in _options(position).items()]


def _options(position: Position) -> Mapping[str, Json]:
    """Return the options of a position, none for a game that has no such thing."""
    found = position.to_json().get("options")
    return found if isinstance(found, dict) else {}


def meaning(option: str, value: Json, names: Names) -> str:
    """Return what an option of this value means, in one sentence."""
    if option == "first_seat" and isinstance(value, int) and value < len(names):
        return _("%(name)s starts.", name=names[value])
    if isinstance(value, str | int) and value in SENTENCES.get(option, {}):
        return _(SENTENCES[option][value])
    if option in FREE_SENTENCES:
        return _(FREE_SENTENCES[option], value=value)
    return f"{option}: {value}"
