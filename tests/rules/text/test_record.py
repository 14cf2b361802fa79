"""Game records: text that round-trips, verifies, migrates, and keeps secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from tabletop.cli.replay import command
from tabletop.rules import registry
from tabletop.rules.contract import play_random_game
from tabletop.rules.text import record, record_text, recorder, redaction
from tabletop.rules.text.record import Line, Mismatch, Record, UnreadableRecord
from tabletop.rules.text.record_text import Raw, format_record, parse_record
from tabletop.rules.text.replay import first_position, replay
from tests.rules.tiny import lantern


def whole(name: str = "piecepack", seed: int = 1, seats: int = 3, actions: int | None = None) -> Record:
    walk = play_random_game(registry.game(name), seed, seats)
    return recorder.make(walk.positions[0], walk.actions[:actions])


def tiny(seed: int = 1) -> Record:
    walk = play_random_game(lantern.GAME, seed, 2)
    return recorder.make(walk.positions[0], walk.actions)


fit = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8)
lines = st.builds(
    Line,
    st.sampled_from(["check", "comment"]),
    st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12),
) | st.builds(Line, st.just("action"), st.from_regex(r"[a-z]{1,8}( [A-Z][0-9]){0,3}", fullmatch=True))
values = st.recursive(st.none() | st.booleans() | st.integers() | fit, lambda inner: st.lists(inner, max_size=3))
records = st.builds(
    Record,
    game=fit,
    rules=fit,
    seats=st.lists(fit, min_size=2, max_size=4).map(tuple),
    options=st.dictionaries(fit, values, max_size=3),
    edition=values,
    start=values,
    view=st.sampled_from([None, 0, 1, "spectator"]),
    lines=st.lists(lines, max_size=5).map(tuple),
)


@given(records)
def test_a_formatted_record_is_parsed_as_it_was(one: Record) -> None:
    assert parse_record(format_record(one)) == one


@given(st.text())
def test_any_text_is_a_record_or_unreadable(text: str) -> None:
    with pytest.raises(UnreadableRecord):
        parse_record(text)


@given(st.text(st.sampled_from('game: "]{[,1=#\n')), st.integers(0, 400))
def test_a_garbled_record_is_refused_with_a_sentence(junk: str, place: int) -> None:
    text = TEXT[:place] + junk + TEXT[place + 3 :]
    found = trouble(text)
    assert not found or found.endswith(".")


def trouble(text: str) -> str:
    try:
        list(replay(parse_record(text)))
    except record.RecordError as error:
        return str(error)
    return ""


def test_names_may_hold_any_character_that_can_be_written() -> None:
    names = ("A\u2028B", 'C": D')
    one = whole(actions=0)._replace(seats=names)
    assert parse_record(format_record(one)) == one
    assert parse_record(format_record(one).replace("\n", "\r\n")) == one


@pytest.mark.parametrize(("place", "line"), [('"A"', 4), ("# note", 8), ("reveal", 7)])
@pytest.mark.parametrize(("character", "code"), [("\\ud800", "U+D800"), ("\\u0007", "U+0007"), ("\x1b[2J", "U+001B")])
def test_a_record_with_half_or_control_characters_is_unreadable(
    place: str, line: int, character: str, code: str
) -> None:
    """A record with a lone surrogate or a control character is unreadable, and the error names line and character."""
    text = 'game: "piecepack"\nrules: "1"\nschema: 1\nseats: ["A", "B"]\noptions: {}\n\nreveal TM3\n# note\n'
    character = character if place == '"A"' else json.loads(f'"{character}"') if "\\" in character else character
    wrong = text.replace(place, f'"A{character}"' if place == '"A"' else place + character)
    with pytest.raises(UnreadableRecord, match=f"Line {line}: .*{re.escape(code)}"):
        parse_record(wrong)
    assert parse_record(text.replace("# note", "# a\tnote")).lines[1].text == "a\tnote"


def test_no_record_is_written_that_could_not_be_read_again() -> None:
    with pytest.raises(record.RecordError, match=r"U\+001B"):
        format_record(whole(actions=0)._replace(lines=(Line("comment", "\x1b[2J"),)))


def test_a_line_is_one_line() -> None:
    with pytest.raises(record.RecordError, match="line break"):
        format_record(whole(actions=0)._replace(lines=(Line("comment", "one\ntwo"),)))


TEXT = format_record(whole(actions=30))


def test_a_record_has_a_header_an_action_on_each_line_chance_inside_and_a_check_every_turn() -> None:
    one = whole(actions=40)
    text = format_record(one)
    header, body = text.split("\n\n")
    assert [line.split(":")[0] for line in header.splitlines()] == ["game", "rules", "schema", "seats", "options"]
    kinds = [line.kind for line in one.lines]
    assert kinds.count("action") == 40
    assert body.startswith("reveal ")
    seats = [step.position.active for step in replay(one)]
    turns = sum(first != second for first, second in pairwise(seats))
    assert kinds.count("check") >= turns > 5


def test_replay_gives_the_positions_of_the_game() -> None:
    walk = play_random_game(registry.game("patrician"), 3, 2)
    steps = list(replay(recorder.make(walk.positions[0], walk.actions)))
    assert [step.position for step in steps] == list(walk.positions[1:])
    assert [step.action for step in steps] == list(walk.actions)


def test_comments_change_nothing() -> None:
    one = whole(actions=20)
    told = one._replace(lines=(Line("comment", "a fine game"), *one.lines))
    assert [step.position for step in replay(told)] == [step.position for step in replay(one)]


def test_a_line_that_was_changed_is_found_by_its_check_or_by_the_rules() -> None:
    one = whole(actions=60)
    for number, line in enumerate(one.lines):
        if line.kind == "action" and line.text.startswith("reveal"):
            with pytest.raises(Mismatch) as caught:
                list(replay(one._replace(lines=(*one.lines[:number], *one.lines[number + 1 :]))))
            at = caught.value.line
            assert at is not None
            assert at > 0
            break


def test_a_check_that_differs_is_named_with_its_line() -> None:
    one = whole(actions=30)
    at = [line.kind for line in one.lines].index("check")
    with pytest.raises(Mismatch, match=f"Line {at + 1}: the check says 00000000"):
        list(replay(one._replace(lines=(*one.lines[:at], Line("check", "00000000"), *one.lines[at + 1 :]))))


def test_rules_of_another_version_are_refused() -> None:
    with pytest.raises(UnreadableRecord, match="version 99"):
        list(replay(whole(actions=3)._replace(rules="99")))


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnreadableRecord, match="no game 'chess'"):
        list(replay(whole(actions=3)._replace(game="chess")))


def test_a_game_that_began_from_a_position_keeps_it() -> None:
    walk = play_random_game(registry.game("palazzo"), 2, 2)
    middle = recorder.make(walk.positions[50], walk.actions[50:])
    assert middle.start == walk.positions[50].to_json()
    assert list(replay(parse_record(format_record(middle))))[-1].position == walk.positions[-1]
    with pytest.raises(UnreadableRecord):
        recorder.seen_by(middle, 0)


# Schemas


def fake_older(raw: Raw) -> Raw:
    """Migrate the made-up schema 0, in which seats were called players and actions ended in a full stop."""
    header = {("seats" if key == "players" else key): value for key, value in raw.header.items()}
    return Raw(header, tuple(line.removesuffix(".") for line in raw.lines))


def test_older_schemas_are_read_through_migrations() -> None:
    now = format_record(whole(actions=12))
    older = now.replace("schema: 1", "schema: 0").replace("seats:", "players:")
    head, body = older.split("\n\n")
    older = head + "\n\n" + "\n".join(line if line[0] == "=" else f"{line}." for line in body.splitlines())
    assert parse_record(older, migrations={0: fake_older}) == parse_record(now)
    with pytest.raises(UnreadableRecord, match="no longer"):
        parse_record(older)


def test_migrations_are_applied_one_after_the_other() -> None:
    text = format_record(whole(actions=2)).replace("schema: 1", "schema: -1")
    seen = []

    def note(schema: int) -> Callable[[Raw], Raw]:
        def migrate(raw: Raw) -> Raw:
            seen.append(schema)
            return raw

        return migrate

    parse_record(text, migrations={-1: note(-1), 0: note(0)})
    assert seen == [-1, 0]


def test_there_is_a_migration_from_every_older_schema() -> None:
    assert sorted(record_text.MIGRATIONS) == list(range(1, record_text.SCHEMA))


def test_a_newer_schema_is_refused() -> None:
    with pytest.raises(UnreadableRecord, match="A newer one can read it"):
        parse_record(TEXT.replace("schema: 1", "schema: 2"))


# A seat's own record


@pytest.mark.parametrize("name", ["palazzo", "patrician", "piecepack"])
@pytest.mark.parametrize("seat", [None, 0, 2])
def test_a_seats_own_record_holds_what_it_could_know_and_replays_to_its_view(name: str, seat: int | None) -> None:
    walk = play_random_game(registry.game(name), 6, 3)
    own = recorder.seen_by(recorder.make(walk.positions[0], walk.actions), seat)
    deals = [line.text for line in own.lines if line.kind == "action" and "deal" in line.text]
    assert [redaction.is_outline(text) for text in deals] == [other != seat for other in range(3)]
    assert [step.position.view(seat) for step in replay(own)] == [
        position.view(seat) for position in walk.positions[1:]
    ]


def test_a_game_that_is_not_over_has_a_seats_own_record_too() -> None:
    for actions in (0, 9, 10, 11, 30, 80):
        own = recorder.seen_by(whole("palazzo", actions=actions), 1)
        assert len(list(replay(own))) == actions


def test_a_whole_record_keeps_no_secrets() -> None:
    own = recorder.seen_by(tiny(), 0, lantern.GAME)
    with pytest.raises(Mismatch):
        list(replay(own._replace(view=None), lantern.GAME))


def test_a_secret_that_cannot_be_filled_in_is_refused() -> None:
    own = recorder.seen_by(tiny(), 0, lantern.GAME)
    more = '"?"' + ',"?"' * 7 + "]"
    broken = tuple(Line(line.kind, line.text.replace('"?"]', more)) for line in own.lines)
    with pytest.raises(Mismatch, match="secret"):
        list(replay(own._replace(lines=broken), lantern.GAME))


def test_an_own_record_cannot_be_made_from_an_own_record() -> None:
    own = recorder.seen_by(whole(actions=12), 1)
    with pytest.raises(UnreadableRecord):
        recorder.seen_by(own, 0)


# The command


def run(tmp_path: Path, text: bytes | str, *options: str) -> Result:
    file = tmp_path / "game.txt"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return CliRunner().invoke(command, [str(file), *options])


def test_replay_prints_who_did_what_and_the_score(tmp_path: Path) -> None:
    one = whole("patrician", seed=2)
    result = run(tmp_path, format_record(one._replace(lines=(Line("comment", "at the lake"), *one.lines))))
    assert result.exit_code == 0
    assert "# at the lake" in result.output
    assert "chance: deal 0" in result.output
    assert "The game is over." in result.output
    assert "Seat 1: play" in result.output


def test_replay_prints_one_json_document(tmp_path: Path) -> None:
    result = run(tmp_path, format_record(whole("palazzo", seed=4)), "--json")
    data = json.loads(result.output)
    assert data["over"] is True
    assert len(data["score"]) == 3
    assert data["actions"][0]["seat"] is None
    assert data["actions"][0]["action"]["do"] == "reveal"


def test_replay_says_what_is_wrong_in_the_json_document_too(tmp_path: Path) -> None:
    text = format_record(whole("palazzo", actions=10)) + "= 00000000\n"
    result = run(tmp_path, text, "--json")
    (problem,) = json.loads(result.stdout).values()
    assert result.exit_code == 1
    assert "the check says 00000000" in problem
    assert problem in result.stderr


def test_replay_prints_no_score_of_one_seats_view_of_a_running_game(tmp_path: Path) -> None:
    """Replaying one seat's record of a running game prints no score, in which unseen cards would count."""
    own = run(tmp_path, format_record(recorder.seen_by(whole("palazzo", actions=30), 0))).stdout
    assert "The record ends in the phase" in own.splitlines()[-1]
    everything = run(tmp_path, format_record(whole("palazzo", actions=30))).stdout
    assert "The record ends in the phase" in everything.splitlines()[-4]


def test_replay_accepts_a_byte_order_mark(tmp_path: Path) -> None:
    assert run(tmp_path, "\ufeff" + format_record(whole("palazzo", actions=10))).exit_code == 0


def test_replay_of_an_own_record_names_no_secret(tmp_path: Path) -> None:
    result = run(tmp_path, format_record(recorder.seen_by(whole("palazzo", actions=30), 0)), "--json")
    data = json.loads(result.output)
    assert sum(action["action"] is None for action in data["actions"]) == 2
    assert data["score"] is None


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (b"\xff\xfe", 2),
        ("", 2),
        ("hello", 2),
        ("game: \n\n", 2),
        ("[" * 100_000, 2),
        ("game: " + "[" * 100_000, 2),
        (TEXT.replace("schema: 1", "schema: 9"), 2),
        (TEXT.replace('rules: "1"', 'rules: "7"'), 2),
        (TEXT.replace('"piecepack"', '"ludo"'), 2),
        (TEXT.replace('"Seat 3"', "7"), 2),
        (TEXT.replace("reveal", "revoke"), 1),
        (TEXT.replace("= ", "= f"), 1),
        (TEXT.replace("deal 0", "deal 1"), 1),
        (TEXT.replace("\n\n", "\nview: 1\n\n? [\n", 1), 1),
        (TEXT.replace("\n\n", f"\nview: 1\n\n? {'[' * 500}{']' * 500}\n", 1), 1),
    ],
)
def test_unusable_input_gets_one_sentence_and_a_status(tmp_path: Path, text: bytes | str, status: int) -> None:
    result = run(tmp_path, text)
    assert result.exit_code == status
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1
    assert "Traceback" not in result.stderr


def test_a_mismatch_names_the_line_of_the_file(tmp_path: Path) -> None:
    header = TEXT.split("\n\n")[0]
    result = run(tmp_path, f"{header}\n\n# in the kitchen\n\npass\n")
    assert f"Line {len(header.splitlines()) + 4}: 'pass' cannot be done there." in result.stderr


def test_a_record_whose_first_position_has_other_seats_is_refused(tmp_path: Path) -> None:
    one = whole("palazzo", actions=0)
    start = first_position(one).to_json()
    assert run(tmp_path, format_record(one._replace(start=start))).exit_code == 0
    for names in (one.seats[:1], (*one.seats, "Di"), ("Ada", *one.seats[1:])):
        result = run(tmp_path, format_record(one._replace(start=start, seats=names, lines=())))
        assert (result.exit_code, result.stdout) == (2, "")
        assert "do not agree on seats, options or edition" in result.stderr


@pytest.mark.parametrize("told", [{"options": {"first_seat": 1}}, {"options": {"a": float("nan")}}, {"edition": {}}])
def test_a_header_that_contradicts_the_first_position_is_refused(tmp_path: Path, told: dict[str, Any]) -> None:
    """A header that contradicts the first position is refused, since the options printed are those of the position."""
    one = whole("patrician", actions=0)
    begun = one._replace(start=first_position(one).to_json(), options={}, edition=None)
    assert run(tmp_path, format_record(begun), "--json").exit_code == 0
    result = run(tmp_path, format_record(begun._replace(**told)), "--json")
    assert (result.exit_code, [*json.loads(result.stdout)]) == (2, ["error"])
    assert "do not agree on seats, options or edition" in result.stderr


def test_a_missing_file_gets_one_sentence() -> None:
    result = CliRunner().invoke(command, ["nowhere.txt"])
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)


def test_stdin_is_read_for_a_dash() -> None:
    assert CliRunner().invoke(command, ["-"], input=TEXT).exit_code == 0
