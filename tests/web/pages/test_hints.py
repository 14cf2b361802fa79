"""Hints: asked for by the seat on turn, announced to all, answered to that seat alone, and counted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import HOST, Pages, decider
from doubles.positions import NAMES, phases
from tabletop.bots.bot import Estimate
from tabletop.bots.hints import Suggestion
from tabletop.match.chain import chain_events
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.match import Match
from tabletop.messages import Message
from tabletop.referee.snapshot import Answer
from tabletop.rules.game import Position
from tabletop.rules.registry import BUILT_IN, game
from tabletop.rules.text import record_text
from tabletop.rules.text.replay import replay
from tabletop.web.live.hub import Audience
from tabletop.web.pages import session
from tabletop.web.seating.seat_hints import Hints

WHY = "a reason that nobody else may read"


class Bot:
    """Suggests the first three actions, each ``gap`` points worse than the one before, known to 0.7 points."""

    def __init__(self, gap: float = 5.0) -> None:
        self.gap = gap
        self.asked: list[tuple[Position, int]] = []

    def __call__(self, positions: Sequence[Position], seat: int) -> Suggestion:
        self.asked.append((positions[-1], seat))
        some = list(positions[-1].legal.thrifty())[:3]
        told = [
            Estimate(one, -self.gap * at, 9.0, 0.5, self.gap * at, 0.7, [Message(WHY)]) for at, one in enumerate(some)
        ]
        return Suggestion(some[0], told, self.gap > 2)


class Apart:
    """Holds back the bot's thinking until the test runs it."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []

    def __call__(self, think: Callable[[], None]) -> None:
        self.waiting.append(think)

    def think(self) -> None:
        while self.waiting:
            self.waiting.pop()()


@pytest.fixture
def bot() -> Bot:
    return Bot()


@pytest.fixture
def apart() -> Apart:
    return Apart()


@pytest.fixture
def pages(mailbox: MemoryTable, bot: Bot, apart: Apart) -> Iterator[Pages]:
    """A table that allows hints, at which a seat decides."""
    mailbox.become(phases()["action"])
    made = Pages(mailbox, hints=Hints(bot, allowed=True, start=apart))
    yield made
    made.close()


def suggested(pages: Pages) -> int:
    """Return how many actions the bot suggests now."""
    return min(3, len(list(pages.mailbox.snapshot.position.legal.thrifty())))


def ask(pages: Pages, phone: Any, id: str = "hint-0001") -> Any:
    return phone.post("/seat/hint", {"on": pages.mailbox.snapshot.number, "id": id})


def test_a_hint_is_announced_to_all_before_it_is_computed_and_shown_to_its_seat_alone(
    pages: Pages, apart: Apart
) -> None:
    seat = decider(pages)
    phone = pages.phone(seat)
    assert "What would you do?" in phone.get("/seat").text
    assert ask(pages, phone).status_code == 200
    others = [pages.phone(), pages.phone((seat + 1) % 3), pages.phone(host=True)]
    for one, path in zip(others, ("/", "/seat", "/host/history"), strict=True):
        assert f"{NAMES[seat]} asks for a hint." in one.get(path).text
    assert "A bot is thinking" in phone.get("/seat").text
    apart.think()
    assert phone.get("/seat").text.count(WHY) == suggested(pages)
    for one in others:
        assert not any(WHY in one.get(path).text for path in ("/", "/seat", "/host", "/host/history", "/demo"))


@pytest.mark.parametrize("overtaken", [False, True])
def test_a_hint_is_only_about_the_decision_that_was_announced_to_all(
    pages: Pages, monkeypatch: pytest.MonkeyPatch, overtaken: bool
) -> None:
    """A request that is repeated or overtaken by an act gets no hint about the next decision."""
    seat, table = decider(pages), pages.mailbox
    phone, hint = pages.phone(seat), table.hint

    def play_on() -> None:
        before = table.snapshot.position
        while table.snapshot.position is before or decider(pages) != seat:
            action = next(iter(table.snapshot.position.legal.thrifty()))
            assert table.act(action, on=table.snapshot.number, id=f"act-{table.snapshot.number:06}", seat=None).ok

    def answered_late(*what: Any, **more: Any) -> Answer:
        answer = hint(*what, **more)
        play_on()
        return answer

    if overtaken:
        monkeypatch.setattr(table, "hint", answered_late)
    else:
        ask(pages, phone)
        play_on()
    ask(pages, phone)
    assert pages.app.extensions[session.EXTENSION_KEY].hints.of(seat, table.snapshot.position) is None


def test_differences_are_given_with_their_errors_and_only_if_they_are_clear(
    pages: Pages, bot: Bot, apart: Apart
) -> None:
    phone = pages.phone(decider(pages))
    ask(pages, phone)
    apart.think()
    assert "5 ± 1.4 points less" in phone.get("/seat").text
    renderer = pages.app.extensions[session.EXTENSION_KEY].renderer
    streamed = renderer.show(Audience("seat", decider(pages), "de"))
    assert streamed.whole
    assert "5 ± 1,4 Punkte weniger" in streamed.regions["hint"]
    bot.gap = 0.5
    pages.mailbox.become(phases()["place"])
    phone = pages.phone(decider(pages))
    ask(pages, phone, "hint-0002")
    apart.think()
    text = phone.get("/seat").text
    assert "No clear difference between the first two" in text
    assert "no clear difference" in text


def test_a_hint_of_a_bot_that_stood_in_says_so(apart: Apart, mailbox: MemoryTable) -> None:
    """If the strong bot took too long, the hint says which bot it is from."""
    mailbox.become(phases()["action"])
    notice = Message("The computer’s player “{level}” took too long; “{lower}” decided for it.", level="a", lower="b")

    def stand_in(positions: Sequence[Position], _seat: int) -> Suggestion:
        return Suggestion(next(iter(positions[-1].legal.thrifty())), (), True, notice)

    pages = Pages(mailbox, hints=Hints(stand_in, allowed=True, start=apart))
    phone = pages.phone(decider(pages))
    ask(pages, phone)
    apart.think()
    assert "“a” took too long; “b” decided for it." in phone.get("/seat").text
    pages.close()


def test_a_hint_counts_once_for_each_decision_and_stays_counted(pages: Pages, bot: Bot, apart: Apart) -> None:
    seat = decider(pages)
    phone = pages.phone(seat)
    for number in range(3):
        assert ask(pages, phone, f"hint-000{number}").status_code == 200
        apart.think()
    assert len(bot.asked) == 1
    assert pages.mailbox.snapshot.match.hints == {seat: 1}
    own = phone.get("/seat/record.txt").text
    assert f"# hints asked for by seat {seat}: 1\n" in own
    parsed = record_text.parse_record(own)
    assert [line.text for line in parsed.lines if line.kind == "comment"] == [f"hints asked for by seat {seat}: 1"]
    bare = parsed._replace(lines=parsed.lines[1:])
    assert [one.position for one in replay(parsed)] == [one.position for one in replay(bare)]


def test_a_hint_is_gone_with_its_decision_and_never_comes_too_late(pages: Pages, apart: Apart) -> None:
    seat = decider(pages)
    phone = pages.phone(seat)
    ask(pages, phone)
    assert phone.act({"do": "build"}, on=pages.mailbox.snapshot.number).status_code == 200
    apart.think()
    assert WHY not in phone.get("/seat").text


def test_only_the_deciding_seat_may_ask_and_only_if_the_host_allows_it(pages: Pages, bot: Bot) -> None:
    seat = decider(pages)
    other = pages.phone((seat + 1) % 3)
    assert "What would you do?" not in other.get("/seat").text
    assert ask(pages, other).status_code == 422
    host, phone = pages.phone(host=True), pages.phone(seat)
    assert phone.post("/host/hints", {"allow": False}).status_code == 403
    assert host.post("/host/hints", {"allow": False}).status_code == 200
    assert "What would you do?" not in phone.get("/seat").text
    assert ask(pages, phone).status_code == 404
    assert bot.asked == []
    host.post("/host/hints", {"allow": True})
    assert ask(pages, phone).status_code == 200


def test_hints_are_off_by_default_and_absent_without_a_bot(mailbox: MemoryTable) -> None:
    assert not Hints(Bot()).allowed
    assert not Hints(allowed=True).allowed
    pages = Pages(mailbox)
    assert "hints" not in pages.phone(host=True).get("/host").text
    pages.close()


def test_a_phone_without_scripts_asks_by_a_form(pages: Pages, apart: Apart) -> None:
    """The form leads back to the seat's page, which shows the hint once it is found."""
    phone = pages.phone(decider(pages))
    page = phone.get("/seat")
    assert page.headers["Referrer-Policy"] == "same-origin"
    form = re.search(r'<form method="post" action="/seat/hint".*?</form>', page.text, re.DOTALL)
    assert form
    tags = [tag for tag in re.findall(r"<input\s[^>]*>", form[0]) if "name=" in tag]
    fields = {re.findall(r'name="(\w+)"', tag)[0]: re.findall(r'value="([^"]*)"', tag)[0] for tag in tags}
    answer = phone.client.post("/seat/hint", data=fields, base_url=HOST, headers={"Origin": HOST})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/seat")
    apart.think()
    assert phone.get("/seat").text.count(WHY) == suggested(pages)


@pytest.mark.parametrize("number", ["9" * 5000, "²", "-1", ""])
def test_a_form_with_an_invalid_number_is_refused_in_words(pages: Pages, number: str) -> None:
    phone = pages.phone(decider(pages))
    fields = {"seat": number, "on": number, "id": "a form"}
    answer = phone.client.post("/seat/hint", data=fields, base_url=HOST, headers={"Origin": HOST})
    assert answer.status_code in (400, 403)


def test_a_bot_that_fails_is_reported_in_a_sentence(mailbox: MemoryTable, apart: Apart) -> None:
    def fails(positions: Sequence[Position], seat: int) -> Suggestion:
        raise RuntimeError

    mailbox.become(phases()["action"])
    pages = Pages(mailbox, hints=Hints(fails, allowed=True, start=apart))
    phone = pages.phone(decider(pages))
    ask(pages, phone)
    apart.think()
    assert "No hint could be found." in phone.get("/seat").text
    pages.close()


def test_a_thread_that_the_system_refuses_costs_a_sentence(mailbox: MemoryTable, bot: Bot) -> None:
    """If no thread can be started, the page says that no hint could be found and does not wait for one."""

    def refuses(_think: Callable[[], None]) -> NoReturn:
        raise RuntimeError("can't start new thread")

    mailbox.become(phases()["action"])
    pages = Pages(mailbox, hints=Hints(bot, allowed=True, start=refuses))
    phone = pages.phone(decider(pages))
    assert ask(pages, phone).status_code == 200
    assert "No hint could be found." in phone.get("/seat").text
    pages.close()


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("language", ["en", "de", "it"])
def test_every_game_has_its_hints_in_every_language(name: str, language: str, bot: Bot, apart: Apart) -> None:
    pages = Pages(MemoryTable(game(name), NAMES, seed=3), hints=Hints(bot, allowed=True, start=apart))
    phone = pages.phone(decider(pages))
    ask(pages, phone)
    apart.think()
    text = phone.get("/seat", **{"Accept-Language": language}).text
    assert text.count(WHY) == suggested(pages)
    pages.close()


def test_an_older_program_reads_a_record_with_hints(mailbox: MemoryTable) -> None:
    """The event of a hint is a note like earlier ones: number, kind and text are enough to read it."""
    match: Match = mailbox.snapshot.match
    (event,) = chain_events(
        [Fact(EventKind.NOTE, {"what": "hint"}, match.position.decider, Source.PAGE, 0.0)], match.events[-1]
    )
    later = match.with_event(event)
    assert later.position is match.position
    assert later.hints == {match.position.decider: 1}
