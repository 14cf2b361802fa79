"""In Palazzo for the piecepack, players build by taps on their palazzo and buy by taps on coins."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import cast

from doubles.positions import decided
from tabletop.rules.game import Action, Position
from tabletop.rules.piecepack.position import PiecepackPosition
from tabletop.rules.registry import game
from tabletop.web.games import ui_of
from tabletop.web.games.piecepack import buying, plots
from tabletop.web.games.piecepack.facts import PiecepackChoices
from tabletop.web.i18n import in_language

GAME = game("piecepack")
OFTEN = {"purchase": 6, "build": 6, "reserve": 3, "turret": 2, "keep": 1}


def a_game(seed: int) -> Iterator[PiecepackPosition]:
    """Iterate over the positions of a game with much building in which a seat decides."""
    return cast(Iterator[PiecepackPosition], decided(GAME, seed, _building))


def _building(rng: random.Random, position: Position) -> Action:
    kinds = sorted({one.do for one in position.legal.thrifty()})
    (kind,) = rng.choices(kinds, [OFTEN.get(one, 1) for one in kinds])
    return rng.choice([one for one in position.legal.thrifty() if one.do == kind])


def desk_at(position: Position) -> PiecepackChoices:
    assert position.decider is not None
    with in_language("en"):
        return cast(PiecepackChoices, ui_of(GAME).hand_and_choices(position, position.decider, over=False))


def tapped(plot: plots.Plot) -> Iterator[Action]:
    for row in plot.rows:
        for spot in row:
            if spot.choice:
                yield GAME.action(dict(spot.choice.data))


def offered(desk: PiecepackChoices) -> list[Action]:
    """Return every action except purchases that one tap performs."""
    found = [action for plot, _keep in desk["builds"] for action in tapped(plot)]
    found += [GAME.action(dict(keep.data)) for _plot, keep in desk["builds"] if not keep.refusal]
    for plot in [*desk.get("reserves", ()), *(desk[key] for key in ("turret", "removal") if key in desk)]:
        found += tapped(plot)
    return found + [GAME.action(dict(one.data)) for one in desk.get("coins", ()) if not one.refusal]


def test_the_taps_are_the_legal_acts() -> None:
    """Exactly the legal actions other than purchases and passing can be tapped on bank and palazzi."""
    kinds = set()
    for position in list(a_game(7))[::3]:
        legal = {one for one in position.legal if one.do not in ("purchase", "pass")}
        kinds |= {one.do for one in legal}
        first = not any(position.to_json()["seats"][position.active]["palazzo"].values())
        taps = offered(desk_at(position))
        assert all(position.refusal(one) is None for one in taps)
        if first:
            assert {one.do for one in taps} == {one.do for one in legal}
        else:
            # Coins of one value are copies, of which the rules list one.
            assert {one for one in taps if one.do != "coin"} == {one for one in legal if one.do != "coin"}
    assert {"coin", "reserve", "turret", "build", "keep"} <= kinds


def test_what_is_closed_says_why() -> None:
    """Each free neighbouring cell and each structure is open, or closed with a reason that contains no number."""
    seen = set()
    for position in list(a_game(7)):
        found = desk_at(position)
        plans = [*(plot for plot, _keep in found["builds"]), *found.get("reserves", ())]
        plans += [found["removal"]] if "removal" in found else []
        for closed in (one for plot in plans for one in plot.closed):
            assert closed.refusal
            with in_language("en"):
                told = ui_of(GAME).explain(closed.refusal)
            assert "[" not in told
            assert closed.title
            seen.add(closed.refusal.code)
    assert {"clashing-neighbour", "splits-the-palazzo"} <= seen


def test_offers_are_legal_payments_without_needless_loss() -> None:
    """If a structure can be paid exactly, only exact payments are offered; each payment is a legal purchase."""
    exact = lossy = 0
    for position in list(a_game(9))[::3]:
        offers = buying.offers(position) if position.phase == "action" else []
        for offer in offers:
            data = {"do": "purchase", "structure": offer.structure, "pay": list(offer.coins), "die": bool(offer.die)}
            assert position.refusal(GAME.action(data)) is None
            exact, lossy = exact + (not offer.lost), lossy + bool(offer.lost)
        assert (
            len({offer.structure for offer in offers if offer.lost} & {o.structure for o in offers if not o.lost}) == 0
        )
    assert exact
    assert lossy


def test_a_preview_says_what_a_purchase_costs_and_brings() -> None:
    """The points shown are those that building the structure scores at once, wherever it is placed."""
    ui = ui_of(GAME)
    for position in list(a_game(11))[::5]:
        for offer in buying.offers(position) if position.phase == "action" else ():
            draft = {"do": "purchase", "structure": offer.structure, "pay": list(offer.coins), "die": bool(offer.die)}
            with in_language("en"):
                preview = ui.preview(position, draft)
            facts = dict(preview.facts)
            assert preview.ok
            assert ("Paid exactly" in preview.text) == (not offer.lost)
            after = position.after(GAME.action(draft))
            gains = {plot.gain for plot in [plots.to_build(settled(after), offer.structure)]}
            assert facts.get("Points once built") == next((f"{gain:+}" for gain in gains if gain is not None), None)


def settled(position: PiecepackPosition) -> PiecepackPosition:
    """Return the position after all draws of chance."""
    rng = random.Random(1)
    while position.decider is None:
        position = position.after(GAME.draw(position, rng))
    return position


def test_a_preview_asks_for_what_is_missing() -> None:
    position = next(a_game(1))
    structure = position.to_json()["yard"][0]
    ui = ui_of(GAME)
    with in_language("en"):
        nothing = ui.preview(position, {"do": "purchase", "pay": [], "die": False})
        unpaid = ui.preview(position, {"do": "purchase", "structure": structure, "pay": [], "die": False})
    assert (nothing.ok, nothing.text) == (False, "Tap a structure in the yard.")
    assert (unpaid.ok, unpaid.text) == (False, "Tap the coins, or the die, to pay with.")
