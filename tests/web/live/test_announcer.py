"""A speaking table says what is new once, to everybody, without revealing a hand; a lost voice costs nothing else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from doubles.clock import PATIENCE
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, phases
from tabletop.hardware.errors import VoiceLost
from tabletop.messages import EMPTY, Message
from tabletop.referee.voice_loop import MAX_SENTENCES, VoiceLoop
from tabletop.rules.palazzo import GAME
from tabletop.web.games import ui_of
from tabletop.web.live.announcer import Announcer


@pytest.fixture
def pages() -> Iterator[Pages]:
    made = Pages(MemoryTable(GAME, NAMES, seed=3), press=None)
    yield made
    made.close()


def announcer(pages: Pages, language: str = "en") -> Announcer:
    return Announcer(pages.app, pages.room, language, pages.mailbox.snapshot)


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


def test_it_speaks_the_language_of_the_table(pages: Pages) -> None:
    pages.mailbox.become(phases()["bid"])
    assert "bietet" in " ".join(announcer(pages, "de").news(pages.mailbox.snapshot))


def test_no_hand_is_said(pages: Pages) -> None:
    """Cards that are dealt secretly are never read aloud."""
    says = announcer(pages)
    pages.mailbox.become(phases()["action"])
    act(pages, {"do": "money"})
    hands = [card for seat in pages.mailbox.snapshot.position.to_json()["seats"] for card in seat["hand"]]
    row = pages.mailbox.snapshot.position.to_json()["row"]
    told = " ".join(says.news(pages.mailbox.snapshot))
    assert told
    assert not any(f"{ui_of(GAME).called(card)}" in told for card in hands if card not in row)


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


def test_a_voice_that_is_lost_is_told_once_and_given_up(pages: Pages, caplog: pytest.LogCaptureFixture) -> None:
    def lost(_text: str) -> None:
        raise VoiceLost(Message("espeak-ng is not installed."), EMPTY)

    voice = VoiceLoop(pages.mailbox, lambda _now: ["Hello."], lost)
    with voice:
        voice._thread.join(PATIENCE)
        assert not voice._thread.is_alive()
    assert caplog.text.count("The table cannot speak. espeak-ng is not installed.") == 1
