"""Owners enter what their pieces show, piece by piece; a camera can read which piece it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from tabletop.cli.common import enrolling
from tabletop.cli.edition import command
from tabletop.hardware.cameras.folder import FolderCamera
from tabletop.rules import registry
from tabletop.rules.edition import Enrolment, parse
from tabletop.rules.palazzo.components import STACKS, TILES
from tabletop.rules.palazzo.edition import check, shipped_edition
from tabletop.vision.tags import patterns, payloads

OF = {tile: STACKS[number] for number, stack in enumerate(shipped_edition().stacks) for tile in stack}


def enrol(file: Path, *answers: str, game: str = "palazzo", extra: Sequence[str] = ()) -> Result:
    arguments = ["enrol", str(file), "--game", game, *map(str, extra)]
    return CliRunner().invoke(command, arguments, input="".join(f"{line}\n" for line in answers))


def enrolment(game: str) -> Enrolment:
    """Return the questions that a game asks for its edition."""
    found = registry.EDITIONS.part(game)
    assert found is not None
    return found


def entered(file: Path, game: str = "palazzo") -> dict[str, str]:
    return enrolment(game).entered(parse(file.read_text(encoding="utf-8")))


def photograph(path: Path, game: str, *pieces: str) -> None:
    """Write a picture of these pieces' tags, side by side on grey."""
    seen = [patterns.draw(patterns.pattern(payloads.payload_of(registry.game(game), piece)), 6) for piece in pieces]
    side = max([one.shape[0] for one in seen], default=100)
    table = np.full((side + 120, max(len(seen), 1) * (side + 40) + 80), 120, np.uint8)
    for at, one in enumerate(seen):
        left = 60 + at * (side + 40)
        table[60 : 60 + one.shape[0], left : left + one.shape[1]] = one
    assert cv2.imwrite(str(path), table)


def test_being_done_before_anything_was_entered_writes_no_edition(tmp_path: Path) -> None:
    """Being done before anything was entered creates no file and is an error."""
    photograph(tmp_path / "table.png", "palazzo", "B1.1")
    result = enrol(tmp_path / "own.toml", "done", extra=["--camera", f"images:{tmp_path}"])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Nothing was entered" in result.stderr
    assert not (tmp_path / "own.toml").exists()


def test_all_tiles_are_asked_for_and_make_an_edition(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    result = enrol(file, *OF.values() if list(OF) == list(TILES) else [OF[tile] for tile in TILES])
    assert result.exit_code == 0, result.output
    assert "B1.1 (brick, floor 1, 1 window)" in result.stderr
    edition = check(parse(file.read_text(encoding="utf-8")))
    assert [set(stack) for stack in edition.stacks] == [set(stack) for stack in shipped_edition().stacks]
    assert edition.name == "own"


def test_tiles_already_entered_are_not_asked_for_again_but_with_again(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    assert enrol(file, "1", "ii", "III", "seven").exit_code == 1
    assert list(entered(file).values()) == ["I", "II", "III"]
    result = enrol(file, "2", extra=["--again", "B1.1"])
    assert "B1.1 (brick, floor 1, 1 window) [I]" in result.stderr
    assert entered(file)["B1.1"] == "II"
    assert enrol(file, extra=["--again", "B9.9"]).exit_code == 2


def test_a_person_who_leaves_is_told_how_to_continue(tmp_path: Path) -> None:
    result = enrol(tmp_path / "own.toml", "1")
    assert result.exit_code == 1
    assert result.stderr.endswith("\nStopped. Run the same command again to continue.\n")


def test_a_missing_folder_is_reported_before_anything_is_asked(tmp_path: Path) -> None:
    result = enrol(tmp_path / "none" / "own.toml", "1")
    assert result.exit_code == 2
    assert f"There is no folder {tmp_path / 'none'}." in result.stderr
    assert "B1.1" not in result.stderr


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (["check"], 'game = "palazzo"\nname = "x"\n[stacks]\nI = ["\\u001b[2J"]\nII = []\nIII = []\n'),
        (["check"], 'game = "patrician"\n"\\u001b[2J" = 1\n[cards]\n"\\u001b[2J" = 1\n'),
        (["enrol", "--game", "palazzo"], 'game = "\\u001b[2J"\n'),
    ],
)
def test_control_characters_in_an_edition_never_reach_the_terminal(tmp_path: Path, asked: list[str], text: str) -> None:
    """Control characters in an edition from somebody else never reach the terminal."""
    (tmp_path / "sent.toml").write_text(text)
    done = CliRunner().invoke(command, [*asked, str(tmp_path / "sent.toml")], color=True)
    assert done.exit_code > 0
    assert "[2J" in done.output
    assert "\x1b" not in done.output


def test_an_edition_of_another_game_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text("[cards]\n")
    assert enrol(file).exit_code == 2
    assert file.read_text() == "[cards]\n"


@given(st.dictionaries(st.sampled_from(sorted(TILES)), st.sampled_from(STACKS)), st.text(max_size=60))
def test_an_unfinished_edition_of_stacks_comes_back_as_it_was_written(stacks: Mapping[str, str], name: str) -> None:
    form = enrolment("palazzo")
    assert form is not None
    data = parse(form.to_toml(name, stacks))
    assert form.entered(data) == stacks
    assert data["name"] == (name[:40] or "own")


def test_a_tile_in_two_stacks_counts_as_not_entered() -> None:
    both = parse('[stacks]\nI = ["B1.1", "B1.2", 3]\nII = ["B1.1"]\nIII = 7')
    assert enrolment("palazzo").entered(both) == {"B1.2": "I"}


# With a camera


def test_the_camera_tells_which_card_is_held_and_every_answer_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    for number, card in enumerate(["ROM3", "BOL1", "ROM3"]):
        photograph(tmp_path / f"{number}.png", "patrician", card)
    camera = ["--camera", f"images:{tmp_path}"]
    result = enrol(file, "red", "2", "any", "done", game="patrician", extra=camera)
    assert "ROM3: red" in result.stderr
    assert "BOL1: 2" in result.stderr
    assert entered(file, "patrician") == {"BOL1": "2", "ROM3": "any"}
    assert result.exit_code == 1, "it is not complete yet"
    result = enrol(file, game="patrician", extra=camera)
    assert "53 cards left" in result.stderr, "it goes on where it stopped"


def test_all_tiles_that_the_camera_sees_belong_to_the_stack_that_is_said(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    photograph(tmp_path / "0.png", "palazzo", "B1.1", "S2.3", "M5.1")
    photograph(tmp_path / "1.png", "palazzo", "M4.3", "M5.1")
    result = enrol(file, "I", "three", "3", "done", extra=["--camera", f"images:{tmp_path}"])
    assert "B1.1, M5.1, S2.3: I" in result.stderr
    assert "'three' is not a stack" in result.stderr
    assert entered(file) == {"B1.1": "I", "S2.3": "I", "M4.3": "III", "M5.1": "III"}


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        ([], "No card is visible"),
        (["BOL1", "ROM3"], "One card at a time: BOL1, ROM3 are visible."),
        (["TT"], "No card"),
    ],
)
def test_an_impossible_entry_is_reported_and_not_saved(
    seen: Sequence[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["2", "done"])
    saved: list[Mapping[str, str]] = []
    monkeypatch.setattr("click.prompt", lambda *_, **__: next(answers))
    enrolling.watch(enrolling.Book(enrolment("patrician"), {}, saved.append), lambda: seen)
    assert said in capsys.readouterr().err
    assert saved == []


@pytest.mark.parametrize("answers", [("1", "done"), ("1",)])
def test_the_camera_is_closed_however_enrolment_ends(
    answers: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The camera is closed however enrolment ends, since a driver left open may abort the program."""
    photograph(tmp_path / "0.png", "palazzo", "B1.1")
    closed: list[str] = []
    monkeypatch.setattr(FolderCamera, "close", lambda camera: closed.append(camera.name))
    enrol(tmp_path / "own.toml", *answers, extra=["--camera", f"images:{tmp_path}"])
    assert len(closed) == 1


def test_a_missing_camera_is_named(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    assert enrol(file, extra=["--camera", "telescope"]).exit_code == 2
    result = enrol(file, extra=["--camera", f"images:{tmp_path}"])
    assert (result.exit_code, file.exists()) == (1, False)
    assert "no .jpg or .png" in result.stderr
