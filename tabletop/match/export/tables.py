"""The tables of exported games: the name and the meaning of each column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

Value: TypeAlias = str | int | float | bool | None
Row: TypeAlias = Mapping[str, Value]
"""One row of a table: column → value, None if it is not known."""


class TableColumn(NamedTuple):
    """One column: its name, what type its values are of, and what it means."""

    name: str
    type: type
    about: str


GAMES = (
    TableColumn("game_id", str, "the same in all tables: the file's name, in the folder that was exported"),
    TableColumn("source", str, "record, tournament (its record) or match (the journal of a real table)"),
    TableColumn("game", str, "its name, as in a record"),
    TableColumn("rules", str, "the version of the rules"),
    TableColumn("options", str, "the options that were played with, as JSON"),
    TableColumn("seats", int, "how many seats played"),
    TableColumn("seed", int, "tournament: what its chance was shuffled from; the games of one round share it"),
    TableColumn("budget", str, "tournament: what a bot may think about a decision, such as 32 playouts or 1 s"),
    TableColumn("started", str, "match: when it began, as 2026-05-01T19:30:00Z"),
    TableColumn("minutes", float, "match: from its beginning to its last event"),
    TableColumn("over", bool, "whether it was played to its end"),
    TableColumn("actions", int, "how many actions were done, chance included"),
    TableColumn("decisions", int, "how many of them a seat decided"),
)
SEATS = (
    TableColumn("game_id", str, "as in the table of games"),
    TableColumn("seat", int, "from 1, clockwise"),
    TableColumn("name", str, "what the seat was called"),
    TableColumn("bot", str, "tournament: the level that sat there"),
    TableColumn("points", int, "at the end, or as it stood then"),
    TableColumn("rank", int, "from 1, with gaps where seats share a place"),
    TableColumn("win", float, "its share of the win: 1, 0, or 0.5 if two share it"),
    TableColumn("lead", int, "points ahead of the best other seat"),
    TableColumn("decisions", int, "how many decisions it took"),
)
ACTIONS = (
    TableColumn("game_id", str, "as in the table of games"),
    TableColumn("number", int, "from 1, in the order in which they were done; what was taken back is left out"),
    TableColumn("seat", int, "the seat that decided; empty for chance"),
    TableColumn("turn", int, "the seat whose turn it was"),
    TableColumn("phase", str, "what was to be decided, as in the referee protocol"),
    TableColumn("do", str, "the kind of action"),
    TableColumn("action", str, "the action in short notation"),
    TableColumn("data", str, "the action as the referee protocol has it, as JSON"),
    TableColumn("points", int, "what the seat has after it, as if the game ended then; empty for chance"),
    TableColumn("lead", int, "how far it is then ahead of the best other seat"),
    TableColumn("time", str, "match: when it was accepted, as 2026-05-01T19:30:00Z"),
    TableColumn("by", str, "match: camera, button, page, host, photo, host-photo or draw"),
)
TABLES: Mapping[str, Sequence[TableColumn]] = {"games": GAMES, "seats": SEATS, "actions": ACTIONS}
"""Each table with its columns, in their order."""
