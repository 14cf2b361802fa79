"""What a referee and an oracle have to agree about in any game, both asked through JSON alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from tabletop.rules.protocol import ProtocolReferee


def ask(referee: ProtocolReferee, **request: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(referee.answer_line(json.dumps(request)))
    return answer


def agree_on_scores(referee: ProtocolReferee, expected: Sequence[Mapping[str, Any]], position: object) -> None:
    """Assert that the scores are equal; on failure ``position`` is shown."""
    theirs = ask(referee, cmd="score")["seats"]
    rows = [{key: row[key] for key in ("points", "tiebreak", "rank")} for row in theirs]
    assert rows == expected, (rows, expected, position)
    assert all(sum(part["points"] for part in row["parts"]) == row["points"] for row in theirs)


def agree_on_loading(referee: ProtocolReferee, turn: Mapping[str, Any]) -> None:
    """Assert that another referee loads the referee's position and prints the same position again."""
    printed, other = ask(referee, cmd="position")["position"], ProtocolReferee()
    loaded = ask(other, cmd="load", position=printed)
    assert loaded["ok"], (loaded, printed)
    assert loaded["turn"] == turn
    assert ask(other, cmd="position")["position"] == printed


def agree_on_verdict(
    referee: ProtocolReferee,
    action: Any,
    expected: Collection[str],
    counted: Counter[str],
    agree_after: Callable[[], object],
) -> None:
    """Assert that an action is refused with an expected code, or else done, with both sides agreeing after it."""
    answer = ask(referee, cmd="do", action=action)
    counted["verdicts"] += 1
    if expected:
        code = "accepted" if answer["ok"] else answer["error"]["code"]
        assert code in expected, (action, code, expected, ask(referee, cmd="position"))
        counted[code] += 1
        return
    counted["accepted"] += 1
    assert answer["ok"], (action, answer, ask(referee, cmd="position"))
    agree_after()
    assert ask(referee, cmd="undo")["ok"]
