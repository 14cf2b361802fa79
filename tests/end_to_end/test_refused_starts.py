"""A table that cannot be served is refused with one sentence that names what helps."""

from __future__ import annotations

import resource
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from doubles.clock import PATIENCE
from tabletop.cli import main
from tabletop.config import PiecesConfig, load
from tabletop.match import store
from tabletop.rules import registry
from tabletop.rules.palazzo import GAME
from tabletop.runtime import network, serve
from tabletop.vision.kit import KitError
from tests.end_to_end.programs import running


def test_if_the_newest_match_cannot_be_read_the_refusal_names_the_options(
    configure: Callable[..., Path], port: int, tmp_path: Path
) -> None:
    """If the newest match is unreadable, serve refuses with the options there are, and resumes no older match."""
    config = configure(port=port)
    older, newer = (store.start(tmp_path / "games", GAME, [name, "B"], time.time())[0] for name in "AC")
    for journal in (older, newer):
        journal.close()
    newer.path.write_bytes(b"")
    said = refused("serve", "--config", str(config))
    assert f"The game that was played last ({newer.path.name}) cannot be opened." in said
    assert "--new" in said
    with running("-m", "tabletop", "serve", "--config", str(config), "--skip-unreadable") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"{newer.path.name} cannot be read: it is kept, but skipped from now on.\n"
        assert f"The match of {older.path.stem} continues" in process.stdout.readline()


def test_a_make_that_a_game_does_not_have_is_named_before_a_game_begins(
    configure: Callable[..., Path], port: int
) -> None:
    """An unknown make of pieces is refused with the list of makes, and no match is begun."""
    config = load(configure(port=port))
    wooden = replace(config, pieces=PiecesConfig("wood"))
    with pytest.raises(KitError) as refused:
        serve.run(wooden, print)
    assert str(refused.value) == "Palazzo has no make “wood”; choose printed, box."
    assert not [*config.games.glob("*.jsonl")]


@pytest.mark.parametrize(
    ("text", "why"),
    [(None, "No such file"), (b"[stacks]\nI = 1", "an edition needs a name"), (b"=", "not TOML"), (b"\xff", "utf-8")],
)
def test_an_edition_that_cannot_be_used_is_refused_before_a_game_begins(
    tmp_path: Path, configure: Callable[..., Path], port: int, text: bytes | None, why: str
) -> None:
    if text is not None:
        (tmp_path / "our-box.toml").write_bytes(text)
    said = refused("serve", "--config", str(configure('edition = "our-box.toml"', port=port)))
    assert why.lower() in said.lower()
    assert str(tmp_path / "our-box.toml") in said
    assert not [*tmp_path.glob("games/*")]


def test_a_game_without_a_simulated_table_is_refused_with_the_reason(
    configure: Callable[..., Path], port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(registry.game("piecepack")), "table", None)
    config = configure('game = "piecepack"', port=port)
    assert "there is nothing to simulate" in refused("serve", "--config", str(config), "--camera", "simulated")


def refused(*words: str, status: int = 1) -> str:
    """Call the program, which must end with this status, and return its one-sentence error."""
    done = CliRunner().invoke(main, [*words])
    return sentence(done.stderr, done.exit_code, status)


def sentence(complaints: str, ended: int, status: int = 1) -> str:
    """Return the one-sentence error in what a program wrote, asserting that it ended with this status."""
    assert ended == status, complaints
    assert "Traceback" not in complaints
    *usage, sentence = complaints.strip().splitlines()
    assert sentence.startswith("Error: ")
    assert not usage or status == 2
    return sentence.removeprefix("Error: ")


def test_a_port_in_use_is_refused_with_the_option_that_helps(configure: Callable[..., Path], port: int) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", port))
        holder.listen()
        said = refused("serve", "--config", str(configure(port=port)))
    assert f"Port {port}" in said
    assert "stop it first (sudo systemctl stop tabletop)" in said
    assert "--port" in said


def test_an_address_that_this_machine_does_not_have_is_refused_with_the_option_that_helps() -> None:
    assert "--bind" in network.port_in_use("203.0.113.9", 8080)
    assert "--bind" in network.port_in_use("no such name", 8080)


def test_two_tables_do_not_share_a_folder(configure: Callable[..., Path], port: int) -> None:
    """A second table in the same folder is refused, even with --new: both would write the same seating file."""
    first = configure(port=port)
    with running("-m", "tabletop", "serve", "--config", str(first)) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Palazzo with")
        for more in ([], ["--new"]):
            said = refused("serve", "--config", str(first), "--port", str(port + 1), *more)
            assert "Another table is being served" in said
            assert "table.toml" in said


def test_a_wrong_key_is_named_with_its_line(configure: Callable[..., Path]) -> None:
    said = refused("serve", "--config", str(configure('gaem = "palazzo"')), status=2)
    assert "line 3" in said
    assert "gaem" in said


def test_a_configuration_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    assert "none.toml" in refused("serve", "--config", str(tmp_path / "none.toml"), status=2)


def test_a_folder_for_the_games_that_cannot_be_made_is_named(
    tmp_path: Path, configure: Callable[..., Path], port: int
) -> None:
    (tmp_path / "file").write_text("in the way")
    said = refused("serve", "--config", str(configure(games="file", port=port)))
    assert str(tmp_path / "file") in said
    assert "“games”" in said


def test_a_full_disk_is_reported_and_no_match_is_half_begun(configure: Callable[..., Path], port: int) -> None:
    """If no file may grow beyond 2 KiB, as on a full disk, the program says so and leaves no half-begun match."""

    def small() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))

    config = configure(port=port)
    with running("-m", "tabletop", "serve", "--config", str(config), preexec_fn=small) as process:
        _, complaints = process.communicate(timeout=PATIENCE)
    said = sentence(complaints, process.returncode)
    assert "could not be written" in said
    assert "Free some space" in said
    assert store.unfinished(config.parent / "games") is None
