"""The ``tabletop`` command: one module per subcommand, imported only when it is asked for."""

from __future__ import annotations

import importlib
import io
import os
import sys
from typing import Any

import click

from tabletop import __version__
from tabletop.cli.common import extras
from tabletop.cli.common.summaries import PROGRAM
from tabletop.messages import Message
from tabletop.rules.registry import UnusablePart


class Commands(click.Group):
    """A group whose commands live in modules of their own, so that ``--help`` needs no camera library."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order in which a newcomer meets them."""
        return [*PROGRAM]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module and return its ``command``."""
        if cmd_name not in PROGRAM:
            return None
        command = importlib.import_module(f"tabletop.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List every command with its whole sentence from the summaries, without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([*PROGRAM.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; if it is interrupted, or cannot load a library or game, end it with one sentence."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, click.Abort):
            click.echo("\nStopped before it had finished.", err=True)
            ctx.exit(1)
        except UnusablePart as unusable:
            raise click.UsageError(unusable.message) from None
        except ModuleNotFoundError as error:
            if (sentence := extras.missing(ctx.invoked_subcommand or "", error)) is None:
                raise
            raise click.ClickException(sentence) from None

    def main(self, *arguments: Any, **more: Any) -> Any:
        """Run the program; report an OSError that no command expects (a full disk under ``>``) in one sentence."""
        try:
            return super().main(*arguments, **more)
        except OSError as error:  # click itself handles a reader that closes the pipe
            what = error.filename or "The output"
            said = f"{what} cannot be used: {(error.strerror or str(error)).lower()}."
            is_sentence = any(isinstance(argument, Message) for argument in error.args)
            click.ClickException(str(error) if is_sentence else said).show()
            sys.exit(1)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="tabletop")
def main() -> None:
    """A referee that sits at a real board game: it sees the table, knows the rules and keeps the score."""
    # Libraries read these when they are loaded.  Vision does many small matrix products: threads for each would cost
    # more than they gain, and starve the rest.  OpenCV is quiet because we report a camera's faults in our own words.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    _open_what_is_closed()
    _cope_with_any_letters()
    try:
        os.getcwd()
    except FileNotFoundError:
        raise click.ClickException("The folder you are in is gone: go to another one, and start again.") from None


def _open_what_is_closed() -> None:
    """Connect stdin, stdout or stderr to nothing if the program was started without it.

    Otherwise the first file that is opened would take the number of the missing one.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w" if number else "r", encoding="utf-8"))  # noqa: SIM115


def _cope_with_any_letters() -> None:
    """Write characters that the terminal cannot show as escapes, and read undecodable bytes as “�”: neither fails."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)
