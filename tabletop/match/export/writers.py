"""Tables as files: CSV, JSON Lines and Parquet, written row by row; each file is whole or does not exist."""

from __future__ import annotations

import csv
import importlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol

from tabletop.files import csv_text
from tabletop.match.export.tables import TABLES, Row, TableColumn

BATCH_ROWS = 5000
"""How many rows are written to Parquet at a time."""


class TableWriter(Protocol):
    """Takes the rows of one table."""

    def add(self, row: Row) -> None:
        """Write a row."""

    def end(self) -> None:
        """Write what is still to be written."""


class CsvTable:
    """A table as CSV in UTF-8, with the names of the columns in the first line; an unknown value is empty.

    A text that a spreadsheet would evaluate, such as a player's name, gets an apostrophe before it.
    """

    def __init__(self, path: Path, columns: Sequence[TableColumn], stack: ExitStack) -> None:
        file = stack.enter_context(path.open("w", encoding="utf-8", newline=""))
        self._writer = csv.DictWriter(file, [column.name for column in columns], lineterminator="\n")
        self._writer.writeheader()

    def add(self, row: Row) -> None:
        """Write a row."""
        self._writer.writerow({name: _cell(value) for name, value in row.items()})

    def end(self) -> None:
        """Do nothing: every row is written."""


def _cell(value: Any) -> Any:
    """Return a value as it is written in CSV."""
    if isinstance(value, str):
        return csv_text.inert(value)
    return json.dumps(value) if isinstance(value, bool) else value


class JsonTable:
    """A table as JSON Lines: one object per row, with null for an unknown value."""

    def __init__(self, path: Path, columns: Sequence[TableColumn], stack: ExitStack) -> None:
        self._file = stack.enter_context(path.open("w", encoding="utf-8"))

    def add(self, row: Row) -> None:
        """Write a row."""
        self._file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def end(self) -> None:
        """Do nothing: every row is written."""


class ParquetTable:
    """A table as Parquet, with the meaning of each column beside it.  A number of more than 64 bits is left out."""

    def __init__(self, path: Path, columns: Sequence[TableColumn], stack: ExitStack) -> None:
        self._arrow: Any = importlib.import_module("pyarrow")
        parquet: Any = importlib.import_module("pyarrow.parquet")
        arrow = self._arrow
        types = {str: arrow.string(), int: arrow.int64(), float: arrow.float64(), bool: arrow.bool_()}
        fields = [arrow.field(column.name, types[column.type], metadata={"about": column.about}) for column in columns]
        self._schema = arrow.schema(fields)
        self._writer = stack.enter_context(parquet.ParquetWriter(str(path), self._schema))
        self._rows: list[Row] = []

    def add(self, row: Row) -> None:
        """Keep a row, and write the kept rows once there are BATCH_ROWS."""
        known = {name: value for name, value in row.items() if not isinstance(value, int) or value.bit_length() < 64}
        self._rows.append(known)
        if len(self._rows) >= BATCH_ROWS:
            self.end()

    def end(self) -> None:
        """Write what is still to be written."""
        if self._rows:
            self._writer.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
            self._rows = []


FORMATS: Mapping[str, type[CsvTable] | type[JsonTable] | type[ParquetTable]] = {
    "csv": CsvTable,
    "jsonl": JsonTable,
    "parquet": ParquetTable,
}
"""Ending of a file's name → the class that writes the table."""


@contextmanager
def tables_in(folder: Path, formats: Sequence[str]) -> Iterator[Mapping[str, Sequence[TableWriter]]]:
    """Provide table → its writers; the files replace the old ones once the block ends without an error."""
    trials = {
        (name, kind): (folder / f"{name}.{kind}.part", folder / f"{name}.{kind}") for name in TABLES for kind in formats
    }
    try:
        with ExitStack() as stack:
            made = {
                (name, kind): FORMATS[kind](part, TABLES[name], stack) for (name, kind), (part, _) in trials.items()
            }
            yield {name: [made[name, kind] for kind in formats] for name in TABLES}
            for writer in made.values():
                writer.end()
        for part, path in trials.values():
            os.replace(part, path)
    finally:
        for part, _ in trials.values():
            part.unlink(missing_ok=True)
