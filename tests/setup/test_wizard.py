"""The wizard: each step in a sentence, left and resumed, with a panel and a camera made of values."""

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
from tabletop.setup.wizard import Refused, SetupWizard
from tabletop.vision.aim.assessment import Aim, ZoneAim


@pytest.fixture
def wizard(tmp_path: Path) -> SetupWizard:
    return SetupWizard(Config(), tmp_path / "table.toml", wiring())


def press(wizard: SetupWizard, button: str) -> None:
    wizard.press(Press(button, Kind.PRESS, 0.0))


def seen(*, ready: bool = True) -> Aim:
    return Aim(
        (ZoneAim("warehouse", Message("Warehouse"), 3.0), ZoneAim("row", Message("Money row"), 3.0 if ready else None))
    )


def test_a_game_and_its_seats_are_chosen(wizard: SetupWizard) -> None:
    wizard.choose("palazzo", [" Ada ", "Ben", "", "Cy  D"])
    assert (wizard.draft.game, wizard.draft.seats, wizard.draft.step) == ("palazzo", ("Ada", "Ben", "Cy D"), "panel")


def test_bots_play_the_seats_they_were_given(wizard: SetupWizard, tmp_path: Path) -> None:
    """Each bot's level stays with its seat even if seats before it are left empty; a later choice can remove it."""
    wizard.choose("palazzo", ["Ada", "", "Ben", "Cleo"], bots=["", "thrifty", "strong"])
    assert wizard.draft.bots == ("", "strong", "")
    wizard.save()
    assert load(tmp_path / "table.toml").bots == ("", "strong", "")
    again = SetupWizard(load(tmp_path / "table.toml"), tmp_path / "table.toml", None)
    assert again.draft.bots == ("", "strong", "")
    again.choose("palazzo", ["Ada", "Ben"])
    again.save()
    assert load(tmp_path / "table.toml").bots == ()
    with pytest.raises(Refused, match="no level “genius”: choose random, thrifty"):
        wizard.choose("palazzo", ["Ada", "Ben"], bots=["genius"])


def test_the_make_of_the_pieces_and_their_edition_are_chosen_and_saved(wizard: SetupWizard, tmp_path: Path) -> None:
    """The chosen make, edition, set and size of tags are saved in table.toml."""
    (tmp_path / "our-box.toml").write_text("", "utf-8")
    wizard.choose("palazzo", ["Ada", "Ben"], "box", "our-box.toml", "b", "25")
    assert (wizard.draft.kit.letter, wizard.draft.kit.tag_mm) == ("B", 25)
    wizard.save()
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
def test_a_set_or_size_of_tags_that_does_not_exist_is_refused(
    wizard: SetupWizard, letter: str, size: str, words: str
) -> None:
    """A set or a tag size that does not exist is named in the refusal, and nothing is changed."""
    before = wizard.draft
    with pytest.raises(Refused, match=words):
        wizard.choose("palazzo", ["Ada", "Ben"], letter=letter, size=size)
    assert wizard.draft == before


@pytest.mark.parametrize(
    ("game", "make", "edition", "words"),
    [
        ("palazzo", "wood", "", "no make “wood”; choose printed, box"),
        ("palazzo", "", "none.toml", "no file none.toml that the table can read. Copy it to /"),
        ("palazzo", "", "x" * 300, "no file xxx"),
        ("piecepack", "", "none.toml", "show the same in every box"),
    ],
)
def test_a_make_or_edition_that_does_not_exist_is_refused(
    wizard: SetupWizard, game: str, make: str, edition: str, words: str
) -> None:
    """A make or an edition that does not exist, or has an impossible name, is named in the refusal; nothing changes."""
    before = wizard.draft
    with pytest.raises(Refused, match=words):
        wizard.choose(game, ["Ada", "Ben"], make, edition)
    assert wizard.draft == before


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
def test_impossible_seats_are_refused_and_change_nothing(
    wizard: SetupWizard, game: str, seats: list[str], words: str
) -> None:
    before = wizard.draft
    with pytest.raises(Refused, match=words):
        wizard.choose(game, seats)
    assert wizard.draft == before


def test_the_trial_goes_through_every_button_and_light(wizard: SetupWizard) -> None:
    """The trial goes through 26 wires: eight buttons with their lights, nine more lights, and the buzzer."""
    wizard.go("panel")
    tried = []
    while (trial := wizard.trial) is not None:
        tried.append(trial.name)
        signals = wizard.signals()
        if trial.is_button:
            assert signals == {trial.wire.name: Pattern.STEADY}
            press(wizard, trial.wire.name)
        else:
            assert signals[trial.signal] is (Pattern.FAST if trial.wire.kind == "buzzer" else Pattern.SLOW)
            press(wizard, "OK")
    assert len(tried) == 8 + 9 + 1
    assert {how for _, how in wizard.outcomes} == {TrialOutcome.OK}
    assert wizard.signals() == {}


def test_a_button_other_than_the_lit_one_is_reported_and_does_not_count(wizard: SetupWizard) -> None:
    wizard.go("panel")
    press(wizard, "BUY")
    assert wizard.trial is not None
    assert wizard.trial.wire.name == "MONEY"
    assert "That was BUY" in wizard.told
    assert "GPIO 17" in wizard.told


def test_a_button_counts_as_working_only_after_a_press(wizard: SetupWizard) -> None:
    """A button counts as working only after a press: the answer OK without one is ignored."""
    wizard.go("panel")
    wizard.answer("button MONEY", TrialOutcome.OK)
    assert wizard.draft.tried == {}
    wizard.answer("button MONEY", TrialOutcome.WRONG)
    assert wizard.draft.tried == {"button MONEY": TrialOutcome.WRONG}
    assert "header pin 11" in wizard.told


def test_an_answer_about_the_previous_trial_is_ignored(wizard: SetupWizard) -> None:
    """An answer about the previous trial is ignored, as when the button is pressed while somebody taps “nothing”."""
    wizard.go("panel")
    press(wizard, "MONEY")
    wizard.answer("button MONEY", TrialOutcome.WRONG)
    assert wizard.draft.tried == {"button MONEY": TrialOutcome.OK}


def test_continuing_twice_skips_no_step(wizard: SetupWizard) -> None:
    wizard.go("camera")
    wizard.aimed()
    wizard.aimed()
    assert wizard.draft.step == "sheets"
    wizard.onward("sheets")
    wizard.onward("sheets")
    wizard.onward("save")
    wizard.onward("nowhere")
    assert wizard.draft.step == "save"


def test_a_long_press_does_not_count_as_an_answer(wizard: SetupWizard) -> None:
    wizard.go("panel")
    wizard.press(Press("MONEY", Kind.LONG, 0.0))
    assert wizard.draft.tried == {}


def test_presses_and_answers_outside_the_step_do_nothing(wizard: SetupWizard) -> None:
    press(wizard, "MONEY")
    wizard.answer("button MONEY", TrialOutcome.WRONG)
    assert wizard.draft.tried == {}
    assert wizard.signals() == {}


def test_only_failed_trials_are_tried_again(wizard: SetupWizard) -> None:
    wizard.go("panel")
    press(wizard, "MONEY")
    for outcome in (TrialOutcome.WRONG, TrialOutcome.SKIPPED):
        assert wizard.trial is not None
        wizard.answer(wizard.trial.name, outcome)
    wizard.again()
    assert wizard.draft.tried == {"button MONEY": TrialOutcome.OK}


def test_undo_at_a_light_marks_it_as_dark(wizard: SetupWizard) -> None:
    wizard.go("panel")
    while wizard.trial is not None and wizard.trial.is_button:
        press(wizard, wizard.trial.wire.name)
    press(wizard, "UNDO")
    assert wizard.draft.tried["light quarry1"] == TrialOutcome.WRONG
    assert "short leg" in wizard.told


def test_a_table_without_a_panel_tries_nothing_and_saves_that(wizard: SetupWizard, tmp_path: Path) -> None:
    """Without a panel nothing is tried and “none” is saved, also after a break; a panel can be added later."""
    wizard.choose("palazzo", ["Ada", "Ben"])
    wizard.without_panel()
    assert (wizard.draft.step, wizard.trial, wizard.signals()) == ("camera", None, {})
    SetupWizard(Config(), tmp_path / "table.toml", wiring()).save()
    config = load(tmp_path / "table.toml")
    assert config.panel.pins == NO_PANEL
    later = SetupWizard(config, tmp_path / "table.toml", wiring())
    later.go("panel")
    trials = [later.trial]
    later.with_panel()
    trials.append(later.trial)
    assert [trial is None for trial in trials] == [True, False]
    later.save()
    assert load(tmp_path / "table.toml").panel.pins == "gpio"


def test_an_interrupted_wizard_continues_where_it_was(wizard: SetupWizard, tmp_path: Path) -> None:
    wizard.choose("patrician", ["Ada", "Ben"])
    press(wizard, "MONEY")
    wizard.camera("opencv:0")
    again = SetupWizard(Config(), tmp_path / "table.toml", wiring())
    assert again.draft == wizard.draft
    assert again.trial is not None
    assert again.trial.wire.name == "BUILD"


@pytest.mark.parametrize("text", ["", "{}", "[1]", "null"])
def test_a_damaged_draft_starts_over(tmp_path: Path, text: str) -> None:
    (tmp_path / "setup.json").write_text(text)
    assert SetupWizard(Config(), tmp_path / "table.toml", None).draft.step == "game"


@pytest.mark.parametrize(
    "damage", [{"step": "moon"}, {"seats": []}, {"seats": 3}, {"tried": []}, {"tried": {"a": "b"}}, {"scale": "wide"}]
)
def test_a_draft_with_a_malformed_value_starts_over(
    wizard: SetupWizard, tmp_path: Path, damage: dict[str, object]
) -> None:
    wizard.choose("patrician", ["Ada", "Ben"])
    (tmp_path / "setup.json").write_text(json.dumps(json.loads((tmp_path / "setup.json").read_text()) | damage))
    assert SetupWizard(Config(), tmp_path / "table.toml", wiring()).draft == Draft.of(Config())


def test_a_press_that_comes_while_a_page_chooses_is_not_lost(
    wizard: SetupWizard, monkeypatch: pytest.MonkeyPatch
) -> None:
    wizard.choose("palazzo", ["Ada", "Ben"])
    presser = threading.Thread(target=press, args=(wizard, "MONEY"))

    def interrupted(draft: Draft, **values: Any) -> Draft:
        monkeypatch.undo()
        presser.start()
        presser.join(0.1)  # it ends by then only if nothing makes it wait
        return replace(draft, **values)

    monkeypatch.setattr("tabletop.setup.wizard.replace", interrupted)
    wizard.camera("opencv:0")
    presser.join()
    assert (wizard.draft.source, wizard.draft.tried) == ("opencv:0", {"button MONEY": TrialOutcome.OK})


def test_a_camera_counts_as_aimed_only_when_it_sees_everything(wizard: SetupWizard) -> None:
    wizard.go("camera")
    wizard.see(wizard.draft.source, seen(ready=False))
    wizard.aimed()
    assert (wizard.draft.aimed, wizard.missing, wizard.draft.step) == (False, ["Money row"], "sheets")
    wizard.see(wizard.draft.source, seen())
    wizard.aimed()
    assert (wizard.draft.aimed, wizard.missing) == (True, [])


def test_a_missing_camera_is_reported(wizard: SetupWizard) -> None:
    wizard.go("camera")
    wizard.see(wizard.draft.source, None, Message("The camera picamera2 is not there."))
    assert wizard.told == "The camera picamera2 is not there."


def test_saving_writes_the_choices_and_deletes_the_draft(wizard: SetupWizard, tmp_path: Path) -> None:
    wizard.choose("palazzo", ["Ada", "Ben"])
    wizard.camera("opencv:/dev/video2")
    wizard.save()
    config = load(tmp_path / "table.toml")
    assert (config.game, config.seats, config.camera.source) == ("palazzo", ("Ada", "Ben"), "opencv:/dev/video2")
    assert {path.name for path in tmp_path.iterdir()} == {"table.toml"}
    assert wizard.saved


def test_choosing_the_usual_values_removes_those_saved_before(wizard: SetupWizard, tmp_path: Path) -> None:
    """Choosing the usual values after a save removes the values saved before, and the panel is used again."""
    (tmp_path / "our-box.toml").write_text("", "utf-8")
    before = load(None)
    wizard.choose("palazzo", ["Ada", "Ben"], "box", "our-box.toml", "B", "25", ["", "strong"])
    wizard.without_panel()
    wizard.save()
    wizard.go("game")
    wizard.choose("palazzo", ["Ada", "Ben"])
    wizard.with_panel()
    wizard.save()
    saved = load(tmp_path / "table.toml")
    assert (saved.pieces, saved.edition, saved.bots, saved.panel.pins) == (before.pieces, None, (), before.panel.pins)


def test_the_file_as_it_was_is_kept(wizard: SetupWizard, tmp_path: Path) -> None:
    old = "# ours\n[pages]\nport = 80  # short\n"
    (tmp_path / "table.toml").write_text(old)
    wizard.choose("palazzo", ["Ada", "Ben"])
    wizard.save()
    assert (tmp_path / "table.toml.before").read_text() == old
    assert "port = 80  # short" in (tmp_path / "table.toml").read_text()
    assert load(tmp_path / "table.toml").pages.port == 80


def test_an_invalid_configuration_is_refused_and_nothing_changes(wizard: SetupWizard, tmp_path: Path) -> None:
    old = '[camera]\nsource = "picamera2"\n'
    (tmp_path / "table.toml").write_text(old)
    wizard.choose("palazzo", ["Ada", "Ben"])
    wizard.camera("a telescope")
    with pytest.raises(Refused, match="no camera “a telescope”"):
        wizard.save()
    assert (tmp_path / "table.toml").read_text() == old
    assert {path.name for path in tmp_path.iterdir()} == {"table.toml", "setup.json"}


def test_options_that_do_not_fit_the_chosen_game_are_refused_when_saving(
    tmp_path: Path,
) -> None:
    """Saving is refused if options in the file do not fit the chosen game, since the table could not be started."""
    file, old = tmp_path / "table.toml", '[options]\nstacks = "unknown"\n'
    file.write_text(old)
    wizard = SetupWizard(load(file), file, None)
    wizard.choose("patrician", ["Ada", "Ben", "Cleo"])
    with pytest.raises(Refused, match=r"not changed: There is no option stacks\. Change game, seats or options"):
        wizard.save()
    assert file.read_text() == old


def test_an_edition_beside_the_settings_file_is_still_found_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edition beside a settings file in another folder can be chosen again and still names the same file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table").mkdir()
    file, box = Path("table", "table.toml"), Path("table", "our-box.toml")
    box.touch()
    file.write_text('game = "palazzo"\nseats = ["Ada", "Ben"]\nedition = "our-box.toml"\n')
    wizard = SetupWizard(load(file), file, None)
    wizard.choose("palazzo", ["Ada", "Ben"], edition=wizard.draft.edition)
    wizard.save()
    edition = load(file).edition
    assert edition is not None
    assert edition.samefile(box)


@pytest.mark.parametrize(("old", "why"), [(b"seats = [", "this is not TOML"), (b"\xff", "not text in UTF-8")])
def test_a_file_that_cannot_be_changed_is_refused_and_left_as_it_is(
    wizard: SetupWizard, tmp_path: Path, old: bytes, why: str
) -> None:
    (tmp_path / "table.toml").write_bytes(old)
    wizard.choose("palazzo", ["Ada", "Ben"])
    with pytest.raises(Refused, match=rf"table\.toml was not changed: .*table\.toml.*{why}"):
        wizard.save()
    assert (tmp_path / "table.toml").read_bytes() == old


def test_a_folder_that_cannot_be_written_is_reported_and_the_wizard_continues() -> None:
    wizard = SetupWizard(Config(), Path("/proc/table.toml"), wiring())
    wizard.choose("palazzo", ["Ada", "Ben"])
    assert "cannot be saved for later" in wizard.told
    with pytest.raises(Refused, match="cannot be written"):
        wizard.save()


def test_a_draft_is_plain_data(wizard: SetupWizard, tmp_path: Path) -> None:
    wizard.choose("palazzo", ["Ada", "Ben"])
    assert json.loads((tmp_path / "setup.json").read_text())["seats"] == ["Ada", "Ben"]


def test_two_people_can_save_at_once(wizard: SetupWizard, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two people who save at the same moment both succeed."""
    wizard.choose("palazzo", ["Ada", "Ben"])
    turn = Turnstile()
    monkeypatch.setattr(wizard, "_lock", turn)
    with ThreadPoolExecutor(2) as both:
        for saving in [both.submit(wizard.save) for _ in range(2)]:
            saving.result(PATIENCE)
    assert turn.asked_twice.is_set()
    assert load(wizard.file).seats == ("Ada", "Ben")
