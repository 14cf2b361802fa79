"""How a seat looks on the pages: the colour and mark that its player chose, or the first ones that are free."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypedDict

from tabletop.messages import N_

HUES = (N_("red"), N_("blue"), N_("green"), N_("violet"), N_("amber"), N_("pink"))
"""The colours, by number as in style/colours.css: those of the first seats come first."""
MARKS: Mapping[str, str] = {
    "★": N_("star"), "♞": N_("horse"), "⚓": N_("anchor"), "♣": N_("clover"), "☂": N_("umbrella"), "✿": N_("flower"),
}  # fmt: skip
"""Mark → its name."""


class SeatLook(NamedTuple):
    """A colour by its number and a mark; None and empty if none was chosen."""

    hue: int | None = None
    mark: str = ""


class ShownLooks(TypedDict):
    """How the seats of a page look: their colours by number, none if pieces give them theirs; and their marks."""

    hues: list[int]
    marks: list[str]


NO_LOOK = SeatLook()
"""Nothing was chosen."""


def chosen_look(data: Mapping[str, Any]) -> SeatLook:
    """Return the look that a request chooses; a colour or mark that does not exist counts as not chosen."""
    hue, mark = data.get("hue"), data.get("mark")
    known = isinstance(hue, int) and not isinstance(hue, bool) and hue in range(len(HUES))
    return SeatLook(hue if known else None, mark if isinstance(mark, str) and mark in MARKS else "")


def shown_looks(looks: Mapping[int, SeatLook], seats: int, *, hues: bool) -> ShownLooks:
    """Return how each seat looks: as chosen, or else its usual or the first free colour, and its number as the mark.

    ``hues`` is False if the game's pieces give each seat its colour.
    """
    of_seat = {seat: look.hue for seat, look in looks.items() if look.hue is not None}
    of_seat |= {seat: seat for seat in range(seats) if seat not in of_seat and seat not in of_seat.values()}
    for seat in range(seats):
        of_seat.setdefault(seat, next((hue for hue in range(len(HUES)) if hue not in of_seat.values()), seat))
    return {
        "hues": [of_seat[seat] for seat in range(seats)] if hues else [],
        "marks": [looks.get(seat, NO_LOOK).mark or str(seat + 1) for seat in range(seats)],
    }
