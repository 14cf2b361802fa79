"""Every option of every game is told in words."""

from __future__ import annotations

import pytest

from tabletop.rules import registry
from tabletop.web.games.rule_options import FREE_SENTENCES, SENTENCES, sentences


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_every_value_of_every_option_has_its_sentence(name: str) -> None:
    game = registry.game(name)
    for option, values in game.options.items():
        if option not in (*FREE_SENTENCES, "first_seat"):
            assert set(SENTENCES[option]) == set(values), option


def test_an_option_of_a_game_from_elsewhere_is_shown_as_it_is() -> None:
    position = registry.game("patrician").new(["Anna", "Ben"])

    class Odd:
        def to_json(self) -> dict:
            return {"options": {"first_seat": 1, "odd": 3, **position.to_json()["options"]}}

    assert sentences(Odd(), ["Anna", "Ben"])[:2] == ["Anna starts.", "odd: 3"]  # type: ignore[arg-type]
