"""Patrician on the pages: cities with their two towers, the cards beside them, and what a seat may do."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import Any

from tabletop.messages import N_
from tabletop.rules.game import Action, Json
from tabletop.rules.patrician import components
from tabletop.rules.patrician.actions import FLOOR, MOVE, PLAY, SKIP, TAKE
from tabletop.rules.patrician.components import (
    CARDS,
    CITIES,
    CITY_NUMBER,
    CITY_OF,
    HAND_SIZE,
    HEAD_SET,
    HEAD_SET_POINTS,
    HEADS,
)
from tabletop.rules.patrician.phases.reasons import REASONS
from tabletop.rules.patrician.position import PatricianPosition
from tabletop.rules.patrician.scoring import heads
from tabletop.rules.patrician.state import State
from tabletop.rules.secrecy import known_pieces
from tabletop.web.games.choice import Choice
from tabletop.web.games.game_facts import DealForm
from tabletop.web.games.game_ui import GameUI, Names
from tabletop.web.games.patrician.cards import card_of, head, shown_card
from tabletop.web.games.patrician.cities import cities, scored_towers, sites
from tabletop.web.games.patrician.facts import PatricianBoard, PatricianChoices, Reckoned
from tabletop.web.games.patrician.help import LESSONS, TOPICS
from tabletop.web.games.patrician.options import OPTIONS
from tabletop.web.games.patrician.spoken import SPOKEN
from tabletop.web.games.words import points_after
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import ngettext, points, signed

DECIDES: Mapping[str, tuple[str, str]] = {
    "play": (N_("Your turn: play a card"), N_("%(name)s plays a card")),
    "floor": (N_("Place a floor: site A or B?"), N_("%(name)s places a floor")),
    "move": (N_("You may move the top floor of a tower"), N_("%(name)s may move a floor")),
    "take": (N_("Take a card"), N_("%(name)s takes a card")),
}
"""Phase → the status line for the seat that decides, and for everybody else."""

TOPIC_OF: Mapping[str, str] = {"play": "turn", "floor": "floors", "move": "move", "skip": "move", "take": "take"}
"""Action → the topic of the rules that helps with it."""

PLACES: Mapping[str, str] = {
    "played": N_("%(name)s’s pile"),
    "show": N_("the cards that %(name)s shows"),
    "store": N_("%(name)s’s floors and tokens"),
    "deck": N_("the deck"),
    "box": N_("the box"),
}
"""Zones as people call them, without their numbers; a city's zones are named by the titles on its card."""

FLOORS: Mapping[str, str] = {
    "black": N_("black floor"),
    "white": N_("white floor"),
    "red": N_("red floor"),
    "yellow": N_("yellow floor"),
    "blue": N_("blue floor"),
}
"""A floor of each colour, as people call it."""

HEADINGS: Mapping[str, str] = {
    "play": N_("Play a card"),
    "floor": N_("Where does the floor go?"),
    "move": N_("Move a floor?"),
    "take": N_("Take a card"),
}
"""Phase → the heading over its choices."""
SIMULATED: Mapping[str, str] = {
    "{city} is no longer complete: put its tokens back.": N_("{city} is no longer complete: its tokens go back."),
}
"""The table's news where the program moves the hands: sentence for people → sentence, for translation."""


class PatricianUI(GameUI[PatricianPosition]):
    """Patrician with its drawings."""

    title = N_("Patrician")
    reasons = REASONS
    topics = TOPICS
    options = OPTIONS
    lessons = LESSONS
    places = PLACES
    spoken = SPOKEN
    own_places: Mapping[str, str] = {"played": N_("your pile"), "show": N_("the cards that you show")}
    tie_rule = N_("Ties go to the seat with fewer floors on the board; if that is equal as well, the place is shared.")
    open_kinds = frozenset({"floor", "move", "skip", "take"})
    own_colours = True
    says_what_is_awaited = True
    simulated = SIMULATED
    photographs_count = N_("heads only")

    def __init__(self) -> None:
        super().__init__("patrician", CARDS)

    def deciding(self, position: PatricianPosition, mine: bool, name: str) -> str:
        """Return who decides what."""
        own, others = DECIDES[position.phase]
        if position.phase == "floor":
            city = position.cities[position.built].title
            if not mine:
                return _("%(name)s builds in %(city)s", name=name, city=city)
            if position.left > 1:
                return _(
                    "Place %(floors)s floors in %(city)s: the first on site A or B?", floors=position.left, city=city
                )
            return _("Place a floor in %(city)s: site A or B?", city=city)
        return _(own) if mine else _(others, name=name)

    def concerned(self, position: PatricianPosition) -> int:
        """Return the seat that decides, or shows its dealt cards."""
        if position.phase == "deal":
            return position.due
        return super().concerned(position)

    def called(self, piece: str) -> str:
        """Return a card's city with the number on its tag, or the name of a floor of that colour."""
        if piece in CARDS:
            return f"{CITIES[CITY_OF[piece]].title} {piece[3:]}"
        return _(FLOORS[piece]) if piece in FLOORS else piece

    def described(self, position: PatricianPosition, piece: str) -> str:
        """Return a card with what it shows."""
        called, faces = self.called(piece), position.faces
        return f"{called} ({', '.join(shown_card(faces[piece]))})" if piece in faces else called

    def remarks(self, position: PatricianPosition) -> Iterator[str]:
        """Yield for each city a sentence: what is printed on the board, and how many floors still fit."""
        for city in cities(position):
            first, second = city.tokens
            yield ngettext(
                "%(city)s: room for %(num)s more floor, tokens %(first)s and %(second)s.",
                "%(city)s: room for %(num)s more floors, tokens %(first)s and %(second)s.",
                city.left,
                city=city.title,
                first=first,
                second=second,
            )

    def brings(self, position: PatricianPosition, action: Any) -> str:
        """Return what an action brings."""
        choice = self._choice(position, action)
        said = [choice.title] if action.do in ("play", "take") else []
        if choice.gain is not None:
            said.append(f"{signed(choice.gain)} {points(choice.gain)}")
        return " ".join(
            f"{sentence.rstrip('.')}." for sentence in (*said, *choice.detail.split("\n")) if sentence
        ).removesuffix(".")

    def tied(self, value: Json) -> str:
        """Return how many floors a seat has on the board."""
        return ngettext("%(num)s floor on the board", "%(num)s floors on the board", value)

    def waiting(self, position: PatricianPosition, mine: bool, name: str, seen: int) -> str:
        """Return what is turned up or dealt now."""
        if position.phase == "deal":
            if mine:
                return _("Show your three cards: %(seen)s of 3 seen", seen=seen)
            return _("%(name)s shows three cards: %(seen)s of 3 seen", name=name, seen=seen)
        free = next((city for city, card in zip(position.cities, position.market, strict=True) if card is None), None)
        city = position.cities[position.space] if position.space >= 0 else free
        beside = city.title if city else ""
        if mine:
            return _("Turn up a card and put it beside %(city)s.", city=beside)
        return _("%(name)s turns up a card and puts it beside %(city)s.", name=name, city=beside)

    def dealt(self, position: PatricianPosition) -> DealForm | None:
        """Return the cards to tick at the deal, by city: all start cards of this game, held or not."""
        if position.phase != "deal":
            return None
        start = [card for card in components.cards(position.seats) if position.faces[card].start]
        rows = [("", city.title, [card for card in start if card[:3] == city.id]) for city in position.cities]
        hint = _(
            "Show them to the camera beside your pile, take a photo of them, or tap them here. The number is on the "
            "card’s tag."
        )
        return DealForm(_("Your three cards"), hint, [row for row in rows if row[2]], HAND_SIZE)

    def board(self, position: PatricianPosition, names: Names, *, over: bool) -> PatricianBoard:
        """Return what everybody sees."""
        return {
            "view": position.view(None),
            "draw": "games/patrician/pieces.html",
            "face": partial(card_of, position),
            "called": self.called,
            "cities": cities(position),
            "deck": len(position.deck),
            "head_set": (HEAD_SET, HEAD_SET_POINTS),
            **_reckoned(position, _opened(position, over)),
        }

    def hand_and_choices(self, position: PatricianPosition, seat: int, *, over: bool) -> PatricianChoices:
        """Return what one seat sees in addition: the heads it has played, its hand and what it may do."""
        played = heads(position, seat)
        own = [(name, head(name, played[name]), played[name]) for name in HEADS]
        return {
            **self.listed_choices(position, seat),
            "own_heads": own,
            **_reckoned(position, _opened(position, over, seat)),
        }

    def turned_up(self, position: PatricianPosition, seat: int) -> list[str]:
        """Return every card that this seat does not see.

        A list of the deck would reveal the other hands, and what lies covered in the other piles.
        """
        known = known_pieces(position, seat)
        return [card for card in components.cards(len(position.names)) if card not in known]

    def choices(self, position: PatricianPosition) -> Iterator[Choice]:
        """Iterate over everything the deciding seat could think of; impossible choices, with the reason, come last."""
        match position.phase:
            case "play":
                wanted: list[Action] = [PLAY[card] for card in position.hands[position.active]]
            case "floor":
                wanted = list(FLOOR)
            case "take":
                wanted = [TAKE[card] for card in position.market if card]
            case _:
                wanted = [*MOVE[: len(position.towers)], SKIP]
        choices = [self._choice(position, action) for action in wanted]
        yield from sorted(choices, key=lambda choice: choice.refusal is not None)

    def _choice(self, position: PatricianPosition, action: Action) -> Choice:
        refusal = position.refusal(action)
        data = action.to_json()
        title, detail, pieces = "", "", tuple(filter(None, (data.get("card"),)))
        gain, then = None, None
        match action.do:
            case "play":
                title, detail = _played(position, action)
                then = sites(position, CITY_OF[data["card"]])
            case "floor":
                title = _("Site %(site)s of %(city)s", site=data["site"], city=position.cities[position.built].title)
            case "move":
                other = "B" if data["from"] == "A" else "A"
                city = CITIES[CITY_NUMBER[data["city"]]].title
                title = _("%(city)s: %(site)s\u00a0→\u00a0%(other)s", city=city, site=data["from"], other=other)
            case "skip":
                title = _("Do not move a floor")
            case "take":
                beside = position.cities[position.market.index(data["card"])].title
                title = _("Beside %(city)s", city=beside)
                detail = _owned(position, data["card"])
        if refusal is None and action.do in ("floor", "move"):
            gain = points_after(position, action, position.active)
            then = sites(position.after(action), CITY_NUMBER[data["city"]] if "city" in data else position.built)
        heading = _(HEADINGS[position.phase])
        return Choice(title, data, detail, pieces, refusal, gain, heading, TOPIC_OF[action.do], then)


def _opened(position: PatricianPosition, over: bool, *own: int) -> Collection[int]:
    """Return the seats whose played heads may be shown: all if heads are open or the game is over, else ``own``."""
    return range(position.seats) if position.options.open_heads or over else own


def _reckoned(position: PatricianPosition, opened: Collection[int]) -> Reckoned:
    """Return the parts of each seat's points and their sum; heads only of those seats whose played cards are open.

    For the others the pages say that heads may be added, once they have played a card.
    """
    parts = [
        [part for part in seat.parts if part["points"] and ("heads" not in part or number in opened)]
        for number, seat in enumerate(position.score())
    ]
    return {
        "parts": [[scored_towers(position, number, part) for part in own] for number, own in enumerate(parts)],
        "standing": [sum(part["points"] for part in own) for own in parts],
        "unknown": [_("+ heads?") if pile and seat not in opened else "" for seat, pile in enumerate(position.played)],
    }


def _played(position: PatricianPosition, action: Action) -> tuple[str, str]:
    """Return the title and the detail of playing a card: what is built where, and what follows from it."""
    card = action.to_json()["card"]
    face, at = position.faces[card], CITY_OF[card]
    city = position.cities[at]
    floors = min(face.crests, position.supply[position.active])
    title = ngettext("%(num)s floor in %(city)s", "%(num)s floors in %(city)s", floors, city=city.title)
    best = _best(position.after(action), position.active)
    said = [_("Up to %(points)s points at once.", points=signed(best)) if best else _("No points at once.")]
    if floors and floors == position.room(at):
        said.append(_("This completes the city, and it is scored."))
    said.append(_owned(position, card))
    if face.move:
        said.append(_("Then you may move a floor in another city."))
    beside = position.market[at]
    if not any(position.market):
        said.append(_("There is no card left to take."))
    elif face.any or beside is None:
        said.append(_("Then you take the card beside any city."))
    else:
        said.append(_("Then you take the card beside it: %(card)s.", card=card_of(position, beside).label))
    return title, "\n".join(filter(None, said))


def _best(position: PatricianPosition, seat: int, was: int | None = None) -> int:
    """Return the most points that placing the floors of a played card can bring at once."""
    now = _tokens(position, seat)
    was = now if was is None else was
    if position.phase != "floor":
        return now - was
    return max(_best(position.after(action), seat, was) for action in position.legal)


def _tokens(position: PatricianPosition, seat: int) -> int:
    return sum(part["points"] for part in position.score()[seat].parts if "heads" not in part)


def _owned(state: State, card: str) -> str:
    """Return in words how many heads of a card's kind the active seat would have, played and in hand."""
    shown = state.faces[card].heads
    if not shown:
        return ""
    seat = state.active
    others = [other for other in state.hands[seat] if other != card]
    held = heads(state, seat)[shown[0]] + sum(state.faces[other].heads.count(shown[0]) for other in others)
    if not held:
        return ""
    return _("That makes %(heads)s, played and in hand.", heads=head(shown[0], held + len(shown)))
