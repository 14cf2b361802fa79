"""``./play install`` and ``./play uninstall``: the table as a service of this machine.

Says what it will do before it does it, can be run again at any time, and can undo what it did.  Run by the system's
own Python as root; standard library only.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import sys
from collections.abc import Callable, Sequence

from tabletop.service.machine import InstallError, TargetMachine
from tabletop.service.steps import CONFIG, HOME, Keepsakes, ServiceStep, port_of, steps


def main(arguments: Sequence[str]) -> int:
    """Install or uninstall; return the exit status: 0 if done, 1 if a step failed, 2 if it was refused or stopped."""
    asked = parser().parse_args(arguments)
    machine = TargetMachine()
    if not asked.dry_run and os.geteuid() != 0:
        return _as_root(arguments)
    if not machine.has("apt-get"):
        return _refuse("This needs Debian or Raspberry Pi OS (there is no apt-get here).")
    os.umask(0o022)
    agree = (lambda: True) if asked.yes else _agreed
    try:
        if asked.what == "install":
            return install(machine, agree, dry=asked.dry_run)
        return uninstall(machine, agree, dry=asked.dry_run, purge=asked.purge)
    except (InstallError, OSError) as error:
        print(f"{error}\nOnce that is fixed, the same command continues where it stopped.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return _refuse("Stopped; run the same command to continue.")


def install(machine: TargetMachine, agree: Callable[[], bool], *, dry: bool) -> int:
    """Do every step that is not done yet, then restart the service if there was one to do."""
    plan = steps(machine)
    open_ = [step for step in plan if not step.done()]
    if open_ and not any(isinstance(step, ServiceStep) for step in open_):
        open_ += [step for step in plan if isinstance(step, ServiceStep)]
    print("Installing the table on this machine:")
    for step in plan:
        print(f"  {'·' if step in open_ else '✓'} {step.what}{'' if step in open_ else ' (done already)'}")
    if not open_:
        print("Nothing to do.")
        return 0
    return _carry_out([(step.what, step.do) for step in open_], agree, dry=dry, then=_goodbye(port_of(machine)))


def uninstall(machine: TargetMachine, agree: Callable[[], bool], *, dry: bool, purge: bool) -> int:
    """Undo every step, last first; games, configuration and user only with ``purge``."""
    undone = [step for step in reversed(steps(machine)) if step.undoing and (purge or not isinstance(step, Keepsakes))]
    # The games go last: if anything fails before, they are still there.
    undone.sort(key=lambda step: isinstance(step, Keepsakes))
    print("Removing the table from this machine:")
    for step in undone:
        print(f"  · {step.undoing}")
    if not purge:
        print(f"  {HOME} with the games and table.toml stays (--purge removes it as well).")
    print("  System packages stay, because other programs may use them.")
    acts = [(step.undoing, step.undo) for step in undone]
    return _carry_out(acts, agree, dry=dry, then="The table is gone from this machine.")


def _carry_out(
    acts: Sequence[tuple[str, Callable[[], None]]], agree: Callable[[], bool], *, dry: bool, then: str
) -> int:
    """Do what was announced, naming each act as it begins, unless it is a dry run or nobody agrees."""
    if dry:
        print("Nothing was changed: this was only the plan.")
        return 0
    if not agree():
        return _refuse("Nothing was changed.")
    for what, do in acts:
        print(f"→ {what}", flush=True)
        do()
    print(then)
    return 0


def _goodbye(port: int) -> str:
    name = socket.gethostname().partition(".")[0]
    return (
        f"Done.  The table's pages: http://{name}.local:{port}/ (or by the machine's number).\n"
        "  first steps     sudo systemctl stop tabletop; sudo -u tabletop tabletop setup --page\n"
        "  how is it       systemctl status tabletop; sudo -u tabletop tabletop doctor\n"
        "  the host's code sudo journalctl -u tabletop | grep code\n"
        f"  configuration   {CONFIG}"
    )


def parser() -> argparse.ArgumentParser:
    """Return the parser for the options of both commands."""
    parser = argparse.ArgumentParser(prog="./play", description=__doc__.splitlines()[0] if __doc__ else "")
    commands = parser.add_subparsers(dest="what", required=True)
    both = argparse.ArgumentParser(add_help=False)
    both.add_argument("--dry-run", action="store_true", help="only show what would be done")
    both.add_argument("--yes", action="store_true", help="do not ask")
    commands.add_parser(
        "install", parents=[both], description="Install the table as a service of this machine, started at every boot."
    )
    gone = commands.add_parser(
        "uninstall", parents=[both], description="Remove that service but keep the games, table.toml and the user."
    )
    gone.add_argument("--purge", action="store_true", help="also delete every game, the configuration and the user")
    return parser


def _as_root(arguments: Sequence[str]) -> int:
    """Start over as root, which may ask for the password."""
    sudo = shutil.which("sudo")
    if sudo is not None:
        os.execv(sudo, [sudo, sys.executable, "-m", "tabletop.service.install", *arguments])
    return _refuse("This has to be done as root (there is no sudo here).")


def _agreed() -> bool:
    if not sys.stdin.isatty():
        print("There is nobody to ask: add --yes.", file=sys.stderr)
        return False
    try:
        return input("Continue? [y/N] ").strip().lower() in ("y", "yes", "j", "ja")
    except EOFError:  # Ctrl-D
        print()
        return False


def _refuse(text: str) -> int:
    print(text, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
