"""A page's question about a choice that is not yet sent is always answered with a sum or a refusal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import phases
from tabletop.rules import registry
from tabletop.rules.contract import play_random_game
from tabletop.rules.game import Illegal, Position
from tabletop.web.games import ui_of
from tabletop.web.games.game_ui import AnyUI
from tabletop.web.i18n import in_language

GAMES = tuple(registry.BUILT_IN)
ODD: tuple[Any, ...] = (None, True, -1, 10**30, 1.5, "", "\u00e4", [], {}, [[]], [None], ["?"], {"do": "bid"})
"""Values that occur nowhere in an action, or not in this place."""


@cache
def walked(name: str) -> tuple[dict[str, Position], dict[str, dict[str, Any]]]:
    """Return a position of each phase in which a seat decides, and an action of each form, even chance's."""
    walks = [play_random_game(registry.game(name), seed, 3) for seed in (3, 4)]
    positions = {one.phase: one for walk in walks for one in walk.positions if one.decider is not None}
    actions = [action.to_json() for walk in walks for action in walk.actions]
    return positions, {f"{data['do']} {data.get('kind', '')}": data for data in actions}


def drafts(name: str) -> Iterator[Mapping[str, Any]]:
    """Iterate over every form of action: as it was, and with each field missing, odd, or of another kind."""
    game, (_positions, actions) = registry.game(name), walked(name)
    of_each_kind = {piece.kind: piece.id for piece in game.pieces.values()}.values()
    for data in actions.values():
        yield data
        for key in data:
            yield {other: value for other, value in data.items() if other != key}
            for value in (*ODD, *of_each_kind, *([piece] for piece in of_each_kind)):
                yield data | {key: value}


@pytest.mark.parametrize("name", GAMES)
def test_whatever_is_asked_in_whichever_phase_is_answered(name: str) -> None:
    """A choice of the wrong phase, or with pieces of a wrong kind, gets a refusal in words, never a server error."""
    positions, _actions = walked(name)
    first = next(iter(positions.values()))
    mailbox = MemoryTable(registry.game(name), first.names, position=first)
    pages = Pages(mailbox)
    pages.app.testing = False
    phones = {seat: pages.phone(seat) for seat in range(len(first.names))}
    for phase, position in positions.items():
        mailbox.become(position)
        assert position.decider is not None
        for draft in drafts(name):
            answer = phones[position.decider].post("/seat/ask", {"action": draft})
            assert answer.status_code == 200, (phase, draft)
            assert answer.json["ok"] is is_legal(position, draft), (phase, draft)
            assert answer.json["text"], (phase, draft)
    pages.close()


def test_a_page_that_asks_when_its_turn_is_just_over_is_told_so(pages: Pages) -> None:
    """A question that was under way when the game moved on is stale, not forbidden."""
    pages.mailbox.become(phases()["choose"])
    before = pages.mailbox.snapshot
    seat = before.position.decider
    assert seat is not None
    phone, question = pages.phone(seat), {"action": {"do": "money"}, "on": before.number}
    assert phone.post("/seat/ask", question).status_code == 200
    pages.mailbox.become(next(one for one in phases().values() if one.decider not in (None, seat)))
    late = phone.post("/seat/ask", question)
    assert (late.status_code, late.json) == (200, {"ok": False, "text": "The game has moved on. Look again."})
    assert phone.post("/seat/ask", question | {"on": pages.mailbox.snapshot.number}).status_code == 403


def is_legal(position: Position, draft: Mapping[str, Any]) -> bool:
    try:
        return position.refusal(position.game.action(dict(draft))) is None
    except Illegal:
        return False


class Watchful(AnyUI):
    """A game's pages that assert that they are asked only about actions that are legal or unpaid."""

    unpaid = frozenset({"too-little"})

    def facts(self, position: Position, action: Any) -> tuple[tuple[str, str], ...]:
        refusal = position.refusal(action)
        assert refusal is None or refusal.code in self.unpaid
        return (("asked", action.do),)

    def summary(self, position: Position, action: Any) -> str:
        assert position.refusal(action) is None
        return "asked"


@pytest.mark.parametrize("name", GAMES)
def test_no_facts_are_asked_for_an_action_that_the_rules_refuse(name: str) -> None:
    part = Watchful(name)
    with in_language("en"):
        previews = [part.preview(position, draft) for position in walked(name)[0].values() for draft in drafts(name)]
    assert {preview.ok for preview in previews} == {True, False}
    assert any(preview.facts for preview in previews)


def test_a_payment_that_is_too_little_still_shows_the_sum() -> None:
    """Until the tapped cards suffice, the answer shows their sum with the refusal."""
    position = phases()["choose"]
    facts = position.to_json()
    hand = facts["seats"][position.decider]["hand"]
    draft = {"do": "buy", "tiles": facts["warehouse"][:1], "pay": hand[:1]}
    refusal = position.refusal(position.game.action(draft))
    assert refusal is not None
    assert refusal.code == "too-little"
    with in_language("en"):
        preview = ui_of(position.game).preview(position, draft)
    assert not preview.ok
    assert [name for name, _value in preview.facts] == ["You pay", "Price", "Points once built"]
