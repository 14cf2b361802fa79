"""TOML files whose mistakes are reported with their line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tabletop.files import text
from tabletop.messages import Message

_HEADER = re.compile(r"^\s*\[{1,2}\s*([^\[\]]+?)\s*\]{1,2}\s*(?:#.*)?$")
_KEY = re.compile(r"""^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")


class TomlError(ValueError):
    """A TOML file cannot be used: ``file``, ``line`` (0: the file as a whole) and ``fact`` say where and why."""

    def __init__(self, file: str, line: int, fact: Message) -> None:
        where = Message("{file}, line {line}", file=file, line=line) if line else file
        super().__init__(Message("{where}: {fact}", where=where, fact=fact))
        self.file, self.line, self.fact = file, line, fact


def _split(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


def _lines(text: str) -> dict[tuple[str, ...], int]:
    """Return the first line of every table and key; dotted keys and headers are distinguished by their path."""
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):  # nothing else ends a line of TOML
        if header := _HEADER.match(line):
            table = _split(header[1])
            found.setdefault(table, number)
        elif key := _KEY.match(line):
            found.setdefault((*table, *_split(key[1])), number)
    return found


class TomlFile:
    """A parsed TOML file that knows the line of each key.

    ``text`` is its content, ``data`` the plain dictionary, ``name`` the file's name in messages.  Raises
    :class:`TomlError` if the text is not TOML.
    """

    def __init__(self, text: str, name: str) -> None:
        self.name, self.text = name, text
        try:
            self.data: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            place = re.search(r"\(at line (\d+), column \d+\)", str(error))
            line = int(place[1]) if place else text.count("\n", 0, -1) + 1  # otherwise “at end of document”
            fact = str(error).split(" (at ")[0]
            raise TomlError(name, line, Message("this is not TOML: {error}.", error=fact)) from None
        except RecursionError:
            raise TomlError(name, 0, Message("this is not TOML: {error}.", error="it is nested too deeply")) from None
        except ValueError:  # Python's limit on the digits of an integer
            raise TomlError(name, 0, Message("this is not TOML: {error}.", error="a number is too long")) from None
        self._lines = _lines(text)

    @classmethod
    def read(cls, path: Path) -> TomlFile:
        """Read a file; text that is not UTF-8 is a TomlError as well.  Raises OSError if it cannot be read."""
        try:
            return cls(text.read(path), str(path))
        except UnicodeDecodeError:
            raise TomlError(str(path), 0, Message("this is not text in UTF-8.")) from None

    def line(self, *path: str) -> int:
        """Return the line of a key, or of the nearest table around it; 0 if nothing is known."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 0)

    def error(self, fact: Message, *path: str) -> TomlError:
        """Return the exception for a mistake at a key."""
        return TomlError(self.name, self.line(*path), fact)

    def only(self, table: Mapping[str, Any], known: Iterable[str], *path: str) -> None:
        """Raise TomlError for unknown keys: a typing error must not silently leave a default in force."""
        known = tuple(known)
        for key in table:
            if key not in known:
                where = f"[{'.'.join(path)}]" if path else Message("the file")
                fact = Message("{where} has no key “{key}”; it has {known}.", where=where, key=key, known=known)
                raise self.error(fact, *path, key)

    def string(self, default: str, *path: str) -> str:
        """Return a string, the default if it is left out."""
        value = self.table(*path[:-1]).get(path[-1], default)
        if not isinstance(value, str):
            fact = Message("“{key}” has to be a text in quotes, not {value}.", key=path[-1], value=repr(value))
            raise self.error(fact, *path)
        return value

    def table(self, *path: str) -> dict[str, Any]:
        """Return a table, empty if it is left out."""
        here: Any = self.data
        for key in path:
            here = here.get(key, {})
            if not isinstance(here, dict):
                raise self.error(Message("“{key}” has to be a table.", key=key), *path)
        return dict(here)
