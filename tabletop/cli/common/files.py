"""Files that commands write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from tabletop.files import atomic


def put(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all; if it cannot be written, end the command and say why."""
    with _written(path):
        atomic.write(path, content, 0o644)


def writable(_context: click.Context, _option: click.Parameter, path: Path | None) -> Path | None:
    """Return the file that an option names; if it could not be written, end the command before its long work."""
    if path is not None:
        with _written(path):
            atomic.check_writable(path)
    return path


def check_apart(option: str, output: Path | None, *inputs: Path | None) -> None:
    """Raise UsageError if the file that an option writes is one of those that the command reads."""
    for read in inputs:
        if output is not None and read is not None and output.is_file() and read.is_file() and output.samefile(read):
            raise click.UsageError(f"{option} would replace {output}, which is read.")


@contextmanager
def _written(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {_why(error)}.") from None


def folder_at(path: Path) -> None:
    """Make a folder and its parents; if that cannot be done, end the command and say why."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"The folder {path} cannot be made: {_why(error)}.") from None


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
