"""One type for everything that people read: a :class:`Message` keeps its template and its facts.

Whatever speaks (rules, referee, vision, doctor, setup) returns Messages; pages, panel and terminal render them.  The
constructors are the keywords by which the standard tools find the texts for translation::

    Message("The camera {camera} gives no picture.", camera=name)
    Message.plural("{count} card is missing.", "{count} cards are missing.", len(missing))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol


class Translations(Protocol):
    """A catalogue of translated texts, such as a ``gettext.NullTranslations``."""

    def gettext(self, message: str, /) -> str:
        """Return the translation of a text."""

    def ngettext(self, msgid1: str, msgid2: str, n: int, /) -> str:
        """Return the translation of a text for one or for many."""


class SeatRef(int):
    """A seat as a fact, counted from 0; people read its name, or “Seat 1” if none is known."""

    name: str

    def __new__(cls, seat: int, name: str = "") -> SeatRef:
        """Refer to a seat."""
        made = super().__new__(cls, seat)
        made.name = name
        return made

    def __str__(self) -> str:
        return self.name or f"Seat {int(self) + 1}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


class PieceRef(str):
    """A piece as a fact, by its id; pages show it in the words of its game."""

    __slots__ = ()


class Message(str):
    """A sentence for people: a string with its English text, which keeps the template and the facts.

    Facts fill the ``{gaps}`` of the template.  A fact may be a number, a string, a :class:`SeatRef`, a
    :class:`PieceRef`, another Message, or a tuple of these, which is rendered as a list of words.
    """

    __slots__ = ("facts", "many", "number", "template")
    template: str
    many: str
    """The template for any number but one; empty if the sentence has no plural."""
    number: int
    """The number by which the plural is chosen."""
    facts: Mapping[str, Any]

    def __new__(cls, template: str, /, **facts: Any) -> Message:
        """Fill the gaps of the template.  Raises KeyError if a fact is missing."""
        return cls._made(template, "", 1, facts)

    @classmethod
    def plural(cls, one: str, many: str, count: int, /, **facts: Any) -> Message:
        """Return the sentence for ``count`` things; the number fills the gap ``{count}``."""
        return cls._made(one, many, count, {"count": count, **facts})

    def with_facts(self, **facts: Any) -> Message:
        """Return the sentence with some of its facts replaced."""
        return self._made(self.template, self.many, self.number, {**self.facts, **facts})

    @classmethod
    def _made(cls, one: str, many: str, count: int, facts: Mapping[str, Any]) -> Message:
        template = many if many and count != 1 else one
        shown = facts
        if not _PLAIN.issuperset(map(type, facts.values())):
            facts = {key: _plain(fact) for key, fact in facts.items()}
            shown = {key: _shown(fact) for key, fact in facts.items()}
        made = super().__new__(cls, template.format_map(shown))
        _set_template(made, one)
        _set_many(made, many)
        _set_number(made, count)
        _set_facts(made, facts)
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a message does not change: {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Message._made, (self.template, self.many, self.number, self.facts)

    def __repr__(self) -> str:
        facts = "".join(f", {key}={fact!r}" for key, fact in self.facts.items())
        if self.many:
            return f"Message.plural({self.template!r}, {self.many!r}, {self.number!r}{facts})"
        return f"Message({self.template!r}{facts})"


_PLAIN = {str, int, float, Message, PieceRef, SeatRef}
"""The types of facts that are kept and shown as they are."""
# A message is made for every refusal that is asked for: setting the slots directly is much faster.
_set_template: Callable[[Message, str], None] = Message.__dict__["template"].__set__
_set_many: Callable[[Message, str], None] = Message.__dict__["many"].__set__
_set_number: Callable[[Message, int], None] = Message.__dict__["number"].__set__
_set_facts: Callable[[Message, Mapping[str, Any]], None] = Message.__dict__["facts"].__set__


def said_by(error: BaseException) -> Message:
    """Return an error's text as a message; words that are not ours, such as the system's, are not translated."""
    said = error.args[0] if error.args and isinstance(error.args[0], Message) else str(error)
    return said if isinstance(said, Message) else foreign(said)


def foreign(text: str) -> Message:
    """Return words that are not ours, such as the system's, as a message that is the same in every language."""
    return Message("{text}", text=text) if text else EMPTY


def _plain(fact: Any) -> Any:
    """Return a fact as data, so that an error or a path among the facts is not kept alive."""
    if isinstance(fact, tuple):
        return tuple(map(_plain, fact))
    return fact if isinstance(fact, (str, int, float, list)) or fact is None else str(fact)


def _shown(fact: Any) -> Any:
    return ", ".join(str(_shown(part)) for part in fact) if isinstance(fact, tuple) else fact


def render(text: str, words: Translations, show: Callable[[Any], Any] = lambda fact: fact) -> str:
    """Return a message in the language of the words; a string that is not a message is shown as it is.

    ``show`` returns the form in which people read a fact that is neither a message nor a list: a seat, a piece, a
    number.
    """
    if not isinstance(text, Message):
        return str(show(text))
    if not text.template:
        return ""

    def filled(fact: Any) -> Any:
        if isinstance(fact, Message):
            return render(fact, words, show)
        if isinstance(fact, tuple):
            return ", ".join(str(filled(part)) for part in fact)
        return show(fact)

    template = words.ngettext(text.template, text.many, text.number) if text.many else words.gettext(text.template)
    return template.format_map({key: filled(fact) for key, fact in text.facts.items()})


def join(parts: Iterable[str], by: str = " ") -> Message:
    """Return several sentences or words as one message, with the same text between them in every language."""
    facts = {f"part{number}": part for number, part in enumerate(parts, 1)}
    return Message(by.join(f"{{{key}}}" for key in facts), **facts)


EMPTY = join(())
"""Nothing to say."""


def listed(items: Sequence[Any]) -> Message:
    """Return an enumeration: “a”, “a and b”, “a, b and c”."""
    if len(items) < 2:
        return join(items)
    return Message("{items} and {last}", items=tuple(items[:-1]), last=items[-1])


def listed_pieces(pieces: Iterable[str]) -> Message:
    """Return an enumeration of pieces, given by their ids."""
    return listed([*map(PieceRef, pieces)])


def either(items: Sequence[Any]) -> Message:
    """Return a choice: “a”, “a or b”, “a or b or c”."""
    if len(items) < 2:
        return join(items)
    return Message("{first} or {last}", first=either(items[:-1]), last=items[-1])


def N_(text: str) -> str:  # noqa: N802 - the name by which the tools find a text
    """Mark a template for translation and return it unchanged, for a table of templates."""
    return text
