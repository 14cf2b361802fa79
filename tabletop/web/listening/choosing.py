"""Acting by ear: every action of the seat that decides is chosen from lists, one step at a time.

A step lists what may be chosen next, says what is chosen so far and what it costs, and why the rest is not possible.
Where an action names a set of pieces (a payment, a bid), the cheapest sets are offered as a whole; any other one is put
together piece by piece, and the rules say at each piece what is still wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from tabletop.rules.game import Illegal, Json, Position
from tabletop.rules.secrecy import known_pieces
from tabletop.web.games.choice import Choice
from tabletop.web.games.game_ui import AnyUI, Names
from tabletop.web.i18n import gettext as _
from tabletop.web.listening.view_reader import Reader

MAX_OFFERED_SETS = 4
"""How many sets of pieces are offered as a whole if there are more than :data:`MAX_LISTED_SETS`."""
MAX_LISTED_SETS = 6

Fields = Mapping[str, Json]


class ChoiceDraft(NamedTuple):
    """An action as far as it is chosen; ``pieces`` are those taken one by one for the next field, else None."""

    fields: Fields
    pieces: tuple[str, ...] | None = None


EMPTY_DRAFT = ChoiceDraft({})


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to choose: its words, and the action that it sends (``data``) or the draft that it leads to.

    ``tell`` returns what the action costs and earns.
    """

    title: str
    data: Fields | None = None
    leads: ChoiceDraft | None = None
    tell: Callable[[], str] = str

    @property
    def said(self) -> str:
        """The option in words, with what it costs and earns."""
        more = self.tell()
        return f"{self.title}: {more}" if more else self.title


class ChoiceStep:
    """One step: what to choose now (``heading``), what is taken so far, the options, and what is closed and why.

    Each is worked out only when it is needed: a step on the way to another one needs no reasons.
    """

    def __init__(self, chooser: Chooser, draft: ChoiceDraft) -> None:
        self._chooser, self._draft = chooser, draft

    @cached_property
    def heading(self) -> str:
        """The choices made so far, then what to choose now."""
        return self._chooser.heading(self._draft)

    @cached_property
    def said(self) -> str:
        """The sentences on the pieces that were taken one by one, empty unless they are."""
        return "" if self._draft.pieces is None else self._chooser.so_far(self._draft)

    @cached_property
    def options(self) -> Sequence[Option]:
        """The options that may be chosen."""
        return self._chooser.options(self._draft)

    @cached_property
    def closed(self) -> Sequence[tuple[str, str]]:
        """The options that cannot be chosen here, each with the reason."""
        return list(self._chooser.closed(self._draft))


class Chooser:
    """The steps that lead to every action of the seat that decides in a position."""

    def __init__(self, ui: AnyUI, position: Position, names: Names) -> None:
        self._ui, self._position, self._names = ui, position, names
        self._reader = Reader(ui, position, names, position.decider)

    def step(self, path: Sequence[int] = ()) -> ChoiceStep | None:
        """Return the step to which the options of these numbers lead; None if they lead nowhere."""
        draft = EMPTY_DRAFT
        for at in path:
            options = self.options(draft)
            option = options[at] if 0 <= at < len(options) else None
            if option is None or option.leads is None:
                return None
            draft = option.leads
        return self.at(draft)

    def at(self, draft: ChoiceDraft) -> ChoiceStep:
        """Return the step of a draft."""
        return ChoiceStep(self, draft)

    def options(self, draft: ChoiceDraft) -> list[Option]:
        """Return what may be chosen next."""
        rows = self._rows(draft.fields)
        key = self._next(draft.fields, rows)
        if key is not None:
            draft = ChoiceDraft(self._settled(draft.fields, key, rows), draft.pieces)
        if draft.pieces is not None:
            return list(self._piece_by_piece(draft, key, rows))
        if key is None:
            return [self._act(row, self._named(row, draft.fields)) for row in rows]
        if isinstance(rows[0].get(key), list) and self._pieces_of(key, rows):
            return self._sets(draft, key, rows)
        return [self._option(draft, key, value, rows) for value in _distinct(key, rows)]

    # ---- the options of one field

    def _option(self, draft: ChoiceDraft, key: str, value: Json, rows: Sequence[Fields]) -> Option:
        """Return the option that gives a field this value."""
        fields = {**draft.fields, key: value}
        left = [row for row in rows if row.get(key) == value]
        if len(left) == 1 and not any(self._is_set(name, left) for name in left[0] if name not in fields):
            return self._act(left[0], self._named(left[0], draft.fields))
        return Option(self._title(str(fields["do"]), key, value), leads=ChoiceDraft(fields))

    def _sets(self, draft: ChoiceDraft, key: str, rows: Sequence[Fields]) -> list[Option]:
        """Return the sets of pieces that are offered as a whole, the cheapest first, and the way piece by piece."""
        values = _distinct(key, sorted(rows, key=self._cost))
        offered = values if len(values) <= MAX_LISTED_SETS else values[:MAX_OFFERED_SETS]
        sets = [self._option(draft, key, value, rows) for value in offered]
        if len(self._candidates(key, rows)) > 1:
            sets.append(Option(_("Choose piece by piece"), leads=ChoiceDraft(draft.fields, ())))
        return sets

    def _piece_by_piece(self, draft: ChoiceDraft, key: str | None, rows: Sequence[Fields]) -> Iterator[Option]:
        """Iterate over the ways to complete a set, and the pieces that can be added to it."""
        assert key is not None
        assert draft.pieces is not None
        fields, more = {**draft.fields, key: list(draft.pieces)}, self._has_more(key, rows)
        if more:
            whole = next((row[key] for row in rows if sorted(row[key]) == sorted(draft.pieces)), None)
            if whole is not None:
                yield Option(_("That is all"), leads=ChoiceDraft({**fields, key: whole}))
        else:
            for rest in self._rests(key, rows):
                data = self._legal({**fields, **rest})
                if data is not None:
                    words = [self._title(str(data["do"]), name, value) for name, value in rest.items()]
                    yield self._act(data, ", ".join([_("That is all"), *words]))
        for piece in self._candidates(key, rows):
            if piece not in draft.pieces:
                title = _("Add %(piece)s", piece=self._reader.word(piece))
                yield Option(title, leads=ChoiceDraft(draft.fields, (*draft.pieces, piece)))

    def _legal(self, fields: Fields) -> Fields | None:
        """Return the data of an action, None if it is refused."""
        try:
            action = self._position.game.action(dict(fields))
        except Illegal:
            return None
        data: Fields = action.to_json()
        return data if self._position.refusal(action) is None else None

    def _rests(self, key: str, rows: Sequence[Fields]) -> Sequence[Fields]:
        """Return the possible values of the fields that follow a set; a truth value may be either."""
        names = [name for name in rows[0] if name not in (*self._before(key, rows), key)]
        rests: list[dict[str, Json]] = [{}]
        for name in names:
            values = _distinct(name, rows)
            values = [False, True] if isinstance(values[0], bool) else values
            rests = [{**rest, name: value} for rest in rests for value in values]
        return rests

    def _has_more(self, key: str, rows: Sequence[Fields]) -> bool:
        """Return whether another set of pieces is to be chosen after this one."""
        return any(self._is_set(name, rows) for name in rows[0] if name not in (*self._before(key, rows), key))

    @staticmethod
    def _before(key: str, rows: Sequence[Fields]) -> list[str]:
        names = list(rows[0])
        return names[: names.index(key)]

    # ---- what the actions are

    @cached_property
    def _every(self) -> list[Fields]:
        """The actions that a person would consider, as data."""
        return [action.to_json() for action in self._position.legal.thrifty()]

    def _rows(self, fields: Fields) -> list[Fields]:
        """Return the actions that have these fields."""
        wanted = fields.items()
        return [row for row in self._every if all(row.get(key) == value for key, value in wanted)]

    def _next(self, fields: Fields, rows: Sequence[Fields]) -> str | None:
        """Return the first field that is still to be chosen, None if nothing is."""
        if not fields and len(rows) > 1 and len(_distinct("do", rows)) == 1:
            fields = {"do": rows[0]["do"]}
        for key in dict.fromkeys(key for row in rows for key in row):
            if key not in fields and (self._is_set(key, rows) or len(_distinct(key, rows)) > 1):
                return key
        return None

    @staticmethod
    def _settled(fields: Fields, key: str, rows: Sequence[Fields]) -> Fields:
        """Return the fields plus those before ``key`` that have the same value in all actions that are left."""
        before = list(rows[0])[: list(rows[0]).index(key)] if key in rows[0] else []
        return {**fields, **{name: rows[0][name] for name in before if len(_distinct(name, rows)) == 1}}

    def _is_set(self, key: str, rows: Sequence[Fields]) -> bool:
        return any(isinstance(row.get(key), list) for row in rows) and bool(self._pieces_of(key, rows))

    def _pieces_of(self, key: str, rows: Sequence[Fields]) -> set[str]:
        """Return the pieces that the sets of a field name."""
        named = {word for row in rows for word in row.get(key) or () if isinstance(word, str)}
        return named & self._position.game.pieces.keys()

    def _candidates(self, key: str, rows: Sequence[Fields]) -> list[str]:
        """Return the pieces that a set might be made of: all known ones in the zones of the pieces of these sets."""
        named, layout = self._pieces_of(key, rows), self._position.layout()
        order = list(self._position.game.pieces)
        if self._has_more(key, rows):
            return sorted(named, key=order.index)
        zones = {zone for zone in layout if not named.isdisjoint(layout.pieces(zone))}
        there = {piece for zone in zones for piece in layout.pieces(zone)}
        return sorted(named | (there & known_pieces(self._position, self._position.decider)), key=order.index)

    def _cost(self, row: Fields) -> Any:
        cost = self._ui.spoken.cost
        if cost is not None:
            return cost(self._position, self._position.game.action(dict(row)))
        return sum(len(value) for value in row.values() if isinstance(value, list))

    # ---- words

    def _act(self, row: Fields, title: str) -> Option:
        action = self._position.game.action(dict(row))
        return Option(title, data=row, tell=lambda: self._ui.brings(self._position, action))

    def _named(self, row: Fields, known: Fields) -> str:
        """Return an action by all of its fields except those already chosen."""
        said = [self._title(str(row["do"]), key, value) for key, value in row.items() if key not in known]
        return ", ".join(filter(None, said))

    def _title(self, do: str, key: str, value: Json) -> str:
        """Return what an option is called."""
        acts = self._ui.spoken.acts
        if key == "do":
            return _(acts[do]) if do in acts else self._reader.word(do)
        named = f"{do}.{key}={'' if value is None else str(value).lower() if isinstance(value, bool) else value}"
        if named in acts:
            return _(acts[named])
        return "" if value is None else self._ui.in_words(self._position, key, value) or self._labelled(key, value)

    def _labelled(self, key: str, value: Json) -> str:
        said = self._reader.value(value)
        return f"{key}: {said}" if isinstance(value, bool) else said

    def heading(self, draft: ChoiceDraft) -> str:
        """Return the choices made so far, then what to choose now."""
        rows = self._rows(draft.fields)
        key = self._next(draft.fields, rows)
        do = str(rows[0]["do"]) if rows and len(_distinct("do", rows)) == 1 else ""
        if key is None or key == "do" or not do:
            return self._ui.deciding(self._position, True, self._names[self._position.decider or 0])
        acts = self._ui.spoken.acts
        chosen = [self._title(do, name, value) for name, value in draft.fields.items()] or [self._title(do, "do", do)]
        asked = acts.get(f"{do}.{key}")
        asked = _(asked) if asked else _("Which one? (%(what)s)", what=self._reader.word(key))
        return f"{', '.join(chosen)}. {asked}"

    def so_far(self, draft: ChoiceDraft) -> str:
        """Return the pieces that were taken one by one, what they cost, and why they are not enough yet."""
        rows = self._rows(draft.fields)
        key = self._next(draft.fields, rows)
        assert key is not None
        if not draft.pieces:
            return _("Nothing is chosen yet.")
        said = [_("Chosen: %(pieces)s.", pieces=self._reader.value(draft.pieces))]
        if not self._has_more(key, rows):
            preview = self._ui.preview(
                self._position, {**draft.fields, key: list(draft.pieces), **self._rests(key, rows)[0]}
            )
            said += [f"{name}: {value}." for name, value in preview.facts]
            said.append(preview.text)
        return " ".join(filter(None, said))

    def closed(self, draft: ChoiceDraft) -> Iterator[tuple[str, str]]:
        """Iterate over what cannot be chosen here, each with the reason."""
        if draft.pieces is not None or self._position.decider is None:
            return
        for choice in self._ui.closed(self._position):
            if choice.refusal is not None and self._belongs(choice, draft.fields):
                pieces = [self._reader.word(piece) for piece in choice.pieces]
                yield ", ".join(filter(None, [choice.title, *pieces])), self._ui.explain(choice.refusal)

    def _belongs(self, choice: Choice, fields: Fields) -> bool:
        """Return whether a closed choice belongs to this step: it fits what is chosen, but not the options offered."""
        rows = self._rows(fields)
        key = self._next(fields, rows)
        agrees = all(choice.data.get(name, value) == value for name, value in fields.items())
        if not agrees or key is None:
            return False
        if key == "do":
            return choice.data.get("do") not in _distinct("do", rows)
        return choice.data.get("do") == rows[0]["do"] and choice.data.get(key) not in _distinct(key, rows)


def _distinct(key: str, rows: Sequence[Fields]) -> list[Json]:
    """Return the values of a field, each once, in their order."""
    distinct: list[Json] = []
    for row in rows:
        value = row.get(key)
        if value not in distinct:
            distinct.append(value)
    return distinct
