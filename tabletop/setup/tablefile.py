"""Changing single values of a ``table.toml`` and leaving all else, comments too, as its owner wrote it."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from tabletop import config
from tabletop.atomic import write
from tabletop.tomlfile import TomlFile

Value = str | int | bool | list[str]


def shipped() -> str:
    """Return the file that ships with the program: every key with its comment."""
    return files("tabletop").joinpath("table.toml").read_text("utf-8")


def changed(text: str, values: Mapping[tuple[str, ...], Value]) -> str:
    """Return a file's text with other values (path of keys → value); a key that it lacks is put into its table."""
    for path, value in values.items():
        text = _with(text, path, value)
    return text


def save(path: Path, values: Mapping[tuple[str, ...], Value]) -> Path | None:
    """Change a file, or make it from the shipped one; return where the old one is kept, None where there was none.

    The new file is checked before it takes the old one's place, and there is always a whole one.  Raises OSError, and
    ConfigError where the result would not be a configuration.
    """
    old = path.read_text("utf-8") if path.exists() else None
    fresh = changed(shipped() if old is None else old, values)
    if fresh == old:
        return None
    trial = path.with_name(path.name + ".trial")
    write(trial, fresh, 0o644)
    try:
        config.load(trial)
    finally:
        trial.unlink()
    kept = None
    if old is not None:
        kept = path.with_name(path.name + ".before")
        write(kept, old, 0o644)
    write(path, fresh, 0o644)
    return kept


def _with(text: str, path: tuple[str, ...], value: Value) -> str:
    file, lines = TomlFile(text, path[-1]), text.splitlines()
    said = f"{path[-1]} = {_toml(value)}"
    here = file.table(*path[:-1])
    if path[-1] in here:
        if here[path[-1]] == value:
            return text
        first = file.line(*path) - 1
        last = _end(lines, first)
        comment = lines[last].partition("#")[2] if first == last and '"' not in lines[last].partition("#")[2] else ""
        lines[first : last + 1] = [said + (f"  #{comment}" if comment else "")]
    elif len(path) == 1:
        lines.insert(0, said)
    elif path[0] in file.data:
        lines.insert(file.line(*path[:-1]), said)
    else:
        lines += ["", f"[{'.'.join(path[:-1])}]", said]
    return "\n".join(lines) + "\n"


def _end(lines: list[str], first: int) -> int:
    """Return the last line of the value that begins on a line: the first with which it is whole."""
    for last in range(first, len(lines)):
        try:
            tomllib.loads("\n".join(lines[first : last + 1]))
        except tomllib.TOMLDecodeError:
            continue
        return last
    return first


def _toml(value: Value) -> str:
    # JSON's texts, numbers, truths and lists of texts are TOML's, too.
    return json.dumps(value, ensure_ascii=False)


def writable(path: Path) -> bool:
    """Tell whether the file can be put in place there."""
    folder = path.parent
    return folder.is_dir() and os.access(folder, os.W_OK)
