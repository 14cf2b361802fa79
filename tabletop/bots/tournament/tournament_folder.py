"""A tournament in a folder, with each game's result as one line and its record, so that it can resume if killed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tabletop.bots.bot import Budget
from tabletop.bots.tournament.games import GameResult, Tournament
from tabletop.files import atomic, json_text
from tabletop.files.lock import locked
from tabletop.rules.game import ranks

SETTING_FILE, RESULTS_FILE, RECORDS_FOLDER = "tournament.json", "results.jsonl", "records"


class OtherTournament(ValueError):
    """Raised if a folder holds something else than this tournament; the text says what."""


def locked_folder(folder: Path) -> int:
    """Return an open file that locks the folder: two tournaments there would play, and count, the same games.

    Raises OtherTournament if one is played there now, OSError if the folder cannot be used.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        return locked(folder)
    except BlockingIOError:
        why = f"A tournament is being played in {folder}: wait for it, or stop it first."
        raise OtherTournament(why) from None


class ResultFile:
    """Results of games, one per line."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def lines(self) -> list[bytes]:
        """Return the complete lines, and remove a partial line that a killed process left."""
        lines = self.path.read_bytes().splitlines(keepends=True) if self.path.exists() else []
        whole = [line for line in lines if line.endswith(b"\n")]
        if whole != lines:
            atomic.write(self.path, b"".join(whole), 0o644)
        return whole

    def read(self, seats: int | None = None) -> list[GameResult]:
        """Return the last result of each game.

        Raises OtherTournament for a line that is not a result, or not of that many seats.
        """
        return [*{one.number: one for one in _read(self.lines(), self.path.name, seats)}.values()]

    def add(self, result: GameResult, **more: object) -> None:
        """Append a result and further data about it; it is on the disk when this returns."""
        data = {key: fact for key, fact in asdict(result).items() if key != "record"}
        with self.path.open("ab") as file:
            file.write(json.dumps({**data, **more}).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())


class KeptTournament:
    """The folder of one tournament.

    Raises OtherTournament if it holds another one, OSError if it cannot be used.
    """

    def __init__(self, folder: Path, tournament: Tournament, frames: bool) -> None:
        self.folder, self._file, self._seats = folder, ResultFile(folder / RESULTS_FILE), len(tournament.levels)
        (folder / RECORDS_FOLDER).mkdir(parents=True, exist_ok=True)
        said = {**asdict(tournament), "frames": frames}
        said["budget"] = {key: said["budget"][key] for key in ("seconds", "playouts")}
        self._claim(json.loads(json.dumps(said)))

    def results(self) -> list[GameResult]:
        """Return the results of the games that were finished."""
        return self._file.read(self._seats)

    def add(self, result: GameResult) -> None:
        """Keep a result and its record; they are on the disk when this returns."""
        if result.record:
            atomic.write(self.folder / RECORDS_FOLDER / f"{result.number + 1:05}.txt", result.record, 0o644)
        self._file.add(result)

    def _claim(self, said: dict[str, Any]) -> None:
        path = self.folder / SETTING_FILE
        if not path.exists():
            atomic.write(path, json.dumps(said, indent=2) + "\n", 0o644)
            return
        try:
            there = json_text.parse(path.read_bytes())
        except ValueError:
            there = None
        fixed = {key: fact for key, fact in said.items() if key != "games"}
        if not isinstance(there, dict) or {key: there.get(key) for key in fixed} != fixed:
            raise OtherTournament(
                f"{self.folder} holds another tournament: see {SETTING_FILE} there, or name another folder."
            )


def tournament_in(folder: Path) -> Tournament:
    """Return the tournament that a folder holds.

    Raises OtherTournament if its setting cannot be read, OSError if the disk fails.
    """
    try:
        said = json_text.parse((folder / SETTING_FILE).read_bytes())
        budget = Budget(said["budget"]["seconds"], said["budget"]["playouts"])
        levels = tuple(map(str, said["levels"]))
        return Tournament(str(said["game"]), levels, int(said["games"]), int(said["seed"]), budget)
    except (ValueError, KeyError, TypeError, OverflowError):
        raise OtherTournament(f"{folder / SETTING_FILE} is not the setting of a tournament.") from None


def _read(lines: list[bytes], name: str, seats: int | None) -> Iterator[GameResult]:
    for number, line in enumerate(lines, 1):
        try:
            one = _result(line, seats)
        except (ValueError, KeyError, TypeError, OverflowError):
            raise OtherTournament(
                f"line {number} of {name} is not a result: delete it to play that game again."
            ) from None
        yield one


def _result(line: bytes, seats: int | None) -> GameResult:
    """Return the result in a line; raises ValueError, KeyError, TypeError or OverflowError if it is not one."""
    data = json_text.parse(line)
    order, scores, places = (tuple(map(int, data[key])) for key in ("order", "scores", "ranks"))
    one = GameResult(int(data["number"]), int(data["seed"]), order, scores, places)
    if one.number < 0 or sorted(order) != [*range(seats or len(order))] or {len(scores), len(places)} != {len(order)}:
        raise ValueError("there is no such game, or no such seat")
    if ranks(places) != [*places]:
        raise ValueError("there are no such ranks")
    return one
