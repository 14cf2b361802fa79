"""From the key of a reason to the refusal a player reads: the facts that its sentence names, filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Formatter
from typing import Any

from tabletop.rules.game import Action, Illegal, Json
from tabletop.rules.patrician.actions import Move
from tabletop.rules.patrician.components import CITIES, HAND, NUMBER, SITES, City
from tabletop.rules.patrician.phases.reasons import REASONS
from tabletop.rules.patrician.phases.turn import PHASES, moves, offers, undealable
from tabletop.rules.patrician.state import State
from tabletop.rules.refusals import nearest, refuse

WORDS: Mapping[str, str] = {
    "deal": "dealing the hands",
    "setup": "laying out the market",
    "play": "playing a card",
    "floor": "placing a floor",
    "move": "moving a floor, or doing without",
    "take": "taking a market card",
    "reveal": "turning up a card for the market",
}
"""What each phase waits for, in words for a sentence."""


def explain(state: State, key: str, action: Action) -> Illegal:
    """Return the refusal for a reason: its facts, and the legal action of a seat that is nearest where one is."""
    reason = REASONS[key]
    data = action.to_json()
    facts = {name: FACTS[name](state, data) for _, name, _, _ in Formatter().parse(reason.template) if name}
    legal = [] if state.decider is None else PHASES[state.phase].options(state)
    return refuse(reason, nearest(action, legal), **facts)


def _city(state: State, data: Mapping[str, Any]) -> City:
    """The city that the action names, or the one just built in."""
    return CITIES[NUMBER[data["city"]] if "city" in data else state.built]


def _name(state: State, data: Mapping[str, Any]) -> str:
    named = "city" in data and NUMBER.get(data["city"], len(state.market)) >= len(state.market)
    return str(data["city"]) if named else _city(state, data).title


def _card(state: State, data: Mapping[str, Any]) -> Json:
    if "cards" in data:
        return undealable(state, tuple(data["cards"]))
    return data.get("card") or data.get("piece")


def _movable(state: State) -> list[str]:
    """The cities in which the seat may move a floor."""
    return [move.city for move in moves(state) if isinstance(move, Move)]


FACTS: Mapping[str, Callable[[State, Mapping[str, Any]], Json]] = {
    "do": lambda _, data: data["do"],
    "phase": lambda state, _: WORDS[state.phase],
    "due": lambda state, _: state.due + 1,
    "seat": lambda _, data: data["seat"] + 1,
    "needed": lambda _, __: HAND,
    "number": lambda _, data: len(data["cards"]),
    "card": _card,
    "city": _name,
    "capacity": lambda state, data: _city(state, data).capacity,
    "site": lambda _, data: data.get("site") or data.get("from"),
    "other": lambda _, data: SITES[1 - SITES.index(data.get("site") or data["from"])],
    "movable": lambda state, _: " or ".join(dict.fromkeys([CITIES[NUMBER[city]].title for city in _movable(state)])),
    "beside": lambda state, data: CITIES[state.market.index(data["card"])].title,
    "offer": lambda state, _: offers(state)[0],
}
"""How each fact is read from the position and the refused action, by the name that sentences use; people count seats
from 1."""
