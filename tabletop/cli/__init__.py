"""The ``tabletop`` command: one module a subcommand, imported only when it is asked for."""

from __future__ import annotations

import importlib
import importlib.util
import io
import os
import sys
from typing import Any, ClassVar

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

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for; whoever interrupts it is told so in one sentence."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, click.Abort):
            click.echo("\nStopped before it was done.", err=True)
            ctx.exit(1)

    def main(self, *arguments: Any, **more: Any) -> Any:
        """Run the program; what the system refuses and no command expects (a full disk under ``>``) is one sentence."""
        try:
            return super().main(*arguments, **more)
        except OSError as error:  # not for a reader who has enough: click ends in silence then
            what = error.filename or "The output"
            click.ClickException(f"{what} cannot be used: {(error.strerror or str(error)).lower()}.").show()
            sys.exit(1)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="tabletop")
def main() -> None:
    """A referee that sits at a real board game: it sees the table, knows the rules and keeps the score."""
    # Libraries look at these while they are loaded.  The eyes do many small matrix products: threads for each would
    # cost more than they give, and starve the rest.  And what is wrong with a camera is told in our own words.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    _open_what_is_closed()
    _write_what_the_terminal_can_show()
    try:
        os.getcwd()
    except FileNotFoundError:
        raise click.ClickException("The folder you are in is gone: go to another one, and start again.") from None


def _open_what_is_closed() -> None:
    """Where the program was started without stdin, stdout or stderr, let nothing be read and what is said go nowhere.

    Else the first file that is opened would take the number of the one that is missing.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w" if number else "r", encoding="utf-8"))  # noqa: SIM115


def _write_what_the_terminal_can_show() -> None:
    """Where the terminal knows fewer letters than we use, write the others as escapes instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
