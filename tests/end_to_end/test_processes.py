"""Real processes lose nothing when killed, shut down in order on request, and serve what the settings say."""

from __future__ import annotations

import random
import re
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from doubles.clock import PATIENCE
from tabletop.config import NO_CAMERA, NO_PANEL, CameraConfig, ConfigError, load
from tabletop.hardware.diagnostics import probes_table
from tabletop.hardware.diagnostics.check import CheckState, ProbedMachine
from tabletop.match import store
from tabletop.match.event import EventKind
from tabletop.match.journal import Journal
from tabletop.match.journal_file import read_events
from tabletop.match.match import Match
from tabletop.rules import palazzo, registry
from tabletop.rules.game import Game
from tabletop.rules.palazzo import GAME
from tabletop.runtime import network, page_server, serve
from tabletop.runtime.health import diagnostics
from tabletop.service.starts import Starts, StartsFile
from tabletop.web.app import PageLimits
from tests.end_to_end.programs import running
from tests.referee.support import random_facts

PLAYER = """
import random, sys, time
from pathlib import Path
from tabletop.match.journal import Journal
from tabletop.referee.referee import Referee
from tabletop.rules.palazzo import GAME
journal, match, damage = Journal.open(Path(sys.argv[1]))
assert not damage, damage
referee, rng = Referee(match, journal, time.time), random.Random(int(sys.argv[2]))
print("begun", flush=True)
while not (position := referee.snapshot.position).over:
    last = referee.snapshot.number
    if rng.random() < 0.1 and (back := [event.number for event in referee.snapshot.events][-4:-1]):
        answer = referee.undo(back[0], on=last, id=f"undo {last}")
    else:
        chance = position.decider is None
        action = GAME.draw(position, rng) if chance else rng.choice(list(position.legal.thrifty()))
        answer = referee.act(action, on=last, id=f"act {last}", seat=position.decider)
    assert answer.ok, answer
    print(referee.snapshot.number, referee.snapshot.events[-1].hash, flush=True)
"""


GAMES = """
import os, time
from tabletop.simulator.play import tournament
def endless(setting, within):
    os.write(1, b"begun\\n")  # in one piece: two games write to this pipe at once
    time.sleep(600)
if __name__ == "__main__":
    tournament.play_game = endless
    list(tournament.play_games([None, None], workers=2))
"""


def test_a_referee_that_is_killed_at_any_moment_resumes_with_every_act_it_acknowledged(tmp_path: Path) -> None:
    """A match with undos keeps every acknowledged act although its process is killed again and again, at any moment."""
    journal, _ = store.start(tmp_path, GAME, ["Anna", "Ben", "Cleo"], time.time())
    journal.close()
    rng, last = random.Random(7), 1
    for round_ in range(12):
        with running("-c", PLAYER, str(journal.path), str(round_)) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            heard = [process.stdout.readline() for _ in range(rng.randrange(12))]
            time.sleep(rng.random() / 50)  # so that the kill happens anywhere between two acknowledgements
            process.kill()
            heard += process.stdout.readlines()  # communicate() would lose what was read ahead
        acknowledged = [line.split() for line in heard if line.endswith("\n")]
        events, match = read_events(journal.path)
        kept = {str(event.number) for event in events}
        hashes = {event.hash for event in events}
        assert all(number in kept and digest in hashes for number, digest in acknowledged)
        assert match.last >= last + len(acknowledged)
        reopened, again, damage = Journal.open(journal.path)
        reopened.close()
        assert (again.position, again.last, damage) == (match.position, match.last, "")
        last = match.last
    assert last > 60


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_games_that_nobody_waits_for_any_more_are_not_played_to_their_end(tmp_path: Path, how: signal.Signals) -> None:
    script = tmp_path / "games.py"  # a spawned process imports the function from a file
    script.write_text(GAMES, "utf-8")
    with running(str(script)) as process:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == ["begun\n"] * 2
        process.send_signal(how)
        process.communicate(timeout=PATIENCE)  # returns once no process holds the pipe's other end
    assert process.returncode == -how


def only_match(folder: Path) -> tuple[Path, Match]:
    [path] = folder.glob("*.tabletop")
    return path, read_events(path)[1]


def test_a_table_that_is_told_to_end_shuts_down_in_order_and_resumes_its_match(
    tmp_path: Path, configure: Callable[..., Path], port: int
) -> None:
    config = configure(port=port)
    served(config)
    told = served(config)
    path, _ = only_match(tmp_path / "games")
    assert told == f"The match of {path.stem} continues after event 1 (--new starts another).\n"


@pytest.mark.parametrize(
    ("bind", "first"), [("127.0.0.1", "http://127.0.0.1:8080"), ("::1", "http://[::1]:8080"), ("::", None)]
)
def test_the_first_address_is_one_that_answers(bind: str, first: str | None) -> None:
    addresses = network.addresses_of(bind, ["table.lan"], 8080)
    assert addresses[0] == (first or f"http://{network.numeric_address()}:8080")
    assert addresses[1] == "http://table.lan:8080"


def served(config: Path, *options: str) -> str:
    """Serve a table, tell it to end, and return the first line that it printed."""
    with running("-m", "tabletop", "serve", "--config", str(config), *options) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline()]
        while lines[-1] and "/host" not in lines[-1]:
            lines.append(process.stdout.readline())
        process.send_signal(signal.SIGTERM)
        rest, complaints = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, complaints
    assert "Traceback" not in complaints
    assert rest.endswith("the table is closed.\n")
    return lines[0]


@pytest.mark.parametrize(
    ("panel", "why"),
    [('pins = "gpio"\nchip = 250', ""), ('pins = "mock"\nfile = "no-panel.toml"', "no-panel.toml cannot be read")],
)
def test_a_table_whose_pins_cannot_be_used_is_served_by_pages_and_says_why(
    configure: Callable[..., Path], port: int, tmp_path: Path, panel: str, why: str
) -> None:
    """A service without usable pins serves its pages and names the reason, instead of failing into safe mode."""
    config = configure(port=port)
    config.write_text(config.read_text().replace('pins = "mock"', panel))
    with running("-m", "tabletop", "serve", "--config", str(config), "--service") as process:
        assert process.stdout is not None
        lines = [process.stdout.readline()]
        while lines[-1] and "buttons and lights" not in lines[-1]:
            lines.append(process.stdout.readline())
        page = asked(f"http://127.0.0.1:{port}/")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
    assert "There are no buttons and lights; the game continues on the pages. " in lines[-1]
    assert why in lines[-1]
    assert "The game continues on the pages, without buttons and lights." in page
    assert process.returncode == 0
    assert StartsFile(tmp_path).read() == Starts()


def test_damage_that_a_start_finds_is_said_on_the_console_and_on_the_pages(
    configure: Callable[..., Path], port: int, tmp_path: Path
) -> None:
    """A table whose log was damaged still starts, and console and pages say what was lost."""
    journal, match = store.start(tmp_path / "games", GAME, ["Anna", "Ben"], time.time())
    journal.append(random_facts(match, 9, seed=1))
    journal.close()
    path = journal.path
    path.write_bytes(path.read_bytes().replace(b'"do":', b'"dn":', 1))
    with running("-m", "tabletop", "serve", "--config", str(configure(port=port))) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(2)]
        page = asked(f"http://127.0.0.1:{port}/")
    assert "continues after event 10" in lines[0]
    assert "Nothing is lost: all 10 events were found again" in lines[1]
    assert "Nothing is lost: all 10 events were found again" in page


def asked(address: str) -> str:
    """Return the page at an address, waiting until the table serves it."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
                return str(answer.read().decode())
        except urllib.error.URLError:
            assert time.monotonic() < end


def test_a_table_is_served_before_a_simulated_camera_too(configure: Callable[..., Path], port: int) -> None:
    assert served(configure(port=port), "--camera", "simulated") == "Palazzo with Anna, Ben.\n"


def test_the_camera_is_made_for_the_match_that_is_resumed(
    configure: Callable[..., Path], port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The camera is made for the resumed match's game and seats, even if the settings ask for others by now."""
    config = load(configure(port=port))
    journal, match = store.start(config.games, GAME, ["Anna", "Ben", "Cleo"], time.time())
    asked: list[tuple[str, int]] = []

    def camera(_camera: CameraConfig, game: Game, seats: int, *_more: object) -> Callable[[], None]:
        asked.append((game.name, seats))
        return lambda: None

    monkeypatch.setattr(serve, "camera_opener", camera)
    table = serve.make_table(replace(config, game="patrician"), journal, match, "host code", config.games)
    table.panel.stop()
    journal.close()
    assert asked == [("palazzo", 3)]


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_a_table_without_a_camera_is_played_on_its_pages_and_draws_its_own_chance(
    configure: Callable[..., Path], port: int, name: str
) -> None:
    """With the source "none", any game can be played to its end on phones, and no picture is missed or awaited."""
    game, rng = registry.game(name), random.Random(2)
    config = load(configure(port=port))
    journal, match = store.start(config.games, game, ["Anna", "Ben"], time.time())
    without = replace(config, camera=replace(config.camera, source=NO_CAMERA))
    with serve.make_table(without, journal, match, "host code", config.games) as table:
        assert table.camera_loop is None
        flask, phones = table.pages([HERE], limits=PageLimits(acts=100_000)), []
        for seat in range(2):
            phones.append(flask.test_client())
            phones[seat].set_cookie("seat", table.room.claim(seat), domain="127.0.0.1")
            table.room.accept(seat, tell=False)
        while not (now := table.mailbox.snapshot).position.over:
            assert now.position.decider is not None
            assert not now.say or {one.code for one in now.say} == {"news"}
            action = rng.choice([*now.position.legal.thrifty()]).to_json()
            request = {"action": action, "on": now.number, "id": f"request-{now.number:04d}"}
            told = phones[now.position.decider].post("/seat/act", json=request, base_url=HERE, headers={"Origin": HERE})
            assert told.status_code == 200
        assert "The game is over" in phones[0].get("/seat", base_url=HERE).text
    sources = {(event.seat is None, event.source) for event in now.events if event.kind == EventKind.ACTION}
    assert sources == {(True, "draw"), (False, "page")}


HERE = "http://127.0.0.1:8000"


def test_a_table_without_a_panel_lets_phones_sit_down_and_misses_nothing(
    configure: Callable[..., Path], port: int
) -> None:
    """A phone has its seat at once, since no button could confirm it, and no page calls the lack of a panel a fault."""
    config = load(configure(port=port))
    without = replace(config, panel=replace(config.panel, pins=NO_PANEL))
    journal, match = store.start(config.games, GAME, ["Anna", "Ben", "Cleo"], time.time())
    said: list[str] = []
    with serve.make_table(without, journal, match, "host code", config.games) as table:
        table.room.claim(0)
        assert table.room.seating.taken == {0}
        assert not table.room.claims.waiting
        serve.announce(table, match, network.addresses_of("127.0.0.1", [], port), "HOST", said.append)
        checks = list(diagnostics.while_served(table)["panel"](ProbedMachine(without, time.time, time.time)))
        told = [one.code for one in table.mailbox.snapshot.say]
    assert "No panel is set up; the game is played on the pages." in said
    assert [(one.name, one.state) for one in checks] == [("panel", CheckState.OK)]
    assert checks == list(probes_table.panel(ProbedMachine(without, time.time, time.time)))
    assert "panel-lost" not in told


def test_the_program_plays_the_seats_that_the_settings_name(configure: Callable[..., Path], port: int) -> None:
    """Bots go by the names of the seats, even in a match with other seats; an unknown level is refused at the start."""
    config = replace(load(configure(port=port)), seats=("Anna", "Ben", "Cleo"), bots=("", "thrifty", "strong"))
    _, match = store.start(config.games, GAME, ["Cleo", "Anna"], time.time())
    assert serve.make_room(config, match, "", None).seating.bots == {0: "strong"}
    with pytest.raises(ConfigError, match="no level “genius”"):
        serve.run(replace(config, bots=("genius",)), print)


def test_a_table_plays_with_the_edition_that_it_entered(
    tmp_path: Path, configure: Callable[..., Path], port: int
) -> None:
    shipped = Path(palazzo.__file__).with_name("edition.toml").read_text("utf-8")
    (tmp_path / "our-box.toml").write_text(shipped.replace('name = "synthetic"', 'name = "our box"'), "utf-8")
    served(configure('edition = "our-box.toml"', port=port))
    _, match = only_match(tmp_path / "games")
    assert match.position.to_json()["options"]["stacks"] == "our box"


def test_with_port_0_the_demo_finds_a_free_port_and_prints_an_address_that_answers() -> None:
    with running("-m", "tabletop", "demo", "--game", "patrician", "--port", "0") as process:
        assert process.stdout is not None
        lines = [process.stdout.readline()]
        while lines[-1] and "Ctrl+C" not in lines[-1]:
            lines.append(process.stdout.readline())
        [address] = re.findall(r"for a TV or tablet +(http://127\.0\.0\.1:[1-9]\d*/)", "".join(lines))
        with urllib.request.urlopen(address, timeout=PATIENCE) as page:
            assert page.status == 200


def test_pages_that_end_by_themselves_are_an_error_and_not_an_orderly_shutdown(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        def __init__(self, *_: object) -> None: ...
        def run(self) -> None: ...
        def close(self) -> None: ...

    monkeypatch.setattr(page_server, "Server", Gone)
    with pytest.raises(page_server.PagesLost, match="every move is on the disk"):
        page_server.serve(Flask(__name__), "127.0.0.1", 0, page_server.StopRequest())
