"""A stored score from photographs can be shown in every language later."""

from __future__ import annotations

import json

from tabletop.match import photo_score
from tabletop.messages import Message, PieceRef

DOUBT = Message("Between {lower} and {upper} there is room for a tile that was not read.",
                lower=PieceRef("B1.1"), upper=PieceRef("B3.1"))  # fmt: skip


def test_a_doubt_keeps_its_facts_in_the_journal() -> None:
    """The journal keeps a doubt's English sentence for other programs, and its template and facts for pages."""
    kept = json.loads(json.dumps(photo_score.stored_score({"seats": [], "unread": [{"message": DOUBT}]}, {})))
    assert photo_score.is_score(kept, 2)
    assert kept["doubts"] == [str(DOUBT)]
    [doubt] = photo_score.doubts_of(kept)
    assert (doubt, doubt.template, doubt.facts["lower"]) == (DOUBT, DOUBT.template, "B1.1")


def test_what_no_photograph_shows_is_kept_with_the_score() -> None:
    note = Message("Ties are broken by coins and dice, which no picture shows.")
    kept = json.loads(json.dumps(photo_score.stored_score({"seats": [], "unread": [], "notes": [note]}, {})))
    assert photo_score.is_score(kept, 2)
    assert photo_score.notes_of(kept) == [note]


def test_an_old_score_is_read_as_it_is() -> None:
    """A score stored by an older version, with English sentences only, is shown as it is."""
    old = {"seats": [], "doubts": ["Two lie there."]}
    assert photo_score.is_score(old, 2)
    assert photo_score.doubts_of(old) == ["Two lie there."]
    assert photo_score.notes_of(old) == []


def test_a_score_with_malformed_messages_is_refused() -> None:
    """A stored score whose messages are malformed, as from a forged backup, is refused."""
    assert not photo_score.is_score({"seats": [], "doubts": [], "said": [{"template": "{a.b}"}]}, 2)
    assert not photo_score.is_score({"seats": [], "doubts": [], "notes": [{"template": "{a.b}"}]}, 2)
