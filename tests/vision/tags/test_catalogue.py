"""The texts and patterns of the tags."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.rules import registry
from tabletop.rules.grammar import GrammarGame
from tabletop.vision.kit import Kit
from tabletop.vision.tags import catalogue, choose_patterns, patterns, payloads

PALAZZO = registry.game("palazzo")
GAMES = [registry.game(name) for name in registry.BUILT_IN]
DATA = Path(choose_patterns.__file__).parent / "data"
FLOOR = 72
"""The least number of modules in which two tags of one set differ, in any relative turn."""

capitals = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.", min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("PZ:B3.2", ("PZ", "", "B3.2")),
        ("PZB:E1", ("PZ", "B", "E1")),
        ("TT:SEAT2", ("TT", "", "SEAT2")),
        ("PZ:R5A/7KQ", ("PZ", "", "R5A")),
        ("PZ:B3.1A/", ("PZ", "", "B3.1A")),
    ],
)
def test_a_payload_says_game_set_and_piece_and_its_filler_nothing(text: str, tag: tuple[str, str, str]) -> None:
    assert payloads.parse(text) == tag


@pytest.mark.parametrize(
    "text",
    ["", "PZ", "PZ:", "pz:B3.2", "ZZ:B3.2", "PZ:B3.2/TOOLONG", "PZBB:E1", "TEL:123", "https://pz", "PZ:B3,2", " PZ:E1"],
)
def test_any_other_text_is_foreign(text: str) -> None:
    assert payloads.parse(text) is None


@given(st.sampled_from(sorted(payloads.known_codes())), st.sampled_from(payloads.SET_LETTERS), capitals)
def test_payload_and_tag_are_each_others_inverse(code: str, letter: str, piece: str) -> None:
    tag = payloads.Tag(code, letter, piece)
    assert payloads.parse(tag.payload) == tag


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("letter", ["", "A", "Z"])
def test_every_piece_goes_to_its_payload_and_back(game: GrammarGame, letter: str) -> None:
    for piece in game.pieces:
        assert payloads.piece_of(game, payloads.payload_of(game, piece, letter)) == piece


@pytest.mark.parametrize("payload", ["TT:WH", "PA:ROM1", "PZ:R9A", "nonsense"])
def test_what_is_not_a_piece_of_the_game_has_no_id(payload: str) -> None:
    assert payloads.piece_of(PALAZZO, payload) is None


def distance(one: patterns.Pattern, other: patterns.Pattern) -> int:
    """Return the number of modules in which two tags differ, in the relative turn with the fewest."""
    return min(int(np.count_nonzero(one ^ np.rot90(other, turns))) for turns in range(4))


def test_a_marker_is_known_without_its_set_letter() -> None:
    assert payloads.marker_of("TTB:Q1") == "TT:Q1"
    assert payloads.marker_of("PZ:E1") is None


def test_the_catalogue_holds_every_piece_and_every_marker_of_the_largest_table() -> None:
    entries = Kit(PALAZZO, letter="B", scale=0.75).entries
    assert PALAZZO.table is not None
    assert {entry.id for entry in entries.values()} == {*PALAZZO.pieces} | {
        zone.marker[3:] for zone in PALAZZO.table.zones(4)
    }
    assert tuple(entries["PZB:R5A"]) == ("R5a", "PZB:R5A", "money", 15)
    assert tuple(entries["TTB:Q1"]) == ("Q1", "TTB:Q1", "marker", 40)


@pytest.mark.parametrize("letter", ["", "A", "M", "Z"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_tags_of_a_set_differ_in_many_modules_whichever_way_they_are_turned(game: GrammarGame, letter: str) -> None:
    looks = np.array(list(Kit(game, letter=letter).patterns.values()))
    signs = np.where(looks.reshape(len(looks), -1), 1, -1)
    for turns in range(4):
        turned = np.where(np.rot90(looks, turns, axes=(1, 2)).reshape(len(looks), -1), 1, -1)
        differ = (patterns.CODE_MODULES**2 - signs @ turned.T) // 2
        np.fill_diagonal(differ, patterns.CODE_MODULES**2)
        assert differ.min() >= FLOOR


@pytest.mark.parametrize("letter", payloads.SET_LETTERS)
def test_every_printed_text_is_read_as_its_payload(letter: str) -> None:
    for payload in Kit(PALAZZO, letter=letter).entries:
        tag = payloads.parse(patterns.encoding_of(payload).text)
        assert tag is not None
        assert tag.payload == payload


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_tag_of_a_game_has_a_chosen_pattern(game: GrammarGame) -> None:
    assert all(patterns.encoding_of(payload).mask is not None for payload in Kit(game, letter="C").entries)


def test_a_payload_without_a_stored_choice_is_printed_plainly() -> None:
    assert patterns.encoding_of("PZ:NEW") == ("PZ:NEW", None)
    assert patterns.pattern("PZ:NEW").shape == (21, 21)


def test_a_text_that_no_tag_can_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="version"):
        patterns.encode("PZ:ELEVENCH", 0)


def test_a_drawn_tag_has_whole_pixels_per_module_and_a_white_quiet_zone() -> None:
    picture = patterns.draw(patterns.pattern("PZ:E1"), 3)
    assert picture.shape == (75, 75)
    assert picture[:6].min() == picture[:, -6:].min() == 255
    assert not picture[6:27, 6:9].any()


def test_the_stored_choice_is_what_the_command_makes_again() -> None:
    names = [marker.partition(":")[2] for marker in catalogue.markers(PALAZZO)]
    chosen = choose_patterns.choose([f"TT:{name}" for name in names], [], choose_patterns.mask_changes())
    for payload, choice in chosen.items():
        assert patterns.encoding_of(payload) == (payload + choice.data[:-1], int(choice.data[-1]))


STORED = [
    ("TT", 36, "b0b325636bda0d20bbab3fab5e1e6ae019095d3c3465d7c17f8f11268c5f9ba1"),
    ("PZ", 110, "b4cf39b3149a81c5b8e1c37b75f09307f9fc3a75556db9b9f94e74a726cc8438"),
    ("PA", 55, "c3d733eee6dea5c2e3e21bd1f2bc6b94fc5013721eb5c16623ddbee964a85904"),
    ("PP", 48, "d468f9e30e520887bde4c2a55545502993daf26afcdc6b3373c99a7bb5b7f74e"),
    ("TT", 42, "396640973b861c2b996e8a343f19325d5c0c75eb64835471a14f53ee2687e3dd"),
    ("PA", 205, "3735271ca338fa2a27888811e57531ee934f3da50a913005e8d1cbdfc3705bc7"),
    ("PP", 52, "3c8f3177061b088b3c1e18927e21f3f043d29b5bba66f72960a902757f2822c4"),
]
"""For each time that patterns were stored: game letters, the number in a set, and a hash over all sets.

People have printed them.  Never change a line; patterns that are added get a line of their own.
"""


@pytest.mark.parametrize(("code", "count", "digest"), STORED)
def test_every_pattern_that_was_ever_stored_is_unchanged(code: str, count: int, digest: str) -> None:
    """The pattern of a tag that may have been printed never changes, whatever is added after it."""
    sets = choose_patterns.read_stored(DATA)[code]
    first = [[letter, [*sets[letter].items()][:count]] for letter in sorted(sets)]
    assert hashlib.sha256(json.dumps(first).encode()).hexdigest() == digest


def test_a_stored_text_and_mask_give_the_same_modules_whatever_encoder_is_installed() -> None:
    """The text and mask of a stored tag always give the modules that were printed before."""
    looks = [patterns.pattern(f"PZ:{name}") for name in choose_patterns.read_stored(DATA)["PZ"][""]]
    digest = hashlib.sha256(np.packbits(np.array(looks)).tobytes()).hexdigest()
    assert digest == "0ce19ea7a07703ab2e873b19fe62f7f784ab2657d8655a6932609dbf05f7fad1"


def test_adding_pieces_changes_no_stored_pattern_and_differs_from_all_of_them() -> None:
    """New pieces and markers are stored after the existing ones, and differ from them in many modules."""
    stored = {"TT": {"": {"WH": choose_patterns.read_stored(DATA)["TT"][""]["WH"]}}, "PZ": {"": {"E1": "/ABCD3"}}}
    before = json.dumps(stored)
    games = {"PZ": choose_patterns.TaggedGame(["WH", "Q1"], ["E1", "E2", "E3"])}
    changes = choose_patterns.mask_changes()
    found = choose_patterns.choose_all(games, stored, changes)
    assert json.dumps(stored) == before
    assert [*found["PZ"][""]] == ["E1", "E2", "E3"]
    assert found["PZ"][""]["E1"] == "/ABCD3"
    assert [*found["TT"][""]] == ["WH", "Q1"]
    assert found["TT"][""]["WH"] == stored["TT"][""]["WH"]
    looks = [
        patterns.encode(payloads.Tag(code, "", name).payload + data[:-1], int(data[-1]))
        for code in ("TT", "PZ")
        for name, data in found[code][""].items()
    ]
    near = [distance(one, other) for number, one in enumerate(looks) for other in looks[:number]]
    assert min(near) >= 100


def test_floors_have_a_tag_each_and_are_one_colour_to_the_rules() -> None:
    """Each printed floor has its own id, so that no tag is in two places, while the rules know only its colour."""
    floors = [piece for piece in registry.game("patrician").pieces.values() if piece.kind == "floor"]
    assert {floor.like for floor in floors} == {"black", "white", "red", "yellow", "blue"}
    assert [sum(floor.like == colour for floor in floors) for colour in ("black", "red", "blue")] == [39, 29, 21]
    assert "PA:K01" in Kit(registry.game("patrician")).entries


def test_distance_finds_the_turn_in_which_two_tags_are_most_alike() -> None:
    look = patterns.pattern("PZ:E1")
    assert distance(look, np.rot90(look)) == 0
