"""What a photograph of some zones means, given the record, and what the referee concludes from it."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest

from tabletop.match import backup, photo_score, store
from tabletop.match.archive import Archive
from tabletop.match.event import EventKind, Source
from tabletop.match.journal_file import read_events
from tabletop.referee.interpretation.interpret import discarded_pieces, interpret_photo
from tabletop.referee.referee import Referee
from tabletop.rules.game import Illegal, Position
from tabletop.rules.layout import Columns, Layout, Spread
from tabletop.rules.palazzo import GAME
from tests.referee.hands import Hands
from tests.referee.support import NOW
from tests.referee.watched import playing


def reached(phase: str, seed: int = 3) -> Position:
    """Return the first position of a phase in a random game."""
    rng = random.Random(seed)
    position = GAME.new(["Anna", "Ben", "Cleo"])
    while position.phase != phase:
        legal = list(position.legal.thrifty()) if position.decider is not None else []
        position = position.after(rng.choice(legal) if legal else GAME.draw(position, rng))
    return position


def test_a_zone_that_is_seen_as_the_record_has_it_means_nothing() -> None:
    position = reached("action")
    found = interpret_photo(position, Layout({"warehouse": position.layout()["warehouse"]}))
    assert (found.acts, found.moves, found.refused) == ((), (), None)


def test_zones_that_are_not_in_the_photograph_lie_as_the_record_says() -> None:
    """Zones outside the photograph count as in the record: a card missing from the photographed row was taken."""
    position = reached("take")
    row = sorted(position.layout().pieces("row"))
    found = interpret_photo(position, Layout({"row": Spread(frozenset(row[1:]))}))
    assert [action.to_json() for action, _position in found.acts] == [{"do": "take", "card": row[0]}]
    assert found.moves == ()


def test_a_piece_that_lies_in_a_photographed_zone_lies_in_no_other() -> None:
    position = reached("action")
    tile = sorted(position.layout().pieces("quarry1"))[0]
    seen = Layout({"warehouse": Spread(position.layout().pieces("warehouse") | {tile})})
    [move] = interpret_photo(position, seen).moves
    assert (move.piece, move.lies, move.belongs) == (tile, "warehouse", "quarry1")


@pytest.mark.parametrize("seed", range(3, 9))
def test_a_tile_that_is_in_no_photograph_is_not_discarded(seed: int) -> None:
    position = reached("place", seed)
    assert position.decider is not None
    zone = f"seat{position.decider}"
    found = interpret_photo(position, Layout({zone: position.layout()[zone]}))
    assert not discarded_pieces(position, found.acts)


@pytest.fixture
def table(referee: Referee) -> Hands:
    hands = Hands(referee)
    hands.lay("C3", "warehouse")
    for zone, tile in zip(
        ("quarry1", "quarry2"), sorted(referee.snapshot.position.to_json()["unseen"]["I"]), strict=False
    ):
        hands.lay(tile, zone)
        hands.show()
    return hands


def test_a_tile_that_a_photograph_showed_is_missed_no_more(table: Hands, referee: Referee) -> None:
    """A tile that a photograph shows is not missed until the camera has seen it somewhere."""
    [tile] = referee.snapshot.position.layout().pieces("quarry1")
    table.take(tile)
    table.show()
    assert [move.piece for move in referee.snapshot.todo] == [tile]
    number = referee.snapshot.number
    answer = referee.vouch({tile: "quarry1"}, on=number, id="photo-0001", source=Source.PHOTO)
    assert answer.ok
    assert [*referee.snapshot.todo] == []
    newest = referee.snapshot.events[-1]
    assert (newest.kind, newest.data, newest.source) == ("note", {"what": "shown"}, "photo")
    table.show()
    assert [*referee.snapshot.todo] == []
    table.lay(tile, "warehouse")
    table.show()
    assert [(move.piece, move.lies) for move in referee.snapshot.todo] == [(tile, "warehouse")]
    table.take(tile)
    table.show()
    assert [move.piece for move in referee.snapshot.todo] == [tile]


def test_a_photograph_of_an_older_position_does_not_count(table: Hands, referee: Referee) -> None:
    assert referee.vouch({}, on=referee.snapshot.number - 1, id="photo-0002", source=Source.PHOTO).stale


SCORE = {
    "seats": [
        {"seat": 0, "points": 5, "sure": True, "pictures": [0], "parts": [],
         "palazzi": [{"tiles": ["B1.1", "B2.2"], "points": 5, "faults": []}]},
        {"seat": 1, "points": 9, "sure": False, "pictures": [0], "palazzi": [],
         "parts": [{"title": "coins", "points": 9}]},
    ],
    "unread": [{"message": "Light is mirrored here.", "picture": 0}],
}  # fmt: skip


def kept(folder: Path) -> Archive:
    store.keep(folder, GAME, ["Ida", "Jo"], NOW, photo_score.stored_score(SCORE, {0: 0, 1: 1}))
    return Archive(folder)


def test_a_scored_table_without_a_referee_is_stored_but_never_resumed(tmp_path: Path) -> None:
    archive = kept(tmp_path)
    [name] = archive.names()
    summary = archive.summary(name)
    assert (summary.names, summary.only_counted, summary.over) == (("Ida", "Jo"), True, True)
    assert [(one.points, one.rank) for one in summary.scores] == [(5, 2), (9, 1)]
    assert archive.match(name).counted == photo_score.stored_score(SCORE, {0: 0, 1: 1})
    assert store.unfinished(tmp_path) is None


def test_a_counted_table_is_in_a_backup(tmp_path: Path) -> None:
    archive = kept(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    file = io.BytesIO(b"".join(backup.save(archive, archive.names())))
    assert len(backup.restore(Archive(other), file, "").added) == 1
    [path] = other.glob(f"*{store.SUFFIX}")
    assert read_events(path)[1].only_counted


def test_a_score_is_recorded_once_a_game_is_over_and_ended_games_stay_ended(referee: Referee) -> None:
    score = photo_score.stored_score(SCORE, {0: 2, 1: 0})
    assert not referee.decide(EventKind.SCORE, score, id="score-0001").ok
    referee.decide(EventKind.END, {}, id="end-00001")
    assert referee.decide(EventKind.SCORE, score, id="score-0002").ok
    assert referee.match.ended
    assert referee.match.counted == score
    assert referee.match.only_counted  # nothing had been done in it before
    number = referee.snapshot.number
    assert referee.decide(EventKind.SCORE, score, id="score-0003").ok
    assert referee.snapshot.number == number


def test_undoing_the_last_act_discards_the_photographs_scores(tmp_path: Path) -> None:
    """Undoing the last act removes the scores of the final table's photographs: the game may end differently."""
    position, rng = GAME.new(["Ann", "Bob"]), random.Random(1)
    while not position.over:
        legal = [*position.legal.thrifty()] if position.decider is not None else [GAME.draw(position, rng)]
        before, last = position, rng.choice(legal)
        position = before.after(last)
    score = photo_score.stored_score(SCORE, {0: 0, 1: 1})
    with playing(before, tmp_path) as watched:
        referee, counted = watched.referee, []
        for id in ("first", "second"):
            assert referee.act(last, on=referee.snapshot.number, id=id, seat=None).ok
            assert referee.decide(EventKind.SCORE, score, id=f"{id} score").ok
            counted.append(referee.match.counted)
            watched.press("UNDO")
            counted.append(referee.match.counted)
    assert counted == [score, None] * 2


@pytest.mark.parametrize(
    "spoilt",
    [
        {"seats": "no", "doubts": []}, {"seats": [{}], "doubts": []}, {"seats": [], "doubts": [5]}, {"doubts": []},
        {"seats": [{"seat": 7, "points": 1, "sure": True, "palazzi": [], "parts": []}], "doubts": []},
        {"seats": [{"seat": 0, "points": True, "sure": True, "palazzi": [], "parts": []}], "doubts": []},
        {"seats": [{"seat": 0, "points": 1, "sure": True, "palazzi": [{"tiles": [3]}], "parts": []}], "doubts": []},
        {"seats": [], "doubts": ["x" * 401]},
    ],
)  # fmt: skip
def test_malformed_score_data_is_refused(spoilt: dict[str, object]) -> None:
    assert not photo_score.is_score(spoilt, 3)


def test_seats_that_the_game_refuses_are_not_kept(tmp_path: Path) -> None:
    with pytest.raises(Illegal):
        store.keep(tmp_path, GAME, ["alone"], NOW, photo_score.stored_score(SCORE, {0: 0, 1: 1}))
    assert Archive(tmp_path).names() == []


def test_palazzi_that_differ_from_the_record_are_reported() -> None:
    position = reached("over")
    layout = position.layout()
    there = layout["seat0"]
    assert isinstance(there, Columns)
    assert interpret_photo(position, Layout({"seat0": there})).moves == ()
