"""A game as text: header lines, then one action a line in the game's short notation."""

from __future__ import annotations

import json
from collections.abc import Iterable

from tabletop.rules.game import Action, Game, Position

SCHEMA = 1


def write(game: Game, first: Position, actions: Iterable[Action]) -> str:
    """Return the record of a game that began with this position."""
    header = {"game": game.name, "rules": game.version, "schema": SCHEMA, "start": first.to_json()}
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in header.items()]
    return "\n".join([*lines, "", *(game.format(action) for action in actions)]) + "\n"
