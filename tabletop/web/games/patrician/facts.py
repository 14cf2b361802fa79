"""Facts for Patrician's templates besides what every page has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypedDict

from tabletop.rules.game import View
from tabletop.web.games.game_facts import BoardFacts
from tabletop.web.games.generic_view import GenericChoices
from tabletop.web.games.patrician.cards import Card
from tabletop.web.games.patrician.cities import Drawn, Scored


class Reckoned(TypedDict):
    """The parts of each seat's points, their sum, and what may come on top."""

    parts: Sequence[Sequence[Scored]]
    standing: Sequence[int | None]
    unknown: Sequence[str]


class PatricianBoard(BoardFacts):
    """The cities with their towers and the cards beside them; ``head_set`` is (how many heads, points)."""

    view: View
    face: Callable[[str], Card]
    cities: Sequence[Drawn]
    deck: int
    head_set: tuple[int, int]


class PatricianChoices(GenericChoices, Reckoned):
    """The heads that a seat has played as (name, in words, how many), its hand, and what it may do."""

    own_heads: Sequence[tuple[str, str, int]]
