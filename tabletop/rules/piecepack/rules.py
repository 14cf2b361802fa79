"""The phases of Palazzo for the piecepack: what each waits for, and the rule of each kind of action in it."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.messages import Message
from tabletop.rules.phase import Phase, Rule
from tabletop.rules.piecepack.phases import acting, chance, placing

REVEAL = Rule(chance.reveals, chance.why_not_reveal, chance.reveal)
PLACING: Mapping[str, Rule] = {
    "build": Rule(placing.builds, placing.why_not_build, placing.build),
    "keep": Rule(placing.keeps, placing.why_not_keep, placing.keep),
}

PHASES: Mapping[str, Phase] = {
    "setup": Phase(Message("turning up the first pieces"), reveal=REVEAL),
    "deal": Phase(Message("dealing the coins"), deal=Rule(chance.deals, chance.why_not_deal, chance.deal)),
    "action": Phase(
        Message("the choice of coin, reserve, turret or purchase"),
        coin=Rule(acting.coins, acting.why_not_coin, acting.coin),
        reserve=Rule(acting.reserves, acting.why_not_reserve, acting.reserve),
        turret=Rule(acting.turrets, acting.why_not_turret, acting.turret),
        purchase=Rule(acting.purchases, acting.why_not_purchase, acting.purchase, acting.thrifty_purchases),
        # A structure is placed among the actions while an exact payment's extra action is open.
        **PLACING,
        **{"pass": Rule(acting.passes, acting.why_not_pass, acting.pass_on)},
    ),
    "place": Phase(Message("placing the structure"), **PLACING),
    "reveal": Phase(Message("turning up the next piece"), reveal=REVEAL),
    "over": Phase(),
}

SEAT_PHASES = frozenset({"action", "place"})
"""The phases in which the active seat decides; in the others chance does, or nobody."""
