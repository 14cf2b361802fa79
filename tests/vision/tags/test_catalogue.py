"""What the tags say and look like."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.rules import registry
from tabletop.vision.tags import catalogue, choose_patterns, patterns, payloads

PALAZZO = registry.game("palazzo")
GAMES = [registry.game(name) for name in registry.BUILT_IN]
FLOOR = 72
"""Modules in which any two tags of one set differ at least, whichever way each is turned."""

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
def test_a_payload_says_game_set_and_piece_and_its_filler_nothing(text, tag):
    assert payloads.parse(text) == tag


@pytest.mark.parametrize(
    "text",
    ["", "PZ", "PZ:", "pz:B3.2", "ZZ:B3.2", "PZ:B3.2/TOOLONG", "PZBB:E1", "TEL:123", "https://pz", "PZ:B3,2", " PZ:E1"],
)
def test_any_other_text_is_foreign(text):
    assert payloads.parse(text) is None


@given(st.sampled_from(sorted(payloads.known_codes())), st.sampled_from(payloads.SETS), capitals)
def test_payload_and_tag_are_each_others_inverse(code, letter, piece):
    tag = payloads.Tag(code, letter, piece)
    assert payloads.parse(tag.payload) == tag


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("letter", ["", "A", "Z"])
def test_every_piece_goes_to_its_payload_and_back(game, letter):
    for piece in game.pieces:
        assert payloads.piece_of(game, payloads.payload_of(game, piece, letter)) == piece


@pytest.mark.parametrize("payload", ["TT:WH", "PA:ROM1", "PZ:R9A", "nonsense"])
def test_what_is_no_piece_of_the_game_has_no_id(payload):
    assert payloads.piece_of(PALAZZO, payload) is None


def test_a_marker_is_known_without_its_set_letter():
    assert payloads.marker_of("TTB:Q1") == "TT:Q1"
    assert payloads.marker_of("PZ:E1") is None


def test_the_catalogue_holds_every_piece_and_every_marker_of_the_largest_table():
    entries = catalogue.entries(PALAZZO, "B", size_mm=15)
    assert {entry.id for entry in entries.values()} == {*PALAZZO.pieces} | {
        zone.marker[3:] for zone in PALAZZO.table.zones(4)
    }
    assert entries["PZB:R5A"] == ("R5a", "PZB:R5A", "money", 15)
    assert entries["TTB:Q1"] == ("Q1", "TTB:Q1", "marker", 40)


@pytest.mark.parametrize("letter", ["", "A", "M", "Z"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_tags_of_a_set_differ_in_many_modules_whichever_way_they_are_turned(game, letter):
    looks = np.array(list(catalogue.patterns(game, letter).values()))
    signs = np.where(looks.reshape(len(looks), -1), 1, -1)
    for turns in range(4):
        turned = np.where(np.rot90(looks, turns, axes=(1, 2)).reshape(len(looks), -1), 1, -1)
        differ = (patterns.MODULES**2 - signs @ turned.T) // 2
        np.fill_diagonal(differ, patterns.MODULES**2)
        assert differ.min() >= FLOOR


@pytest.mark.parametrize("letter", payloads.SETS)
def test_every_printed_text_is_read_as_its_payload(letter):
    for payload in catalogue.entries(PALAZZO, letter):
        assert payloads.parse(patterns.encoding_of(payload).text).payload == payload


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_tag_of_a_game_has_a_chosen_pattern(game):
    assert all(patterns.encoding_of(payload).mask is not None for payload in catalogue.entries(game, "C"))


def test_a_payload_without_a_stored_choice_is_printed_plainly():
    assert patterns.encoding_of("PZ:NEW") == ("PZ:NEW", None)
    assert patterns.pattern("PZ:NEW").shape == (21, 21)


def test_a_text_that_no_tag_can_hold_is_refused():
    with pytest.raises(ValueError, match="version"):
        patterns.encode("PZ:ELEVENCH", 0)


def test_a_drawn_tag_has_whole_pixels_a_module_and_a_white_quiet_zone():
    picture = patterns.draw(patterns.pattern("PZ:E1"), 3)
    assert picture.shape == (75, 75)
    assert picture[:6].min() == picture[:, -6:].min() == 255
    assert not picture[6:27, 6:9].any()


def test_the_stored_choice_is_what_the_command_makes_again():
    names = [marker.partition(":")[2] for marker in catalogue.markers(PALAZZO)]
    chosen = choose_patterns.choose([f"TT:{name}" for name in names], [], choose_patterns.mask_changes())
    for payload, choice in chosen.items():
        assert patterns.encoding_of(payload) == (payload + choice.data[:-1], int(choice.data[-1]))


def test_distance_finds_the_turn_in_which_two_tags_are_most_alike():
    look = patterns.pattern("PZ:E1")
    assert patterns.distance(look, np.rot90(look)) == 0
