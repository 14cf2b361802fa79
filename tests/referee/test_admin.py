"""The host's decisions are recorded, survive a restart, and bind everybody."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest

from doubles.positions import phases, well_played
from tabletop.hardware.panel.lights import Pattern
from tabletop.match import store
from tabletop.match.errors import BadEvent
from tabletop.match.event import Event, EventKind, Source
from tabletop.match.journal import Journal
from tabletop.match.match import Match
from tabletop.referee.admin import movable_places, not_decider, refusal, zone_of
from tabletop.referee.referee import Referee
from tabletop.referee.snapshot import Answer
from tabletop.rules.game import Action, Json
from tabletop.rules.palazzo import GAME
from tabletop.rules.secrecy import secret_zones
from tests.referee.hands import Hands
from tests.referee.support import NOW, random_facts
from tests.refusals import code_of
from tests.rules.tiny import lantern

Restart: TypeAlias = Callable[[], Referee]
"""Returns the referee after a restart."""


@pytest.fixture
def referee(started: tuple[Journal, Match]) -> Iterator[Referee]:
    """A game that is 40 actions old."""
    journal, match = started
    for event in journal.append(random_facts(match, 40, seed=3)):
        match = match.with_event(event)
    yield Referee(match, journal, clock=lambda: NOW)
    journal.close()


@pytest.fixture
def again(referee: Referee, started: tuple[Journal, Match]) -> Iterator[Restart]:
    """Returns the referee after a restart."""
    journals = [started[0]]

    def restart() -> Referee:
        journals[-1].close()
        journal, match, damage = Journal.open(journals[-1].path)
        journals.append(journal)
        assert not damage
        return Referee(match, journal, clock=lambda: NOW)

    yield restart
    journals[-1].close()


def any_action(referee: Referee) -> Action:
    return next(iter(referee.snapshot.position.legal.thrifty()))


def act(referee: Referee, id: str = "act") -> Answer:
    return referee.act(any_action(referee), on=referee.snapshot.number, id=id, seat=None, source=Source.HOST)


def test_during_a_pause_nobody_acts_and_nothing_is_undone(referee: Referee) -> None:
    before = referee.snapshot.position
    assert referee.decide(EventKind.PAUSE, {}, id="pause").ok
    assert referee.snapshot.match.paused
    assert code_of(act(referee).error) == "paused"
    assert code_of(referee.undo(5, on=referee.snapshot.number, id="undo").error) == "paused"
    hands = Hands(referee)
    for button in ("UNDO", "MONEY", "PASS", "OK"):
        hands.press(button)
    hands.show()
    assert referee.snapshot.position == before


def test_a_pause_flashes_every_seat_and_shows_that_all_is_saved(referee: Referee) -> None:
    referee.decide(EventKind.PAUSE, {}, id="pause")
    assert referee.snapshot.signals == {f"seat{seat}": Pattern.SLOW for seat in range(3)} | {"legal": Pattern.REST}
    assert referee.snapshot.headline.text == "The game is paused."


def test_a_pause_lasts_over_a_restart_until_it_is_ended(referee: Referee, again: Restart) -> None:
    referee.decide(EventKind.PAUSE, {}, id="pause")
    restarted = again()
    paused = restarted.snapshot
    assert paused.match.paused
    assert restarted.decide(EventKind.RESUME, {}, id="resume").ok
    assert not restarted.snapshot.match.paused
    assert act(restarted).ok


def test_a_decision_that_changes_nothing_is_not_a_new_event(referee: Referee) -> None:
    number = referee.decide(EventKind.PAUSE, {}, id="one").number
    assert referee.decide(EventKind.PAUSE, {}, id="two").number == number
    assert referee.decide(EventKind.DEPUTY, {"seats": []}, id="three").number == number
    assert referee.decide(EventKind.RESUME, {}, id="four").number == number + 1


def test_an_ended_game_stays_ended_and_is_not_resumed(referee: Referee, again: Restart, tmp_path: Path) -> None:
    assert referee.decide(EventKind.END, {}, id="end").ok
    assert referee.snapshot.match.ended
    assert referee.snapshot.over
    assert code_of(act(referee).error) == "game-over"
    assert code_of(referee.undo(5, on=referee.snapshot.number, id="undo").error) == "game-over"
    assert code_of(referee.decide(EventKind.RESUME, {}, id="resume").error) == "game-over"
    assert referee.snapshot.signals == {"legal": Pattern.REST}
    assert store.unfinished(tmp_path) is None
    restarted = again()
    assert restarted.snapshot.match.ended


def test_nothing_follows_an_end_in_a_match(referee: Referee) -> None:
    referee.decide(EventKind.END, {}, id="end")
    event = Event(referee.match.last + 1, "resume", {}, None, "host", NOW, "")
    with pytest.raises(BadEvent, match="ended"):
        referee.match.with_event(event)


def test_an_undo_keeps_the_hosts_decisions(referee: Referee, again: Restart) -> None:
    """Undoing acts keeps what was decided beside them: new names, and that the host plays for a seat."""
    referee.decide(EventKind.NAMES, {"names": ["Zoe", "Ben", "Cleo"]}, id="names")
    referee.decide(EventKind.DEPUTY, {"seats": [1]}, id="deputy")
    act(referee)
    position = referee.match.at(10)
    assert referee.undo(10, on=referee.snapshot.number, id="undo").ok
    assert referee.snapshot.position == position
    assert referee.snapshot.match.deputed == {1}
    assert referee.match.names == ("Zoe", "Ben", "Cleo")
    assert [event.kind for event in referee.snapshot.events[-2:]] == ["names", "deputy"]
    assert code_of(referee.undo(10, on=referee.snapshot.number, id="again").error) == "bad-request"
    assert again().snapshot.position == position


def test_an_act_for_somebody_else_is_recorded_as_the_hosts(referee: Referee) -> None:
    assert act(referee).ok
    newest = referee.snapshot.events[-1]
    assert newest.source == "host"


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (EventKind.ACTION, {}),
        (EventKind.UNDO, {"to": 1}),
        (EventKind.DEPUTY, {}),
        (EventKind.DEPUTY, {"seats": [9]}),
        (EventKind.DEPUTY, {"seats": [True]}),
        (EventKind.NAMES, {"names": ["one"]}),
        (EventKind.NAMES, {"names": [1, 2, 3]}),
        (EventKind.START, {}),
    ],
)
def test_other_kinds_of_decision_are_refused(referee: Referee, kind: EventKind, data: Mapping[str, Json]) -> None:
    before = referee.snapshot
    assert code_of(referee.decide(kind, data, id="no").error) == "bad-request"
    assert replace(referee.snapshot, revision=0) == replace(before, revision=0)


def test_the_table_can_be_adopted_and_the_game_continues_from_it(referee: Referee, again: Restart) -> None:
    """A tile lying elsewhere is accepted where it lies; the correction is recorded and can itself be undone."""
    while referee.snapshot.position.phase != "action":
        position = referee.snapshot.position
        chance = position.decider is None
        action = GAME.draw(position, random.Random(1)) if chance else any_action(referee)
        assert referee.act(action, on=referee.snapshot.number, id=str(referee.snapshot.number), seat=None).ok
    before = referee.snapshot.position
    tile = next(tile for tiles in before.to_json()["quarries"] for tile in tiles)
    number = referee.snapshot.number
    assert referee.adopt({tile: "seat0"}, on=number, id="adopt").ok
    assert [tile] in referee.snapshot.position.to_json()["seats"][0]["palazzi"]
    assert referee.snapshot.events[-1].data["moved"] == {tile: "seat0"}
    after = again()
    assert after.snapshot.position == referee.snapshot.position
    assert after.undo(number, on=number + 1, id="undo").ok
    assert after.snapshot.position == before
    assert after.snapshot.say[0].text == "Undone: the correction from the table. Put the pieces back as they were."


def test_an_impossible_adoption_changes_nothing(referee: Referee) -> None:
    before = referee.snapshot.position
    answer = referee.adopt({"R5a": "quarry1"}, on=referee.snapshot.number, id="adopt")
    assert code_of(answer.error) in ("bad-position", "bad-request")
    assert referee.snapshot.position == before


def test_after_adopting_the_table_the_light_is_green(referee: Referee) -> None:
    """After an adoption the table agrees with the record and the light is green; later moves are asked about again."""
    while referee.snapshot.position.phase != "action":
        position = referee.snapshot.position
        action = GAME.draw(position, random.Random(1)) if position.decider is None else any_action(referee)
        assert referee.act(action, on=referee.snapshot.number, id=str(referee.snapshot.number), seat=None).ok
    hands = Hands(referee)
    hands.tidy()
    hands.lay("C3", "warehouse")
    hands.show()
    assert [*referee.snapshot.todo] == []
    quarries = referee.snapshot.position.to_json()["quarries"]
    home, tile = next((number, tiles[0]) for number, tiles in enumerate(quarries, start=1) if tiles)
    away = home % 4 + 1
    hands.lay(tile, f"quarry{away}")
    hands.show()
    assert [(move.piece, move.lies) for move in referee.wrong] == [(tile, f"quarry{away}")]
    assert referee.adopt({tile: f"quarry{away}"}, on=referee.snapshot.number, id="adopt").ok
    assert [*referee.snapshot.todo] == []
    assert referee.snapshot.signals["legal"] is Pattern.STEADY
    hands.lay(tile, f"quarry{home}")
    hands.show()
    assert tile in [move.piece for move in referee.wrong]


def test_after_a_pause_the_table_is_read_as_it_lies_then(referee: Referee) -> None:
    """Pieces laid during a pause count when the game is resumed, and not before."""
    hands = Hands(referee)
    hands.tidy()
    hands.lay("C3", "warehouse")
    hands.show()
    referee.decide(EventKind.PAUSE, {}, id="pause")
    tile = next(tile for tiles in referee.snapshot.position.to_json()["quarries"] for tile in tiles)
    hands.lay(tile, "row")
    hands.show()
    assert [*referee.snapshot.todo] == []
    referee.decide(EventKind.RESUME, {}, id="resume")
    assert tile in [move.piece for move in referee.snapshot.todo]


def test_a_name_that_cannot_be_shown_is_never_recorded(started: tuple[Journal, Match]) -> None:
    _, match = started
    names = {"names": ["Zo\ud800", *match.names[1:]]}
    refused = refusal(match, EventKind.NAMES, names)
    assert refused is not None
    assert refused.code == "bad-request"
    assert refusal(match, EventKind.NAMES, {"names": ["Zoë", *match.names[1:]]}) is None


@pytest.mark.parametrize("phase", ["action", "choose", "bid"])
def test_a_correction_names_no_secret_place_and_no_piece_in_one(phase: str) -> None:
    """Places are offered for exactly the pieces whose place everybody knows, and none of them is secret."""
    position = phases()[phase]
    secret, lies = secret_zones(position), position.layout().zone_of()
    offered = movable_places(position)
    assert {lies[piece] for piece in offered} & secret == set()
    assert {zone_of(place) for places in offered.values() for place in places} & secret == set()
    everybody = {piece for piece, zone in lies.items() if zone not in secret}
    assert GAME.table is not None
    assert offered.keys() == everybody & GAME.table.places(position).keys()
    assert all(offered.values())


def test_a_game_without_a_table_offers_no_correction() -> None:
    assert movable_places(lantern.GAME.new(["Ann", "Bob"])) == {}


def test_a_seat_that_is_not_to_decide_is_told_who_is() -> None:
    """The refusal names the seat that decides, or says that chance does."""
    position = phases()["action"]
    assert position.decider is not None
    refused = not_decider(position)
    assert (refused.code, refused.facts["name"]) == ("not-your-turn", position.names[position.decider])
    chance = next(one for one in well_played(GAME, 3) if one.decider is None)
    assert not_decider(chance).code == "wrong-phase"
