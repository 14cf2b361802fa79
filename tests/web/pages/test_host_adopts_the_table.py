"""The host says where pieces lie if the record is wrong, and nobody learns a hand by that."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from doubles.positions import other_secrets, phases
from tabletop.referee.interpretation.layout_diff import PieceMove
from tabletop.rules import registry
from tabletop.rules.layout import Columns, Layout
from tabletop.vision.scene import Scene
from tests.web.pages.hosted import Table, log_of, post


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
