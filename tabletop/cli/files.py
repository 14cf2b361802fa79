"""Files that commands write."""

from __future__ import annotations

from pathlib import Path

import click

from tabletop.files import atomic


def put(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all; if it cannot be written, the command ends and says why."""
    try:
        atomic.write(path, content, 0o644)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {_why(error)}.") from None


def folder_at(path: Path) -> None:
    """Make a folder for files, with those above it; if that cannot be done, the command ends and says why."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"The folder {path} cannot be made: {_why(error)}.") from None


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
