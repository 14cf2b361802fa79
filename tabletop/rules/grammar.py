"""Actions that declare their notation once: ``class Buy(ActionValue, form="buy {tiles:some} pay {pay:pieces}")``.

That line defines the value, its data, its notation, and how both are read and refused.  A form is a sequence of words
and slots.  A slot ``{field:kind}`` names a field and the kind of its value: ``piece`` (when the kind is left out),
``pieces``, ``some`` (at least one piece), ``seat`` (from 0), ``cell``, or a set of words that the game names; ``?``
after the kind lets it be null; ``+flag`` after it is a word that may end the list and a field that is true or false.
``{field=value}`` is a word that fixes a field and so selects one of several forms.  The part in brackets is left out
if its field is None; ``a|b`` are two spellings that are read, of which the first is written.

Only what can be checked without a position (keys, types, names of pieces) is checked here.
"""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, dataclass_transform

from tabletop.messages import Message, either
from tabletop.rules.game import Action, Game, Illegal, Json
from tabletop.rules.refusals import bad_request

MAX_LIST_PIECES = 100
"""The most pieces that a list in an action can have."""
MAX_NOTATION_LENGTH = 500
"""The longest action that is read from text, in characters."""
MAX_CELL = 1_000_000
"""The largest coordinate of a cell that is accepted, far more than any grid of the games needs."""
EMPTY_LIST = "-"
"""How an empty list is written."""

Data = Mapping[str, Json]


class Slot(NamedTuple):
    """A slot of a form: its field, its key in the data, the kind of its value, and a flag that may follow."""

    field: str
    key: str
    kind: str
    null: bool
    flag: str


class Part(NamedTuple):
    """A word of a form, in each of its spellings, or a slot; ``fixes`` is the field that the word gives its value."""

    words: Sequence[str] = ()
    slot: Slot | None = None
    fixes: str = ""
    optional: str = ""
    """The field whose brackets contain this part; empty outside brackets."""


_PARTS = re.compile(r"\{(\w+)(?:([:=])(\w+)(\??)(?:\+(\w+))?)?\}|([^\s\[\]{}]+)|(\[)|(\])")

_SHOWN = re.compile(r"\{(\w+)(?::\w+\??(?:\+(\w+))?)?\}")


class Form:
    """One notation of an action: the words and slots of its line."""

    __slots__ = ("fixed", "parts", "shown", "slots")

    def __init__(self, text: str, keys: Mapping[str, str]) -> None:
        self.parts: list[Part] = []
        opened = -1
        for name, mark, kind, null, flag, word, opens, _ in _PARTS.findall(text):
            if opens:
                opened = len(self.parts)
            elif word:
                self.parts.append(Part(word.split("|")))
            elif mark == "=":
                self.parts.append(Part([kind], fixes=name))
            elif name:
                slot = Slot(name, keys.get(name, name), kind or "piece", bool(null), flag)
                self.parts.append(Part(slot=slot))
                if opened >= 0:
                    self.parts[opened:] = [part._replace(optional=name) for part in self.parts[opened:]]
                    opened = -1
        self.fixed = {part.fixes: part.words[0] for part in self.parts if part.fixes}
        self.slots = [part.slot for part in self.parts if part.slot is not None]
        self.shown = _SHOWN.sub(lambda found: f"<{found[1]}>" + (f"[+{found[2]}]" if found[2] else ""), text)
        self.shown = re.sub(r"\{\w+=(\w+)\}|\|\w+", lambda found: found[1] or "", self.shown)
        """The form as people read it: ``buy <tiles> pay <pay>``."""

    def suits(self, action: ActionValue) -> bool:
        """Return whether this is the form of the action: the fields that it fixes have these values."""
        return all(getattr(action, field) == value for field, value in self.fixed.items())

    def left_out(self, slot: Slot) -> bool:
        """Return whether the data of this form may lack the slot's key."""
        return not slot.null and any(part.slot == slot and part.optional for part in self.parts)

    def write(self, action: ActionValue) -> str:
        """Return the line of an action of this form."""
        words = []
        for part in self.parts:
            if part.optional and getattr(action, part.optional) is None:
                continue
            words.append(part.words[0] if part.slot is None else _written(action, part.slot))
        return " ".join(words)

    def match(self, words: Sequence[str]) -> dict[str, Json] | None:
        """Return the data of a line of these words, without ``do``; None if the line does not have this form."""
        for parts in (self.parts, [part for part in self.parts if not part.optional]):
            if len(parts) == len(words):
                data: dict[str, Json] = {slot.key: None for slot in self.slots if slot.null} | self.fixed
                if all(_matches(part, word, data) for part, word in zip(parts, words, strict=True)):
                    return data
        return None


_SEAT = re.compile(r"0|[1-9][0-9]{0,2}")
_CELL = re.compile(r"(0|-?[1-9][0-9]{0,9}),(0|-?[1-9][0-9]{0,9})")


def _written(action: ActionValue, slot: Slot) -> str:
    value = getattr(action, slot.field)
    if slot.kind == "cell":
        return f"{value[0]},{value[1]}"
    if not isinstance(value, tuple):
        return str(value)
    return join((*value, slot.flag) if slot.flag and getattr(action, slot.flag) else value)


def _matches(part: Part, word: str, data: dict[str, Json]) -> bool:
    """Return whether a word fits this part of the form; if the part is a slot, store its value in the data."""
    slot = part.slot
    if slot is None:
        return word in part.words
    value: Json = word
    if slot.kind == "seat":
        value = int(word) if _SEAT.fullmatch(word) else None
    elif slot.kind == "cell":
        cell = _CELL.fullmatch(word)
        value = [int(cell[1]), int(cell[2])] if cell else None
    elif slot.kind in ("pieces", "some"):
        value = [] if word == EMPTY_LIST else word.split("+")
        if slot.flag:
            data[slot.flag] = value[-1:] == [slot.flag]
            value = value[: len(value) - data[slot.flag]]
    data[slot.key] = value
    return value is not None


def join(ids: Iterable[str]) -> str:
    """Return the ids as one word: ``R5a+R6b``; ``-`` if there are none."""
    return "+".join(ids) or EMPTY_LIST


@dataclass_transform(frozen_default=True, eq_default=False)
class _Declared(type):
    """Turns a class with annotated fields into a named tuple whose last field, ``do``, names its kind."""

    def __new__(
        mcs,
        name: str,
        bases: tuple[type, ...],
        body: dict[str, Any],
        form: str | Sequence[str] = (),
        keys: Mapping[str, str] | None = None,
        do: str = "",
    ) -> _Declared:
        if not form:
            return super().__new__(mcs, name, bases, body | {"__slots__": ()})
        fields = [*body.get("__annotations__", ())]
        defaults = [body.pop(field) for field in fields if field in body]
        row = namedtuple(name, [*fields, "do"], defaults=[*defaults, do or name.lower()])  # type: ignore[misc]
        texts = [form] if isinstance(form, str) else form
        forms = tuple(Form(text, keys or {}) for text in texts)
        return super().__new__(mcs, name, (*bases, row), body | {"__slots__": (), "FORMS": forms})


class ActionValue(tuple[Any, ...], metaclass=_Declared):
    """An action as a value: a tuple of its fields and its kind, ``do``, so that actions of two kinds are never equal.

    Code that makes thousands of actions may call ``tuple.__new__``, which is quicker than the class.
    """

    FORMS: ClassVar[Sequence[Form]]

    if TYPE_CHECKING:

        @property
        def do(self) -> str:
            """The kind of action."""

        def _replace(self, **fields: object) -> Self:
            """Return the action with other values in these fields."""

    def _form(self) -> Form:
        return next((form for form in self.FORMS if form.suits(self)), self.FORMS[0])

    def to_json(self) -> dict[str, Any]:
        """Return the protocol's form."""
        form = self._form()
        data: dict[str, Any] = {"do": self.do, **form.fixed}
        for slot in form.slots:
            value = getattr(self, slot.field)
            if value is not None or slot.null:
                data[slot.key] = list(value) if isinstance(value, tuple) else value
            if slot.flag:
                data[slot.flag] = getattr(self, slot.flag)
        return data

    def __str__(self) -> str:
        """Return the short notation."""
        return self._form().write(self)


class Grammar:
    """The actions of one game, as data and as lines of short notation."""

    def __init__(
        self,
        actions: Sequence[type[ActionValue]],
        pieces: Container[str],
        place: Callable[[str], Any] = str,
        words: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        """``place`` is the key by which the pieces of a list are sorted; ``words`` are the game's own kinds."""
        self.kinds: Mapping[str, type[ActionValue]] = {_kind(action): action for action in actions}
        self._pieces = pieces
        self._place = place
        self._words = {kind: tuple(found) for kind, found in (words or {}).items()}

    def action(self, data: Json) -> ActionValue:
        """Return the action that the data describes.

        Raises Illegal: ``unknown-action``, ``bad-request`` (a key missing or of a wrong type), ``unknown-piece``.
        """
        if not isinstance(data, dict):
            raise bad_request("An action must be an object.")
        kind = data.get("do")
        if not isinstance(kind, str):
            raise _missing("do")
        if kind not in self.kinds:
            named = kind[:20]
            text = Message("There is no action {action} in this game.", action=repr(named))
            raise Illegal("unknown-action", text, rule=Message("A turn"), facts={"do": named})
        action = self.kinds[kind]
        form = _chosen(kind, action.FORMS, data)
        fields: dict[str, Any] = dict(form.fixed)
        for slot in form.slots:
            fields[slot.field] = self._value(slot, data, form.left_out(slot))
            if slot.flag:
                fields[slot.flag] = _flag(data, slot.flag)
        names: Sequence[str] = action._fields  # type: ignore[attr-defined]
        return action(**{name: fields.get(name) for name in names if name != "do"})

    def parse(self, text: str) -> ActionValue:
        """Return the action that a line of short notation describes.

        Raises Illegal: ``bad-request`` naming the form if it cannot be read, ``unknown-piece`` as for data.
        """
        words = text.split() if len(text) <= MAX_NOTATION_LENGTH else []
        if not words:
            raise bad_request(
                "An action in short notation is a line of 1 to {most} characters.", most=MAX_NOTATION_LENGTH
            )
        for kind, action in self.kinds.items():
            for form in action.FORMS:
                data = form.match(words)
                if data is not None:
                    return self.action({"do": kind, **data})
        forms = [form for action in self.kinds.values() for form in action.FORMS]
        near = [form.shown for form in forms if words[0] in form.parts[0].words]
        line = repr(text[:60])
        if near:
            raise bad_request("{line} is not an action; write: {forms}.", line=line, forms=either(near))
        begins = tuple(dict.fromkeys(form.parts[0].words[0] for form in forms))
        raise bad_request("{line} is not an action; an action begins with one of: {words}.", line=line, words=begins)

    def _value(self, slot: Slot, data: Data, left_out: bool) -> Any:
        key = slot.key
        if key not in data:
            if left_out:
                return None
            raise _missing(key)
        found = data[key]
        if slot.null and found is None:
            return None
        match slot.kind:
            case "piece":
                return self._known(found, key)
            case "pieces" | "some":
                return self._many(found, key, least=int(slot.kind == "some"))
            case "seat":
                if type(found) is not int or not 0 <= found < 1_000_000:
                    raise bad_request("{key} must be the number of a seat, counted from 0.", key=key)
                return found
            case "cell":
                return _cell(found, key)
        if not isinstance(found, str) or found not in self._words[slot.kind]:
            raise bad_request("{key} must be one of {words}.", key=key, words=self._words[slot.kind])
        return found

    def _known(self, word: Json, key: str) -> str:
        if not isinstance(word, str):
            raise bad_request("{key} must be the name of a piece.", key=key)
        if word not in self._pieces:
            name = word if len(word) <= 20 else word[:17] + "..."
            text = Message("There is no piece {piece} in this game.", piece=repr(name))
            raise Illegal("unknown-piece", text, rule=Message("Components"), facts={"piece": name})
        return word

    def _many(self, words: Json, key: str, least: int) -> tuple[str, ...]:
        if not isinstance(words, list) or not least <= len(words) <= MAX_LIST_PIECES:
            raise bad_request(
                "{key} must be a list of {least} to {most} pieces.", key=key, least=least, most=MAX_LIST_PIECES
            )
        return tuple(sorted([self._known(word, key) for word in words], key=self._place))


def _kind(action: type[ActionValue]) -> str:
    kind: str = action._field_defaults["do"]  # type: ignore[attr-defined]
    return kind


def _chosen(kind: str, forms: Sequence[Form], data: Data) -> Form:
    """Return the form of this kind that the data selects by the field that distinguishes the forms."""
    for field in forms[0].fixed:
        found, known = data.get(field), [form.fixed[field] for form in forms]
        facts = {"kind": kind, "field": field, "words": either(known)}
        if not isinstance(found, str):
            raise bad_request("{kind} needs its {field}: {words}.", **facts)
        if found not in known:
            text = Message("The {field} of {kind} can be {words}.", **facts)
            raise Illegal("unknown-action", text, rule=Message("A turn"), facts={field: found[:20]})
        return forms[known.index(found)]
    return forms[0]


def _missing(key: str) -> Illegal:
    return bad_request("The action needs the key {key}.", key=key)


def _flag(data: Data, key: str) -> bool:
    if key not in data:
        raise _missing(key)
    flag = data[key]
    if not isinstance(flag, bool):
        raise bad_request("{key} must be true or false.", key=key)
    return flag


def _cell(cell: Json, key: str) -> tuple[int, int]:
    if not isinstance(cell, list) or len(cell) != 2 or not all(type(number) is int for number in cell):
        raise bad_request("{key} must be two whole numbers, [x, y].", key=key)
    if any(abs(number) > MAX_CELL for number in cell):
        raise bad_request("{key} must lie within {most} cells.", key=key, most=f"{MAX_CELL:,}")
    return (cell[0], cell[1])


class GrammarGame(Game):
    """A game whose actions a grammar reads and writes."""

    grammar: Grammar

    def action(self, data: Json) -> ActionValue:
        """Return the action that the data describes.

        Raises Illegal: ``unknown-action``, ``bad-request`` (a key missing or of a wrong type), ``unknown-piece``.
        """
        return self.grammar.action(data)

    def format(self, action: Action) -> str:
        """Return the action's short notation; ``parse`` is its inverse."""
        return str(action)

    def parse(self, text: str) -> ActionValue:
        """Return the action that a line of short notation describes.

        Raises Illegal: ``bad-request`` naming the form if it cannot be read, ``unknown-piece`` as for data.
        """
        return self.grammar.parse(text)
