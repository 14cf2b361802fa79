"""Everything that the host may do is recorded, shown to everybody, and never reveals a hand."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from doubles.finished_games import NOW
from doubles.memory_table import MemoryTable
from doubles.pages import CODE, HOST, Pages, Phone
from doubles.positions import NAMES, other_secrets, phases
from tabletop.match import store
from tabletop.match.archive import Archive
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.journal import Journal
from tabletop.referee.interpretation.layout_diff import PieceMove
from tabletop.referee.mailbox import Mailbox
from tabletop.referee.referee import Referee
from tabletop.rules import registry
from tabletop.rules.game import Game
from tabletop.rules.layout import Columns, Layout
from tabletop.rules.palazzo import GAME
from tabletop.vision.scene import Scene
from tabletop.web.games.palazzo.game_ui import PalazzoUI
from tabletop.web.seating.claims import CONFIRMED
from tabletop.web.seating.seating import MAX_NAME_LENGTH
from tabletop.web.views import game_log
from tests.web.test_secrets import seen


class Table:
    """A table with a real referee and a journal, without camera and panel."""

    def __init__(self, folder: Path, game: Game = GAME, actions: int = 60) -> None:
        self.folder = folder
        journal, match = store.start(folder, game, NAMES, NOW)
        rng, position = random.Random(4), match.position
        facts: list[Fact] = []
        while len(facts) < actions or position.decider is None:
            chance = position.decider is None
            action = game.draw(position, rng) if chance else rng.choice(list(position.legal.thrifty()))
            facts.append(Fact(EventKind.ACTION, dict(action.to_json()), position.decider, Source.PAGE, NOW))
            position = position.after(action)
        journal.append(facts)
        journal.close()
        self.open(journal.path)

    def open(self, path: Path, store: Path | None = None) -> None:
        """Start the table on a journal, as after a power cut."""
        self.journal, match, _ = Journal.open(path)
        rng = random.Random(1)
        referee = Referee(match, self.journal, lambda: NOW, lambda match: match.game.draw(match.position, rng))
        self.mailbox = Mailbox(referee).__enter__()
        room = {"store": self.folder / "seats.json"}
        self.pages = Pages(self.mailbox, archive=Archive(self.folder), press=None, room=room)  # type: ignore[arg-type]

    def close(self) -> None:
        self.pages.close()
        self.mailbox.__exit__(None, None, None)
        self.journal.close()

    def restart(self) -> None:
        path = self.journal.path
        self.close()
        self.open(path)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()


def post(phone: Phone, path: str, **data: Any) -> Any:
    phone.sent += 1
    return phone.post(path, {"id": f"request-{phone.sent:04d}", **data})


def numbers(table: Table) -> set[int]:
    """Return the numbers of the events that are not undone."""
    return {event.number for event in table.mailbox.snapshot.events}


def log_of(phone: Phone, path: str = "/") -> str:
    text = phone.get(path).text
    return re.sub(r"<[^>]+>|\s+", " ", text[text.index('id="log"') :])


def test_a_pause_is_shown_on_every_page_and_nobody_can_act(table: Table) -> None:
    host, seat = table.pages.phone(host=True), table.pages.phone(table.mailbox.snapshot.position.decider)
    action = next(iter(table.mailbox.snapshot.position.legal.thrifty())).to_json()
    assert post(host, "/host/game", what="pause").status_code == 200
    for path in ("/", "/seat", "/host"):
        assert "The game is paused." in host.get(path).text or "The game is paused." in seat.get(path).text
    assert "data-act=" not in seat.get("/seat").text
    refusal = seat.act(action, table.mailbox.snapshot.number)
    assert (refusal.status_code, refusal.json["code"]) == (422, "paused")
    assert refusal.json["text"] == "The game is paused: the host can resume it."
    assert post(host, "/host/game", what="resume").status_code == 200
    assert seat.act(action, table.mailbox.snapshot.number).status_code == 200
    assert "The game resumes." in log_of(seat)


def test_a_pause_and_the_seats_that_the_host_plays_for_outlive_a_restart(table: Table) -> None:
    host = table.pages.phone(host=True)
    post(host, "/host/deputy", seat=1)
    post(host, "/host/game", what="pause")
    table.restart()
    assert table.mailbox.snapshot.match.paused
    assert table.mailbox.snapshot.match.deputed == {1}
    assert "The host plays for Bruno." in table.pages.phone().get("/").text


def test_an_ended_game_shows_its_points_and_opens_its_record(table: Table) -> None:
    host, anybody = table.pages.phone(host=True), table.pages.phone()
    assert anybody.get("/record.txt").status_code == 403
    assert post(host, "/host/game", what="end").status_code == 200
    assert "The game was ended early." in anybody.get("/").text
    score = anybody.client.get("/after", base_url=HOST, follow_redirects=True).text
    assert "The game was ended early." in score
    assert 'class="rank"' not in score
    assert "bgstatsapp" not in score
    assert anybody.get("/record.txt").status_code == 200
    assert json.loads(anybody.get("/record.json").text)["ended"]
    assert post(host, "/host/game", what="resume").json["code"] == "game-over"
    assert "data-act=" not in table.pages.phone(0).get("/seat").text
    assert store.unfinished(table.folder) is None


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("/host/game", {"what": "end"}),
        ("/host/game", {"what": "pause"}),
        ("/host/free", {"seat": 1}),
        ("/host/bot", {"seat": 0, "level": "thrifty"}),
        ("/host/deputy", {"seat": 0}),
    ],
)
def test_what_was_meant_for_the_last_game_does_not_count_in_the_next(
    mailbox: MemoryTable, path: str, data: dict[str, Any]
) -> None:
    """A late press of the host does not end the new game or free a seat in it."""
    pages = Pages(mailbox, room={"levels": ["thrifty"]})
    pages.phone(1)
    host, last = pages.phone(host=True), mailbox.snapshot.mark
    mailbox.take(MemoryTable(GAME, NAMES[::-1]).snapshot.match)
    seating, number = pages.room.seating, mailbox.snapshot.number
    answer = post(host, path, **data, game=last)
    assert (answer.status_code, answer.json["text"]) == (409, "The game has moved on. Look again.")
    assert (pages.room.seating, mailbox.snapshot.number) == (seating, number)
    assert post(host, path, **data, game=mailbox.snapshot.mark).status_code == 200
    pages.close()


def test_the_host_plays_for_an_absent_seat_and_everybody_is_told(table: Table) -> None:
    host, decider = table.pages.phone(host=True), table.mailbox.snapshot.position.decider
    assert decider is not None
    assert host.get("/seat").status_code == 302
    assert post(host, "/host/deputy", seat=decider).status_code == 200
    page = host.get("/seat").text
    action = next(iter(table.mailbox.snapshot.position.legal.thrifty())).to_json()
    assert host.act(action, table.mailbox.snapshot.number).status_code == 200
    newest = next(event for event in reversed(table.mailbox.snapshot.events) if event.seat is not None)
    assert newest.source == "host"
    told = table.pages.phone()
    assert f"The host plays for {NAMES[decider]}." in told.get("/").text
    assert f"By the host: {NAMES[decider]}" in log_of(told)
    assert f"The host plays for {NAMES[decider]} from now on." in log_of(told)
    assert "Your money" in page


def test_the_host_lets_the_computer_play_a_free_seat(mailbox: MemoryTable) -> None:
    """The host chooses a bot's level and everybody reads who plays; a phone that takes the seat replaces the bot."""
    pages = Pages(mailbox, room={"levels": ("random", "strong")})
    host, anybody = pages.phone(host=True), pages.phone()
    assert post(anybody, "/host/bot", seat=1, level="strong").status_code == 403
    assert post(host, "/host/bot", seat=1, level="clever").status_code == 400
    assert post(host, "/host/bot", seat=1, level="strong").status_code == 200
    assert pages.room.seating.bots == {1: "strong"}
    assert "played by the computer until somebody sits down (strong)" in host.get("/host").text
    assert post(host, "/host/bot", seat=1, level="").status_code == 200
    assert "Let the computer play" in host.get("/host").text
    assert pages.room.seating.helped == frozenset()
    pages.phone(1)
    assert "free it first" in post(host, "/host/bot", seat=1, level="strong").json["text"]
    assert pages.room.seating.bots == {}


def test_the_host_does_not_play_for_a_seat_for_which_a_phone_waits(mailbox: MemoryTable) -> None:
    """As long as a phone waits for a seat, the host's request to play for it changes nothing."""
    pages = Pages(mailbox, room={"admission": CONFIRMED})
    host = pages.phone(host=True)
    assert pages.phone().post("/join", {"code": CODE, "seat": 1}).json["waits"]
    answer = host.post("/host/deputy", {"seat": 1})
    assert answer.status_code == 409
    assert "Another phone is waiting" in answer.json["text"]
    assert "deputy" not in {event.kind for event in mailbox.snapshot.events}
    pages.close()


def test_a_player_who_comes_back_takes_the_seat_from_the_host(table: Table) -> None:
    host = table.pages.phone(host=True)
    post(host, "/host/deputy", seat=1)
    assert host.get("/seat").status_code == 200
    table.pages.phone(1)
    assert host.get("/seat").status_code == 302
    assert table.mailbox.snapshot.match.deputed == frozenset()
    assert f"The host no longer plays for {NAMES[1]}." in log_of(table.pages.phone())


def test_the_host_no_longer_plays_for_a_freed_seat(table: Table) -> None:
    host = table.pages.phone(host=True)
    post(host, "/host/deputy", seat=1)
    post(host, "/host/free", seat=1)
    assert host.get("/seat").status_code == 302
    assert table.mailbox.snapshot.match.deputed == frozenset()


def test_the_host_plays_for_no_seat_that_a_phone_holds(table: Table) -> None:
    table.pages.phone(1)
    answer = post(table.pages.phone(host=True), "/host/deputy", seat=1)
    assert (answer.status_code, table.mailbox.snapshot.match.deputed) == (422, frozenset())


@pytest.mark.parametrize("seat", [-1, 3, 99, "1", True, None])
def test_a_seat_that_does_not_exist_is_neither_played_for_nor_freed(table: Table, seat: object) -> None:
    host = table.pages.phone(host=True)
    for path in ("/host/deputy", "/host/bot", "/host/free"):
        assert post(host, path, seat=seat, level="").status_code == 400
    assert table.mailbox.snapshot.match.deputed == frozenset()


def test_an_undo_asks_all_phones_unless_the_host_decides_alone(table: Table) -> None:
    host, phones = table.pages.phone(host=True), [table.pages.phone(seat) for seat in range(3)]
    events = table.mailbox.snapshot.events
    to, on = events[-4].number, table.mailbox.snapshot.number
    assert sorted(post(host, "/host/undo", to=to, on=on).json["asked"]) == [0, 1, 2]
    assert "The host asks to undo everything after this" in phones[1].get("/seat").text
    kept = game_log.line(table.mailbox.snapshot.match.steps, len(events) - 4, PalazzoUI(), None, NAMES)
    assert kept is not None
    assert all(PalazzoUI().called(piece) in phones[1].get("/seat").text for piece in kept.pieces)
    assert "Still to answer:" in host.get("/host").text
    for phone in phones:
        assert table.mailbox.snapshot.number == on
        post(phone, "/seat/vote", agree=True, on=on)
    assert to in numbers(table)
    assert on not in numbers(table)
    gone = table.mailbox.snapshot.number
    post(host, "/host/undo", to=table.mailbox.snapshot.events[-3].number, on=gone, now=True)
    assert gone not in numbers(table)


def test_without_phones_nobody_is_asked_about_an_undo(table: Table) -> None:
    on, to = table.mailbox.snapshot.number, table.mailbox.snapshot.events[-2].number
    assert post(table.pages.phone(host=True), "/host/undo", to=to, on=on).json["ok"]
    assert on not in numbers(table)


def test_the_host_can_go_back_to_every_event(table: Table) -> None:
    text = table.pages.phone(host=True).get("/host/history").text
    offered = {int(number) for number in re.findall(r'\{"to": (\d+)\}', text)}
    numbers = [event.number for event in table.mailbox.snapshot.events if event.kind == "action"]
    assert offered >= set(numbers[:-1])


def test_names_are_kept_in_the_record(table: Table) -> None:
    token = table.pages.room.claim(2, "Zoe")
    table.restart()
    archive = Archive(table.folder)
    assert archive.summary(archive.names()[0]).names == ("Anna", "Bruno", "Zoe")
    table.pages.room.leave(2, token)
    assert archive.summary(archive.names()[0]).names == ("Anna", "Bruno", "Zoe")


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_what_the_host_may_record_for_a_seat_is_legal_and_the_same_whatever_is_held(name: str) -> None:
    """Every offered action is legal, and the list of offers does not depend on any hand."""
    game = registry.game(name)
    mailbox = MemoryTable(game, NAMES, seed=2)
    pages = Pages(mailbox, press=None)
    host, rng = pages.phone(host=True), random.Random(3)
    seen = 0
    for _ in range(40):
        position = mailbox.snapshot.position
        text = host.get("/host").text
        offered = re.findall(r'data-post="/host/act"\s+data-act="(\{.*?\})"', text)
        for one in offered:
            data = json.loads(one.replace("&#34;", '"'))
            assert position.refusal(game.action(data)) is None
            pieces = set(re.findall(r'"(\w+)"', json.dumps(data)))
            assert not pieces & position.layout().pieces(f"hand{position.decider}")
        seen += len(offered)
        if offered:
            data = json.loads(rng.choice(offered).replace("&#34;", '"'))
            assert post(host, "/host/act", action=data, on=mailbox.snapshot.number).status_code == 200
            assert mailbox.snapshot.events[-1].source in ("host", "draw")
        else:
            legal = list(position.legal.thrifty())
            mailbox.act(
                rng.choice(legal), on=mailbox.snapshot.number, id=str(mailbox.snapshot.number), seat=position.decider
            )
    assert seen > 20
    pages.close()


def test_an_act_that_depends_on_a_hand_is_not_recorded_by_the_host(pages: Pages) -> None:
    pages.mailbox.become(phases()["bid"])
    host, card = pages.phone(host=True), phases()["bid"].to_json()["seats"][phases()["bid"].decider]["hand"][0]
    answer = post(host, "/host/act", action={"do": "bid", "cards": [card]}, on=pages.mailbox.snapshot.number)
    assert (answer.status_code, answer.json["code"]) == (422, "not-your-turn")


def test_what_was_turned_up_is_entered_from_a_list_that_reveals_no_hand(mailbox: MemoryTable) -> None:
    pages = Pages(mailbox, press=None)
    position = phases()["reveal"]
    host = pages.phone(host=True)
    lists = []
    for one in (position, other_secrets(position, None)):
        pages.mailbox.become(one)
        form = re.search(r'<form [^>]*data-act="reveal".*?</form>', host.get("/host").text, re.DOTALL)
        assert form
        lists.append(re.findall(r'value="(\w+)"', form.group()))
    assert lists[0] == lists[1]
    piece = next(piece for piece in lists[0] if piece in pages.mailbox.snapshot.position.to_json()["deck"])
    answer = post(host, "/host/act", action={"do": "reveal", "piece": piece}, on=pages.mailbox.snapshot.number)
    assert answer.status_code == 200
    pages.close()


def test_guessing_what_lies_in_a_hand_is_limited(mailbox: MemoryTable) -> None:
    pages = Pages(mailbox, press=None)
    pages.mailbox.become(phases()["reveal"])
    host, on = pages.phone(host=True), pages.mailbox.snapshot.number
    tries = [post(host, "/host/act", action={"do": "reveal", "piece": "E1"}, on=on).status_code for _ in range(20)]
    assert 429 in tries
    pages.close()


def test_what_lies_elsewhere_is_offered_where_it_is_seen(mailbox: MemoryTable) -> None:
    """For a misplaced tile the zone in which it is seen is preselected, so that one tap agrees."""
    pages = Pages(mailbox, press=None)
    position = phases()["place"]
    facts = position.to_json()
    seat, column = next((number, one["palazzi"][0]) for number, one in enumerate(facts["seats"]) if one["palazzi"])
    tile = facts["warehouse"][0]
    scene = Scene(0.0, 1, Layout({f"seat{seat}": Columns(frozenset({(*column, tile)}))}))
    pages.mailbox.become(position)
    pages.mailbox.show(todo=(PieceMove(tile, f"seat{seat}", "warehouse"),), scene=scene)
    text = pages.phone(host=True).get("/host").text
    assert re.search(rf'value="{tile} seat{seat}/{re.escape(column[0])}"\s+selected', text)
    pages.close()


def test_the_table_wins_by_one_request_and_the_log_says_so(table: Table) -> None:
    while table.mailbox.snapshot.position.phase != "action":
        snapshot = table.mailbox.snapshot
        action = next(iter(snapshot.position.legal.thrifty()))
        table.mailbox.act(action, on=snapshot.number, id=f"play {snapshot.number}", seat=None)
    facts = table.mailbox.snapshot.position.to_json()
    tile = facts["unseen"]["III"][0]
    host, on = table.pages.phone(host=True), table.mailbox.snapshot.number
    assert post(host, "/host/adopt", moves=[f"{tile} quarry1"], on=on).status_code == 200
    assert tile in table.mailbox.snapshot.position.to_json()["quarries"][0]
    assert "The record was corrected from the table:" in log_of(table.pages.phone())
    assert table.pages.phone(0).get("/seat/record.txt").status_code == 409
    post(host, "/host/game", what="end")
    assert '"start"' in table.pages.phone().get("/record.json").text
    assert "start: " in table.pages.phone().get("/record.txt").text


def test_nobody_learns_a_hand_by_saying_where_cards_lie(table: Table) -> None:
    """True or false, each claim about a secret place gets the same bytes and changes nothing."""
    host, before = table.pages.phone(host=True), table.mailbox.snapshot.position
    facts = before.to_json()
    held, stocked, thrown = facts["seats"][1]["hand"][0], facts["deck"][0], facts["row"][0]
    tile = next(tile for tiles in facts["quarries"] for tile in tiles)
    claims = [
        [f"{held} hand1"], [f"{stocked} hand1"], [f"{thrown} hand1"], [f"{held} deck"], [f"{stocked} deck"],
        [f"{held} row"], [f"{stocked} row"], [f"{held} hand1", f"{tile} nowhere"],
        [f"{stocked} hand1", f"{tile} nowhere"],
        [f"{held} hand1", "X9 box"], [f"{tile} warehouse", f"{stocked} hand0"], ["X9 hand1"],
    ]  # fmt: skip
    answers = []
    for moves in claims:
        table.pages.now += 60
        answers.append(post(host, "/host/adopt", moves=moves, on=table.mailbox.snapshot.number))
    assert {(answer.status_code, answer.data) for answer in answers} == {(422, answers[0].data)}
    assert table.mailbox.snapshot.position == before
    assert "The host tried to move pieces that not everyone may see" in log_of(table.pages.phone())


def test_the_host_can_move_only_pieces_that_lie_open(table: Table) -> None:
    offered = re.search(r'data-key="adopt".*?</details>', table.pages.phone(host=True).get("/host").text, re.DOTALL)
    assert offered
    facts = table.mailbox.snapshot.position.to_json()
    values = set(re.findall(r'<option\s+value="([^"]+)"', offered.group()))
    assert not values & {*facts["deck"], *(card for seat in facts["seats"] for card in seat["hand"])}
    assert not [value for value in values if value.startswith(("hand", "deck"))]
    assert {*facts["row"], "row", "box", "quarry1"} <= values


def test_every_attempt_to_say_where_pieces_are_counts_and_is_logged(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    host = table.pages.phone(host=True)
    with caplog.at_level("INFO", "tabletop.referee.admin"):
        tries = [
            post(host, "/host/adopt", moves=[f"C3 hand{number % 3}"], on=table.mailbox.snapshot.number).status_code
            for number in range(20)
        ]
    assert tries.count(429) >= 7
    assert sum("C3" in record.getMessage() for record in caplog.records) == tries.count(422) > 0


def test_what_the_host_did_stays_in_the_log_when_it_is_undone(table: Table) -> None:
    while table.mailbox.snapshot.position.phase != "action":
        snapshot = table.mailbox.snapshot
        action = next(iter(snapshot.position.legal.thrifty()))
        table.mailbox.act(action, on=snapshot.number, id=f"play {snapshot.number}", seat=None)
    host, on = table.pages.phone(host=True), table.mailbox.snapshot.number
    tile = table.mailbox.snapshot.position.to_json()["unseen"]["III"][0]
    assert post(host, "/host/adopt", moves=[f"{tile} quarry1"], on=on).status_code == 200
    assert post(host, "/host/undo", to=on, on=table.mailbox.snapshot.number, now=True).status_code == 200
    table.restart()
    history = table.pages.phone(host=True).get("/host/history").text
    for text in (log_of(table.pages.phone()), history):
        assert "Undone: The record was corrected from the table:" in text
    buttons = re.findall(r'"to": (\d+)', history)
    assert str(on + 1) not in buttons


@pytest.mark.parametrize(
    ("data", "status"),
    [({"moves": []}, 422), ({"moves": ["X9 box"]}, 422), ({"moves": ["B1.2"]}, 422), ({"moves": [1]}, 400),
     ({"moves": "B1.2 box"}, 400), ({"moves": ["R5a quarry1"]}, 422), ({"piece": {}, "place": []}, 422)],
)  # fmt: skip
def test_nonsense_about_where_pieces_are_is_refused(table: Table, data: dict[str, Any], status: int) -> None:
    before = table.mailbox.snapshot.position
    answer = post(table.pages.phone(host=True), "/host/adopt", on=table.mailbox.snapshot.number, **data)
    assert answer.status_code == status
    assert answer.json["text"].endswith(".")
    assert table.mailbox.snapshot.position == before


def test_a_game_without_a_table_says_what_to_do_instead(tmp_path: Path) -> None:
    table = Table(tmp_path, registry.game("piecepack"), 12)
    host = table.pages.phone(host=True)
    assert "continues from its record alone" in host.get("/host").text
    answer = post(host, "/host/adopt", moves=["TM3 yard"], on=table.mailbox.snapshot.number)
    assert answer.json["text"] == "This game continues from its record alone: undo, or enter what was done."
    table.close()


def test_a_name_may_be_equally_long_wherever_it_is_typed(mailbox: MemoryTable) -> None:
    mailbox.become(phases()["over"])
    pages = Pages(mailbox, begin=lambda _people, _options: None)
    host = pages.phone(host=True)
    for path, field in (("/join", "name"), ("/host", "seats[]")):
        assert f'name="{field}" maxlength="{MAX_NAME_LENGTH}"' in host.get(path).text
    pages.close()


@pytest.mark.parametrize("path", ["/host/game", "/host/deputy", "/host/act", "/host/adopt", "/host/games/delete"])
@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"null", b"{", b"\xff\xfe", b"[" * 8000, b'{"what": 1, "seat": [], "action": 4, "moves": {}}',
     b'{"what": "pause", "id": 7}', b'{"what": "undo", "id": "12345678"}', b'{"seat": 1e9}', b'{"game": {}}'],
)  # fmt: skip
def test_a_malformed_request_of_the_host_gets_a_sentence(table: Table, path: str, body: bytes) -> None:
    headers = {"Origin": HOST, "Content-Type": "application/json"}
    answer = table.pages.phone(host=True).client.post(path, data=body, base_url=HOST, headers=headers)
    assert answer.status_code in (400, 404, 422)
    assert (answer.json or {})["text"]
    assert not table.mailbox.snapshot.match.paused


@pytest.mark.parametrize("phase", ["action", "take", "choose", "bid", "claim", "place", "reveal"])
def test_who_plays_for_a_seat_sees_that_hand_and_no_other(pages: Pages, phase: str) -> None:
    """Pages of a host who plays for a seat do not depend on other hands; the host's own page shows none."""
    host = pages.phone(host=True)
    assert post(host, "/host/deputy", seat=1).status_code == 200
    position = phases()[phase]
    found: dict[str, list[str]] = {}
    for one in (position, other_secrets(position, 1), other_secrets(position, None)):
        pages.mailbox.become(one)
        for path in ("/host", "/host/history", "/seat", "/events/seat", "/events/host"):
            found.setdefault(path, []).append(seen(pages, host, path))
    for path, (first, others_changed, all_changed) in found.items():
        assert first == others_changed, path
        assert (first == all_changed) == ("seat" not in path), path


WORDS = ("seat", "what", "id", "on", "to", "now", "action", "do", "moves", "piece", "place", "game", "accept", "code")
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2.5, 1e308, 10**30, "", "pause", "end ", "reveal", "B1.2", "B1.2 quarry1", "12345678",
    "\x00", "\ud800", "finished", "../x", [], [[]], ["B1.2 seat0/B1.1"], {}, {"do": "reveal"},
    {"do": "take", "card": []},
)  # fmt: skip


def anything(rng: random.Random, depth: int = 2) -> Any:
    """Return a random JSON value."""
    kind = rng.random()
    if depth and kind < 0.2:
        return [anything(rng, depth - 1) for _ in range(rng.randrange(4))]
    if depth and kind < 0.5:
        return {rng.choice(WORDS): anything(rng, depth - 1) for _ in range(rng.randrange(5))}
    return rng.choice(VALUES)


@pytest.mark.parametrize(
    "path",
    ["/host", "/host/game", "/host/deputy", "/host/act", "/host/adopt", "/host/undo", "/host/claim", "/host/free",
     "/host/games/delete", "/host/backup"],
)  # fmt: skip
def test_whatever_is_sent_the_host_gets_an_answer_in_words(table: Table, path: str) -> None:
    """No request body causes a server error or an event that a host may not cause."""
    rng, host = random.Random(path), table.pages.phone(host=True)
    for _ in range(60):
        body = anything(rng)
        if isinstance(body, dict) and rng.random() < 0.7:
            body |= {"id": f"fuzz-{rng.random()}", "on": table.mailbox.snapshot.number}
        answer = host.post(path, body)
        assert answer.status_code in (200, 400, 403, 404, 409, 415, 422, 429), body
        assert answer.mimetype in ("application/json", "application/gzip"), body
        answer.close()
    assert {event.kind for event in table.mailbox.snapshot.events} <= {
        "start", "action", "pause", "resume", "end", "deputy", "note", "position", "names"
    }  # fmt: skip
