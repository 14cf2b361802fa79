"""What a photograph of the table means for the game: acts that it shows, pieces that lie elsewhere, or agreement.

It is used like a correction by hand: a seat does what it could do on its page, the host records what the host may
record or lets the table win.  Both have to confirm it, and the log says that it was a photograph.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import NamedTuple, TypedDict

from werkzeug.datastructures import MultiDict

from tabletop.match.event import Source
from tabletop.match.match import Act
from tabletop.messages import EMPTY, Declined, Message
from tabletop.referee.interpretation.interpret import Interpretation, beside_record, interpret_photo
from tabletop.referee.interpretation.layout_diff import PieceMove, differences, without_pieces
from tabletop.referee.mailbox import Mailbox
from tabletop.referee.snapshot import Answer, Snapshot
from tabletop.rules.game import Action, Around, Position
from tabletop.rules.layout import Layout
from tabletop.rules.possible_reveals import supposed_position
from tabletop.web.games import ui_of
from tabletop.web.games.game_ui import AnyUI, LogLine, Names
from tabletop.web.games.zone_names import ZoneNames
from tabletop.web.i18n import say
from tabletop.web.views import host_view
from tabletop.web.views.game_log import action_line
from tabletop.web.views.photo_queue import Photo


class PhotoMeaning(NamedTuple):
    """The meaning of a photograph for the seat or host that took it.

    ``acts`` are those that the taker may do, in order, from a ``position`` that agrees with all that the taker knows;
    ``moves`` are pieces that lie elsewhere, ``kept_back`` is how many more do whose places must not be revealed;
    ``zones`` are what was looked at.
    """

    position: Position
    zones: Layout
    acts: Sequence[Act]
    moves: Sequence[PieceMove]
    kept_back: int
    found: Interpretation

    @property
    def agrees(self) -> bool:
        """True if all that is seen lies as the record says, and nothing was done or is being done."""
        if not self.zones or self.acts or self.moves or self.kept_back or self.found.acts or self.found.refused:
            return False
        return not differences(self.position.layout(), beside_record(self.position, self.zones))

    @property
    def matching(self) -> dict[str, str]:
        """The pieces that are seen in the zone where the record has them, with that zone."""
        home = self.position.layout().zone_of()
        return {piece: zone for piece, zone in self.zones.zone_of().items() if home.get(piece) == zone}


def meaning(photo: Photo, position: Position) -> PhotoMeaning:
    """Return what the photograph means now."""
    seen = photo.seen
    assert seen is not None
    zones = Layout({name: there for name, there in seen.layout.items() if name not in seen.unsure})
    layout, recorded = position.layout(), position
    unknown = layout.hidden - layout.hand_zones(photo.seat, len(position.names))
    astray = _unknown_pieces(zones, position, unknown)
    readable = zones
    if position.decider not in (None, photo.seat):
        # The deciding seat may hold them, or not: neither an act nor a refusal may reveal that.
        readable = Layout({zone: without_pieces(there, astray) for zone, there in zones.items()})
    position = supposed_position(position, photo.seat, astray)
    reading = interpret_photo(position, readable) if zones else Interpretation()
    if position.decider is not None:
        reading = _before_chance(reading)
    acts: list[Act] = []
    before = position
    for act in reading.acts:
        if not _may(photo.seat, act.action, before):
            break
        acts.append(act)
        before = act.position
    open_moves = [move for move in reading.moves if move.belongs not in unknown]
    kept_back = _kept_back(zones, recorded, before, unknown)
    return PhotoMeaning(position, readable, acts, open_moves, kept_back, reading)


def _before_chance(found: Interpretation) -> Interpretation:
    """Return what was found up to where chance decides: the rest would reveal whether it can turn up what is seen.

    What chance brought is looked at in the next photograph, supposing that it is possible.
    """
    for number, act in enumerate(found.acts, 1):
        if act.position.decider is None:
            return Interpretation(found.acts[:number])
    return found


def _unknown_pieces(zones: Layout, position: Position, unknown: frozenset[str]) -> Collection[str]:
    """Return the pieces that lie open in a photograph and that the record has out of sight."""
    home = position.layout().zone_of()
    return [piece for piece, zone in zones.zone_of().items() if home.get(piece) in unknown and home.get(piece) != zone]


def _kept_back(zones: Layout, recorded: Position, after: Position, unknown: frozenset[str]) -> int:
    """Return how many pieces lie open that belong out of sight, by the record or, if chance decides, after its actions.

    They are counted wherever they belong: a card of the deck must count like one of a hand.  What is shown for the deal
    lies open by right, and only while cards are dealt.
    """
    home, table = (after if recorded.decider is None else recorded).layout().zone_of(), recorded.game.table
    shown = tuple(table.shows.values()) if table is not None and recorded.phase == "deal" else ()
    lies = {piece: zone for piece, zone in zones.zone_of().items() if not zone.startswith(shown)}
    return sum(home.get(piece) in unknown and home.get(piece) != zone for piece, zone in lies.items())


def _may(seat: int | None, action: Action, position: Position) -> bool:
    """Return whether a seat, or (None) the host, may do an action: as on the page of each."""
    ui = ui_of(position.game)
    if position.decider is None:
        is_open = not position.game.may_be_secret(action.do)
        return is_open and (seat is None or ui.may_tell(seat, position, action))
    return action.do in ui.open_kinds if seat is None else position.decider == seat


class TablePhotoFacts(TypedDict):
    """Facts for the page of a photographed table.

    ``zones`` were looked at, ``lines`` would be added to the log, ``asked`` is what the referee would ask.  ``agrees``
    says that all lies as the record says; ``differences`` do not, and ``adopts`` says that the host may let them count.
    ``kept_back`` is how many pieces do not count.
    """

    zones: Sequence[str]
    lines: Sequence[LogLine]
    agrees: bool
    illegal: str
    illegal_rule: str
    asked: str
    host: bool
    differences: Sequence[host_view.Difference]
    adopts: bool
    kept_back: int


def facts(photo: Photo, snapshot: Snapshot, ui: AnyUI, names: Names) -> TablePhotoFacts:
    """Return what the page of a photographed table reads."""
    meant = meaning(photo, snapshot.position)
    host = photo.seat is None
    table, called = snapshot.position.game.table, ZoneNames(snapshot.position, ui, names)
    refused = meant.found.refused if not meant.acts else None
    asked = meant.found.question or (meant.found.waiting if not meant.acts and not meant.agrees else EMPTY)
    if meant.kept_back and not meant.acts:
        asked = EMPTY  # it may name where a piece that lies open was hidden
    return {
        "zones": [called.zone(zone) for zone in meant.zones],
        "lines": _lines(meant.acts, snapshot, ui, names, photo.seat),
        "agrees": meant.agrees,
        "illegal": ui.explain(refused) if refused is not None else "",
        "illegal_rule": say(refused.rule) if refused is not None else "",
        "asked": say(asked, ui.shown(names)),
        "host": host,
        "differences": host_view.differences(snapshot.position, meant.moves, meant.zones, ui, names)
        if not meant.acts
        else [],
        "adopts": host and table is not None and bool(table.places(snapshot.position)),
        "kept_back": meant.kept_back,
    }


def _lines(acts: Sequence[Act], snapshot: Snapshot, ui: AnyUI, names: Names, seat: int | None) -> list[LogLine]:
    """Return the lines that the log will have."""
    lines, position = [], snapshot.position
    for act in acts:
        around = Around(position, act.position)
        lines.append(action_line(act.action, position.decider, ui, seat, names, position.game, around))
        position = act.position
    return lines


def act_on_photo(
    photo: Photo, form: MultiDict[str, str], mailbox: Mailbox, *, by_host: bool, count: Callable[[str], object]
) -> Answer:
    """Do what was confirmed: ``how`` is ``acts``, ``agrees`` or, for the host, ``adopt``.

    ``by_host`` says that the host took the photo, for nobody's seat or one that it plays for; ``count`` counts an
    attempt to say what chance brought, as on the page of who says it, or to let the table win.  Raises Declined unless
    it is one of these and what the photo shows.
    """
    snapshot = mailbox.snapshot
    on = form.get("on", 0, type=int)
    if on != snapshot.number or photo.seen is None:
        return Answer(False, snapshot.number, stale=True)
    meant, source = meaning(photo, snapshot.position), Source.HOST_PHOTO if by_host else Source.PHOTO
    id = f"photo-{photo.key}-{on}"
    match form.get("how"):
        case "acts" if meant.acts:
            if snapshot.position.decider is None:
                count("host" if photo.seat is None else str(photo.seat))
            answer = Answer(True, on)
            for number, act in enumerate(meant.acts):
                answer = mailbox.act(act.action, on=answer.number, id=f"{id}-{number}", seat=photo.seat, source=source)
                if not answer.ok:
                    # What was done before counts: the rest is looked at from there.
                    return replace(answer, stale=number > 0 or answer.stale)
            return answer
        case "agrees" if meant.agrees:
            return mailbox.vouch(meant.matching, on=on, id=id, source=source)
        case "adopt" if photo.seat is None:
            places = dict(move.split(" ", 1) for move in form.getlist("moves[]") if " " in move)
            count("adopt")
            if places:
                corrected = ",".join(sorted(f"{piece}={place}" for piece, place in places.items()))
                return mailbox.adopt(places, on=on, id=f"{id}-{corrected}", source=source)
            raise Declined("bad-request", Message("Say where at least one piece lies."))
    raise Declined("bad-request", Message("The photo does not show that."))
