"""Editions: each constraint of the rules is checked and named, and a table enters its own cards."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import tabletop.rules
from tabletop.cli.edition import command
from tabletop.rules import registry
from tabletop.rules.edition import EditionError, parse
from tabletop.rules.game import Illegal, Json
from tabletop.rules.patrician import GAME
from tabletop.rules.patrician.components import CARDS
from tabletop.rules.patrician.edition import Edition, Face, faults, synthetic_edition
from tabletop.rules.patrician.enrolment import answer, enrolled_faces, face, to_toml
from tests.rules.patrician.board import NAMES

SHIPPED = Path(tabletop.rules.__path__[0])
PLAIN = {"crests": 1, "heads": [], "any": False, "move": False, "start": False}


def edition(**cards: int | dict[str, Json] | None) -> dict[str, dict[str, Json]]:
    """Return the shipped edition with some cards replaced; None removes a card."""
    table = copy.deepcopy(synthetic_edition().to_json())
    for card, shown in cards.items():
        if shown is None:
            del table["cards"][card]
        else:
            table["cards"][card] = {**PLAIN, **shown} if isinstance(shown, dict) else shown
    return table


BROKEN: list[tuple[Json, ...]] = [
    ({"ROM1": {"any": True}}, "ROM", "crests", "Roma: 1 show two crests; 2 of its 7 cards"),
    ({"FER4": {"crests": 2}}, "FER", "crests", "Ferrara: 2 show two crests; 1 of its 4 cards"),
    ({"ROM8": {"any": True}}, "ROM8", "cards", "there is no card"),
    ({"ROM7": None}, "ROM7", "cards", "ROM7 is missing"),
    ({"ROM7": {}}, "ROM7", "one-thing", "exactly one"),
    ({"ROM7": {"any": True, "move": True}}, "ROM7", "one-thing", "exactly one"),
    ({"ROM1": {"crests": 2, "heads": ["red"]}}, "ROM1", "one-thing", "exactly one"),
    ({"ROM7": {"heads": ["red", "woman"]}}, "ROM7", "heads", "two equal"),
    ({"ROM7": {"heads": ["red"] * 3}}, "ROM7", "heads", "two equal"),
    ({"ROM7": {"move": True, "start": True}}, "ROM7", "start-card", "star"),
    ({"ROM7": {"heads": ["red", "red"], "start": True}}, "ROM7", "start-card", "star"),
    ({"ROM7": {"heads": ["green"]}}, "ROM7", "face", "heads"),
    ({"ROM7": {"heads": "red"}}, "ROM7", "face", "heads"),
    ({"ROM7": {"crests": 3}}, "ROM7", "face", "crests"),
    ({"ROM7": {"crests": True}}, "ROM7", "face", "crests"),
    ({"ROM7": {"any": 1}}, "ROM7", "face", "true or false"),
    ({"ROM7": {"stars": 1, "any": True}}, "ROM7", "face", "keys"),
    ({"ROM7": 5}, "ROM7", "face", "keys"),
    ({"ROM3": {"heads": ["red"]}}, "4 seats", "start-cards", "11 start cards outside Pistoia; 4 seats need 12"),
    ({"PIS3": {"heads": ["red"]}}, "5 seats", "start-cards", "14 start cards in all cities; 5 seats need 15"),
]


@pytest.mark.parametrize(("cards", "where", "constraint", "said"), BROKEN)
def test_each_constraint_is_named_with_the_place_that_breaks_it(
    cards: dict[str, Json], where: str, constraint: str, said: str
) -> None:
    found = [fault for fault in faults(edition(**cards)) if fault.where == where]
    assert [fault.constraint for fault in found] == [constraint]
    assert said in found[0].message


def test_the_shipped_edition_breaks_no_constraint() -> None:
    assert list(faults(synthetic_edition().to_json())) == []


@pytest.mark.parametrize("data", [None, [], {}, {"cards": []}, {"cards": {}, "extra": 1}])
def test_data_that_is_not_an_edition_has_faults(data: Json) -> None:
    assert list(faults(data))


def test_a_bad_edition_is_refused_in_new_and_in_load() -> None:
    for cards, _, _, said in BROKEN[:18]:
        with pytest.raises(Illegal) as refusal:
            GAME.new(NAMES[:2], {}, edition(**cards))
        assert refusal.value.code == "bad-request"
        assert said in refusal.value.message
        with pytest.raises(Illegal) as refusal:
            GAME.load(GAME.new(NAMES[:2]).to_json() | {"edition": edition(**cards)})
        assert refusal.value.code == "bad-position"


def test_start_cards_are_counted_for_the_seats_that_play() -> None:
    fewer = edition(ROM3={"heads": ["red"]})
    GAME.new(NAMES[:3], {}, fewer)
    with pytest.raises(Illegal):
        GAME.new(NAMES[:4], {}, fewer)


def test_a_game_plays_the_edition_it_is_given() -> None:
    other = edition(ROM1=synthetic_edition().faces["ROM7"].to_json(), ROM7={"crests": 2})
    position = GAME.new(NAMES[:2], {}, other)
    assert position.to_json()["edition"] == other
    assert position.faces["ROM7"].crests == 2
    assert position != GAME.new(NAMES[:2])


def test_equal_editions_are_equal() -> None:
    assert Edition.parse(synthetic_edition().to_json(), 5) == synthetic_edition()
    assert hash(Edition.parse(synthetic_edition().to_json(), 5)) == hash(synthetic_edition())


def test_the_game_of_an_edition_is_found_by_its_name_or_its_table() -> None:
    assert registry.game_of({"game": "patrician"}) == "patrician"
    assert registry.game_of({"cards": {}}) == "patrician"
    assert registry.game_of({"stacks": {}}) == "palazzo"
    assert registry.game_of({}) is None


@pytest.mark.parametrize("text", ["[", "x" * 1_000_001, "a = " + "[" * 5000])
def test_a_text_that_is_not_toml_is_refused(text: str) -> None:
    with pytest.raises(EditionError):
        parse(text)


# Enrolment


@given(st.sampled_from(sorted(set(synthetic_edition().faces.values()))))
def test_answers_and_faces_round_trip(shown: Face) -> None:
    assert face(answer(shown)) == shown


@pytest.mark.parametrize("given_", ["", "3", "*move", "red woman", "red red red", "*red red", "green"])
def test_an_answer_that_no_card_shows_is_refused(given_: str) -> None:
    with pytest.raises(ValueError, match="nothing a card shows"):
        face(given_)


def test_an_edition_file_round_trips() -> None:
    faces = {card: synthetic_edition().faces[card] for card in CARDS[:30]}
    assert enrolled_faces(parse(to_toml('a "table"', faces))) == faces


def run(*arguments: Path | str, **keywords: Json) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments], **keywords)


@pytest.mark.parametrize("game", ["patrician", "palazzo"])
def test_the_shipped_editions_pass_the_check(game: str) -> None:
    result = run("check", SHIPPED / game / "edition.toml", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["faults"] == []
    assert json.loads(result.stdout)["game"] == game
    assert json.loads(result.stdout)["error"] is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "no such file or directory"),
        (b"\xff", "it is not UTF-8 text"),
        (b"=", "it is not TOML"),
        (b"name = 1" + b"0" * 5000, "a number is too long"),
        (b"name = " + b"[" * 5000, "it is nested too deeply"),
        (b"", "does not say for which game it is"),
    ],
)
def test_a_file_that_is_not_an_edition_is_reported_in_the_document_too(
    tmp_path: Path, text: bytes | None, why: str
) -> None:
    file = tmp_path / "own.toml"
    if text is not None:
        file.write_bytes(text)
    result = run("check", file, "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, list(told)) == (2, ["file", "error"])
    assert why in told["error"]
    assert result.stderr == f"Error: {told['error']}\n"


def test_the_check_says_what_is_wrong_and_where(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    text = (SHIPPED / "patrician/edition.toml").read_text(encoding="utf-8")
    file.write_text(text.replace("ROM1 = { crests = 2", "ROM1 = { crests = 1").replace("any = true", "any = false", 1))
    result = run("check", file)
    assert result.exit_code == 1
    assert "ROM: Roma: 1 show two crests" in result.stdout
    assert "BOL6: BOL6 must show exactly one" in result.stdout


def test_the_check_knows_palazzos_stacks(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text((SHIPPED / "palazzo/edition.toml").read_text(encoding="utf-8").replace('"B1.1", ', ""))
    result = run("check", file)
    assert result.exit_code == 1
    assert "B1.1" in result.stdout


@pytest.mark.parametrize("content", [b"[", b"\xff\xfe", b"x = 1", b"game = 'chess'", None])
def test_a_file_that_cannot_be_checked_is_named_in_one_sentence(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "own.toml"
    if content is not None:
        file.write_bytes(content)
    result = run("check", file)
    assert result.exit_code == 2
    assert "own.toml" in result.stderr
    assert isinstance(result.exception, SystemExit)


ALL = [answer(shown) for shown in synthetic_edition().faces.values()]


def enrol(file: Path, *answers: str, again: Sequence[str] = ()) -> Result:
    extra = [word for card in again for word in ("--again", card)]
    return run("enrol", file, "--game", "patrician", *extra, input="".join(f"{line}\n" for line in answers))


def test_all_cards_are_asked_for_and_make_an_edition(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    result = enrol(file, *ALL)
    assert result.exit_code == 0, result.output
    assert Edition.parse(parse(file.read_text(encoding="utf-8")), 5) == synthetic_edition()
    assert run("check", file).exit_code == 0


def test_enrolment_continues_where_it_stopped(tmp_path: Path) -> None:
    """Enrolment continues where it stopped: each answer was saved before the terminal was closed."""
    file = tmp_path / "own.toml"
    assert enrol(file, *ALL[:20]).exit_code == 1
    assert len(enrolled_faces(parse(file.read_text(encoding="utf-8")))) == 20
    assert enrol(file, *ALL[20:]).exit_code == 0
    assert run("check", file).exit_code == 0


def test_a_wrong_answer_is_asked_again_and_back_goes_one_back(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    result = enrol(file, "fly", "move", "back", *ALL)
    assert result.exit_code == 0, result.output
    assert "nothing a card shows" in result.stderr
    assert run("check", file).exit_code == 0


def test_a_broken_constraint_is_reported_at_the_end_and_corrected_by_again(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    result = enrol(file, "any", *ALL[1:])
    assert result.exit_code == 1
    assert "Bologna: 1 show two crests" in result.stdout
    assert enrol(file, ALL[0], again=["BOL1"]).exit_code == 0


def test_an_unknown_card_or_anothers_edition_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    assert enrol(file, again=["ROM9"]).exit_code == 2
    file.write_text('game = "palazzo"\n')
    assert enrol(file).exit_code == 2


def test_a_file_that_cannot_be_written_keeps_what_it_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "own.toml"
    enrol(file, *ALL[:3])
    before = file.read_text(encoding="utf-8")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    result = enrol(file, ALL[3])
    assert result.exit_code == 1
    assert "no space left" in result.stderr
    assert file.read_text(encoding="utf-8") == before
    assert list(tmp_path.iterdir()) == [file]
