"""One line declares an action: its value, its data, its notation, and the error for other text."""

from __future__ import annotations

import re

import pytest

from tabletop.rules.game import Action, Illegal, Json
from tabletop.rules.grammar import ActionValue, Grammar

PIECES = {"A1": None, "A2": None, "B1": None}


class Send(ActionValue, form=["{way=fly} {ship} from {port:port} [at {hour:seat}]", "{way=swim} {ship}"]):
    """A ship is sent."""

    way: str
    ship: str
    port: str | None = None
    hour: int | None = None


class Load(ActionValue, form="load {cargo:some} on|upon {ship:piece?} pay {pay:pieces+gold}", keys={"ship": "for"}):
    """A ship is loaded."""

    cargo: tuple[str, ...]
    ship: str | None
    pay: tuple[str, ...]
    gold: bool


GRAMMAR = Grammar([Send, Load], PIECES, words={"port": ["kiel", "bari"]})


@pytest.mark.parametrize(
    ("line", "action", "data"),
    [
        ("swim A1", Send("swim", "A1"), {"do": "send", "way": "swim", "ship": "A1"}),
        (
            "fly A1 from kiel at 3",
            Send("fly", "A1", "kiel", 3),
            {"do": "send", "way": "fly", "ship": "A1", "port": "kiel", "hour": 3},
        ),
        (
            "fly A1 from bari",
            Send("fly", "A1", "bari"),
            {"do": "send", "way": "fly", "ship": "A1", "port": "bari"},
        ),
        (
            "load A1+A2 on B1 pay gold",
            Load(("A1", "A2"), "B1", (), True),
            {"do": "load", "cargo": ["A1", "A2"], "for": "B1", "pay": [], "gold": True},
        ),
    ],
)
def test_line_value_and_data_are_one_action(line: str, action: Action, data: dict[str, Json]) -> None:
    """An action read from its line equals the one read from its data, and is written as both."""
    assert GRAMMAR.parse(line) == GRAMMAR.action(data) == action
    assert (str(action), action.to_json(), action.do) == (line, data, data["do"])
    assert hash(GRAMMAR.parse(line)) == hash(action)


def test_the_pieces_of_a_list_are_put_in_order_and_the_second_spelling_is_read() -> None:
    """A list of pieces is sorted, and an older spelling of a word is read."""
    assert str(GRAMMAR.parse("load A2+A1 upon B1 pay -")) == "load A1+A2 on B1 pay -"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "a line of 1 to 500 characters"),
        ("sink A1", "begins with one of: fly, swim, load."),
        ("fly A1", "write: fly <ship> from <port> [at <hour>]."),
        ("fly A1 from kiel at 007", "write: fly <ship>"),
        ("load A1 on B1", "write: load <cargo> on <ship> pay <pay>[+gold]."),
        ("load - on B1 pay -", "cargo must be a list of 1 to 100 pieces."),
        ("fly A1 from rome", "port must be one of kiel, bari."),
    ],
)
def test_a_malformed_line_is_refused_with_its_form(line: str, told: str) -> None:
    """The refusal of a malformed line gives its form, or what may stand in the wrong place."""
    with pytest.raises(Illegal, match=re.escape(told)) as caught:
        GRAMMAR.parse(line)
    assert caught.value.code == "bad-request"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"do": "send", "way": "ride", "ship": "A1"}, "unknown-action"),
        ({"do": "send", "ship": "A1"}, "bad-request"),
        ({"do": "send", "way": "fly", "ship": "A1", "port": "kiel", "hour": None}, "bad-request"),
        ({"do": "load", "cargo": ["A1"], "pay": [], "gold": False}, "bad-request"),
        ({"do": "load", "cargo": ["A1"], "for": "C1", "pay": [], "gold": False}, "unknown-piece"),
        ({"do": "load", "cargo": ["A1"], "for": None, "pay": [], "gold": 1}, "bad-request"),
    ],
)
def test_malformed_data_is_refused_with_its_code(data: dict[str, Json], code: str) -> None:
    """Malformed data is refused with its code: only bracketed keys may be missing, only some may be null."""
    with pytest.raises(Illegal) as caught:
        GRAMMAR.action(data)
    assert caught.value.code == code


def test_actions_of_two_kinds_with_the_same_fields_differ() -> None:
    """Actions of two kinds with the same fields are different values."""
    assert len({Send("fly", "A1"), ("fly", "A1", None, None, "sent")}) == 2
    with pytest.raises(AttributeError):
        Send("fly", "A1").ship = "A2"  # type: ignore[misc]
