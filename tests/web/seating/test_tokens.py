"""Codes and tokens are easy for those who may know them, and hard for others."""

from __future__ import annotations

from tabletop.web.seating.tokens import ALPHABET, new_code, new_token, same_code


def test_codes_are_easy_to_read_and_tokens_hard_to_guess() -> None:
    assert set(new_code(200)) <= set(ALPHABET)
    assert not set("01OILl") & set(ALPHABET)
    assert len(new_token()) >= 43


def test_a_code_is_known_however_it_is_typed() -> None:
    assert same_code("k7m-px2", "K7MPX2")
    assert same_code(" K7M PX2 ", "K7MPX2")
    assert not same_code("K7MPX", "K7MPX2")
    assert not same_code("É7MPX2", "K7MPX2")
