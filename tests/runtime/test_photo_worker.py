"""Photographs are read in a process of their own, and the table survives whatever happens to it."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest

from doubles.clock import PATIENCE
from tabletop.messages import Message
from tabletop.processes import child_on_demand
from tabletop.rules.palazzo import GAME
from tabletop.runtime import photo_worker
from tabletop.runtime.photo_worker import PhotoWorker
from tabletop.vision.errors import PictureError
from tabletop.vision.kit import Kit
from tabletop.vision.report.phone_photo import PHOTO_NAME, scored_again
from tabletop.vision.score.piecepack.tally import PiecepackTally
from tabletop.vision.score.tally import NO_CARRIER
from tabletop.web.views.photo_queue import UnreadablePhoto


def echoed(what: str) -> tuple[str, int]:
    return what, os.getpid()


def refused(reason: str) -> None:
    print("a library may print")
    raise PictureError(PHOTO_NAME, Message(reason))


def died(status: int) -> None:
    os._exit(status)


def worker(**more: Any) -> PhotoWorker:
    return PhotoWorker(Kit(GAME), lambda: 3, Path("unused"), **more)


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Iterator[PhotoWorker]:
    monkeypatch.setattr(photo_worker, "READING_TIMEOUT_S", PATIENCE)
    made = worker()
    yield made
    made.close()


def test_answers_and_refusals_come_from_one_other_process(room: PhotoWorker) -> None:
    room.open()
    first, second = room.read(echoed, "one"), room.read(echoed, "two")
    assert (first[0], second[0]) == ("one", "two")
    assert first[1] == second[1] != os.getpid()
    with pytest.raises(UnreadablePhoto, match="the file is empty"):
        room.read(refused, "the file is empty.")


def test_the_process_is_killed_before_the_table_when_memory_runs_out(room: PhotoWorker) -> None:
    """When memory runs out, the kernel kills the process that reads photographs before the table."""
    _what, process = room.read(echoed, "one")
    scores = [int(Path(f"/proc/{one}/oom_score_adj").read_text()) for one in (process, os.getpid())]
    assert scores[0] > scores[1]


def test_a_final_table_is_scored_by_the_options_that_were_agreed(
    room: PhotoWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A final table is scored by the options that were agreed, or by the usual ones."""
    monkeypatch.setattr(room, "read", lambda _function, _data, _kit, tally, _before, _called: tally)
    agreed: list[dict[str, object]] = [{}, {"options": {"holes": "enclosed_8"}}]
    tallies: list[object] = [room.score(b"", "piecepack", each, (), {}) for each in agreed]
    assert tallies == [PiecepackTally(), PiecepackTally(diagonal=True)]


@pytest.mark.parametrize(("stated", "turrets"), [({"TM1"}, {"TM1"}), ((), {NO_CARRIER})])
def test_photographs_are_scored_again_in_the_process_with_the_carriers_that_were_stated(
    room: PhotoWorker, monkeypatch: pytest.MonkeyPatch, stated: Collection[str], turrets: Collection[str]
) -> None:
    """Stating that no piece carries another is not the same as stating nothing."""
    monkeypatch.setattr(room, "read", lambda function, _shots, _game, tally, _called: (function, tally))
    found: object = room.score_again("piecepack", {"carriers": frozenset(stated)}, (), {})
    assert found == (scored_again, PiecepackTally(frozenset(turrets)))


def test_only_a_game_with_pieces_that_carry_others_has_carriers(room: PhotoWorker) -> None:
    assert {"TM1", "TC5"} <= {*room.carriers("piecepack")}
    assert [*room.carriers("palazzo")] == []


def test_a_photograph_that_ends_the_process_is_refused_and_the_next_one_is_read(room: PhotoWorker) -> None:
    before = room.read(echoed, "one")
    with pytest.raises(UnreadablePhoto, match="it cannot be read"):
        room.read(died, 3)
    after = room.read(echoed, "two")
    assert after[0] == "two"
    assert after[1] != before[1]


def test_a_process_that_had_ended_is_started_again_for_the_same_photograph(room: PhotoWorker) -> None:
    first = room.read(echoed, "one")
    os.kill(first[1], 9)
    assert room.read(echoed, "two")[0] == "two"


def test_a_process_that_cannot_be_started_is_reported_as_a_photograph_that_cannot_be_read() -> None:
    room = worker(command=(sys.executable, "-c", ""))
    with pytest.raises(UnreadablePhoto, match="it cannot be read"):
        room.read(echoed, "one")
    room.close()


def test_no_process_is_started_once_it_is_closed(room: PhotoWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the worker is closed, a photograph is refused and no process starts, so that closing is not delayed."""
    room.close()
    monkeypatch.setattr(child_on_demand, "Child", lambda _command: pytest.fail("a process was started"))
    room.open()
    with pytest.raises(UnreadablePhoto, match="it cannot be read"):
        room.read(echoed, "one")


def test_closing_twice_does_nothing(room: PhotoWorker) -> None:
    room.close()
    room.close()
