"""A position as data: one table of fields says how each is shown, how it is read, and who may know it.

Positions are written and read only through this table, so no field can become public by accident.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from tabletop.messages import Message
from tabletop.rules import validate
from tabletop.rules.codec import AS_IS, Codec, PositionDraft
from tabletop.rules.game import Game, Json, Policy, Position
from tabletop.rules.new_game import seats_of
from tabletop.rules.validate import bad, member, must, seat_name, within

THE_POSITION = Message("the position")
REQUIRED: Json = object()
HIDDEN = Policy.NOBODY


class Field(NamedTuple):
    """One field of a position, or of each of its seats."""

    policy: Policy
    """Who may know it."""
    codec: Codec
    value: str | tuple[str, ...] | Callable[..., Any] = ""
    """The attribute of the state if it is not named like the key, the attributes of the value's parts, or a function of
    the state (and of the seat for a seat's field).  A seat's attribute is a tuple with one value per seat."""
    absent: Json = REQUIRED
    """The data that is assumed if the key is missing or null."""
    phases: Container[str] | None = None
    """The phases in which it is read; in the others the state keeps its default value."""
    nullable: bool = False
    """True if None is shown like other values; else it means that the field does not apply in this phase."""
    follows: bool = False
    """True if it follows from the other fields; loading checks that the data agrees with them."""


class Data:
    """Writes and reads a game's positions as data, with the fields of each seat and those of the table."""

    def __init__(
        self,
        game: str,
        seats: Mapping[str, Field],
        table: Mapping[str, Field],
        agreed: Callable[[Any], Mapping[str, Json]] = lambda _: {},
    ) -> None:
        """``agreed`` is what was agreed before the game besides the options."""
        self._game, self._seats, self._table, self._agreed = game, seats, table, agreed
        self._of_seat = [(key, field.policy, _of_seat(key, field)) for key, field in seats.items()]
        self._of_table = [(key, field, _of_table(key, field)) for key, field in table.items()]

    def whole(self, state: Any) -> dict[str, Json]:
        """Return the whole position as the protocol's data, secrets included."""
        seats = [{key: value(state, seat) for key, _, value in self._of_seat} for seat in range(state.seats)]
        return {**self._begin(state), "seats": seats, **{key: found for key, _, found in self._applying(state)}}

    def seen(self, state: Any, viewer: int | None) -> dict[str, Json]:
        """Return what the seat may know (None: a spectator): a number in place of pieces that it may only count."""
        seats = [
            {
                key: _known(value(state, seat), policy, seat == viewer)
                for key, policy, value in self._of_seat
                if policy is not HIDDEN
            }
            for seat in range(state.seats)
        ]
        applying = self._applying(state)
        table = {key: _known(found, policy, own=False) for key, policy, found in applying if policy is not HIDDEN}
        return {**self._begin(state), "seats": seats, **table}

    def hidden(self, state: Any, viewer: int | None) -> dict[str, Json]:
        """Return the pieces that ``seen`` only counts for the seat, by the keys that lead to them: ``seats.1.hand``."""
        found = {
            f"seats.{seat}.{key}": value(state, seat)
            for key, policy, value in self._of_seat
            if policy is Policy.COUNT or policy is Policy.OWNER
            for seat in range(state.seats)
            if seat != viewer or policy is Policy.COUNT
        }
        counted = {key: there for key, policy, there in self._applying(state) if policy is Policy.COUNT}
        return {**found, **counted}

    def _begin(self, state: Any) -> dict[str, Json]:
        return {"game": self._game, "options": state.options._asdict(), **self._agreed(state)}

    def _applying(self, state: Any) -> Iterator[tuple[str, Policy, Json]]:
        for key, field, value in self._of_table:
            found = value(state)
            if found is not None or field.nullable:
                yield key, field.policy, found

    def read(
        self, data: Json, game: Game, options: Callable[[Json, int], Any], phases: Container[str]
    ) -> PositionDraft:
        """Return the draft of the position in the data.  Raises Illegal (``bad-position``) naming what is wrong."""
        if not isinstance(data, dict) or data.get("game") != game.name:
            raise bad('a position is an object with "game": "{game}"', game=game.name)
        seats, among = validate.items(member(data, "seats", THE_POSITION), "seats"), game.seat_range
        must(len(seats) in among, "{game} has {seats}, not {count}",
             game=game.title, seats=seats_of(among), count=len(seats))  # fmt: skip
        chosen = options({} if data.get("options") is None else data["options"], len(seats))
        turn = member(data, "turn", THE_POSITION)
        phase = validate.one_of(member(turn, "phase", "turn"), Message("the phase"), phases)
        named = turn.get("seat")
        decider = None if named is None else validate.number(named, within("seat", "turn"), range(len(seats)))
        draft = PositionDraft(len(seats), chosen, phase, decider)
        for key, field in self._seats.items():
            found = [_read(draft, field, key, seat, seat_name(at)) for at, seat in enumerate(seats)]
            _keep(draft, key, field, tuple(found))
        for key, field in self._table.items():
            if field.phases is None or phase in field.phases:
                _keep(draft, key, field, _read(draft, field, key, data, THE_POSITION))
        return draft

    def check(self, draft: PositionDraft, position: Position) -> None:
        """Raise Illegal if the data contradicts what follows from it: who decides, and the derived fields."""
        decides = Message("chance or nobody") if position.decider is None else seat_name(position.decider)
        must(draft.decider == position.decider, "in the phase {phase} {who} decides", phase=draft.phase, who=decides)
        following = [key for key, field in self._seats.items() if field.follows]
        for at, seat in enumerate(position.to_json()["seats"]):
            for key in following:
                agrees, where = draft.told[key][at] == seat[key], within(key, seat_name(at))
                must(agrees, "{where} must be {value}", where=where, value=str(seat[key]))


TURN = Field(Policy.ALL, AS_IS, lambda state: {"phase": state.phase, "seat": state.decider})
"""The phase and who decides, which :meth:`Data.read` reads before all other fields."""


def _read(draft: PositionDraft, field: Field, key: str, data: Json, where: str) -> Any:
    value = validate.table(data, where).get(key)
    if key not in data or value is None:
        value = member(data, key, where) if field.absent is REQUIRED else field.absent
    return field.codec.read(value, key if where is THE_POSITION else within(key, where), draft)


def _keep(draft: PositionDraft, key: str, field: Field, value: Any) -> None:
    if callable(field.value):
        draft.told[key] = value
    elif isinstance(field.value, tuple):
        draft.fields.update(zip(field.value, value, strict=True))
    else:
        draft.fields[field.value or key] = value


def _of_table(key: str, field: Field) -> Callable[[Any], Json]:
    """Return a function that shows a field of the table."""
    names = (field.value or key,) if isinstance(field.value, str) else field.value
    get, show = names if callable(names) else attrgetter(*names), field.codec.show
    return get if show is None else lambda state: show(get(state))


def _of_seat(key: str, field: Field) -> Callable[[Any, int], Json]:
    """Return a function that shows a field of a seat."""
    get, show = field.value, field.codec.show
    if callable(get):
        return get if show is None else lambda state, seat: show(get(state, seat))
    row = _of_table(key, field._replace(codec=AS_IS))
    if show is None:
        return lambda state, seat: row(state)[seat]
    return lambda state, seat: show(row(state)[seat])


def _known(value: Json, policy: Policy, own: bool) -> Json:
    """Return the value, or only its length if the policy hides the pieces from the viewer."""
    return value if policy is Policy.ALL or (own and policy is Policy.OWNER) else len(value)
