"""Palazzo's pages answer what a new player would ask."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import cast

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import NAMES, phases, play
from tabletop.match.event import Event
from tabletop.match.match import Step
from tabletop.rules.game import Position
from tabletop.rules.palazzo import GAME
from tabletop.rules.palazzo.actions import Bid
from tabletop.rules.palazzo.phases.auction import goal
from tabletop.rules.palazzo.position import PalazzoPosition
from tabletop.web.games import ui_of
from tabletop.web.games.palazzo.choices import reach, reach_later, reckoning, useless_cards
from tabletop.web.i18n import in_language, points
from tabletop.web.views import game_log


def games() -> Iterator[Position]:
    """Iterate over the positions of two random games."""
    yield from chain.from_iterable(play(seed) for seed in (3, 11))


def region(pages: Pages, name: str, seat: int | None = None) -> str:
    """Return the text of a region, without markup, as a seat or a spectator reads it."""
    html = pages.phone(seat).get("/" if seat is None else "/seat").text
    found = re.search(rf'<(section|header)[^>]*\sid="{name}".*?</\1>', html, re.DOTALL)
    assert found
    return " ".join(re.sub(r"<[^>]*>", " ", found.group()).split())


def test_the_status_says_who_won(pages: Pages) -> None:
    """The status names the winner, without a look at the final score."""
    position = phases()["over"]
    pages.mailbox.become(position)
    winners = [name for name, score in zip(NAMES, position.score(), strict=True) if score.rank == 1]
    assert f"The game is over: {winners[0]} wins." in region(pages, "status")
    assert "their turn" not in region(pages, "seats")


def test_before_building_the_price_is_the_one_that_will_be_paid(pages: Pages) -> None:
    """The price shown before a build already counts the tile that the build adds to the warehouse."""
    position = phases()["action"]
    pages.mailbox.become(position)
    price = 10 - len(position.to_json()["warehouse"]) - 1
    assert f"next purchase: {price} each" in region(pages, "board")
    assert position.decider is not None
    assert f"then you buy ({price} each" in region(pages, "do", position.decider)


def test_a_price_that_is_due_is_not_called_the_next_price(pages: Pages) -> None:
    position = phases()["choose"]
    pages.mailbox.become(position)
    board = region(pages, "board")
    assert "next:" not in board
    assert f"{10 - len(position.to_json()['warehouse'])} each" in board


def test_what_was_just_turned_up_is_marked(pages: Pages) -> None:
    position = phases()["choose"]
    drawn = [tile for tile in position.to_json()["drawn"] if tile[0] != "E"]
    pages.mailbox.become(position)
    assert drawn
    assert region(pages, "board").split().count("new") == len(drawn)


def test_a_bid_says_what_can_still_be_reached_after_it() -> None:
    """A bid's limit is exact: cards laid earlier complete no group, and the first one fixes the currency."""
    seen = 0
    for position in games():
        if position.phase != "bid" or position.decider is None:
            continue
        for action in position.legal.thrifty():
            if action.do != "bid":
                continue
            later = reach_later(cast(PalazzoPosition, position), cast(Bid, action).cards)
            assert later <= reach(cast(PalazzoPosition, position))
            after = position.after(action)
            if after.phase == "bid":
                assert later == reach(cast(PalazzoPosition, after).change(decider=position.decider))
                seen += 1
    assert seen


def test_four_tiles_or_more_are_called_a_hand_out_before_they_are_chosen() -> None:
    """With four tiles at the next quarry, the page calls the auction a hand-out and says what a tile earns."""
    position = next(one for one in games() if one.phase == "choose" and _next(one.to_json()) >= 4)
    made = Pages(MemoryTable(GAME, NAMES, seed=None, position=position))
    assert position.decider is not None
    text = region(made, "do", position.decider)
    made.close()
    assert "Hand out the tiles" in text
    assert "In the best place, the best of them earns you" in text
    assert "Call the auction" not in text


def _next(facts: dict[str, object]) -> int:
    """Return how many tiles the next quarry holds."""
    quarries, architect = facts["quarries"], facts["architect"]
    assert isinstance(quarries, list)
    assert isinstance(architect, int)
    order = [quarries[(architect + step) % 4] for step in range(3)]
    return len(next((tiles for tiles in order if tiles), []))


def test_the_best_tile_of_a_hand_out_stands_first(pages: Pages) -> None:
    position = phases()["claim"]
    pages.mailbox.become(position)
    assert position.decider is not None
    gains = [
        int(gain.replace("±", "").replace("−", "-"))
        for gain in re.findall(r"([+±−]\d+) (?:points|now)", region(pages, "do", position.decider))
    ]
    assert len(gains) > 1
    assert gains == sorted(gains, reverse=True)


def test_a_player_who_is_asked_to_agree_to_an_undo_reads_what_is_undone(pages: Pages) -> None:
    """The question whether to undo an act names the act."""
    position = phases()["action"]
    pages.mailbox.become(position)
    seat = position.decider
    assert seat is not None
    phones = [pages.phone(number) for number in range(3)]
    phones[seat].act({"do": "build"}, pages.mailbox.snapshot.number)
    phones[seat].post("/seat/undo", {"on": pages.mailbox.snapshot.number, "id": "undo-0001"})
    asked = re.sub(r"<[^>]*>", " ", phones[(seat + 1) % 3].get("/seat").text.split('id="prompts"')[1])
    assert "asks to undo the last move" in asked[:600]
    assert f"{NAMES[seat]} builds: two tiles are turned up." in " ".join(asked[:600].split())


@pytest.mark.parametrize("kind", ["buy", "bid"])
def test_the_log_says_the_worth_of_what_was_paid(pages: Pages, kind: str) -> None:
    """The log gives the price of a purchase or bid before its tiles and cards."""
    position = phases()["choose" if kind == "buy" else "bid"]
    pages.mailbox.become(position)
    seat = position.decider
    assert seat is not None
    action = next(one for one in position.legal.thrifty() if one.do == kind)
    pages.phone(seat).act(action.to_json(), pages.mailbox.snapshot.number)
    said = region(pages, "log")
    assert re.search(rf"{NAMES[seat]} (buys for|adds) \d+", said)


@cache
def played_with_log(seed: int) -> list[tuple[Position, str]]:
    """Return a random game as pairs: a position, and the log's line about the act that led to it."""
    game: list[tuple[Position, str]] = []
    mailbox, rng, ui = MemoryTable(GAME, NAMES, seed=None), random.Random(seed), ui_of(GAME)
    while not (position := mailbox.snapshot.position).over:
        if position.decider is None:
            action = GAME.draw(position, rng)
        else:
            found = list(position.legal.thrifty())
            kind = rng.choice(sorted({one.do for one in found}))
            action = rng.choice([one for one in found if one.do == kind])
        mailbox.act(action, on=mailbox.snapshot.number, id=str(mailbox.snapshot.number), seat=position.decider)
        steps = mailbox.snapshot.match.steps
        with in_language("en"):
            line = game_log.line(steps, len(steps) - 1, ui, None, NAMES)
        assert line is not None
        game.append((mailbox.snapshot.position, line.text))
    return game


def test_the_log_says_where_each_tile_went() -> None:
    """The log names the place of each tile that is turned up, even after auctions have moved the architect."""
    kinds = set()
    before: Position = GAME.new(list(NAMES))
    for position, text in chain(played_with_log(3), played_with_log(4)):
        tile = next(iter(set(_lying(position)) - set(_lying(before))), "")
        if text.startswith("Turned up for"):
            place = text.removeprefix("Turned up for ").rstrip(":").removeprefix("the ")
            assert _lying(position)[tile] == place
            kinds.add(place)
        before = position
    assert kinds == {"warehouse", "quarry 1", "quarry 2", "quarry 3", "quarry 4"}


def test_each_end_tile_says_which_it_is_and_the_last_that_the_game_ends() -> None:
    texts = [text for _position, text in played_with_log(3) if "end tile" in text.lower()]
    assert texts == [
        "End tile 1 of 5, set aside:", "End tile 2 of 5, set aside:", "End tile 3 of 5, set aside:",
        "End tile 4 of 5, set aside:", "The last of 5 end tiles: the game ends.",
    ]  # fmt: skip
    assert played_with_log(3)[-1][0].over


def _lying(position: Position) -> dict[str, str]:
    """Return the place of each tile that can be bought or won."""
    facts = position.to_json()
    return dict.fromkeys(facts["warehouse"], "warehouse") | {
        tile: f"quarry {number}" for number, tiles in enumerate(facts["quarries"], 1) for tile in tiles
    }


def test_the_last_pass_says_who_won_the_auction_and_for_how_much() -> None:
    """If nobody has raised, the log says that the start certificate won, at no cost."""
    ways, raised = set(), False
    before: Position = GAME.new(list(NAMES))
    for position, text in chain(played_with_log(3), played_with_log(4), played_with_log(5)):
        raised = "to the bid" in text or (raised and before.phase == "bid")
        if before.phase == "bid" and position.phase == "place":
            winner = cast(PalazzoPosition, position).seat
            paid = cast(PalazzoPosition, before).bid_of(winner)
            how = f"wins the auction for {paid}." if raised else "gets everything for free."
            assert text.endswith(f"{NAMES[winner]} {how}")
            assert ("Nobody raised" in text) is not raised
            ways.add(raised)
        elif before.phase == "bid" and position.phase == "bid":
            assert "wins" not in text
        before = position
    assert ways == {True, False}


def test_an_auction_says_which_quarry_it_is_about() -> None:
    ways = set()
    before: Position = GAME.new(list(NAMES))
    for position, text in chain(played_with_log(3), played_with_log(4)):
        if position.phase in ("bid", "claim") and before.phase == "choose":
            way = "calls an auction for" if position.phase == "bid" else "handed out"
            assert way in text
            assert f"quarry {goal(cast(PalazzoPosition, before))}" in text
            ways.add(way)
        before = position
    assert len(ways) == 2


def test_an_auction_of_nothing_says_that_nothing_happens() -> None:
    """If all quarries are empty, an auction offers no tile, and the log says that nothing happens."""
    choosing = cast(PalazzoPosition, next(one for one in games() if one.phase == "choose"))
    bare = choosing.change(quarries=((), (), (), ()))
    event = Event(2, "action", {"do": "auction"}, bare.decider, "page", 0.0, "")
    steps = [Step(event, cast(Position, bare)), Step(event, cast(Position, bare).after(GAME.action({"do": "auction"})))]
    with in_language("en"):
        line = game_log.line(steps, 1, ui_of(GAME), None, NAMES)
    assert line is not None
    assert line.text == f"{NAMES[bare.seat]} calls an auction, but no quarry has a tile: nothing happens."


def test_one_point_is_singular() -> None:
    for language, one, many in (("en", "point", "points"), ("de", "Punkt", "Punkte"), ("it", "punto", "punti")):
        with in_language(language):
            assert [points(number) for number in (1, -1, 0, 2, -5)] == [one, one, many, many, many]


def test_if_nobody_knows_which_stack_a_tile_is_in_they_are_listed_together(pages: Pages) -> None:
    pages.mailbox.become(GAME.new(list(NAMES), {"stacks": "unknown"}))
    text = region(pages, "board")
    assert "Tiles face down" in text
    assert "Stack I" not in text
    pages.mailbox.become(GAME.new(list(NAMES)))
    assert "Stack III" in region(pages, "board")


def test_a_row_that_needs_more_cards_than_the_deck_has_asks_for_the_discards_to_be_shuffled(pages: Pages) -> None:
    position: Position = GAME.new(list(NAMES))
    rng = random.Random(2)
    told: dict[bool, Position] = {}
    while len(told) < 2:
        state = cast(PalazzoPosition, position)
        if state.phase == "reveal" and state.drawn is None:
            told[len(state.deck) < state.seats + 1 - len(state.row)] = position
        found = [] if position.decider is None else list(position.legal.thrifty())
        lead = [one for one in found if one.do in ("money", "take")]
        position = position.after(rng.choice(lead or found) if found else GAME.draw(position, rng))
        if state.phase == "over" or (state.phase == "action" and not state.deck and not state.discards):
            rng, position = random.Random(rng.random()), GAME.new(list(NAMES))
    for runs_out, position in told.items():
        pages.mailbox.become(position)
        assert ("shuffle the discards" in region(pages, "board")) is runs_out


def test_points_are_written_with_a_minus_sign_and_a_lone_tile_is_called_alone(pages: Pages) -> None:
    pages.mailbox.become(phases()["over"])
    text = pages.phone(0).get("/seat").text
    assert ">−10<" in text
    assert not re.search(r">-\d", text)
    with in_language("en"):
        assert (reckoning(("M4.1",)), reckoning(("M1.2", "M5.2"))) == ("alone", "2 tiles")


def locked() -> PalazzoPosition:
    """Return an auction in which seat 1 has bid brown cards and holds R3a, N3b and G3b as well as R7a."""
    facts = phases()["bid"].to_json()
    hands = [seat["hand"] for seat in facts["seats"]]
    hands[1].remove("N3a")
    hands[2].remove("G7c")
    hands[0].remove("R3a")
    facts["deck"].remove("N3b")
    hands[1] = facts["seats"][1]["hand"] = sorted([*hands[1], "R3a", "N3b"])
    facts["auction"] = {"laid": {"0": [["C3"]], "1": [["N3a"]], "2": [["G7c"]]}, "out": []}
    return GAME.load(facts)


def test_cards_of_another_currency_are_dimmed_in_an_auction_unless_they_make_a_group(pages: Pages) -> None:
    state = locked()
    assert useless_cards(state.hands[1], "N") == {"R7a"}
    assert useless_cards(state.hands[1], None) == frozenset()
    pages.mailbox.become(state)
    dimmed = re.findall(r'class="tap dim"[^>]*><input[^>]*value="(\w+)"', pages.phone(1).get("/seat").text)
    assert dimmed == ["R7a"]


def test_a_bid_that_cannot_be_laid_says_why_and_promises_nothing_for_later(pages: Pages) -> None:
    pages.mailbox.become(locked())
    answer = pages.phone(1).post("/seat/ask", {"action": {"do": "bid", "cards": ["R7a"]}}).json
    assert answer["ok"] is False
    assert "brown" in answer["text"]
    assert answer["facts"] == [["Your bid", "10"], ["To beat", "7"]]


def test_the_winner_reads_that_they_win(pages: Pages) -> None:
    """The winner's own page speaks to them; everybody else reads the name."""
    pages.mailbox.become(position := phases()["over"])
    (winner,) = (seat for seat, score in enumerate(position.score()) if score.rank == 1)
    for seat in range(len(NAMES)):
        said = "you win!" if seat == winner else f"{NAMES[winner]} wins."
        assert f"The game is over: {said}" in region(pages, "status", seat)


def test_the_second_of_two_money_cards_is_asked_for_as_such() -> None:
    """A screen reader hears a new line after the first card; a seat that takes only one is not told “second”."""
    ui = ui_of(GAME)
    shown = [ui.deciding(one, True, "") for one in play(1) if one.phase == "take"]
    assert shown[:4] == ["Take a money card", "Take your second money card", "Take a money card", "Take a money card"]
