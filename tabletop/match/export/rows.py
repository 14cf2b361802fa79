"""A game as rows of the three tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from tabletop.match.export.sources import ExportedGame, moment
from tabletop.match.export.tables import TABLES, Row, Value
from tabletop.rules.game import lead, win_share


def rows_of(game: ExportedGame) -> Iterator[tuple[str, Row]]:
    """Yield each row of a game with the table that it goes to."""
    yield "games", _row("games", **_game(game))
    for seat in range(len(game.names)):
        yield "seats", _row("seats", **_seat(game, seat))
    for number in range(len(game.actions)):
        yield "actions", _row("actions", **_action(game, number))


def _row(table: str, **values: Value) -> Row:
    return {column.name: values.get(column.name) for column in TABLES[table]}


def _game(game: ExportedGame) -> dict[str, Value]:
    last = game.last
    return {
        "game_id": game.id,
        "source": game.source,
        "game": last.game.name,
        "rules": last.game.version,
        "options": json.dumps(last.to_json().get("options", {}), ensure_ascii=False),
        "seats": len(game.names),
        "over": last.over,
        "actions": len(game.actions),
        "decisions": sum(action.before.decider is not None for action in game.actions),
        **game.about,
    }


def _seat(game: ExportedGame, seat: int) -> dict[str, Value]:
    scores = game.scores
    return {
        "game_id": game.id,
        "seat": seat + 1,
        "name": game.names[seat],
        "bot": game.bots[seat] if game.bots else None,
        "points": scores[seat].points,
        "rank": scores[seat].rank,
        "win": win_share([score.rank for score in scores], seat),
        "lead": lead([score.points for score in scores], seat),
        "decisions": Counter(action.before.decider for action in game.actions)[seat],
    }


def _action(game: ExportedGame, number: int) -> dict[str, Value]:
    one = game.actions[number]
    seat = one.before.decider
    points = None if seat is None else [score.points for score in one.after.score()]
    return {
        "game_id": game.id,
        "number": number + 1,
        "seat": None if seat is None else seat + 1,
        "turn": one.before.active + 1,
        "phase": one.before.phase,
        "do": one.action.do,
        "action": one.before.game.format(one.action),
        "data": json.dumps(one.action.to_json(), ensure_ascii=False),
        "points": None if seat is None or points is None else points[seat],
        "lead": None if seat is None or points is None else lead(points, seat),
        "time": moment(one.time),
        "by": one.source,
    }
