"""A message is its English sentence and can be rendered in another language."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from tabletop.messages import Message, PieceRef, SeatRef, render
from tests.messages.samples import LAYS, SAMPLES, German, show


@pytest.mark.parametrize(("message", "english", "german"), SAMPLES)
def test_a_message_is_english_and_renders_in_german(message: Message, english: str, german: str) -> None:
    """A message reads as its English sentence and renders in German, with its facts formatted by the caller."""
    assert str(message) == message == english
    assert type(str(message)) is str
    assert render(message, German(), show) == german


@pytest.mark.parametrize(("message", "english", "german"), SAMPLES)
def test_facts_survive_copies(message: Message, english: str, german: str) -> None:
    """Pickled and copied messages keep template and facts, so that a copy renders as the original does."""
    for other in (pickle.loads(pickle.dumps(message)), copy.deepcopy(message), copy.copy(message)):
        assert render(other, German(), show) == german
        assert other.facts == message.facts


def test_a_plain_text_renders_as_it_is() -> None:
    """A text that is not a message, such as an error of the operating system, is rendered unchanged."""
    assert render("a tile", German()) == "a tile"


def test_a_message_does_not_change() -> None:
    """Neither template nor facts of a message can be replaced."""
    with pytest.raises(AttributeError):
        LAYS.template = "x"


def test_a_missing_fact_is_refused_at_once() -> None:
    """A message with a gap but no fact for it raises KeyError when it is made."""
    with pytest.raises(KeyError):
        Message("{name} lays a tile.")


def test_facts_are_data() -> None:
    """Seats and pieces among a message's facts become the protocol's numbers and ids in JSON."""
    assert json.loads(json.dumps([SeatRef(0), PieceRef("B1.1"), Message("a tile")])) == [0, "B1.1", "a tile"]


@pytest.mark.parametrize("count", [1, 3])
def test_the_repr_of_a_plural_message_makes_it_again(count: int) -> None:
    """The repr of a message, as in a log, is an expression that makes the same message again."""
    made = Message.plural("{count} tile for {cost}", "{count} tiles for {cost}", count, cost=4)
    again = eval(repr(made), {"Message": Message})
    assert (again, again.many, again.number, again.facts) == (made, made.many, count, made.facts)
