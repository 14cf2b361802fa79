"""The reasons why actions are refused: every code with its meaning, every sentence with its clause of the rules.

A game has one table ``key -> Reason``; its rules refuse with a key and the facts.  Several sentences may share a code
(``not-in-pool`` for the money row, for the tiles to be placed …); the code is what programs rely on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import eq
from typing import Any, NamedTuple, cast

from tabletop.messages import Message
from tabletop.rules.game import Action, Illegal, Json

MEANINGS: Mapping[str, str] = {
    "not-your-turn": "Another seat decides now.",
    "wrong-phase": "Something else has to be decided now.",
    "unknown-action": "There is no such action in this game.",
    "unknown-piece": "There is no piece of this name in this game.",
    "not-in-pool": "The piece is not among those that may come, be taken or be placed now.",
    "not-in-hand": "The seat does not hold this card.",
    "game-over": "The game has ended; nothing more can be done.",
    "bad-position": "The data does not describe a position of this game.",
    "bad-request": "The request is incomplete or malformed.",
}
"""The codes that several games use, each in one sentence."""


def meanings(own: Mapping[str, str]) -> dict[str, str]:
    """Return every code of a game with its meaning: the common ones around the game's own."""
    last = ("game-over", "bad-position", "bad-request")
    first = {code: meaning for code, meaning in MEANINGS.items() if code not in last}
    return first | dict(own) | {code: MEANINGS[code] for code in last}


class Reason(NamedTuple):
    """One sentence of refusal: its code, its template (filled with the facts), and the clause of the rules."""

    code: str
    template: str
    rule: Message


def refuse(reason: Reason, nearest: Action | None = None, **facts: Json) -> Illegal:
    """Return the refusal; ``facts`` must name every field of the template."""
    return refused(reason, facts, nearest)


def refused(reason: Reason, facts: Mapping[str, Json], nearest: Action | None = None) -> Illegal:
    """Return the refusal with these facts."""
    return Illegal(reason.code, reason.template, rule=reason.rule, facts=facts, nearest=nearest, template=True)


def bad_request(what: str, rule: str = "", **facts: Json) -> Illegal:
    """Return the refusal of an incomplete or malformed request; the facts fill the gaps of the sentence."""
    return Illegal("bad-request", Message(what, **facts), rule=rule)


def nearest(action: Action, legal: Iterable[Action]) -> Action | None:
    """Return the legal action of the same kind that differs least; else the only legal one; None if none is near.

    The nearest one has the most fields in common with the refused action; if several tie, the result is None.
    """
    actions = list(legal)
    same: list[Any] = [other for other in actions if other.do == action.do] or actions
    shared = [sum(map(eq, other, cast(Any, action))) if other.do == action.do else 0 for other in same]
    most = max(shared, default=0)
    return same[shared.index(most)] if shared.count(most) == 1 else None


def table(title: str, meanings: Mapping[str, str], reasons: Mapping[str, Reason]) -> str:
    """Return one game's codes as a section in Markdown: each code's meaning, and its sentences with their clauses."""
    lines = [f"## {title}", "", "| code | means | sentences (clause) |", "|---|---|---|"]
    for code, meaning in meanings.items():
        sentences = dict.fromkeys(
            f"{reason.template} ({reason.rule})" for reason in reasons.values() if reason.code == code
        )
        lines.append(f"| `{code}` | {meaning} | {'<br>'.join(sentences)} |")
    return "\n".join(lines) + "\n"
