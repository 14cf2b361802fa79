"""Changes single values of a ``table.toml`` and leaves everything else, including comments, as its owner wrote it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from tabletop import config
from tabletop.files.atomic import write
from tabletop.files.toml import TomlError, TomlFile
from tabletop.messages import Message, join, said_by
from tabletop.rules import registry
from tabletop.rules.game import Illegal

Value = str | int | float | bool | list[str]


def shipped_text() -> str:
    """Return the file that ships with the program: every key with its comment."""
    return files("tabletop.setup").joinpath("table.toml").read_text("utf-8")


def changed_text(text: str, values: Mapping[tuple[str, ...], Value]) -> str:
    """Return a file's text with changed values (path of keys → value); a missing key is added to its table."""
    for path, value in values.items():
        text = _with(text, path, value)
    return text


def save(path: Path, values: Mapping[tuple[str, ...], Value]) -> Path | None:
    """Change a file, or make it from the shipped one; return the path of the kept old one, None if nothing was kept.

    The new file is checked before it replaces the old one, and there is always a complete one.  Raises OSError, and
    ConfigError if the result is not a valid configuration or no game can begin with it.
    """
    old = _text(path) if path.exists() else None
    fresh = changed_text(shipped_text() if old is None else old, values)
    if fresh == old:
        return None
    trial = path.with_name(path.name + ".trial")
    write(trial, fresh, 0o644)
    try:
        loaded = config.load(trial)
        registry.game(loaded.game).new(loaded.seats, loaded.options)
    except Illegal as illegal:
        advice = Message("Change game, seats or options in table.toml.")
        raise config.ConfigError(join((illegal.message, advice))) from None
    finally:
        trial.unlink()
    kept = None
    if old is not None:
        kept = path.with_name(path.name + ".before")
        write(kept, old, 0o644)
    write(path, fresh, 0o644)
    return kept


def _text(path: Path) -> str:
    """Return the text of a TOML file.  Raises ConfigError if it is not TOML."""
    try:
        return TomlFile.read(path).text
    except TomlError as error:
        raise config.ConfigError(said_by(error)) from None


def _with(text: str, path: tuple[str, ...], value: Value) -> str:
    file, lines = TomlFile(text, path[-1]), text.split("\n")
    said = f"{path[-1]} = {_toml(value)}"
    here = file.table(*path[:-1])
    if path[-1] in here:
        if here[path[-1]] == value:
            return text
        first = file.line(*path) - 1
        last = _end(lines, first)
        lines[first : last + 1] = [f"{said}  {_comment(lines[last])}".rstrip() if first == last else said]
    elif len(path) == 1:
        lines.insert(0, said)
    elif path[0] in file.data:
        lines.insert(file.line(*path[:-1]), said)
    else:
        lines += [f"[{'.'.join(path[:-1])}]", said, ""]
    return "\n".join(lines)


def _end(lines: list[str], first: int) -> int:
    """Return the index of the last line of a value that begins on line ``first``: the first one that completes it."""
    for last in range(first, len(lines)):
        try:
            tomllib.loads("\n".join(lines[first : last + 1]))
        except tomllib.TOMLDecodeError:
            continue
        return last
    return first


def _comment(line: str) -> str:
    """Return the comment after a value on one line; a “#” within the value does not begin a comment."""
    for at in (found.start() for found in re.finditer("#", line)):
        try:
            tomllib.loads(line[:at])
        except tomllib.TOMLDecodeError:
            continue
        return line[at:]
    return ""


def _toml(value: Value) -> str:
    # JSON's strings, numbers, booleans and lists of strings are valid TOML, except for unprintable characters.
    text = json.dumps(value, ensure_ascii=False)
    return "".join(character if character.isprintable() else f"\\U{ord(character):08X}" for character in text)
