"""Phrases that are not idiomatic English stay out of the code and the documentation.

The phrases are explained in ``docs/contributing.md``.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PHRASES = {
    "is no X": (
        " no ",
        r"(?<!\bthere )\b(?:is|are|was|were) no "
        r"(?!longer\b|more\b|less\b|one\b|way\b|need\b|doubt\b|other\b|use\b|such\b)(?!\w+(?:er|est)\b)\w+",
    ),
    "where for if": (" where", r"\b(?:raises? \w+|none|false) where\b"),
    "there is none": ("where there ", r"where there (?:is|are|was|were) (?:none|no )"),
    "anew": ("anew", r"\banew\b"),
    "whoever": ("whoever", r"\bwhoever\b"),
    "nobody but": ("nobody but", r"\bnobody but\b"),
    "the mend": ("mend", r"\b(?:the|a) mend\b|\bmended\b"),
    "made of code": ("made of code", r"\bmade of code\b"),
    "tell whether": ("whether", r'(?:"""|; |and )tells? whether'),
    "tell of": ('"""tell', r'"""tells? of\b'),
    "no own without a person": ("the own", r"\bthe own\b"),
    "for which there is no": ("for which there ", r"\bfor which there (?:is|are) no\b"),
    "the evening": (" evening", r"\b(?:the|all|an) evening\b"),
    "makes it with hands": (" with hands", r"\bmakes? [^.]{1,30} with hands\b"),
    "trailing too": (", too", r", too(?=[.,;:)\"]|$)"),
    "so many": (
        "so many",
        r"\b(?:for|of|in|within|by|at|least|than|most|from|after|every|what) so many\b"
        r"|\bso many (?:mm|px|seats|seconds|times|pictures|tags|tiles|games|standard)\b",
    ),
    "bears a tag": ("bear", r"\bbears? (?:no |a |the |its )?tags?\b"),
    "told as": (" told ", r"\b(?:is|are|was|were|be) told (?:as|of|like)\b"),
    "from elsewhere": (" from elsewhere", r"\b(?:codes?|games?) from elsewhere\b"),
    "goes with --": (" with --", r"\bgoes? with --"),
    "by lot": ("by lot", r"\bby lot\b"),
    "one a": ("one a ", r"\bone a (?:seat|game|core|row|fault|marker|phase|line|picture|round)\b"),
    "one line a wire": (
        " a ",
        r"\bone (?:\w+ )?(?:action|bit|event|file|function|grid|line|module|process|row|statement|value)"
        r" a (?:cell|core|game|kind|line|match|page|phase|seat|subcommand|subject|wire)\b",
    ),
    "of which no part": ("of which ", r"\bof which (?:no|a) part would\b"),
    "held against": (" against", r"\b(?:held|holds? (?:it|them)) against\b"),
    "believed sooner": ("believed sooner", r"\bbelieved sooner\b"),
    "for want of": ("for want of", r"\bfor want of\b"),
    "also if": (", also ", r", also (?:if|where|when|one|ones)\b"),
    "be had": (" had", r"\b(?:be|is|are) had\b"),
    "for so long": ('"""', r'"""(?:(?:For|By|Up to|Within) )?so (?:many|much|far|often|long|near)\b'),
    "of something": ('"""of ', r'"""Of (?:\w+ )?\w+\."""'),
    "in each direction": ('"""in each', r'"""In each direction\."""'),
    "on the average": ("on the average", r"\bon the average\b"),
    "a seed": (" a seed", r"\bgames? a seed\b"),
    "px a module": (" a m", r"\b(?:px|pixels|levels) a (?:module|mm)\b"),
    "ms a frame": (" a ", r"\b(?:ms|MB) a (?:frame|picture|photograph|game|match|tag)\b|\btags a (?:cell|frame)\b"),
    "begins as ours": (" as ours", r"\bbegins? as ours\b"),
    "all the same": (" all the same", r"\b(?:are|is|be \w+|were|was|it|them) all the same[.,;]"),
    "a tag of which 99 %": (" of which ", r"\b(?:tag|tags|side|size) of which (?:at least |nearly all |\d)"),
    "called by a wrong name": (" by a wrong name", r"\b(?:call|calls|called) (?:it|them|\d+|none) by a wrong name\b"),
    "less is asked": (" asked of", r"\b(?:more|less) (?:is|was) asked of\b"),
    "left alone": ("left alone)", r"\bare left alone\)"),
    "goes on": (" goes on", r"\bthe (?:game|match|table|camera) goes on\b"),
}
"""Names of phrases → words, in lower case, that are part of every match, and patterns to search for, whatever the case.

The words are looked for first, which is much faster.
"""

SEARCHED = ("tabletop/**/*.py", "tabletop/**/*.html", "tabletop/**/*.js", "tabletop/**/*.toml", "docs/**/*.md", "*.md",
            "hardware/*.md", "bench/**/*.py", "bench/*.md", "doubles/*.py", "tools/**/*.py",
            "tests/**/*.py")  # fmt: skip
SHOWN_AS_BAD = ("docs/contributing.md", "docs/decisions/0012-names.md", "tests/test_english.py")
"""Pages that have to name the phrases or the old words."""


def words(text: str) -> str:
    """Return a text on one line, with the names of tests as the sentences they are."""
    return re.sub(r"\btest_\w+", lambda name: name[0].replace("_", " "), " ".join(text.split()))


def phrases_in(text: str) -> list[str]:
    """Return the names of the phrases that a text contains."""
    lower = text.lower()
    return [name for name, (part, regex) in PHRASES.items() if part in lower and re.search(regex, text, re.IGNORECASE)]


def test_the_phrases_stay_out() -> None:
    """No file contains any of the phrases.

    It is one test for all phrases, because otherwise each worker would read every file for its share of them.
    """
    found: list[str] = []
    for pattern in SEARCHED:
        for path in ROOT.glob(pattern):
            name = path.relative_to(ROOT).as_posix()
            if name in SHOWN_AS_BAD:
                continue
            found += [f"{name}: {phrase}" for phrase in phrases_in(words(path.read_text(encoding="utf-8")))]
    assert found == []


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("This is no tile.", "is no X"),
        ("or None where there is none", "there is none"),
        ("Raises KeyError where it is missing.", "where for if"),
        ("the frame, None where the camera is lost", "where for if"),
        ("Make it anew.", "anew"),
        ("Whoever asks is told.", "whoever"),
        ('"""Tell whether it lies."""', "tell whether"),
        ('"""Tell of each tag whether it lies."""', "tell of"),
        ("It is said, too.", "trailing too"),
        ("with the mend", "the mend"),
        ("It lies in the own zone.", "no own without a person"),
        ("how much it counts against the own.", "no own without a person"),
        ("a tile for which there is no place", "for which there is no"),
        ("over an evening", "the evening"),
        ("what so many seats need", "so many"),
        ("a die bears no tag", "bears a tag"),
        ("A mirrored lamp is told as glare.", "told as"),
        ("a game from elsewhere", "from elsewhere"),
        ("--json goes with --list", "goes with --"),
        ("if the pins cannot be had", "be had"),
        ("It decides by lot.", "by lot"),
        ("two bots, one a seat", "one a"),
        ("a table with one line a wire", "one line a wire"),
        ("a payment of which no part would do", "of which no part"),
        ("held against what was done", "held against"),
        ("a campaign holds them against codes", "held against"),
        ("faint tags are believed sooner", "believed sooner"),
        ("discarded for want of room", "for want of"),
        ("every game, also one that is new", "also if"),
        ("and the game goes on", "goes on"),
        ('"""For so long the panel says it."""', "for so long"),
        ('"""So many are compared."""', "for so long"),
        ('"""Of a seat."""', "of something"),
        ('"""In each direction."""', "in each direction"),
        ("what it costs on the average", "on the average"),
        ("in one random game a seed", "a seed"),
        ("at 1.2 px a module or more", "px a module"),
        ("edges of two grey levels a mm", "px a module"),
        ("a hand takes 25 ms a frame", "ms a frame"),
        ("codes that begin as ours do", "begins as ours"),
        ("they can be ticked all the same, and", "all the same"),
        ("the smallest tag of which 99 % are read", "a tag of which 99 %"),
        ("of 5,400 it called 4 by a wrong name", "called by a wrong name"),
        ("more is asked of an awaited name", "less is asked"),
        ("(3 that are there already are left alone)", "left alone"),
    ],
)
def test_a_phrase_is_found(text: str, phrase: str) -> None:
    """Each pattern finds an example of its phrase."""
    assert phrase in phrases_in(text)


def test_the_name_of_a_test_is_read_as_a_sentence() -> None:
    """The underscores in a test's name count as spaces."""
    assert phrases_in(words("def test_a_spike_is_no_press() -> None:")) == ["is no X"]


@pytest.mark.parametrize(
    "text",
    [
        "This is no longer so.",
        "There is now none.",
        "tell me",
        "too late",
        "that is not a tile",
        "so many that it is slow",
    ],
)
def test_good_english_matches_no_pattern(text: str) -> None:
    """Idiomatic sentences match none of the patterns."""
    assert phrases_in(text) == []
