"""Pairs of games that differ in one hidden piece: everybody who must not know it gets the same bytes.

``python -m tests.campaigns.pairs --seconds 60 --seed 1``: a game is played twice, step by step, with two pieces
exchanged in one of the two.  As long as a visitor has seen neither of them, every page, stream, refusal, question and
photograph of both games is compared byte for byte, for a spectator, each seat, a phone for two seats and the host, in
three languages.  ``replies`` counts the comparisons, ``pairs`` the moments.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from doubles.fake_photo_reader import FakePhotoReader, Sight, scored, send
from doubles.memory_table import MemoryTable
from doubles.pages import HOST, Pages, Phone
from tabletop.match.chain import chain_events
from tabletop.match.event import EventKind, Fact, Source
from tabletop.match.match import Match, begin, start_data
from tabletop.messages import EMPTY
from tabletop.referee.interpretation.layout_diff import PieceMove
from tabletop.rules import registry
from tabletop.rules.contract import play_random_game
from tabletop.rules.contract.promises import secrets_of
from tabletop.rules.game import Action, Game, Illegal, Position
from tabletop.rules.layout import Layout, Spread
from tabletop.web.pages import session
from tabletop.web.pages.photos.photo_access import PURPOSES
from tests.campaigns.harness import Budget, Tally, main

LANGUAGES = ("en", "de", "it")
PATHS = (
    "/", "/join", "/seat", "/seat/listen", "/rules", "/demo", "/demo/picture.jpg", "/after", "/record.txt",
    "/record.json", "/host", "/host/history", "/host/picture.jpg", "/games", "/seat/record.txt",
    "/seat/record.txt?seat=1", "/photo/cards", "/photo/table", "/photo/score", "/nothing",
)  # fmt: skip
STREAMS = ("table", "seat", "listen", "demo", "host", "history", "after")
Question = tuple[str, dict[str, Any]]
"""A request: its path and its body."""
KNOWN = {"set-cookie"}
"""Headers that hold values drawn for each browser."""


@dataclass
class World:
    """One of the two games: its pages, and the phones of all visitors."""

    game: Game
    names: Sequence[str]
    reader: FakePhotoReader = field(default_factory=FakePhotoReader)

    def __post_init__(self) -> None:
        self.mailbox = MemoryTable(self.game, self.names, seed=None)
        self.pages = Pages(self.mailbox, photo_reader=self.reader)
        parts = self.pages.app.extensions[session.EXTENSION_KEY]
        self.run = parts.hub.stamp.run
        self.phones: dict[str, Phone] = {"nobody": self.pages.phone(), "host": self.pages.phone(host=True)}
        self.tokens = {seat: self.pages.room.claim(seat) for seat in range(len(self.names))}
        for seat, token in self.tokens.items():
            self.phones[f"seat {seat}"] = self._phone(token)

    def _phone(self, token: str) -> Phone:
        phone = self.pages.phone()
        phone.client.set_cookie("seat", token, domain="192.168.1.20")
        return phone

    def together(self) -> None:
        """Let one phone hold the first two seats until :meth:`apart`."""
        token = self.tokens[0] = self.pages.room.claim(0)
        self.tokens[1] = self.pages.room.claim(1, also=token)
        self.phones["seats 0 and 1"] = self._phone(token)

    def apart(self) -> None:
        """Give the first two seats back to a phone each."""
        for seat in (0, 1):
            self.pages.room.free(seat)
            self.tokens[seat] = self.pages.room.claim(seat)
            self.phones[f"seat {seat}"] = self._phone(self.tokens[seat])


def matches(game: Game, names: Sequence[str], actions: Sequence[Action]) -> list[Match]:
    """Return the match after each of these actions.  Raises Illegal if one of them is not allowed."""
    (event,) = chain_events([Fact(EventKind.START, start_data(game.new(names), {}), None, Source.TABLE, 0.0)], None)
    found = [begin(event)]
    for action in actions:
        before = found[-1]
        source = Source.DRAW if before.position.decider is None else Source.PAGE
        (event,) = chain_events(
            [Fact(EventKind.ACTION, dict(action.to_json()), before.position.decider, source, 0.0)], event
        )
        found.append(before.with_event(event, before.position.after(action)))
    return found[1:]


def normal(world: World, answer: Any, text: bytes) -> tuple[int, str, tuple[tuple[str, str], ...]]:
    """Return an answer without what is drawn for each table: the id of its run and the keys of photographs."""

    def same(part: str) -> str:
        return re.sub(r"(/photo/\w+/|[?]with=)[\w-]{22}", r"\1KEY", part.replace(world.run, "RUN"))

    headers = tuple((name, same(value)) for name, value in answer.headers.items() if name.lower() not in KNOWN)
    return answer.status_code, same(text.decode("utf-8", "replace")), headers


def replies(world: World, role: str, language: str, asks: Sequence[Question]) -> Iterator[Any]:
    """Yield every answer that a visitor can get now, each with what was asked."""
    phone = world.phones[role]
    phone.client.set_cookie("language", language, domain="192.168.1.20")
    for path in PATHS:
        answer = phone.get(path)
        yield path, normal(world, answer, answer.data)
        answer.close()
    for page in STREAMS:
        answer = phone.get(f"/events/{page}?stamp=old")
        begins = b"".join(itertools.islice(answer.response, 2)) if answer.status_code == 200 else answer.data
        yield f"/events/{page}", normal(world, answer, begins)
        answer.close()
    for path, body in asks:
        world.pages.now += 10
        answer = phone.post(path, body)
        yield f"{path} {body}", normal(world, answer, answer.data)
        answer.close()
    for purpose in PURPOSES:
        world.pages.now += 10
        answer = send(phone, purpose)
        yield f"POST /photo/{purpose}", normal(world, answer, answer.data)
        if answer.status_code == 303:
            shown = phone.get(answer.location.removeprefix(HOST))
            yield f"the photograph of the {purpose}", normal(world, shown, shown.data)


def questions(
    rng: random.Random, position: Position, role: str, pieces: tuple[str, str], number: int
) -> list[tuple[str, dict[str, Any]]]:
    """Return requests about two pieces, none of which may be granted: drafts, claims, acts out of turn."""
    piece, other = rng.sample(pieces, 2)
    base = {"on": 0, "id": f"ask-{rng.random()}"}  # based on an outdated state of the table: never done
    legal = list(itertools.islice(position.legal, 30)) if position.decider is not None else []
    drafts = [dict(rng.choice(legal).to_json())] if legal else []
    drafts += [
        {"do": "buy", "tiles": [piece], "pay": [other]},
        {"do": "bid", "cards": [piece]},
        {"do": "play", "card": piece},
    ]
    for draft in drafts[:1]:
        drafts.append({key: piece if isinstance(value, str) and key != "do" else value for key, value in draft.items()})
        drafts.append({key: [piece] if isinstance(value, list) else value for key, value in draft.items()})
    asks: list[Question] = []
    for draft in drafts:
        if position.decider is not None:
            asks += [("/seat/ask", {"action": draft}), ("/host/act", {**base, "action": draft})]
        asks.append(("/seat/act", {**base, "action": draft}))
    places = [*position.layout(), "nowhere"]
    moves = [f"{piece} {rng.choice(places)}", f"{other} {rng.choice(places)}"]
    on = {"id": f"ask-{rng.random()}"}
    asks.append(("/host/adopt", {**on, "on": 0, "moves": moves}))
    asks.append(("/seat/open", {"held": True}))
    asks.append(("/seat/choose", {"on": number, "path": [rng.randrange(3) for _ in range(rng.randrange(4))]}))
    if role.startswith("seats"):  # the hand is shown to the phone that holds its button
        asks = [(path, {**body, "seat": rng.choice((0, 1))}) for path, body in asks if path != "/seat/open"]
    return asks


def sight(position: Position, piece: str) -> Sight:
    """Return a photograph that shows a hidden piece on the table, together with a score of it for the first seat."""
    zones = position.layout()
    score = scored([piece])
    for zone, there in zones.items():
        if isinstance(there, Spread):
            return Sight(pieces=(piece,), layout=Layout({zone: Spread(there.pieces | {piece})}), score=score)
    return Sight(pieces=(piece,), score=score)


def exposed(position: Position, piece: str, lies: str) -> PieceMove:
    """Return the referee's request to move a piece that lies open in a zone where it does not belong by the record."""
    table, home = position.game.table, position.layout().zone_of()[piece]
    return PieceMove(piece, lies, home, table.rule(home) if table is not None else EMPTY)


def swapped(game: Game, action: Action, names: dict[str, str]) -> Action:
    """Return an action with two pieces exchanged."""

    def other(data: Any) -> Any:
        if isinstance(data, dict):
            return {key: other(value) for key, value in data.items()}
        if isinstance(data, list):
            return [other(value) for value in data]
        return names.get(data, data) if isinstance(data, str) else data

    return game.action(other(action.to_json()))


def hidden_from(positions: Sequence[Position], seat: int | None) -> list[set[str]]:
    """Return, for each position, the pieces that a seat (None: a spectator) has not seen until then."""
    found: list[set[str]] = []
    for position in positions:
        now = set(secrets_of(position, seat))
        found.append(now & found[-1] if found else now)
    return found


@cache
def world_pair(name: str, names: tuple[str, ...]) -> tuple[World, World]:
    """Return the two tables that show all pairs of one game."""
    game = registry.game(name)
    return World(game, names), World(game, names)


def play(budget: Budget, tally: Tally) -> None:
    """Play a game and compare it at some moments with games in which two hidden pieces are exchanged."""
    rng = budget.rng
    game = registry.game(rng.choice(registry.BUILT_IN))
    walk = play_random_game(game, rng.randrange(10**6), rng.choice([2, 3]))
    names = tuple(walk.positions[0].names)
    roles = ["nobody", "host", "seats 0 and 1", *(f"seat {seat}" for seat in range(len(names)))]
    # Half of the moments come early: later, few pieces are left that nobody has seen.
    last = rng.choice([30, len(walk.actions) - 1])
    ours, (one, two) = matches(game, names, walk.actions[:last]), world_pair(game.name, names)
    by_seat = {seat: hidden_from(walk.positions[1 : last + 1], seat) for seat in (None, *range(len(names)))}
    for number in range(20):
        # One moment is the end: then photographs of the final table are compared with the record.
        moment, role = rng.randrange(len(ours)) if number else len(ours) - 1, rng.choice(roles)
        seats: list[int | None] = [int(word) for word in role.split() if word.isdigit()] or [None]
        hidden = set.intersection(*(by_seat[seat][moment] for seat in seats))
        pool = sorted(hidden)
        if len(pool) < 2:
            continue
        pieces = rng.sample(pool, 2)
        exchange = dict(zip(pieces, reversed(pieces), strict=True))
        try:
            theirs = matches(game, names, [swapped(game, action, exchange) for action in walk.actions[: moment + 1]])
        except Illegal:
            continue  # with the other piece this is not allowed
        if theirs[-1].position == ours[moment].position:
            continue
        one.mailbox.take(ours[moment])
        two.mailbox.take(theirs[-1])
        compare(one, two, role, pieces, budget, tally)
        if not budget.left() or tally.enough:
            return


def compare(one: World, two: World, role: str, pieces: Any, budget: Budget, tally: Tally) -> None:
    """Compare everything that a visitor is told in two worlds."""
    rng, position = budget.rng, one.mailbox.snapshot.position
    language = rng.choice(LANGUAGES)
    if role.startswith("seats"):
        one.together()
        two.together()
    asks, seen = questions(rng, position, role, pieces, one.mailbox.snapshot.number), rng.choice(pieces)
    one.reader.sight = two.reader.sight = sight(position, seen)
    if rng.random() < 0.5:  # one of the two pieces lies open on the table
        lies = rng.choice(list(position.layout()))
        for world in (one, two):
            world.mailbox.show(todo=(exposed(world.mailbox.snapshot.position, seen, lies),))
    tally.count("pairs")
    for (asked, first), (_asked, second) in zip(
        replies(one, role, language, asks), replies(two, role, language, asks), strict=True
    ):
        tally.count("replies")
        tally.count(f"status {first[0]}")
        if first != second:
            parts = zip(*(re.split(r"(?=<)", text) for text in (first[1], second[1])), strict=False)
            differ = next((pair for pair in parts if pair[0] != pair[1]), (first[0], second[0]))
            where = f"{position.game.name} {position.phase} {role} {language} {asked}"
            tally.check(False, f"{where}: {pieces} {str(differ)[:400]}")
        tally.check(first[0] < 500, f"{asked}: {first[0]}")
    if role.startswith("seats"):
        one.apart()
        two.apart()


def campaign(budget: Budget, tally: Tally) -> None:
    """Compare pairs of games until the time is over, at least those of one game."""
    try:
        while (budget.left() or not tally.counts) and not tally.enough:
            play(budget, tally)
    finally:
        world_pair.cache_clear()


if __name__ == "__main__":
    main(campaign, __doc__)
