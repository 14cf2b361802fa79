"""The short notation of an action, as records and logs write it.

``deal 0 FIR3+LUC3+ROM4`` · ``reveal LUC2`` · ``play ROM3`` · ``floor A`` · ``move MIL from A`` · ``skip`` ·
``take LUC2``.
"""

from __future__ import annotations

from tabletop.rules.actions import Deal, Reveal
from tabletop.rules.game import Illegal, Json
from tabletop.rules.patrician.actions import Floor, Move, PatricianAction, Play, Take
from tabletop.rules.patrician.parsing import action
from tabletop.rules.text.notation import join, split, words


def format_action(value: PatricianAction) -> str:
    """Return the action's short notation."""
    match value:
        case Deal(seat, cards):
            rest = f"{seat} {join(cards)}"
        case Reveal(word) | Play(word) | Take(word) | Floor(word):
            rest = word
        case Move(city, site):
            rest = f"{city} from {site}"
        case _:
            rest = ""
    return f"{value.do} {rest}".rstrip()


_SINGLE = {"reveal": "piece", "play": "card", "take": "card", "floor": "site"}


def parse_action(text: str) -> PatricianAction:
    """Return the action of a line of short notation.

    Raises Illegal: ``bad-request`` where it cannot be read, ``unknown-piece`` as in JSON.
    """
    data: Json
    match list(words(text)):
        case [("reveal" | "play" | "take" | "floor") as do, word]:
            data = {"do": do, _SINGLE[do]: word}
        case ["deal", seat, cards] if seat.isascii() and seat.isdigit() and len(seat) < 4:
            data = {"do": "deal", "seat": int(seat), "cards": split(cards)}
        case ["move", city, "from", site]:
            data = {"do": "move", "city": city, "from": site}
        case ["skip"]:
            data = {"do": "skip"}
        case _:
            raise Illegal("bad-request", f"{text[:60]!r} is no action in short notation.")
    return action(data)
