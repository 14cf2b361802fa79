"""The phases of Patrician: what each one waits for, and the rule of each kind of action in it."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.messages import Message
from tabletop.rules.patrician.phases import turn
from tabletop.rules.phase import Phase, Rule, never

REVEAL = Rule(turn.reveals, turn.why_not_reveal, turn.reveal)

PHASES: Mapping[str, Phase] = {
    "deal": Phase(Message("dealing the hands"), deal=Rule(turn.deals, turn.why_not_deal, turn.deal)),
    "setup": Phase(Message("laying out the cards beside the cities"), reveal=REVEAL),
    "play": Phase(Message("playing a card"), play=Rule(turn.plays, turn.why_not_play, turn.play)),
    "floor": Phase(Message("placing a floor"), floor=Rule(turn.floors, turn.why_not_floor, turn.floor)),
    "move": Phase(
        Message("moving a floor, or skipping that"),
        move=Rule(turn.possible_moves, turn.why_not_move, turn.move),
        skip=Rule(turn.skips, never, turn.skip),
    ),
    "take": Phase(Message("taking a card from beside a city"), take=Rule(turn.takes, turn.why_not_take, turn.take)),
    "reveal": Phase(Message("turning up a card beside a city"), reveal=REVEAL),
    "over": Phase(),
}
