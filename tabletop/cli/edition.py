"""``tabletop edition``: check an edition file, or enter a table's own cards one by one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tabletop.rules.edition import Fault
    from tabletop.rules.patrician.edition import Face


GAMES = ("palazzo", "patrician")
"""The games that have editions."""


@click.group()
def command() -> None:
    """What is printed on the pieces and in none of the rules: check it, or enter your own."""


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", type=click.Choice(GAMES), help="The game, where the file does not tell it.")
@click.option("--seats", type=click.IntRange(2, 5), help="Check for games of this many seats only.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def check(file: Path, game: str | None, seats: int | None, as_json: bool) -> None:
    """Say which constraint of the rules FILE breaks, and where: one line a fault."""
    from tabletop.rules.edition import game_of

    data = _read(file)
    game = game or game_of(data)
    if game not in GAMES:
        said = "does not say for which game it is" if game is None else f"is for {game[:40]!r}, a game without editions"
        raise click.ClickException(f"{file} {said}; write game = one of {', '.join(GAMES)} at its top.")
    faults = list(_faults(game, data, seats))
    if as_json:
        click.echo(json.dumps({"file": str(file), "game": game, "faults": [fault._asdict() for fault in faults]}))
    else:
        for fault in faults:
            click.echo(f"{fault.where}: {fault.message}")
        if not faults:
            click.echo(f"{file}: a complete edition of {game.title()}.")
    if faults:
        raise SystemExit(1)


def _faults(game: str, data: Mapping[str, Any], seats: int | None) -> Iterable[Fault]:
    from tabletop.rules.edition import Fault
    from tabletop.rules.game import Illegal
    from tabletop.rules.palazzo.edition import check as check_palazzo
    from tabletop.rules.patrician.components import SEATS
    from tabletop.rules.patrician.edition import faults

    if game == "patrician":
        return faults(data, SEATS if seats is None else range(seats, seats + 1))
    try:
        check_palazzo(data)
    except Illegal as error:
        return [Fault("stacks", "stacks", error.message)]
    return []


@command.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", type=click.Choice(["patrician"]), required=True, help="The game whose cards are entered.")
@click.option("--again", multiple=True, metavar="CARD", help="Ask for this card again; may be given several times.")
def enrol(file: Path, game: str, again: tuple[str, ...]) -> None:
    """Ask for each card what it shows and write FILE; stop at any time, it goes on where it stopped.

    FILE is saved after every answer.  An answer is what a card shows beside its first crest: 2, any, move, or heads;
    `back` asks for the card before once more, an empty answer keeps what stands in brackets.
    """
    from tabletop.rules.patrician.components import CARDS
    from tabletop.rules.patrician.edition import faults
    from tabletop.rules.patrician.enrolment import ANSWERS, enrolled

    data = _read(file) if file.exists() else {}
    if data.get("game", game) != game:
        raise click.ClickException(f"{file}: it is an edition of {data['game']}, not of {game}.")
    for card in again:
        if card not in CARDS:
            raise click.UsageError(f"there is no card {card!r}; the cards of a city count up from 1: ROM1 … ROM7.")
    faces = enrolled(data)
    asked = [card for card in CARDS if card in again or card not in faces]
    if asked:
        click.echo(f"Each card: {ANSWERS}. {len(asked)} to enter.", err=True)
    _ask_all(file, str(data.get("name", file.stem)), faces, asked)
    found = list(faults(_read(file))) if file.exists() else []
    for fault in found:
        click.echo(f"{fault.where}: {fault.message}")
    if found:
        click.echo(f"Enter a card once more with: tabletop edition enrol {file} --game {game} --again CARD", err=True)
        raise SystemExit(1)
    click.echo(f"{file}: a complete edition of Patrician.")


def _ask_all(file: Path, name: str, faces: dict[str, Face], asked: list[str]) -> None:
    """Ask for the cards in turn and save after each; ``back`` goes one back."""
    from tabletop.rules.patrician.components import CITIES, CITY_OF
    from tabletop.rules.patrician.enrolment import answer, face, to_toml

    at = 0
    while at < len(asked):
        card = asked[at]
        shown = faces.get(card)
        title = f"{card} ({CITIES[CITY_OF[card]].title})"
        given = click.prompt(title, default=answer(shown) if shown else None, err=True)
        if given.strip() == "back":
            at = max(0, at - 1)
            continue
        try:
            faces[card] = face(given)
        except ValueError as error:
            click.echo(str(error), err=True)
            continue
        _save(file, to_toml(name, faces))
        at += 1


def _read(file: Path) -> dict[str, Any]:
    """Return the data of an edition file; what is wrong with the file itself ends the command with one sentence."""
    from tabletop.rules.edition import EditionError, parse

    try:
        return parse(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise click.ClickException(f"{file}: {(error.strerror or 'it cannot be read').lower()}.") from error
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{file}: it is not UTF-8 text.") from error
    except EditionError as error:
        raise click.ClickException(f"{file}: {error}.") from error


def _save(file: Path, text: str) -> None:
    """Write the file whole or not at all, and onto the disk before the next question is asked."""
    new = file.with_name(f".{file.name}.new")
    try:
        with new.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        new.replace(file)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise click.ClickException(f"{file} cannot be written: {(error.strerror or str(error)).lower()}.") from error
