"""The speaking table says each event once to everybody and reveals no hand; a failed voice costs nothing else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from doubles.clock import PATIENCE
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, phases
from tabletop.hardware.errors import VoiceLost
from tabletop.match.event import EventKind
from tabletop.messages import EMPTY, Message
from tabletop.referee.voice_loop import MAX_SENTENCES, VoiceLoop
from tabletop.rules.palazzo import GAME
from tabletop.web.games import ui_of
from tabletop.web.live.announcer import MAX_COUNTING_S, Announcer
from tabletop.web.pages import session


@pytest.fixture
def pages() -> Iterator[Pages]:
    made = Pages(MemoryTable(GAME, NAMES, seed=3), press=None)
    yield made
    made.close()


WHO_HAS_WON = "Look at the television: who has won?"


def announcer(pages: Pages, language: str = "en", steady: Callable[[], float] = lambda: 0.0) -> Announcer:
    return Announcer(pages.app, session.context_of(pages.app).hub, pages.room, language, steady)


def television(pages: Pages, counts: str = "yes") -> Any:
    """Open the stream of a television that says whether it counts the score at the end; return the answer."""
    return pages.phone().get(f"/events/table?stage=tv&counts={counts}")


def act(pages: Pages, action: dict[str, Any]) -> None:
    now = pages.mailbox.snapshot
    pages.mailbox.act(GAME.action(action), on=now.number, id=f"voice-{now.number}", seat=now.position.decider)


def test_the_turn_and_what_happened_are_said_once(pages: Pages) -> None:
    pages.mailbox.become(phases()["bid"])
    says = announcer(pages)
    decider = pages.mailbox.snapshot.position.decider
    assert decider is not None
    assert says.news(pages.mailbox.snapshot) == [f"{NAMES[decider]} bids or passes"]
    assert says.news(pages.mailbox.snapshot) == []
    act(pages, {"do": "pass"})
    told = says.news(pages.mailbox.snapshot)
    assert told[0].startswith(f"{NAMES[decider]} passes.")
    assert says.news(pages.mailbox.snapshot) == []


def test_the_voice_speaks_the_language_of_the_table(pages: Pages) -> None:
    pages.mailbox.become(phases()["bid"])
    assert "bietet" in " ".join(announcer(pages, "de").news(pages.mailbox.snapshot))


def test_no_hand_is_said(pages: Pages) -> None:
    """No card that only a hand has is named aloud."""
    says = announcer(pages)
    pages.mailbox.become(phases()["action"])
    act(pages, {"do": "money"})
    hands = [card for seat in pages.mailbox.snapshot.position.to_json()["seats"] for card in seat["hand"]]
    row = pages.mailbox.snapshot.position.to_json()["row"]
    told = " ".join(says.news(pages.mailbox.snapshot))
    assert told
    assert not any(f"{ui_of(GAME).called(card)}" in told for card in hands if card not in row)


def test_who_has_won_is_said_once_the_television_has_counted_the_score(pages: Pages) -> None:
    """The winner is announced after the television's counting, and nothing is held back after that."""
    says, counts = announcer(pages), television(pages)
    pages.mailbox.become(phases()["over"])
    assert says.news(pages.mailbox.snapshot)[-1] == WHO_HAS_WON
    assert says.news(pages.mailbox.snapshot) == []
    assert says.waits()
    over = television(pages, counts="no")
    assert "The game is over" in says.news(pages.mailbox.snapshot)[-1]
    assert not says.waits()
    again = television(pages)
    assert says.news(pages.mailbox.snapshot) == []
    for answer in (counts, over, again):
        answer.close()


def test_who_has_won_is_said_soon_whatever_becomes_of_the_television(pages: Pages) -> None:
    """After the longest counting time the winner is announced, even if the television lost power."""
    times = [0.0]
    says, counts = announcer(pages, steady=lambda: times[0]), television(pages)
    pages.mailbox.become(phases()["over"])
    assert says.news(pages.mailbox.snapshot)[-1] == WHO_HAS_WON
    times[0] = MAX_COUNTING_S
    assert "The game is over" in says.news(pages.mailbox.snapshot)[-1]
    assert not says.waits()
    counts.close()


def test_a_game_that_is_ended_early_has_no_winner_to_wait_for(pages: Pages) -> None:
    says, counts = announcer(pages), television(pages)
    pages.mailbox.become(phases()["bid"])
    pages.mailbox.decide(EventKind.END, {}, id="ended-by-the-host")
    assert says.news(pages.mailbox.snapshot)[-1] == "The game was ended early."
    assert not says.waits()
    counts.close()


def test_what_is_held_back_is_said_though_nothing_else_changes(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    """The voice loop looks again by itself, since nothing reports that the television is done."""
    monkeypatch.setattr("tabletop.referee.voice_loop.LOOK_AGAIN_S", 0.001)
    news, said, done = iter([["Who?"], []]), list[str](), threading.Event()

    def say(text: str) -> None:
        said.append(text)
        if text == "Anna.":
            done.set()

    with VoiceLoop(pages.mailbox, lambda _now: next(news, ["Anna."]), say, lambda: not done.is_set()):
        assert done.wait(PATIENCE)
    assert said == ["Who?", "Anna."]


def test_sentences_are_spoken_in_their_order_and_a_backlog_is_left_out(pages: Pages) -> None:
    said: list[str] = []
    done = threading.Event()

    def say(text: str) -> None:
        said.append(text)
        if text == "9":
            done.set()

    with VoiceLoop(pages.mailbox, lambda _now: [str(number) for number in range(10)], say):
        assert done.wait(PATIENCE)
    assert said[:MAX_SENTENCES] == ["6", "7", "8", "9"]


def test_the_sentence_that_is_being_spoken_ends_before_the_table_is_closed(pages: Pages) -> None:
    begun, over = threading.Event(), threading.Event()
    said: list[str] = []

    def say(text: str) -> None:
        begun.set()
        over.wait(PATIENCE)
        said.append(text)

    with VoiceLoop(pages.mailbox, lambda _now: ["One.", "Two."], say):
        assert begun.wait(PATIENCE)
        threading.Timer(0.2, over.set).start()
    assert said == ["One."]


def test_a_lost_voice_is_reported_once_and_given_up(pages: Pages, caplog: pytest.LogCaptureFixture) -> None:
    def lost(_text: str) -> None:
        raise VoiceLost(Message("espeak-ng is not installed."), EMPTY)

    voice = VoiceLoop(pages.mailbox, lambda _now: ["Hello."], lost)
    with voice:
        voice._thread.join(PATIENCE)
        assert not voice._thread.is_alive()
    assert caplog.text.count("The table cannot speak. espeak-ng is not installed.") == 1
