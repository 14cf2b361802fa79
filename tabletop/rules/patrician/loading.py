"""Loading a position from data, with the checks that its parts fit together."""

from __future__ import annotations

from tabletop.rules.codec import PositionDraft
from tabletop.rules.edition import EditionError
from tabletop.rules.fields import THE_POSITION
from tabletop.rules.game import Game, Json
from tabletop.rules.new_game import chosen
from tabletop.rules.patrician.components import CITY_OF, COLOURS, FLOOR_SUPPLY, HAND_SIZE, cards
from tabletop.rules.patrician.edition import Edition
from tabletop.rules.patrician.fields import DATA
from tabletop.rules.patrician.options import CHOICES, Options
from tabletop.rules.patrician.position import PatricianPosition
from tabletop.rules.patrician.rules import PHASES
from tabletop.rules.validate import bad, dealing, member, must


def load(game: Game, data: Json) -> PatricianPosition:
    """Return the position that the data describes.  Raises Illegal (``bad-position``)."""
    draft = DATA.read(
        data,
        game,
        lambda options, seats: Options(**chosen(options, CHOICES, seats, "bad-position")),
        PHASES,
    )
    draft.complete(cards(draft.seats))
    try:
        edition = Edition.parse(member(data, "edition", THE_POSITION), draft.seats)
    except EditionError as error:
        raise bad("the edition: {why}", why=str(error)) from error
    position = _position(draft, edition)
    DATA.check(draft, position)
    _check_floors(position)
    _check_room(position)
    _check_phase(position)
    for at, (_, _, scored) in enumerate(draft.told["cities"]):
        right = scored is position.scored(at)
        must(right, "{city} must be scored when it is full or the game is over, and only then",
             city=position.cities[at].id)  # fmt: skip
    return position


def _position(draft: PositionDraft, edition: Edition) -> PatricianPosition:
    built = [tower for first, second, _ in draft.told["cities"] for tower in (first, second)]
    position = PatricianPosition.make(
        **{"active": draft.options.first_seat, **draft.fields},
        edition=edition,
        towers=tuple([tuple([COLOURS.index(colour) for colour in tower]) for tower in built]),
        market=draft.told["market"],
    )
    if draft.phase in ("setup", "reveal"):
        return position.change(space=_empty_space(position, draft.told.get("space")))
    return _with_pending(position) if position.card else position


def _with_pending(position: PatricianPosition) -> PatricianPosition:
    """Return the position with the floors to be placed for the pending card, at most as many as the supply has."""
    card, left = position.card, position.left
    last = position.played[position.active][-1:] == (card,)
    must(last, "the pending card must be the last one its seat has played")
    face = position.faces[card]
    must(left <= face.crests, "{card} shows {crests} crests, so {left} floors cannot be pending",
         card=card, crests=face.crests, left=left)  # fmt: skip
    must(position.phase != "move" or face.move, "{card} shows no move", card=card)
    left = min(left, position.supply[position.active])
    fits = (left > 0) == (position.phase == "floor")
    must(fits, "in the phase {phase} there are {left} floors to place", phase=position.phase, left=left)
    return position.change(left=left)


def _empty_space(position: PatricianPosition, named: Json) -> int:
    """Return the space to be filled: the named one, otherwise the first empty one."""
    empty = [at for at, card in enumerate(position.market) if card is None]
    if named is not None:
        empty = [at for at in empty if position.cities[at].id == named]
    must(empty, "there is no empty market space where a card could be turned up")
    return empty[0]


def _check_floors(position: PatricianPosition) -> None:
    """Check that every floor is in a supply or on the board."""
    floors = FLOOR_SUPPLY[position.seats]
    for seat, (colour, left) in enumerate(zip(COLOURS, position.supply, strict=False)):
        built = sum(tower.count(seat) for tower in position.towers)
        must(left + built == floors,
             "there are {floors} {colour} floors, not {left} in the supply and {built} on the board",
             floors=floors, colour=colour, left=left, built=built)  # fmt: skip


def _check_room(position: PatricianPosition) -> None:
    """Check that no city has, or will have, more floors than it takes, and that a full city has two towers."""
    unplayed = [*position.deck, *(card for hand in position.hands for card in hand), *filter(None, position.market)]
    for at, city in enumerate(position.cities):
        first, second = position.towers[2 * at : 2 * at + 2]
        coming = sum(position.faces[card].crests for card in unplayed if CITY_OF[card] == at)
        coming += position.left if position.card and position.built == at else 0
        floors = len(first) + len(second)
        must(floors + coming <= city.capacity,
             "{city} takes {capacity} floors; it has {floors} and {coming} are still to come",
             city=city.id, capacity=city.capacity, floors=floors, coming=coming)  # fmt: skip
        two = not position.full(at) or (first and second)
        must(two, "{city} is full with an empty site, where its last floor must have gone", city=city.id)


def _check_phase(position: PatricianPosition) -> None:
    """Check that the position fits its phase and that something can be decided in it."""
    phase, held = position.phase, [len(hand) for hand in position.hands]
    if phase in ("deal", "setup"):
        nothing = not any(position.towers) and not any(position.played)
        must(phase == "setup" or (nothing and not any(position.market) and dealing(held, HAND_SIZE)),
             "while hands are dealt, some seats have 3 cards, the ones after them none, and nothing is played"
        )  # fmt: skip
        must(phase == "deal" or (nothing and held == [HAND_SIZE] * len(held)),
             "while the market is laid out, each seat has 3 cards and nothing is played")  # fmt: skip
        starts = all(position.faces[card].start for hand in position.hands for card in hand)
        must(starts, "hands are dealt from the start cards")
    must(phase != "over" or not any(held), "the game is not over before every hand is empty")
    must(phase == "over" or position.legal, "nothing can be decided in the phase {phase}", phase=phase)
