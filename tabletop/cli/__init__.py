"""The ``tabletop`` command: one module a subcommand, imported only when it is asked for."""

from __future__ import annotations

import importlib
import importlib.util
import os
from typing import ClassVar

import click

from tabletop import __version__


class Commands(click.Group):
    """A group whose commands live in modules of their own, so that ``--help`` needs no camera library."""

    NAMES: ClassVar[tuple[str, ...]] = (
        "demo", "serve", "read", "score", "tags", "referee", "replay", "doctor", "setup", "aim", "edition", "panel",
    )  # fmt: skip

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order in which a newcomer meets them."""
        return [name for name in self.NAMES if importlib.util.find_spec(f"tabletop.cli.{name}")]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module and return its ``command``."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command = importlib.import_module(f"tabletop.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="tabletop")
def main() -> None:
    """A referee that sits at a real board game: it sees the table, knows the rules and keeps the score."""
    # The eyes do many small matrix products: threads for each would cost more than they give, and starve the rest.
    # It has to be said before the numeric library is loaded.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
