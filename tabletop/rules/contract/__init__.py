"""The contract that every game must keep, including games from other packages.

Each ``check_…`` tests one promise and raises :class:`ContractBroken` if it is broken; :func:`check_contract` tests
all of them in seeded random games::

    def test_my_game_keeps_the_contract():
        check_contract(GAME, codes=MEANINGS)

``docs/adding-a-game.md`` explains the promises.
"""

from tabletop.rules.contract.data_shape import ContractBroken
from tabletop.rules.contract.promises import check_contract, check_listed_actions_act, check_records
from tabletop.rules.contract.walks import RandomGame, play_random_game, trace

__all__ = [
    "ContractBroken",
    "RandomGame",
    "check_contract",
    "check_listed_actions_act",
    "check_records",
    "play_random_game",
    "trace",
]
