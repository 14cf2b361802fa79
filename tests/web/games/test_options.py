"""Every option of every game is explained in words."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tabletop.rules import registry
from tabletop.rules.game import Json
from tabletop.web.games import ui_of
from tabletop.web.games.game_ui import AnyUI
from tabletop.web.games.rule_options import sentences


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_every_value_of_every_option_has_its_sentence(name: str) -> None:
    game = registry.game(name)
    ui = ui_of(game)
    for option, values in game.options.items():
        if option not in (*ui.any_option, "first_seat"):
            assert set(ui.options[option]) == set(values), option


def test_an_option_that_a_game_does_not_explain_is_shown_as_it_is() -> None:
    position = registry.game("patrician").new(["Anna", "Ben"])

    class Odd:
        def to_json(self) -> dict[str, Json]:
            return {"options": {"first_seat": 0, "odd": 3, "even": False}}

    class OddUI(AnyUI):
        options: Mapping[str, Mapping[Json, str]] = {"odd": {3: "Three is odd."}}

    names = ["Anna", "Ben"]
    bare = AnyUI("odd", position.game.pieces)
    assert sentences(Odd(), bare, names) == ["Anna starts.", "odd: 3", "even: no"]  # type: ignore[arg-type]
    told = OddUI("odd", position.game.pieces)
    assert sentences(Odd(), told, names) == ["Anna starts.", "Three is odd.", "even: no"]  # type: ignore[arg-type]
