"""People who are asked to agree to an undo can answer on the panel: from mock buttons through to the referee."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from doubles.clock import PATIENCE
from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.hardware.panel.lights import Pattern
from tabletop.match.journal_file import read_events
from tabletop.rules.palazzo import GAME
from tabletop.runtime.panel_actions import CONFIRMATION_S, PanelVotes
from tabletop.web.seating.claims import Admission
from tabletop.web.seating.room import Room
from tests.end_to_end.mock_table import BASE, NAMES, Table, post


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path, draw=lambda match: GAME.draw(match.position, random.Random(match.last)))
    yield table
    table.close()


class GameNight:
    """A table at which seat 2 took money, with a phone for each seat and one that only looks on."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.flask = table.app.pages([BASE])
        self.phones = [self._phone(token) for token in table.tokens]
        self.looking_on = self.flask.test_client()
        on = table.app.mailbox.snapshot.number
        assert post(self.phones[2], "/seat/act", action={"do": "money"}, on=on, id="takes-money")[0] == 200
        self.number = table.app.mailbox.snapshot.number

    def _phone(self, token: str) -> FlaskClient:
        phone = self.flask.test_client()
        phone.set_cookie("seat", token, domain="127.0.0.1")
        return phone

    def ask(self, seat: int) -> tuple[int, dict[str, object]]:
        return post(self.phones[seat], "/seat/undo", on=self.number, id=f"asks-to-undo-{seat}")

    def press(self, button: str) -> None:
        self.table.hold(button, 0.2)

    @property
    def blinking(self) -> set[str]:
        return {name for name, pattern in self.table.app.panel_signals().items() if pattern is Pattern.SLOW}

    def is_undone(self) -> bool:
        return self.table.app.mailbox.snapshot.position.phase == "action"


def test_each_who_is_asked_presses_ok_when_their_seats_light_blinks(table: Table) -> None:
    night = GameNight(table)
    assert night.ask(0) == (200, {"ok": True, "asked": [1, 2]})
    assert night.blinking == {"seat1", "OK", "PASS"}
    assert table.fingers.lit("seat0") is False
    night.press("OK")
    assert night.blinking == {"seat2", "OK", "PASS"}
    assert not night.is_undone()
    night.press("OK")
    assert night.is_undone()
    newest = read_events(table.journal.path)[0][-1]
    assert (newest.kind, newest.source) == ("undo", "button")
    assert "PASS" not in night.blinking


def test_one_pass_declines_the_undo_and_the_game_continues(table: Table) -> None:
    night = GameNight(table)
    night.ask(0)
    night.press("PASS")
    assert table.votes.open(night.number) is None
    night.press("OK")
    night.press("OK")
    assert not night.is_undone()
    assert table.app.mailbox.snapshot.number == night.number


def test_some_answer_on_the_phone_and_the_others_at_the_panel(table: Table) -> None:
    night = GameNight(table)
    night.ask(0)
    assert post(night.phones[1], "/seat/vote", agree=True, on=night.number, id="agrees-by-phone")[0] == 200
    assert night.blinking == {"seat2", "OK", "PASS"}
    night.press("OK")
    assert night.is_undone()


def test_people_without_a_phone_are_asked_at_the_panel(table: Table) -> None:
    night = GameNight(table)
    table.room.free(1)
    table.room.free(2)
    assert night.ask(0)[1]["asked"] == [1, 2]
    night.press("OK")
    night.press("OK")
    assert night.is_undone()


def test_the_pages_say_whose_light_blinks_and_what_the_buttons_mean(table: Table) -> None:
    night = GameNight(table)
    told = f"On the panel: the light of {NAMES[1]} blinks; press OK to agree, or PASS to decline."
    assert told not in night.looking_on.get("/", base_url=BASE).text
    night.ask(0)
    assert told in night.looking_on.get("/", base_url=BASE).text
    for seat in (1, 2):
        assert told in night.phones[seat].get("/seat", base_url=BASE).text
    night.press("OK")
    assert f"the light of {NAMES[2]} blinks" in night.looking_on.get("/", base_url=BASE).text


def test_an_ok_during_a_vote_is_not_an_ok_of_the_game(table: Table) -> None:
    night = GameNight(table)
    night.ask(0)
    night.press("OK")
    assert table.app.mailbox.answers(PATIENCE)
    assert table.app.mailbox.snapshot.refused is None
    night.press("PASS")
    night.press("OK")
    assert table.app.mailbox.answers(PATIENCE)
    assert table.app.mailbox.snapshot.refused is not None


def test_while_a_phone_waits_to_be_let_in_ok_does_not_answer_a_vote(table: Table) -> None:
    """While a phone waits to be let in, OK lets it in and is not an answer to the open vote."""
    night = GameNight(table)
    night.ask(0)
    table.room.claim(0)
    assert night.blinking == {"seat0", "OK"}
    assert "On the panel: the light of" not in night.looking_on.get("/", base_url=BASE).text
    night.press("OK")
    assert table.votes.open(night.number).agreed == frozenset()  # type: ignore[union-attr]
    table.hold("OK", 1.3)
    table.clock.now += CONFIRMATION_S
    assert night.blinking == {"seat1", "OK", "PASS"}


def test_a_seat_with_its_own_button_agrees_by_that_one(table: Table) -> None:
    room = Room("CODE42", seats=range(3), admission=Admission(confirm=True, own_buttons=frozenset({1, 2})))
    ballot = PanelVotes(table.app.mailbox, room, table.votes)
    on = table.app.mailbox.snapshot.number
    table.votes.ask(0, on=on, asker=0, voters=room.asked)
    assert set(ballot.lights({"seat0": Pattern.STEADY})) == {"seat1", "SEAT1", "seat2", "SEAT2", "PASS"}
    assert not ballot.press(Press("OK", Kind.PRESS, 0.0))
    assert not ballot.press(Press("SEAT0", Kind.PRESS, 0.0))
    assert ballot.press(Press("SEAT2", Kind.PRESS, 0.0))
    assert not ballot.press(Press("SEAT2", Kind.PRESS, 0.0))
    assert set(ballot.lights({})) == {"seat1", "SEAT1", "PASS"}
    assert not ballot.press(Press("MONEY", Kind.PRESS, 0.0))
