"""Who sits where, even after a restart."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from tabletop.web.seating import seats_file
from tabletop.web.seating.claims import GUARDED
from tabletop.web.seating.looks import SeatLook
from tabletop.web.seating.room import Room
from tabletop.web.seating.seating import Person, Seating
from tabletop.web.seating.seats_file import KeptSeats


def test_seats_outlive_a_restart_and_the_file_holds_no_token(tmp_path: Path) -> None:
    store = tmp_path / "room.json"
    token = Room("CODE42", seats=[0, 1], store=store).claim(1, "Zoe")
    again = Room("OTHER2", seats=[0, 1], store=store)
    assert again.seating.held_by(token) == (1,)
    assert again.seating.names == {1: "Zoe"}
    assert token not in store.read_text()
    assert store.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"holders": {"x": 1}}', '{"holders": [], "names": 1, "hosts": 2}']
)
def test_a_damaged_file_frees_the_seats_and_stops_nothing(tmp_path: Path, text: str) -> None:
    store = tmp_path / "room.json"
    store.write_text(text)
    assert Room("CODE42", seats=[0], store=store).seating.taken == frozenset()


def test_a_disk_that_cannot_be_written_frees_no_seat_and_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[int] = []
    room = Room("CODE42", seats=[0, 1], host_code="HOSTCODE", store=tmp_path / "gone" / "room.json")
    room.on_change(lambda: heard.append(room.revision))
    token, host = room.claim(1, "Zoe"), room.hosts.admit("HOSTCODE")
    assert room.seating.held_by(token) == (1,)
    assert (host or "") in room.hosts
    assert heard
    assert "cannot be written: No such file or directory" in caplog.text


def test_a_host_who_comes_in_safe_mode_leaves_everybody_in_their_seats(tmp_path: Path) -> None:
    """Safe mode has no game, but keeps the seats of the last one for when it continues."""
    store = tmp_path / "seats.json"

    def room() -> Room:
        return Room("CODE42", seats=range(3), levels=("strong",), match="one", store=store)

    first = room()
    token = first.claim(1, "Zoe", look=SeatLook(2, "★"))
    first.let_play(2, "strong")
    host = Room("OTHER2", seats=(), host_code="HOSTCODE", store=store).hosts.admit("HOSTCODE")
    again = room()
    assert again.seating == first.seating
    assert again.seating.held_by(token) == (1,)
    assert host in again.hosts


def test_an_empty_token_holds_no_seat() -> None:
    room = Room("CODE42", seats=[0])
    room.claim(0)
    assert room.seating.held_by("") == ()
    assert room.claims.of("") == ()
    assert "" not in room.hosts


def test_without_a_panel_a_free_seat_is_taken_at_once_and_a_held_one_waits_for_the_host() -> None:
    """A free seat needs no host, who may not be there yet; a held one does, since it shows a hand."""
    room = Room("K7MPX2", seats=range(2), admission=GUARDED)
    mine = room.claim(0)
    assert room.seating.held_by(mine) == (0,)
    other = room.claim(0)
    assert (room.seating.held_by(mine), room.seating.held_by(other)) == ((0,), ())
    assert room.accept(0)
    assert room.seating.held_by(other) == (0,)


def test_a_seat_is_not_guarded_against_the_browser_that_took_it() -> None:
    """A browser that asks again, because it lost the answer, gets the seat; another one has to wait."""
    room = Room("K7MPX2", seats=range(2), admission=GUARDED)
    room.claim(0, by="mark", marked=True)
    again = room.claim(0, by="mark", marked=True)
    assert room.seating.held_by(again) == (0,)
    for by, marked in (("mark", False), ("other", True)):
        other = room.claim(0, by=by, marked=marked)
        assert (room.seating.held_by(other), room.refuse(0)) == ((), True)
    room.claim(1, by="address")
    assert room.seating.held_by(room.claim(1, by="address")) == ()
    with room.seated([Person("B", 1), Person("A", 0)]):
        assert room.seating.held_by(room.claim(0, by="mark", marked=True)) == ()


def test_a_name_does_not_reverse_the_sentence_around_it() -> None:
    """Control characters for the writing direction are removed from a name, while right-to-left letters stay."""
    room = Room("CODE42", seats=[0, 1])
    room.claim(0, "A\u202enna\u2066  B.")
    room.claim(1, "דנה")
    assert room.seating.names == {0: "Anna B.", 1: "דנה"}


@pytest.mark.parametrize("name", ["Zo\ud800", "Zo\u001b[2J"])
def test_a_stored_name_that_cannot_be_shown_is_left_out_and_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    """The seat stays with its phone, and the log says that its name is left out."""
    store = tmp_path / "seats.json"
    room = Room("CODE42", seats=[0, 1], store=store)
    kept, bad = room.claim(0, "Ada"), room.claim(1, "NAME")
    store.write_text(store.read_text().replace("NAME", json.dumps(name)[1:-1]))
    again = Room("CODE42", seats=[0, 1], store=store)
    assert again.seating.names == {0: "Ada"}
    assert (again.seating.held_by(kept), again.seating.held_by(bad)) == ((0,), (1,))
    assert "the name of seat 2 is left out" in caplog.text


def test_the_bots_that_a_host_chose_are_kept_for_the_same_match_alone(tmp_path: Path) -> None:
    """Another match begins with the levels of the settings, and an unknown level is dropped."""

    def room(match: str) -> Room:
        return Room(
            "CODE42", seats=range(3), levels=("thrifty", "strong"), bots={0: "thrifty"}, match=match,
            store=tmp_path / "seats.json",
        )  # fmt: skip

    first = room("one")
    first.let_play(1, "strong")
    first.let_play(0, "")
    assert room("one").seating.bots == {1: "strong"}
    assert room("other").seating.bots == {0: "thrifty"}
    first.keep_for("other")
    assert (room("one").seating.bots, room("other").seating.bots) == ({0: "thrifty"}, {1: "strong"})
    (tmp_path / "seats.json").write_text((tmp_path / "seats.json").read_text().replace("strong", "godlike"))
    assert room("other").seating.bots == {}


def test_a_person_and_a_simulated_seat_can_swap() -> None:
    """After a person and a simulated seat have swapped, only the person's new seat is awaited."""
    room = Room("CODE42", seats=range(2), simulated=[1])
    room.claim(0, "Anna")
    with room.seated([Person("Ben", 1), Person("Anna", 0)]):
        assert room.seating.taken == room.seating.awaited == {1}
        assert room.seating.helped == {0}


def test_a_host_who_comes_while_somebody_sits_down_takes_no_seat_from_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file written last contains both the host and the seat."""
    room = Room("CODE42", seats=[0, 1], host_code="HOSTCODE", store=tmp_path / "room.json")
    written: list[KeptSeats] = []
    other = threading.Thread(target=room.claim, args=(1,))

    def save(_path: Path, kept: KeptSeats) -> None:
        if not other.ident:
            other.start()
            other.join(0.1)
        written.append(kept)

    monkeypatch.setattr(seats_file, "save", save)
    room.hosts.admit("HOSTCODE")
    other.join()
    assert (len(written[-1].hosts), set(written[-1].holders)) == (1, {1})


def test_a_phone_that_leaves_just_as_another_takes_over_its_seat_takes_nothing_from_it() -> None:
    room = Room("CODE42", seats=[0, 1], admission=GUARDED)
    first, second = room.claim(0, "Zoe"), room.claim(0, "Ada")
    assert room.accept(0)
    room.leave(0, first)
    assert (room.seating.held_by(second), room.seating.names) == ((0,), {0: "Ada"})


def test_a_phone_that_gives_its_seat_back_lost_nothing(tmp_path: Path) -> None:
    """A phone that gave its seat back is never told that the host has freed it."""
    room = Room("CODE42", seats=[0], store=tmp_path / "room.json")
    token = room.claim(0, "Zoe")
    room.leave(0, token)
    assert room.loss_of(token) is None
    assert Room("CODE42", seats=[0], store=tmp_path / "room.json").seating == Seating(frozenset({0}))


def test_a_game_that_cannot_begin_changes_nothing() -> None:
    """If the next game cannot begin, seats and agreed swaps stay, so that another try is possible."""
    room = Room("CODE42", seats=range(2))
    tokens = [room.claim(seat, name) for seat, name in enumerate(("Anna", "Ben"))]
    for seat in range(2):
        room.swap(seat, 1 - seat)
    people = room.same_people(["Anna", "Ben"])
    assert [person.seat for person in people] == [1, 0]
    with pytest.raises(OSError, match="disk full"), room.seated(people):
        raise OSError("disk full")
    assert [room.seating.held_by(token) for token in tokens] == [(0,), (1,)]
    assert room.same_people(["Anna", "Ben"]) == people


def test_a_phone_let_in_just_as_a_game_begins_sits_there_or_learns_that_it_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A phone let in while the seating of the next game is made keeps its seat."""
    room = Room("CODE42", seats=range(2))
    room.claim(0, "Anna")
    made, came = Seating.of_next_game, list[str]()
    late = threading.Thread(target=lambda: came.append(room.claim(1, "Ben")))

    def of_next_game(seating: Seating, people: Sequence[Person]) -> Seating:
        late.start()
        late.join(0.1)
        return made(seating, people)

    monkeypatch.setattr(Seating, "of_next_game", of_next_game)
    with room.seated([Person("Anna", 0)]):
        late.join()
    assert room.seating.held_by(came[0]) == (1,)
