"""Patrician on the pages: cities with their two towers, the cards beside them, and what a seat may do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast

from tabletop.referee.state import Event, Snapshot
from tabletop.rules.game import Action, Json, Position
from tabletop.rules.patrician.actions import FLOOR, PLAY, TAKE
from tabletop.rules.patrician.components import CARDS, CITIES, CITY_OF, COLOURS, NUMBER
from tabletop.rules.patrician.reasons import REASONS
from tabletop.rules.patrician.state import State
from tabletop.web.games.part import Choice, Line, Names, Part
from tabletop.web.games.patrician.rules import TOPICS
from tabletop.web.games.words import points_after
from tabletop.web.language import N_, ngettext
from tabletop.web.language import gettext as _

DECIDES: Mapping[str, tuple[str, str]] = {
    "play": (N_("Your turn: play a card"), N_("%(name)s plays a card")),
    "floor": (N_("Place a floor: site A or B?"), N_("%(name)s places a floor")),
    "move": (N_("You may move the top floor of a tower"), N_("%(name)s may move a floor")),
    "take": (N_("Take a card"), N_("%(name)s takes a card")),
}
"""The status line of who decides, and of everybody else."""

TOPIC_OF: Mapping[str, str] = {"play": "turn", "floor": "floors", "move": "move", "skip": "move", "take": "take"}
"""Action → the topic of the rules that helps with it."""

LINES: Mapping[str, str] = {
    "reveal": N_("Turned up:"),
    "deal": N_("%(name)s is dealt three cards."),
    "play": N_("%(name)s plays"),
    "floor": N_("%(name)s builds on site %(site)s."),
    "move": N_("%(name)s moves a floor in %(city)s."),
    "skip": N_("%(name)s moves no floor."),
    "take": N_("%(name)s takes"),
}
"""The log: action → what is said before its pieces."""

HEADS = {"red": N_("red-haired head"), "woman": N_("woman’s head"), "beard": N_("bearded head")}


class Card(NamedTuple):
    """A card as drawn: its city, what it shows as icons, and all of it in words."""

    city: str
    crests: int
    heads: tuple[str, ...]
    word: str
    label: str


class PatricianPart(Part):
    """Patrician with its drawings."""

    reasons = REASONS
    topics = TOPICS
    tie_rule = N_("Who has fewer floors on the board is ahead; if that is equal too, the victory is shared.")
    open_kinds = frozenset({"floor", "move", "skip", "take"})
    says_what_is_awaited = True

    def __init__(self) -> None:
        super().__init__("patrician", CARDS)

    def deciding(self, position: Position, mine: bool, name: str) -> str:
        """Return who decides what."""
        own, others = DECIDES[position.phase]
        state = cast(State, position)
        if mine and state.phase == "floor":
            city = state.cities[state.built].title
            if state.left > 1:
                return _("Place %(floors)s floors in %(city)s: the first on site A or B?", floors=state.left, city=city)
            return _("Place a floor in %(city)s: site A or B?", city=city)
        return _(own) if mine else _(others, name=name)

    def concerned(self, position: Position) -> int:
        """Return the seat that decides, or shows its dealt cards."""
        if position.phase == "deal":
            return next(seat for seat, hand in enumerate(cast(State, position).hands) if not hand)
        return super().concerned(position)

    def called(self, piece: str) -> str:
        """Return a card's city with the name on its tag."""
        return f"{CITIES[CITY_OF[piece]].title} ({piece})" if piece in CARDS else piece

    def tied(self, value: Json) -> str:
        """Return how many floors a seat has on the board."""
        return ngettext("%(num)s floor on the board", "%(num)s floors on the board", value)

    def waiting(self, snapshot: Snapshot, mine: bool, name: str) -> str:
        """Return what is turned up or dealt now."""
        state = cast(State, snapshot.position)
        if state.phase == "deal":
            return _("Show your three cards") if mine else _("%(name)s shows three cards", name=name)
        free = next((city for city, card in zip(state.cities, state.market, strict=True) if card is None), None)
        city = state.cities[state.space] if state.space >= 0 else free
        return _("Turn up a card and lay it beside %(city)s.", city=city.title if city else "")

    def board(self, snapshot: Snapshot, names: Names) -> dict[str, Any]:
        """Return what everybody sees."""
        position = snapshot.position
        view, state = position.view(None), cast(State, position)
        return {
            "view": view,
            "draw": "games/patrician/pieces.html",
            "face": lambda card: _card(state, card),
            "cities": [
                {
                    "title": city.title,
                    "towers": _towers(view, city.id),
                    "left": city.capacity - sum(len(view["cities"][city.id][site]) for site in ("A", "B")),
                    "tokens": city.tokens,
                    "market": view["market"][city.id],
                }
                for city in state.cities
            ],
            "deck": view["deck"],
            "parts": [[_scored(part) for part in seat.parts if part["points"]] for seat in position.score()],
        }

    def choices(self, position: Position) -> Iterator[Choice]:
        """Iterate over everything the deciding seat could think of, closed choices last, with why."""
        state = cast(State, position)
        seat = state.active
        match state.phase:
            case "play":
                wanted: list[Action] = [PLAY[card] for card in state.hands[seat]]
            case "floor":
                wanted = list(FLOOR)
            case "take":
                wanted = [TAKE[card] for card in state.market if card]
            case _:
                wanted = list(position.legal)
        found = [self._choice(position, state, action) for action in wanted]
        yield from sorted(found, key=lambda choice: choice.refusal is not None)

    def _choice(self, position: Position, state: State, action: Action) -> Choice:
        refusal = position.refusal(action)
        data = action.to_json()
        title, detail, pieces = "", "", tuple(filter(None, (data.get("card"),)))
        match action.do:
            case "play":
                title, detail = _played(state, data["card"])
            case "floor":
                title = _("Site %(site)s of %(city)s", site=data["site"], city=state.cities[state.built].title)
            case "move":
                title = _("%(city)s: from site %(site)s to the other", city=_city(data["city"]), site=data["from"])
            case "skip":
                title = _("Move no floor")
            case "take":
                beside = state.cities[state.market.index(data["card"])].title
                title = _("Take the card beside %(city)s", city=beside)
        gain, then = None, None
        if refusal is None and action.do in ("floor", "move"):
            gain = points_after(position, action, state.active)
            city = data.get("city") or state.cities[state.built].id
            then = _towers(position.after(action).view(None), city)
        return Choice(title, data, detail, pieces, refusal, gain, topic=TOPIC_OF[action.do], then=then)

    def line(self, event: Event, seat: int | None, names: Names) -> Line | None:
        """Return the log's line; cards that were dealt are told to their own seat only."""
        if event.kind != "action":
            return None
        data, kind = event.data, str(event.data["do"])
        who = data["seat"] if kind == "deal" else event.seat
        name = names[who] if who is not None else ""
        text = _(LINES[kind], name=name, site=data.get("site", ""), city=_city(data.get("city", "")))
        pieces = [data.get("piece") or data.get("card")] if kind != "deal" else data["cards"] if who == seat else []
        return Line(event.number, who, text, tuple(filter(None, pieces)))


def _towers(view: Mapping[str, Any], city: str) -> list[tuple[str, list[tuple[str, int]]]]:
    """Return both sites of a city as (site, floors from the ground up as (colour, number of the seat))."""
    return [
        (site, [(colour, COLOURS.index(colour) + 1) for colour in view["cities"][city][site]]) for site in ("A", "B")
    ]


def _played(state: State, card: str) -> tuple[str, str]:
    """Return what playing a card means: what is built where, and what comes of it."""
    face, at = state.faces[card], CITY_OF[card]
    city = state.cities[at]
    floors = min(face.crests, state.supply[state.active])
    title = ngettext("Play: %(num)s floor in %(city)s", "Play: %(num)s floors in %(city)s", floors, city=city.title)
    said = []
    if floors and len(state.towers[2 * at]) + len(state.towers[2 * at + 1]) + floors == city.capacity:
        said.append(_("The city is complete then and brings its points."))
    if face.move:
        said.append(_("Then you may move a floor in another city."))
    beside = state.market[at]
    if face.any or beside is None:
        said.append(_("Then you take the card beside any city."))
    else:
        said.append(_("Then you take the card beside it: %(card)s.", card=_card(state, beside).label))
    return title, " ".join(said)


def _city(id: str) -> str:
    return CITIES[NUMBER[id]].title if id in NUMBER else id


def _card(state: State, card: str) -> Card:
    """Return what a card shows."""
    face, city = state.faces[card], CITIES[CITY_OF[card]].title
    said = [ngettext("%(num)s crest", "%(num)s crests", face.crests)]
    if face.heads:
        said.append(" + ".join(_(HEADS[head]) for head in face.heads))
    if face.any:
        said.append(_("take any card"))
    if face.move:
        said.append(_("move a floor"))
    word = said[1] if len(said) > 1 else said[0]
    return Card(city, face.crests, face.heads, word, f"{city}: {', '.join(said)}")


def _scored(part: Mapping[str, Any]) -> tuple[str, int]:
    """Return a part of the score as (what for, points)."""
    if "heads" in part:
        return f"{part['count']} × {_(HEADS[part['heads']])}", part["points"]
    return _("%(city)s, site %(site)s", city=_city(part["city"]), site=part["site"]), part["points"]
