"""The walk: each step in a sentence, left and taken up, with a panel and a camera made of values."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from doubles.clock import PATIENCE
from doubles.turnstile import Turnstile
from tabletop.config import NO_PANEL, Config, load
from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.hardware.panel.lights import Pattern
from tabletop.hardware.panel.panel_file import load as wiring
from tabletop.messages import Message
from tabletop.setup.draft import Draft, TrialOutcome
from tabletop.setup.walk import Refused, SetupWalk
from tabletop.vision.aim.assessment import Aim, ZoneAim


@pytest.fixture
def walk(tmp_path: Path) -> SetupWalk:
    return SetupWalk(Config(), tmp_path / "table.toml", wiring())


def press(walk: SetupWalk, button: str) -> None:
    walk.press(Press(button, Kind.PRESS, 0.0))


def seen(*, ready: bool = True) -> Aim:
    return Aim(
        (ZoneAim("warehouse", Message("Warehouse"), 3.0), ZoneAim("row", Message("Money row"), 3.0 if ready else None))
    )


def test_a_game_and_its_seats_are_chosen(walk: SetupWalk) -> None:
    walk.choose("palazzo", [" Ada ", "Ben", "", "Cy  D"])
    assert (walk.draft.game, walk.draft.seats, walk.draft.step) == ("palazzo", ("Ada", "Ben", "Cy D"), "panel")


def test_the_program_plays_the_seats_that_it_is_given(walk: SetupWalk, tmp_path: Path) -> None:
    """Each level stays with its seat even if seats before it are left empty; a later choice takes it away again."""
    walk.choose("palazzo", ["Ada", "", "Ben", "Cleo"], bots=["", "thrifty", "strong"])
    assert walk.draft.bots == ("", "strong", "")
    walk.save()
    assert load(tmp_path / "table.toml").bots == ("", "strong", "")
    again = SetupWalk(load(tmp_path / "table.toml"), tmp_path / "table.toml", None)
    assert again.draft.bots == ("", "strong", "")
    again.choose("palazzo", ["Ada", "Ben"])
    again.save()
    assert load(tmp_path / "table.toml").bots == ()
    with pytest.raises(Refused, match="no level “genius”: choose random, thrifty"):
        walk.choose("palazzo", ["Ada", "Ben"], bots=["genius"])


def test_the_make_of_the_pieces_and_their_edition_are_chosen_and_saved(walk: SetupWalk, tmp_path: Path) -> None:
    """What is played with goes into table.toml, beside what was there."""
    (tmp_path / "our-box.toml").write_text("", "utf-8")
    walk.choose("palazzo", ["Ada", "Ben"], "box", "our-box.toml", "b", "25")
    assert (walk.draft.kit.letter, walk.draft.kit.tag_mm) == ("B", 25)
    walk.save()
    config = load(tmp_path / "table.toml")
    assert (config.pieces.make, config.edition) == ("box", tmp_path / "our-box.toml")
    assert (config.pieces.set, config.pieces.scale) == ("B", 1.25)


@pytest.mark.parametrize(
    ("letter", "size", "words"),
    [
        ("BB", "", "one letter A to Z"),
        ("", "5", "10 to 100 mm, not “5”"),
        ("", "nan", "not “nan”"),
        ("", "x", "not “x”"),
    ],
)
def test_tags_that_nobody_can_print_are_refused(walk: SetupWalk, letter: str, size: str, words: str) -> None:
    """A set or a size that there is none of is named, and nothing is changed."""
    before = walk.draft
    with pytest.raises(Refused, match=words):
        walk.choose("palazzo", ["Ada", "Ben"], letter=letter, size=size)
    assert walk.draft == before


@pytest.mark.parametrize(
    ("game", "make", "edition", "words"),
    [
        ("palazzo", "wood", "", "no make “wood”; choose printed, box"),
        ("palazzo", "", "none.toml", "no file none.toml"),
        ("piecepack", "", "none.toml", "show the same in every box"),
    ],
)
def test_pieces_that_there_are_none_of_are_refused(
    walk: SetupWalk, game: str, make: str, edition: str, words: str
) -> None:
    """A make or an edition that does not exist is named, and nothing is changed."""
    before = walk.draft
    with pytest.raises(Refused, match=words):
        walk.choose(game, ["Ada", "Ben"], make, edition)
    assert walk.draft == before


@pytest.mark.parametrize(
    ("game", "seats", "words"),
    [
        ("palazzo", ["Ada"], "2 to 4 seats, not 1"),
        ("palazzo", ["A", "B", "C", "D", "E"], "not 5"),
        ("palazzo", ["Ada", "Ada"], "same name"),
        ("palazzo", ["Ada", "Be\ud800n"], r"U\+D800"),
        ("chess", ["Ada", "Ben"], "no game 'chess'"),
    ],
)
def test_what_no_game_can_be_played_with_is_refused_and_changes_nothing(
    walk: SetupWalk, game: str, seats: list[str], words: str
) -> None:
    before = walk.draft
    with pytest.raises(Refused, match=words):
        walk.choose(game, seats)
    assert walk.draft == before


def test_every_button_is_lit_pressed_and_then_every_light_that_is_left_is_asked_for(walk: SetupWalk) -> None:
    """26 wires: eight buttons with their own eight lights, nine more lights, the buzzer."""
    walk.go("panel")
    tried = []
    while (trial := walk.trial) is not None:
        tried.append(trial.name)
        signals = walk.signals()
        if trial.is_button:
            assert signals == {trial.wire.name: Pattern.STEADY}
            press(walk, trial.wire.name)
        else:
            assert signals[trial.signal] is (Pattern.FAST if trial.wire.kind == "buzzer" else Pattern.SLOW)
            press(walk, "OK")
    assert len(tried) == 8 + 9 + 1
    assert {how for _, how in walk.outcomes} == {TrialOutcome.OK}
    assert walk.signals() == {}


def test_another_button_than_the_lit_one_is_told_and_does_not_count(walk: SetupWalk) -> None:
    walk.go("panel")
    press(walk, "BUY")
    assert walk.trial is not None
    assert walk.trial.wire.name == "MONEY"
    assert "That was BUY" in walk.told
    assert "GPIO 17" in walk.told


def test_a_button_is_never_well_without_its_press(walk: SetupWalk) -> None:
    """Neither a page nor a keyboard can say so."""
    walk.go("panel")
    walk.answer("button MONEY", TrialOutcome.OK)
    assert walk.draft.tried == {}
    walk.answer("button MONEY", TrialOutcome.WRONG)
    assert walk.draft.tried == {"button MONEY": TrialOutcome.WRONG}
    assert "header pin 11" in walk.told


def test_an_answer_to_what_was_tried_before_is_not_one_to_what_is_tried_now(walk: SetupWalk) -> None:
    """The real button is pressed while somebody taps that nothing happens."""
    walk.go("panel")
    press(walk, "MONEY")
    walk.answer("button MONEY", TrialOutcome.WRONG)
    assert walk.draft.tried == {"button MONEY": TrialOutcome.OK}


def test_going_on_twice_skips_no_step(walk: SetupWalk) -> None:
    walk.go("camera")
    walk.aimed()
    walk.aimed()
    assert walk.draft.step == "sheets"
    walk.onward("sheets")
    walk.onward("sheets")
    walk.onward("save")
    walk.onward("nowhere")
    assert walk.draft.step == "save"


def test_a_long_press_is_no_answer(walk: SetupWalk) -> None:
    walk.go("panel")
    walk.press(Press("MONEY", Kind.LONG, 0.0))
    assert walk.draft.tried == {}


def test_presses_and_answers_outside_the_step_do_nothing(walk: SetupWalk) -> None:
    press(walk, "MONEY")
    walk.answer("button MONEY", TrialOutcome.WRONG)
    assert walk.draft.tried == {}
    assert walk.signals() == {}


def test_only_what_was_not_well_is_tried_again(walk: SetupWalk) -> None:
    walk.go("panel")
    press(walk, "MONEY")
    for outcome in (TrialOutcome.WRONG, TrialOutcome.SKIPPED):
        assert walk.trial is not None
        walk.answer(walk.trial.name, outcome)
    walk.again()
    assert walk.draft.tried == {"button MONEY": TrialOutcome.OK}


def test_undo_at_a_light_means_that_it_is_dark(walk: SetupWalk) -> None:
    walk.go("panel")
    while walk.trial is not None and walk.trial.is_button:
        press(walk, walk.trial.wire.name)
    press(walk, "UNDO")
    assert walk.draft.tried["light quarry1"] == TrialOutcome.WRONG
    assert "short leg" in walk.told


def test_a_table_without_a_panel_tries_nothing_and_says_so_in_its_configuration(
    walk: SetupWalk, tmp_path: Path
) -> None:
    """Chosen, left, taken up, saved; a panel that comes later is tried and written down as well."""
    walk.choose("palazzo", ["Ada", "Ben"])
    walk.without_panel()
    assert (walk.draft.step, walk.trial, walk.signals()) == ("camera", None, {})
    SetupWalk(Config(), tmp_path / "table.toml", wiring()).save()
    config = load(tmp_path / "table.toml")
    assert config.panel.pins == NO_PANEL
    later = SetupWalk(config, tmp_path / "table.toml", wiring())
    later.go("panel")
    trials = [later.trial]
    later.with_panel()
    trials.append(later.trial)
    assert [trial is None for trial in trials] == [True, False]
    later.save()
    assert load(tmp_path / "table.toml").panel.pins == "gpio"


def test_a_walk_that_is_left_goes_on_where_it_was(walk: SetupWalk, tmp_path: Path) -> None:
    walk.choose("patrician", ["Ada", "Ben"])
    press(walk, "MONEY")
    walk.camera("opencv:0")
    again = SetupWalk(Config(), tmp_path / "table.toml", wiring())
    assert again.draft == walk.draft
    assert again.trial is not None
    assert again.trial.wire.name == "BUILD"


@pytest.mark.parametrize("text", ["", "{}", "[1]", "null"])
def test_a_damaged_draft_is_a_new_beginning(tmp_path: Path, text: str) -> None:
    (tmp_path / "setup.json").write_text(text)
    assert SetupWalk(Config(), tmp_path / "table.toml", None).draft.step == "game"


@pytest.mark.parametrize(
    "damage", [{"step": "moon"}, {"seats": []}, {"seats": 3}, {"tried": []}, {"tried": {"a": "b"}}, {"scale": "wide"}]
)
def test_a_draft_with_one_value_of_another_form_is_a_new_beginning(
    walk: SetupWalk, tmp_path: Path, damage: dict[str, object]
) -> None:
    walk.choose("patrician", ["Ada", "Ben"])
    (tmp_path / "setup.json").write_text(json.dumps(json.loads((tmp_path / "setup.json").read_text()) | damage))
    assert SetupWalk(Config(), tmp_path / "table.toml", wiring()).draft == Draft.of(Config())


def test_a_press_that_comes_while_a_page_chooses_is_not_lost(walk: SetupWalk, monkeypatch: pytest.MonkeyPatch) -> None:
    walk.choose("palazzo", ["Ada", "Ben"])
    presser = threading.Thread(target=press, args=(walk, "MONEY"))

    def interrupted(draft: Draft, **values: Any) -> Draft:
        monkeypatch.undo()
        presser.start()
        presser.join(0.1)  # it ends meanwhile only if nothing makes it wait
        return replace(draft, **values)

    monkeypatch.setattr("tabletop.setup.walk.replace", interrupted)
    walk.camera("opencv:0")
    presser.join()
    assert (walk.draft.source, walk.draft.tried) == ("opencv:0", {"button MONEY": TrialOutcome.OK})


def test_a_camera_counts_as_aimed_only_when_it_sees_everything(walk: SetupWalk) -> None:
    walk.go("camera")
    walk.see(walk.draft.source, seen(ready=False))
    walk.aimed()
    assert (walk.draft.aimed, walk.missing, walk.draft.step) == (False, ["Money row"], "sheets")
    walk.see(walk.draft.source, seen())
    walk.aimed()
    assert (walk.draft.aimed, walk.missing) == (True, [])


def test_a_camera_that_is_not_there_is_told(walk: SetupWalk) -> None:
    walk.go("camera")
    walk.see(walk.draft.source, None, Message("The camera picamera2 is not there."))
    assert walk.told == "The camera picamera2 is not there."


def test_what_was_chosen_is_written_and_the_draft_is_gone(walk: SetupWalk, tmp_path: Path) -> None:
    walk.choose("palazzo", ["Ada", "Ben"])
    walk.camera("opencv:/dev/video2")
    walk.save()
    config = load(tmp_path / "table.toml")
    assert (config.game, config.seats, config.camera.source) == ("palazzo", ("Ada", "Ben"), "opencv:/dev/video2")
    assert {path.name for path in tmp_path.iterdir()} == {"table.toml"}
    assert walk.saved


def test_who_saves_and_then_chooses_what_is_usual_saves_that(walk: SetupWalk, tmp_path: Path) -> None:
    """The page stays open: everything that was saved first has to go again, and the panel has to come back."""
    (tmp_path / "our-box.toml").write_text("", "utf-8")
    before = load(None)
    walk.choose("palazzo", ["Ada", "Ben"], "box", "our-box.toml", "B", "25", ["", "strong"])
    walk.without_panel()
    walk.save()
    walk.go("game")
    walk.choose("palazzo", ["Ada", "Ben"])
    walk.with_panel()
    walk.save()
    saved = load(tmp_path / "table.toml")
    assert (saved.pieces, saved.edition, saved.bots, saved.panel.pins) == (before.pieces, None, (), before.panel.pins)


def test_the_file_as_it_was_is_kept(walk: SetupWalk, tmp_path: Path) -> None:
    old = "# ours\n[pages]\nport = 80  # short\n"
    (tmp_path / "table.toml").write_text(old)
    walk.choose("palazzo", ["Ada", "Ben"])
    walk.save()
    assert (tmp_path / "table.toml.before").read_text() == old
    assert "port = 80  # short" in (tmp_path / "table.toml").read_text()
    assert load(tmp_path / "table.toml").pages.port == 80


def test_what_would_be_no_configuration_is_refused_and_nothing_is_changed(walk: SetupWalk, tmp_path: Path) -> None:
    old = '[camera]\nsource = "picamera2"\n'
    (tmp_path / "table.toml").write_text(old)
    walk.choose("palazzo", ["Ada", "Ben"])
    walk.camera("a telescope")
    with pytest.raises(Refused, match="no camera “a telescope”"):
        walk.save()
    assert (tmp_path / "table.toml").read_text() == old
    assert {path.name for path in tmp_path.iterdir()} == {"table.toml", "setup.json"}


def test_a_game_that_the_options_of_the_file_do_not_fit_is_refused_before_the_table_cannot_be_started(
    tmp_path: Path,
) -> None:
    """They were left from the game before, and the setup said that all was saved."""
    file, old = tmp_path / "table.toml", '[options]\nstacks = "unknown"\n'
    file.write_text(old)
    walk = SetupWalk(load(file), file, None)
    walk.choose("patrician", ["Ada", "Ben", "Cleo"])
    with pytest.raises(Refused, match=r"not changed: There is no option stacks\. Change game, seats or options"):
        walk.save()
    assert file.read_text() == old


def test_an_edition_beside_a_file_in_another_folder_is_still_found_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program was started elsewhere: what was configured can be chosen again, and names the same file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table").mkdir()
    file, box = Path("table", "table.toml"), Path("table", "our-box.toml")
    box.touch()
    file.write_text('game = "palazzo"\nseats = ["Ada", "Ben"]\nedition = "our-box.toml"\n')
    walk = SetupWalk(load(file), file, None)
    walk.choose("palazzo", ["Ada", "Ben"], edition=walk.draft.edition)
    walk.save()
    edition = load(file).edition
    assert edition is not None
    assert edition.samefile(box)


@pytest.mark.parametrize(("old", "why"), [(b"seats = [", "this is not TOML"), (b"\xff", "not text in UTF-8")])
def test_a_file_that_cannot_be_changed_is_refused_and_left_alone(
    walk: SetupWalk, tmp_path: Path, old: bytes, why: str
) -> None:
    (tmp_path / "table.toml").write_bytes(old)
    walk.choose("palazzo", ["Ada", "Ben"])
    with pytest.raises(Refused, match=rf"table\.toml was not changed: .*table\.toml.*{why}"):
        walk.save()
    assert (tmp_path / "table.toml").read_bytes() == old


def test_a_folder_that_cannot_be_written_is_told_and_the_walk_goes_on() -> None:
    walk = SetupWalk(Config(), Path("/proc/table.toml"), wiring())
    walk.choose("palazzo", ["Ada", "Ben"])
    assert "cannot be saved for later" in walk.told
    with pytest.raises(Refused, match="cannot be written"):
        walk.save()


def test_a_draft_is_plain_data(walk: SetupWalk, tmp_path: Path) -> None:
    walk.choose("palazzo", ["Ada", "Ben"])
    assert json.loads((tmp_path / "setup.json").read_text())["seats"] == ["Ada", "Ben"]


def test_two_who_save_at_once_both_save(walk: SetupWalk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each deleted the other's file on trial: the one who came second read that table.toml cannot be written."""
    walk.choose("palazzo", ["Ada", "Ben"])
    turn = Turnstile()
    monkeypatch.setattr(walk, "_lock", turn)
    with ThreadPoolExecutor(2) as both:
        for saving in [both.submit(walk.save) for _ in range(2)]:
            saving.result(PATIENCE)
    assert turn.asked_twice.is_set()
    assert load(walk.file).seats == ("Ada", "Ben")
