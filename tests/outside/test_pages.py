"""Pages of games from other packages: every page shows every position of a game, and hands only on their own pages."""

from __future__ import annotations

import logging
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from doubles.finished_games import played
from doubles.memory_table import MemoryTable
from doubles.pages import Pages
from tabletop.match.archive import Archive
from tabletop.match.event import Source
from tabletop.referee.interpretation.layout_diff import PieceMove
from tabletop.rules import registry
from tabletop.rules.contract import check_contract, play_random_game
from tabletop.rules.game import Action, Game
from tabletop.vision.tags import payloads
from tabletop.web.games import static_of, ui_of
from tabletop.web.games.game_ui import GameUI
from tests.outside.installed import install

GAMES = ("lantern", "smugglers")
BROKEN = "cannot be shown right now"
"""Text that a page shows in place of a region that cannot be rendered."""


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """Each game as the registry finds it once it is installed."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(install(tmp_path / "site")))
    payloads.known_codes.cache_clear()
    yield registry.game(request.param)
    payloads.known_codes.cache_clear()
    for name in set(sys.modules) - before:
        if name.split(".")[0] in ("my_package", "smugglers"):
            del sys.modules[name]


def hidden(game: Game, view: object, public: object) -> set[str]:
    """Return the pieces that a view names and a spectator's view does not."""
    named = {piece for piece in game.pieces if f"'{piece}'" in repr(view)}
    return {piece for piece in named if f"'{piece}'" not in repr(public)}


def tells(page: str, game: Game, piece: str) -> bool:
    """Return whether a page contains a piece's id as a word."""
    words = page.replace("<", " ").replace(">", " ").replace('"', " ").replace("&#34;", " ").replace(",", " ").split()
    return piece in words


@pytest.mark.parametrize("seed", [1, 2])
def test_every_page_shows_every_position(game: Game, seed: int, caplog: pytest.LogCaptureFixture) -> None:
    """In random games, all pages of table, host and seats are complete, and a hand is on its own seat's page alone."""
    walk = play_random_game(game, seed, 2)
    mailbox = MemoryTable(game, walk.positions[0].names, seed=None)
    pages = Pages(mailbox)
    visitors = {"/": pages.phone(), "/host": pages.phone(host=True), "/rules": pages.phone(), "/demo": pages.phone()}
    seats = [pages.phone(seat) for seat in (0, 1)]
    secrets = 0
    with caplog.at_level(logging.ERROR):
        for position in walk.positions:
            mailbox.become(position)
            shown = {path: phone.get(path) for path, phone in visitors.items()}
            own = [phone.get("/seat") for phone in seats]
            answers = [*shown.values(), *own]
            assert [answer.status_code for answer in answers] == [200] * len(answers)
            assert not any(BROKEN in answer.text for answer in answers)
            public = position.view(None)
            for seat, answer in enumerate(own):
                for piece in hidden(game, position.view(seat), public):
                    assert tells(answer.text, game, piece)
                    others = [one.text for one in answers if one is not answer]
                    assert not any(tells(text, game, piece) for text in others), (position.phase, piece)
                    secrets += 1
        assert pages.phone().get("/after").status_code == 200
    assert caplog.records == []
    assert secrets
    pages.close()


class Camera:
    """The picture of a table's camera: its bytes are the names of the pieces that lie before it."""

    def __init__(self, game: Game) -> None:
        self.shown: set[str] = set()
        self.mailbox = MemoryTable(game, ["Ada", "Ben"], seed=None)
        self.pages = Pages(self.mailbox, picture=lambda: repr(sorted(self.shown)).encode())
        self.host = self.pages.phone(host=True)
        self.pages.phone(0)

    def seen(self) -> list[bytes]:
        """Return the host's page and both pictures, without the counters that every change moves."""
        answers = [self.host.get(path) for path in ("/host", "/host/picture.jpg", "/demo/picture.jpg")]
        return [re.sub(rb'data-stamp="[^"]*"|data-on="\d+"', b"", answer.data) for answer in answers]

    def lay(self, action: Action) -> bool:
        """Lay an action's pieces before the camera and act; return whether they then have to be taken up."""
        self.shown = {*self.mailbox.snapshot.position.game.pieces_in(action.to_json())}
        before = self.seen()
        number, seat = self.mailbox.snapshot.number, self.mailbox.snapshot.position.decider
        assert self.mailbox.act(action, on=number, id=f"lay-a-piece-{number}", seat=seat, source=Source.CAMERA).ok
        layout = self.mailbox.snapshot.position.layout()
        home = layout.zone_of()
        lying = [PieceMove(one, "show0", home[one]) for one in sorted(self.shown) if home[one] in layout.hidden]
        self.mailbox.show(todo=tuple(lying))
        self.bytes = [before, self.seen()]
        return bool(lying)


def test_no_picture_shows_secret_pieces(game: Game) -> None:
    """Whatever is dealt, the host gets the same bytes, pictures included, until the pieces are taken up; pieces that
    everybody may know are in the picture.
    """
    walk = play_random_game(game, 1, 2)
    one, other = Camera(game), Camera(game)
    hidden, told = set(), set()
    for position, action, after in zip(walk.positions, walk.actions, walk.positions[1:], strict=False):
        for camera in (other, one):
            camera.mailbox.take(one.mailbox.snapshot.match)
        view, legal = after.view(None), position.legal
        twin = next((twin for twin in legal if twin != action and position.after(twin).view(None) == view), None)
        if twin is None:
            one.lay(action)
            told |= {position.phase} if one.shown and repr(sorted(one.shown)).encode() in one.bytes[0] else set()
            continue
        assert one.lay(action)
        assert other.lay(twin)
        assert one.shown != other.shown
        assert one.bytes == other.bytes, position.phase
        hidden.add(position.phase)
    assert hidden == {"lantern": {"deal"}, "smugglers": {"stow", "draw"}}[game.name]
    assert told == {"lantern": {"lay"}, "smugglers": {"ship"}}[game.name]
    for camera in (one, other):
        camera.pages.close()


def test_chance_is_entered_by_those_who_may_know_it(game: Game) -> None:
    """A seat can enter its own deal only, and the host only what everybody may know; then it has to be taken up."""
    walk = play_random_game(game, 1, 2)
    mailbox = MemoryTable(game, walk.positions[0].names, seed=None)
    pages = Pages(mailbox, press=None)
    host, seats = pages.phone(host=True), [pages.phone(seat) for seat in (0, 1)]
    dealt = 0
    for position, action in zip(walk.positions, walk.actions, strict=False):
        mailbox.become(position)
        if position.decider is not None:
            continue
        data, owner = action.to_json(), action.to_json().get("seat", position.active)
        asked = {"action": data, "on": mailbox.snapshot.number, "id": f"host-{mailbox.snapshot.number:05d}"}
        assert (host.post("/host/act", asked).status_code == 200) is not game.may_be_secret(action.do)
        mailbox.become(position)
        assert seats[1 - owner].act(data, mailbox.snapshot.number).status_code == 422
        assert seats[owner].act(data, mailbox.snapshot.number).status_code == 200
        home = mailbox.snapshot.position.layout().zone_of()
        mailbox.show(todo=[PieceMove(one, "", home[one]) for one in game.pieces if repr(one) in repr(data)])
        for seat, phone in enumerate(seats if game.may_be_secret(action.do) else []):
            assert ("into your hand" in phone.get("/seat").text) is (seat == owner)
            dealt += 1
        pages.now += 60
    assert dealt > 2
    pages.close()


def test_a_game_that_declares_no_secrets_shows_no_picture(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a declaration of what is secret, the picture is withheld in every phase until the game is over."""
    monkeypatch.setattr(type(game), "secret_kinds", None)
    camera = Camera(game)
    for position in play_random_game(game, 1, 2).positions:
        camera.mailbox.become(position)
        assert (camera.host.get("/host/picture.jpg").status_code == 200) is position.over
    camera.pages.close()


def test_an_outside_game_is_played_to_its_end_on_the_pages(game: Game) -> None:
    """Seats play what their pages offer, asking for its result first; no page or log shows a seat the other's cards."""
    rng = random.Random(3)
    mailbox = MemoryTable(game, ["Ada", "Ben"], seed=5)
    pages = Pages(mailbox)
    seats = [pages.phone(seat) for seat in (0, 1)]
    while not mailbox.snapshot.position.over:
        position = mailbox.snapshot.position
        assert position.decider is not None
        phone = seats[position.decider]
        action = rng.choice(list(position.legal.thrifty())).to_json()
        asked = phone.post("/seat/ask", {"action": action, "on": mailbox.snapshot.number})
        assert asked.status_code == 200, asked.text
        assert asked.json["ok"]
        done = phone.act(action, mailbox.snapshot.number)
        assert done.status_code == 200, done.text
        public = mailbox.snapshot.position.view(None)
        for seat, other in ((0, 1), (1, 0)):
            page = seats[seat].get("/seat").text
            secret = hidden(game, mailbox.snapshot.position.view(other), public)
            assert not any(tells(page, game, piece) for piece in secret)
    assert pages.phone().get("/after").status_code == 200
    pages.close()


def test_a_finished_game_can_be_replayed_on_the_pages(game: Game, tmp_path: Path) -> None:
    """For a finished game, the list, the score, the replay after each event and the records can be opened."""
    played(tmp_path, "one", 500, game=game, names=["Ada", "Ben"])
    mailbox = MemoryTable(game, ["Ada", "Ben"], seed=None)
    pages = Pages(mailbox, archive=Archive(tmp_path))
    phone = pages.phone()
    for path in ("/games", "/games/one", *(f"/games/one/record.{form}" for form in ("txt", "json", "csv"))):
        assert phone.get(path).status_code == 200, path
    for at in range(1, 12):
        answer = phone.get(f"/games/one/replay?at={at}")
        assert answer.status_code == 200
        assert BROKEN not in answer.text
    pages.close()


def test_an_outside_game_keeps_the_contract(game: Game) -> None:
    """The installed games keep the same contract as the games of this project."""
    module = sys.modules[type(game).__module__]
    check_contract(game, module.MEANINGS, seeds=range(2), step=5)


def test_a_games_own_part_for_the_pages_is_used(game: Game) -> None:
    """A game's own part for the pages is used; a game without one gets the generic part."""
    ui = ui_of(game)
    assert ui.name == game.name
    pages = Pages(MemoryTable(game, ["Ada", "Ben"], seed=1))
    assert ('class="crates"' in pages.phone(0).get("/seat").text) is (game.name == "smugglers")
    pages.close()
    assert ui.called("G1") == ("gold 1" if game.name == "smugglers" else "G1")


def test_a_static_file_has_only_one_name(game: Game) -> None:
    """Only the plain name of a static file is served: other spellings would each be kept in memory."""
    for name in ("style.css", "./style.css", "no/../style.css", "no/./../style.css", "style.css/"):
        kept = static_of(f"games/{game.name}/{name}") is not None
        assert kept is (game.name == "smugglers" and name == "style.css")


def test_an_outside_games_styles_and_pictures_are_served(game: Game) -> None:
    """A game's style sheet and picture are linked and served as the program's own; nothing outside its folder is."""
    pages = Pages(MemoryTable(game, ["Ada", "Ben"], seed=1))
    phone, brings = pages.phone(), game.name == "smugglers"
    files = re.findall(rf'/static/games/{game.name}/[^"]*', phone.get("/").text)
    assert len(files) == (2 if brings else 0)
    for file, kind in zip(files, ("text/css", "image/svg+xml"), strict=False):
        answer = phone.get(file)
        assert (answer.status_code, answer.mimetype) == (200, kind)
        assert "immutable" in answer.headers["Cache-Control"]
        answer.close()
    for path in ("../pages.py", "%2e%2e/pages.py", "/etc/passwd", "no.css", "", "%00", "no" * 200):
        assert phone.get(f"/static/games/{game.name}/{path}", follow_redirects="1").status_code == 404
    pages.close()


def test_a_tie_without_a_tie_break_is_a_shared_victory(game: Game) -> None:
    """Without a tie-break, the score page names who shares the victory; points are explained by their parts."""
    walks = (play_random_game(game, seed, 2) for seed in range(200))
    last = next(walk.positions[-1] for walk in walks if {score.rank for score in walk.positions[-1].score()} == {1})
    pages = Pages(MemoryTable(game, last.names, position=last))
    page = pages.phone().get("/after").text
    assert "Shared victory: Seat 1, Seat 2" in page
    assert "Tied on points" not in page
    heard = pages.phone(0).get("/seat/listen").text
    assert "None" not in page + heard
    if game.name == "lantern":
        assert re.search(r"Seat 1: (\d+) points; laid: \1\.", heard)
    pages.close()


@pytest.mark.parametrize("game", ["lantern"], indirect=True)
def test_only_pieces_get_the_names_of_pieces(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game's names for pieces are not asked for the other words and numbers of its view."""
    words = {piece: f"lantern {piece[1:]}" for piece in game.pieces}
    monkeypatch.setattr(GameUI, "called", lambda _ui, piece: words[piece])
    mailbox = MemoryTable(game, ["Ada", "Ben"], seed=None)
    pages = Pages(mailbox)
    phones = [pages.phone(), pages.phone(0), pages.phone(1)]
    for position in play_random_game(game, 1, 2).positions:
        mailbox.become(position)
        shown = [phone.get(path).text for phone, path in zip(phones, ("/", "/seat", "/seat"), strict=True)]
        assert not any(BROKEN in text for text in shown)
    assert "lantern " in shown[0]
    pages.close()
