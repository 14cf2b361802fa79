"""The referee's own sentences: code → English text with its facts in braces.

Pages in other languages translate by code; the rules' refusals bring their sentences with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.referee.snapshot import Said

SENTENCES: Mapping[str, str] = {
    "decides": "{name} decides: {phase}.",
    "chance": "{name}’s turn: {phase}.",
    "over": "The game is over.",
    "paused": "The game is paused.",
    "halted": "The game is paused: the host lets it go on.",
    "agrees": "The record says already that everything lies there.",
    "secret-place": "Hands and other secret places cannot be corrected here: only what everybody can see can be moved.",
    "no-table": "This game goes on from its record alone: take back, or say what was done.",
    "unfit-name": "A name holds a character that cannot be shown.",
    "ended": "The game was ended.",
    "going-on": "A game is being played at this table: end it first.",
    "waiting": "{text}",
    "question": "{text}",
    "note": "{text}",
    "undo-offer": "The table looks as it did before: {what}. Press UNDO to take it back, or put things right.",
    "undo-empty": "There is nothing to undo.",
    "undone": "Taken back: {what}. Put the pieces back as they were.",
    "unreadable": "Something lies on the table that cannot be read ({reason}).",
    "double": "{piece} is seen in two places; neither counts until one is gone.",
    "stranger": "{piece} does not belong to this game: take it off the table.",
    "camera-lost": "The camera gives no picture. The game goes on by buttons and pages.",
    "camera-moved": "The camera was moved; the table is measured anew.",
    "panel-lost": "The game goes on by pages, without buttons and lights. {text} Then start the table again.",
    "button-stuck": "The button {button} is held down or stuck and does not count until it is let go.",
    "button-loose": "The button {button} flickers without end: is a wire loose?",
    "button-nothing": "{button} means nothing now.",
    "journal": "{text}",
}


def say(code: str, **facts: Any) -> Said:
    """Return the sentence with its facts filled in.  Raises KeyError for a code without a sentence."""
    return Said(code, SENTENCES[code].format(**facts), facts)
