"""``tabletop setup``: from a box of parts to a table, step by step."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tabletop.cli.common.console import Console
from tabletop.cli.common.shared_options import SETTINGS_FILE, BadSettings
from tabletop.files import atomic

if TYPE_CHECKING:
    from tabletop.setup.trials import Trial
    from tabletop.setup.wizard import SetupWizard

DEFAULT_MAKE_NAMES = {
    "printed": "pieces that you print with tabletop tags --proxies",
    "box": "bought ones, with tags stuck on",
}
"""Make → its description, for games that have no words of their own for their makes."""


@click.command()
@click.option(
    "--config",
    "file",
    envvar="TABLETOP_CONFIG",
    type=click.Path(dir_okay=False, path_type=Path),
    default=SETTINGS_FILE,
    show_default=True,
    help="The file to write; TABLETOP_CONFIG can name it as well.",
)
@click.option("--page", is_flag=True, help="Use a page in the browser instead of the terminal.")
@click.option("--simulated", is_flag=True, help="Use a simulated camera and panel, to see what the setup is like.")
@click.option("--port", type=click.IntRange(1, 65535), help="The port of the page.")
@click.option("--bind", help="The address to listen on; 127.0.0.1 keeps phones out.")
def command(file: Path, page: bool, simulated: bool, port: int | None, bind: str | None) -> None:
    """Set up this table step by step and write table.toml.

    You choose the game and seats, try every button and light, aim the camera and print what is missing.  You can press
    Ctrl-C to leave at any time; the same command continues where you stopped.  A running table holds the pins: stop it
    first, or start it in safe mode on its health page.
    """
    from tabletop.runtime import maintenance
    from tabletop.service.steps import how_to_start

    if not page and (port is not None or bind is not None):
        raise click.UsageError("--port and --bind say where the page is, so they work only with --page.")
    file = file.absolute()
    if not file.parent.is_dir():
        raise click.UsageError(f"There is no folder {file.parent}.")
    if page:
        try:
            click.echo(f"Once everything is saved, press Ctrl+C here, then run {how_to_start(file)}")
            maintenance.run(file, click.echo, simulated=simulated, port=port, bind=bind)
        except maintenance.MaintenanceError as error:
            raise click.ClickException(str(error)) from None
        return
    config, trouble = maintenance.config_or_shipped(file)
    if trouble:
        raise BadSettings(trouble)
    wizard, devices = maintenance.setup(config, file, simulated=simulated)
    with devices:
        run_wizard(wizard, Console(sys.stdin))


def run_wizard(wizard: SetupWizard, console: Console) -> None:
    """Go through the wizard's steps from the one where it was left to the end."""
    from tabletop.service.steps import how_to_start

    click.echo("Setting up the table.  Enter keeps the value in brackets; Ctrl+C leaves, and you can continue later.")
    try:
        while not wizard.saved:
            step = wizard.draft.step
            click.echo(f"\n{click.style(TITLES[step], bold=True)}")
            STEPS[step](wizard, console)
    except (EOFError, KeyboardInterrupt):
        click.echo("\nStopped. Run the same command again to continue.")
        return
    click.echo(f"{wizard.saved}\nStart the table with: {how_to_start(wizard.file)}")


def _game(wizard: SetupWizard, console: Console) -> None:
    from tabletop.rules import registry
    from tabletop.rules.new_game import seats_of
    from tabletop.setup.wizard import Refused

    games = registry.games()
    for fault in registry.faults():
        click.echo(fault.message, err=True)
    for game in games:
        click.echo(f"  {game.name}: {game.title}, {seats_of(game.seat_range)}")
    chosen = console.ask("Which game", wizard.draft.game, [game.name for game in games])
    seats = console.ask("Who plays, clockwise, separated by commas", ", ".join(wizard.draft.seats))
    make, edition = _pieces(chosen, wizard, console)
    letter = console.ask("Letter of the set of tags, or none", wizard.draft.letter or "none")
    size = console.ask("Side of the pieces' tags in mm, 20 unless you printed others", wizard.draft.size)
    try:
        bots = _bots(seats.split(","), wizard, console)
        wizard.choose(chosen, seats.split(","), make, edition, "" if letter == "none" else letter, size, bots)
    except Refused as error:
        click.echo(str(error))


def _bots(seats: Sequence[str], wizard: SetupWizard, console: Console) -> list[str]:
    """Ask which seats the program plays; return a level for each seat, empty for a person's.  Raises Refused."""
    from tabletop.setup.wizard import Refused

    names, played = [" ".join(name.split()) for name in seats], zip(wizard.draft.seats, wizard.draft.bots, strict=False)
    known = [f"{name}={level}" for name, level in played if level and name in names]
    answer = console.ask("Seats that the computer plays, such as Ben=strong, or none", ", ".join(known) or "none")
    levels = [""] * len(names)
    for choice in answer.split(",") if answer != "none" else ():
        name, _, level = (part.strip() for part in choice.rpartition("="))
        if name not in names:
            raise Refused(f"There is no seat “{name}”: write a name, = and a level, such as {names[0]}=strong.")
        levels[names.index(name)] = level
    return levels


def _pieces(chosen: str, wizard: SetupWizard, console: Console) -> tuple[str, str]:
    """Ask for the make of the pieces, and for the edition if what is printed on them differs from box to box."""
    from tabletop.rules import registry

    game = registry.game(chosen)
    makes, make, edition = tuple(game.makes), "", ""
    if len(makes) > 1:
        for offered in makes:
            called = (game.table.called if game.table else {}).get(offered)
            click.echo(f"  {offered}: {called or DEFAULT_MAKE_NAMES.get(offered, offered)}")
        make = console.ask("Which pieces", wizard.draft.make if wizard.draft.make in makes else makes[0], makes)
    if registry.EDITIONS.part(chosen) is not None:
        click.echo(
            "  tabletop edition makes a file of what is printed on your pieces; the included edition is made up."
        )
        edition = console.ask("File of your edition, or none", wizard.draft.edition or "none")
    return make, "" if edition == "none" else edition


def _panel(wizard: SetupWizard, console: Console) -> None:
    from tabletop.setup.draft import TrialOutcome

    if not wizard.outcomes:
        click.echo("There is no panel to try: the panel file cannot be used; tabletop panel says why.")
    elif not wizard.draft.panel and not console.agrees("No panel was chosen.  Go on without buttons and lights"):
        wizard.with_panel()
    if wizard.trial is not None and not wizard.draft.tried:
        click.echo("No panel, or not yet?  Type x to play on the pages.")
    while (trial := wizard.trial) is not None:
        _try(wizard, trial, console)
    if wizard.draft.step != "panel":
        return
    bad = [trial for trial, how in wizard.outcomes if how is TrialOutcome.WRONG and wizard.draft.panel]
    for trial in bad:
        click.echo(f"  ✗ {trial.name}. {trial.fix}")
    if bad and console.agrees("Try these again"):
        wizard.again()
    else:
        wizard.onward("panel")


def _try(wizard: SetupWizard, trial: Trial, console: Console) -> None:
    """Try one button or light; the answer comes from the panel or the keyboard."""
    from tabletop.setup.draft import TrialOutcome

    typed_outcomes = {"y": TrialOutcome.OK, "j": TrialOutcome.OK, "n": TrialOutcome.WRONG}
    place = f"{trial.wire.label} (place {trial.wire.header})"
    if trial.is_button:
        asked = "Press the button that is lit" if trial.signal else "Press the button"
        click.echo(f"{asked}: {place}   [n: nothing happens, Enter: there is none]")
    else:
        asked = "Do you hear it" if trial.wire.kind == "buzzer" else "Does this light blink slowly"
        click.echo(f"{asked}: {place}?   [y or OK, n or UNDO, Enter: there is none]")
    said = ""

    def enough() -> bool:
        return wizard.trial != trial or wizard.told != said

    while wizard.trial == trial:
        typed = console.line_unless(enough)
        if typed is not None and typed.lower() == "x":
            wizard.without_panel()
        elif typed is not None:
            wizard.answer(trial.name, typed_outcomes.get(typed.lower()[:1], TrialOutcome.SKIPPED))
        if wizard.told and wizard.told != said:
            click.echo(f"  {wizard.told}")
        said = wizard.told


def _camera(wizard: SetupWizard, console: Console) -> None:
    click.echo("Lay the zone cards where they belong, and some tiles.  Press Enter to continue when you are satisfied;")
    click.echo("to use another camera, type its name (picamera2, opencv:DEVICE, images:FOLDER) or its number.")
    there, said = wizard.cameras(), ""
    for number, camera in enumerate(there, start=1):
        click.echo(f"  {number}: {camera.source} ({camera.title})")

    def enough() -> bool:
        return _seen(wizard) not in ("", said)

    while wizard.draft.step == "camera":
        typed = console.line_unless(enough)
        if enough():
            said = _seen(wizard)
            click.echo(said)
        if typed:
            wizard.camera(there[int(typed) - 1].source if typed in map(str, range(1, len(there) + 1)) else typed)
        elif typed is not None:
            wizard.aimed()


def _seen(wizard: SetupWizard) -> str:
    """Return lines on what the camera sees, or why it sees nothing; empty before the first look."""
    from tabletop.runtime.aiming import in_words

    return in_words(wizard.aim) if wizard.aim is not None else wizard.told


def _sheets(wizard: SetupWizard, console: Console) -> None:
    from tabletop.setup.sheets import PAPERS, pdf

    if wizard.missing:
        click.echo(f"The camera did not see these zone cards: {', '.join(wizard.missing)}")
    paper = console.ask("Sheets for which paper (a4, letter, none)", "none", (*PAPERS, "none"))
    if paper in PAPERS:
        usual = "pieces" if wizard.draft.make == "printed" else "tags"
        kind = console.ask("Tags to stick on, or whole pieces (tags, pieces)", usual, ("tags", "pieces"))
        path = wizard.file.with_name(f"{wizard.draft.game}-{kind}-{paper}.pdf")
        try:
            atomic.write(path, pdf(wizard.draft, paper, whole=kind == "pieces"), 0o644)
        except OSError as error:
            click.echo(f"{path} cannot be written: {error.strerror}.")
            return
        click.echo(f"{path}: print it at 100 % and measure the ruler.")
    wizard.onward("sheets")


def _save(wizard: SetupWizard, console: Console) -> None:
    from tabletop.setup.wizard import Refused

    draft = wizard.draft
    seats = [
        f"{name} (the computer, {level})" if level else name
        for name, level in zip_longest(draft.seats, draft.bots, fillvalue="")
    ]
    panel = "" if draft.panel else "; no panel"
    click.echo(f"{draft.game} with {', '.join(seats)}; camera {draft.source}{panel}")
    if not console.agrees(f"Write {wizard.file}"):
        wizard.go("game")
        return
    try:
        wizard.save()
    except Refused as error:
        raise click.ClickException(str(error)) from None


TITLES = {
    "game": "1. Game and seats",
    "panel": "2. Buttons and lights",
    "camera": "3. Camera",
    "sheets": "4. Sheets to print",
    "save": "5. Finish",
}
STEPS: dict[str, Callable[[SetupWizard, Console], None]] = {
    "game": _game,
    "panel": _panel,
    "camera": _camera,
    "sheets": _sheets,
    "save": _save,
}
