"""What can be undone in a match, how far, and by whom."""

from __future__ import annotations

from tabletop.match.event import EventKind, Fact
from tabletop.match.match import Match
from tests.match.facts import fact, followed
from tests.referee.support import random_facts


def until_chance(match: Match) -> list[Fact]:
    """Return the facts of a random game up to the first chance that follows a seat's action."""
    facts = random_facts(match, 40, seed=1)
    end = next(at for at, each in enumerate(facts) if at and each.seat is None and facts[at - 1].seat is not None)
    return facts[: end + 1]


def test_nothing_can_be_undone_at_the_start(begun: Match) -> None:
    """A match that has only begun, or in which only names and pauses followed, has nothing to undo."""
    later = followed(begun, [fact(EventKind.NAMES, {"names": ["Ida", "Jo"]}), fact(EventKind.PAUSE, {})])
    for match in (begun, later):
        undone = [match.undo_to(drawn=True), match.undo_to(drawn=False)]
        assert [*undone, match.undo_freely_to(0), match.taken_back_by(1)] == [None] * 4


def test_chance_that_the_program_drew_is_undone_with_the_action_before_it(begun: Match) -> None:
    """Undo passes over chance that the program drew, but undoes chance that people drew by itself."""
    facts = until_chance(begun)
    match = followed(begun, facts)
    assert match.undo_to(drawn=False) == match.last - 1
    assert match.undo_to(drawn=True) == match.last - 2


def test_a_correction_is_undone_whether_or_not_chance_is_drawn(begun: Match) -> None:
    """A correction is what somebody decided on, so undo goes back to just before it."""
    corrected = fact(EventKind.POSITION, {"position": begun.position.to_json()})
    match = followed(begun, [*random_facts(begun, 3, seed=1), corrected])
    assert [match.undo_to(drawn=True), match.undo_to(drawn=False)] == [match.last - 1] * 2


def test_a_seat_undoes_its_own_last_action_until_something_happens(begun: Match) -> None:
    """Only the seat that acted last undoes freely, and no longer once chance has revealed something."""
    *acted, chance = until_chance(begun)
    match, seat = followed(begun, acted), acted[-1].seat
    assert seat is not None
    assert (match.undo_freely_to(seat), match.undo_freely_to(1 - seat)) == (match.last - 1, None)
    named = followed(begun, [*acted, fact(EventKind.NAMES, {"names": ["Ida", "Jo"]})])
    assert named.undo_freely_to(seat) == match.last - 1
    revealed = followed(begun, [*acted, chance])
    assert [revealed.undo_freely_to(each) for each in (0, 1)] == [None, None]


def test_nobody_undoes_freely_once_the_game_has_ended(begun: Match) -> None:
    """The end reveals everything, so not even the seat that acted last undoes freely after it."""
    *acted, _ = until_chance(begun)
    ended = followed(begun, [*acted, fact(EventKind.END, {})])
    assert [ended.undo_freely_to(seat) for seat in (0, 1)] == [None, None]


def test_going_back_takes_back_the_first_change_after_an_event(begun: Match) -> None:
    """What going back takes back is the first later change, not a name; an event that does not count has no answer."""
    names = fact(EventKind.NAMES, {"names": ["Ida", "Jo"]})
    match = followed(begun, [names, *random_facts(begun, 2, seed=1)])
    assert match.taken_back_by(1) == match.taken_back_by(2) == match.events[2]
    assert match.taken_back_by(3) == match.events[3]
    assert [match.taken_back_by(4), match.taken_back_by(99)] == [None, None]
    undone = followed(begun, [names, *random_facts(begun, 2, seed=1), fact(EventKind.UNDO, {"to": 3})])
    assert [undone.taken_back_by(number) for number in (3, 4)] == [None, None]


def test_an_undo_keeps_names_and_pauses_that_came_later(begun: Match) -> None:
    """An undo takes back only what led to another position; a name given since still counts, and is not doubled."""
    names = fact(EventKind.NAMES, {"names": ["Ida", "Jo"]})
    match = followed(begun, [*random_facts(begun, 2, seed=1), names, fact(EventKind.UNDO, {"to": 1})])
    assert [event.kind for event in match.events] == [EventKind.START, EventKind.NAMES]
    assert (match.names, match.position) == (("Ida", "Jo"), begun.position)
    assert match.at(4) == begun.position


def test_only_what_the_host_decided_stays_visible_after_an_undo(begun: Match) -> None:
    """Of what an undo takes back, the host's corrections stay visible, a seat's actions do not."""
    corrected = fact(EventKind.POSITION, {"position": begun.position.to_json()})
    match = followed(begun, [*random_facts(begun, 2, seed=1), corrected, fact(EventKind.UNDO, {"to": 1})])
    assert [event.kind for event in match.undone] == [EventKind.POSITION]
