"""The referee protocol: one answer to each request, for every game.

A :class:`ProtocolReferee` holds one game and turns a request (a dict) into an answer (a dict); its ``answer_line`` does
the same for a line of text.  Neither raises for anything that a driver sends: garbage gets ``bad-request``, and a
refused request changes nothing.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from typing import NamedTuple

from tabletop.messages import Message
from tabletop.rules import registry
from tabletop.rules.game import Action, Illegal, Json, Position
from tabletop.rules.refusals import bad_request
from tabletop.rules.text import recorder
from tabletop.rules.text.position_text import format_position, parse_line, parse_position
from tabletop.rules.validate import NOT_ALLOWED, seat_name, unfit

MAX_REQUEST_LENGTH = 1_000_000
"""A longer request is refused unread; a position of any game takes a few thousand characters."""
MAX_REQUEST_BYTES = 4 * (MAX_REQUEST_LENGTH + 2)
"""The most bytes to read of a line: a little more than the longest request in UTF-8, so that a longer one shows."""
MAX_SEED = 10**300
MAX_SEATS = 20


class _UndoPoint(NamedTuple):
    """What an undo returns to: a position, and how many actions had been done by then."""

    position: Position
    done: int


def _refused(reason: Illegal) -> dict[str, Json]:
    return {"ok": False, "error": reason.to_json()}


class ProtocolReferee:
    """One game behind the protocol.  With a seed it draws chance itself; undo takes back a ``do`` and what followed."""

    def __init__(self) -> None:
        self._position: Position | None = None
        self._start: Position | None = None
        self._actions: list[Action] = []
        self._steps: list[_UndoPoint] = []
        self._seed: int | None = None
        self._commands: Mapping[str, Callable[[Mapping[str, Json]], dict[str, Json]]] = {
            "new": self._new,
            "load": self._load,
            "legal": self._legal,
            "do": self._do,
            "undo": self._undo,
            "position": lambda _: {"position": self.position.to_json(), "line": format_position(self.position)},
            "view": self._view,
            "score": self._score,
            "record": self._record,
            "layout": lambda _: {"layout": self.position.layout().to_json()},
        }

    @property
    def position(self) -> Position:
        """The position now.  Raises Illegal (``bad-request``) before the first ``new`` or ``load``."""
        return self._require_game()

    def answer_line(self, line: str) -> str:
        """Return the answer to one line of JSON, as one line without a line break."""
        if len(line) > MAX_REQUEST_LENGTH:
            answer = _refused(bad_request("A request has at most {most} characters.", most=MAX_REQUEST_LENGTH))
        else:
            try:
                request = json.loads(line)
            except (ValueError, RecursionError):
                answer = _refused(bad_request("The request is not JSON."))
            else:
                answer = self.answer(request)
        return json.dumps(answer, separators=(",", ":"))

    def answer(self, request: Json) -> dict[str, Json]:
        """Return the answer to one request."""
        try:
            if not isinstance(request, dict):
                raise bad_request("A request must be an object.")
            command = request.get("cmd")
            if not isinstance(command, str) or command not in self._commands:
                raise bad_request("cmd must be one of: {commands}.", commands=tuple(self._commands))
            return {"ok": True, **self._commands[command](request)}
        except Illegal as reason:
            return _refused(reason)

    # ---- commands

    def _new(self, request: Mapping[str, Json]) -> dict[str, Json]:
        name, seats, seed = request.get("game"), request.get("seats"), request.get("seed")
        if not isinstance(name, str):
            raise bad_request("new needs the name of a game.")
        if not isinstance(seats, list) or len(seats) > MAX_SEATS or not all(isinstance(seat, str) for seat in seats):
            raise bad_request("new needs seats: a list of names.")
        if code := unfit(seats):
            raise bad_request("The name of a seat contains {code}: {not_allowed}.", code=code, not_allowed=NOT_ALLOWED)
        if seed is not None and (type(seed) is not int or abs(seed) > MAX_SEED):
            raise bad_request("A seed is a whole number of at most 300 digits.")
        options = request.get("options")
        if options is not None and not isinstance(options, dict):
            raise bad_request("The options must be an object.")
        game = registry.game(name)
        self._begin(game.new(seats, options, request.get("edition")), seed)
        return self._turn(self._draw_chance())

    def _load(self, request: Mapping[str, Json]) -> dict[str, Json]:
        sent = request.get("position")
        data = parse_line(sent) if isinstance(sent, str) else sent
        if not isinstance(data, dict):
            raise bad_request("load needs a position: an object, or one line of text.")
        name = data.get("game")
        if not isinstance(name, str):
            raise Illegal("bad-position", Message("The position does not say of which game it is."))
        try:
            game = registry.game(name)
        except Illegal as unknown:
            raise Illegal("bad-position", unknown.message) from None
        self._begin(parse_position(game, sent) if isinstance(sent, str) else game.load(data), None)
        return self._turn([])

    def _legal(self, request: Mapping[str, Json]) -> dict[str, Json]:
        return {"actions": [action.to_json() for action in self.position.legal]}

    def _do(self, request: Mapping[str, Json]) -> dict[str, Json]:
        position, data = self.position, request.get("action")
        if not isinstance(data, dict):
            raise bad_request("do needs an action: an object.")
        action = position.game.action(data)
        # A deal names its seat as part of the action; in all others the key says which seat is acting.
        if "seat" in data and "seat" not in action.to_json() and not position.over:
            self._check_seat(data["seat"], position)
        following = position.after(action)
        self._steps.append(_UndoPoint(position, len(self._actions)))
        self._actions.append(action)
        self._position = following
        return self._turn(self._draw_chance())

    def _undo(self, request: Mapping[str, Json]) -> dict[str, Json]:
        self._require_game()
        if not self._steps:
            raise bad_request("There is nothing to undo.")
        step = self._steps.pop()
        self._position = step.position
        del self._actions[step.done :]
        return self._turn([])

    def _view(self, request: Mapping[str, Json]) -> dict[str, Json]:
        position = self.position
        if "seat" not in request:
            raise bad_request("view needs a seat, or null for a spectator.")
        seat = request["seat"]
        if seat is not None and (type(seat) is not int or not 0 <= seat < len(position.names)):
            raise bad_request("A seat is a whole number from 0 to {most}, or null.", most=len(position.names) - 1)
        return {"view": position.view(seat)}

    def _score(self, request: Mapping[str, Json]) -> dict[str, Json]:
        return {"seats": [score._asdict() for score in self.position.score()]}

    def _record(self, request: Mapping[str, Json]) -> dict[str, Json]:
        self._require_game()
        assert self._start is not None
        return {"record": recorder.write(self._start, self._actions)}

    # ---- parts

    def _begin(self, position: Position, seed: int | None) -> None:
        self._position, self._start, self._seed = position, position, seed
        self._actions, self._steps = [], []

    def _require_game(self) -> Position:
        """Return the position.  Raises Illegal (``bad-request``) if no game has begun."""
        if self._position is None:
            raise bad_request("There is no game yet: begin with new or load.")
        return self._position

    @staticmethod
    def _check_seat(seat: Json, position: Position) -> None:
        if seat is not None and type(seat) is not int:
            raise bad_request("seat must be a whole number from 0.")
        if seat != position.decider:
            who = Message("chance") if position.decider is None else seat_name(position.decider)
            text = Message("Now {who} decides.", who=who)
            raise Illegal("not-your-turn", text, rule=Message("A turn"), facts={"decider": position.decider})

    def _draw_chance(self) -> list[Action]:
        """If there is a seed, carry out every chance action that is due, and return them.

        Each draw has a generator of its own, made from the seed and the number of the action, so that the same
        actions after an undo bring the same chance.
        """
        drawn: list[Action] = []
        if self._seed is None:
            return drawn
        while self.position.decider is None and not self.position.over:
            rng = random.Random(f"{self._seed}/{len(self._actions)}")
            action = self.position.game.draw(self.position, rng)
            self._position = self.position.after(action)
            self._actions.append(action)
            drawn.append(action)
        return drawn

    def _turn(self, events: list[Action]) -> dict[str, Json]:
        turn = {"phase": self.position.phase, "seat": self.position.decider}
        return {"turn": turn, "events": [action.to_json() for action in events]}
