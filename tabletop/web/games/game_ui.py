"""The generic UI: any game in words, from its view and its legal actions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar, final

from tabletop.messages import N_, Declined, SeatRef
from tabletop.rules.game import Action, Illegal, Json, Position
from tabletop.rules.layout import Layout, zone_kind
from tabletop.rules.refusals import Reason
from tabletop.rules.secrecy import known_pieces
from tabletop.web.games import generic_view
from tabletop.web.games.choice import Choice, grouped
from tabletop.web.games.game_facts import BoardFacts, CarrierWords, DealForm, HandFacts, SeatFacts
from tabletop.web.games.generic_view import GenericBoard, GenericChoices
from tabletop.web.games.help import Topic
from tabletop.web.games.spoken import Spoken
from tabletop.web.games.words import ACTS
from tabletop.web.games.zone_names import ZoneNames
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import plainly, say

P = TypeVar("P", bound=Position)

Names = Sequence[str]
"""The names of the seats on the pages, seat 0 first."""

PLACES: Mapping[str, str] = {"hand": N_("%(name)s’s hand"), "table": N_("beside the zones")}
"""Names of places in any game: zone, without its number → words for translation."""

MAX_BUTTONS = 120
"""How many legal actions are listed as buttons at most."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log: words, then the pieces they speak of; ``undone`` if it does not count any more."""

    number: int
    seat: int | None
    text: str
    pieces: tuple[str, ...] = ()
    undone: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    """The effect of a choice before it is sent: a sentence, facts as (name, value), and whether it may be sent."""

    ok: bool
    text: str
    facts: tuple[tuple[str, str], ...] = ()
    rule: str = ""


class GameUI(Generic[P]):
    """How one game is shown, from its positions.

    A game overrides what it can say better; its own templates win over the generic ones.
    """

    title = ""
    """The game's title, for translation: some games have other names in other languages."""

    templates: Path | None = None
    """The folder of the templates that a game from another package brings; pages find them as ``games/NAME/…``."""

    static: Path | None = None
    """The folder of styles, scripts and pictures that a game from another package brings.

    Pages find each as ``games/NAME/…``; its ``style.css`` is on every page of the game.
    """

    topics: Sequence[Topic] = ()
    """Help with the rules."""

    lessons: Mapping[str, str] = {}
    """What to know the first time a seat decides in a phase: phase → one sentence, for translation.

    ``games/NAME/lesson.html``, if it exists, draws a picture for the ``phase``.
    """

    reasons: Mapping[str, Reason] = {}
    """The sentences with which the game refuses, for translation."""

    options: Mapping[str, Mapping[Json, str]] = {}
    """What the options of the rules mean: option → value → a sentence for translation."""

    any_option: Mapping[str, str] = {}
    """Option → a sentence for translation with its ``value``, for values that are not in ``options``."""

    open_kinds: frozenset[str] = frozenset()
    """The kinds of act whose legality does not depend on a hand: the host may record them for any seat."""

    unpaid: frozenset[str] = frozenset()
    """The codes of refusals in which only the payment is wrong: the facts of the action are shown anyway."""

    tie_rule = ""
    """What decides between seats with equal points, as a sentence for translation."""

    places: Mapping[str, str] = {}
    """Names of places: zone, without its number → words for translation, with its ``number`` or a seat's ``name``.

    A place that is not named here goes by the title on its zone card.
    """

    own_places: Mapping[str, str] = {}
    """Places of a seat as that seat itself reads them: zone, without its number → words for translation."""

    photographs_count = ""
    """What photographs of the final table count, in words for translation; empty if they count everything."""

    carried = CarrierWords(N_("Which pieces carry one without a tag?"), N_("Piece"), N_("none"))
    """The words with which people state where pieces without tags stand, for translation."""

    own_colours = False
    """True if the game's pieces give each seat a colour, so that its person chooses none."""

    spoken: Spoken = Spoken()
    """The words with which the game is read out."""

    says_what_is_awaited = False
    """True if :meth:`waiting` says everything that the table's own sentence about chance would say."""

    simulated: Mapping[str, str] = {}
    """What the table's news says where the program moves the hands: sentence for people → sentence, for translation."""

    def __init__(self, name: str, pieces: Collection[str] = ()) -> None:
        self.name = name
        self.pieces = pieces

    def deciding(self, position: P, mine: bool, name: str) -> str:
        """Return who decides what, in one sentence, as the deciding seat (``mine``) or the others read it."""
        if mine:
            return _("Your turn: %(phase)s", phase=position.phase)
        return _("%(name)s decides: %(phase)s", name=name, phase=position.phase)

    def concerned(self, position: P) -> int:
        """Return the seat that decides, or that turns up or shows what chance brings."""
        return position.active if position.decider is None else position.decider

    def called(self, piece: str) -> str:
        """Return a piece as people call it."""
        return piece

    def in_pictures(self, piece: str) -> str:
        """Return a piece's name in a picture of it: its id if what people call it is too long."""
        called = str(self.word(piece))
        return piece if "," in called else called

    def beside_pictures(self, piece: str) -> str:
        """Return a piece as people call it, after its name in a picture if that is another one."""
        called, short = str(self.word(piece)), self.in_pictures(piece)
        return called if called == short else f"{short}: {called}"

    def in_a_sentence(self, line: LogLine) -> str:
        """Return a line of the log with the names of the pieces that pages draw after it."""
        return f"{line.text} {', '.join(map(self.called, line.pieces))}".strip()

    def described(self, position: P, piece: str) -> str:
        """Return a piece's name and what it shows, for people who cannot see it."""
        return self.called(piece)

    def place(self, zone: str, names: Names, seat: int | None = None) -> str:
        """Return a place as people call it, a seat's own as that ``seat`` does; empty if its card's title will do."""
        kind = zone_kind(zone)
        number = zone.removeprefix(kind)
        text = {**PLACES, **self.places}.get(kind, "")
        if number and number == str(seat):
            text = self.own_places.get(kind, text)
        name = names[int(number)] if number and int(number) < len(names) else ""
        return _(text, number=number, name=name) if text else ""

    def where(self, position: P, action: Action) -> str:
        """Return where an action puts something, if its sentence in the log does not say it; empty if it does."""
        return ""

    def tied(self, value: Json) -> str:
        """Return what decides a tie, as the seat with this ``value`` has it, in words."""
        return str(value)

    def waiting(self, position: P, mine: bool, name: str, seen: int) -> str:
        """Return what the table waits for while chance decides; of a deal, ``seen`` cards are shown already."""
        return _("%(name)s’s turn: %(phase)s", name=name, phase=position.phase)

    def board(self, position: P, names: Names, *, over: bool) -> BoardFacts:
        """Return what everybody sees, the context of the table's regions; a game can be ``over`` before its end."""
        view, counts = position.view(None), over or position.game.open_points
        facts: GenericBoard = {
            "view": view,
            "people": generic_view.of_seats(view, len(names)),
            "draw": "parts/pieces.html",
            "called": self.called,
            "ids": position.game.pieces,
            "standing": [seat.points if counts else None for seat in position.score()],
            "lying": generic_view.open_pieces(position.layout(), len(names), known_pieces(position, None)),
            "place": ZoneNames(position, self, names).zone,
        }
        return facts

    def hand(self, position: P, seat: int) -> HandFacts:
        """Return what one seat sees of its own hand."""
        return generic_view.hand(position, seat)

    def hand_and_choices(self, position: P, seat: int, *, over: bool) -> SeatFacts:
        """Return what one seat sees in addition to the board: its hand and what it may do."""
        return self.listed_choices(position, seat)

    @final
    def listed_choices(self, position: P, seat: int) -> GenericChoices:
        """Return a seat's hand in words, and its choices as a list."""
        choices = list(self.choices(position)) if position.decider == seat else []
        return {
            **generic_view.hand(position, seat),
            "choices": grouped(choices[:MAX_BUTTONS]),
            "more": len(choices) > MAX_BUTTONS,
            "dealt": self.dealt(position) if self.concerned(position) == seat else None,
            "tell": self.to_tell(position, seat),
        }

    def to_tell(self, position: P, seat: int) -> list[str]:
        """Return the pieces that a seat may report as turned up in its turn, if the camera did not see them."""
        awaited = position.decider is None and not (position.over or position.shows_secrets)
        return self.turned_up(position, seat) if awaited and position.active == seat else []

    def turned_up(self, position: P, seat: int) -> list[str]:
        """Return all that can have been turned up as far as a seat knows, so that no other hand is revealed."""
        return []

    def choices(self, position: P) -> Iterator[Choice]:
        """Iterate over what the deciding seat would consider."""
        for number, action in enumerate(position.legal.thrifty()):
            if number > MAX_BUTTONS:
                return
            yield Choice(position.game.format(action), action.to_json())

    def closed(self, position: P) -> Iterator[Choice]:
        """Iterate over what may be impossible for the deciding seat, with the reason if it is.

        Pages name the pieces of such a choice after its title.
        """
        yield from self.choices(position)

    @final
    def preview(self, position: P, draft: Mapping[str, Json]) -> Preview:
        """Return what the deciding seat's choice would do, complete or not.

        The rules are asked first: a game's own methods only get actions that are legal, or that lack nothing but a
        better payment.
        """
        missing = self.missing(draft)
        try:
            action = position.game.action(dict(draft))
        except Illegal as illegal:
            return Preview(False, missing) if missing else self.refused(illegal)
        refusal = position.refusal(action)
        if refusal is None:
            return Preview(True, self.summary(position, action), self.facts(position, action))
        if refusal.code not in self.unpaid:
            return self.refused(refusal)
        facts = self.facts(position, action)
        return Preview(False, missing, facts) if missing else replace(self.refused(refusal), facts=facts)

    def missing(self, draft: Mapping[str, Json]) -> str:
        """Return what has yet to be chosen, empty if nothing or if it is not known; the draft may hold anything."""
        return ""

    def facts(self, position: P, action: Any) -> tuple[tuple[str, str], ...]:
        """Return what a choice costs and earns; the action is legal, or refused with a code of :attr:`unpaid`."""
        return ()

    def summary(self, position: P, action: Any) -> str:
        """Return the result of a legal action, in a sentence."""
        return position.game.format(action)

    def refused(self, illegal: Illegal) -> Preview:
        """Return a refusal as a preview."""
        return Preview(False, self.explain(illegal), rule=say(illegal.rule))

    def remarks(self, position: P) -> Iterator[str]:
        """Iterate over sentences on what everybody sees on the table but no field of a view contains."""
        yield from ()

    def brings(self, position: P, action: Any) -> str:
        """Return what a legal action costs and earns, to be read out before it is chosen; empty if nothing."""
        facts = [f"{name} {value}" for name, value in self.facts(position, action)]
        said = self.summary(position, action)
        return ", ".join([*facts, *([said] if said != position.game.format(action) else [])])

    def in_words(self, position: P, key: str, value: Json) -> str:
        """Return a field of an action, other than a piece, as people say it; empty if the data's form will do."""
        return ""

    def may_tell(self, seat: int, position: P, action: Action) -> bool:
        """Return whether this seat may enter by hand what chance did: its own cards, or what it turned up."""
        return bool(seat == action.to_json().get("seat", position.active))

    def dealt(self, position: P) -> DealForm | None:
        """Return the form for the seat that is dealt cards now, None if no cards are dealt by hand.

        They are recorded by an action ``deal`` with a ``seat`` and its ``cards``.
        """
        return None

    def shown_at_deal(self, position: P, seen: Layout) -> int:
        """Return how many of the cards dealt now are seen in the zone where their seat shows them."""
        table, dealt = position.game.table, self.dealt(position)
        if table is None or dealt is None or "deal" not in table.shows:
            return 0
        there = seen.pieces(f"{table.shows['deal']}{self.concerned(position)}")
        return len(there.intersection(card for _style, _word, cards in dealt.rows for card in cards))

    def explain(self, declined: Declined) -> str:
        """Return the refusal's sentence in the language of the page."""
        return say(declined.message, self.shown())

    def shown(self, names: Names = ()) -> Callable[[Any], Any]:
        """Return a function that puts a fact into words: a seat by its name, all else in the game's words."""

        def show(fact: Any) -> Any:
            if isinstance(fact, SeatRef) and fact < len(names):
                return names[fact]
            return self.word(fact)

        return show

    def word(self, fact: Any) -> Any:
        """Return a fact of a sentence as people say it."""
        if isinstance(fact, str) and fact in self.pieces:
            return self.called(fact)
        return _(ACTS[fact]) if isinstance(fact, str) and fact in ACTS else plainly(fact)


AnyUI: TypeAlias = GameUI[Any]
"""The UI of any game, whatever its type of position: it is only asked about positions of its own game."""
