"""The score of a final table from photographs: shown, compared with the record, and kept with the game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

from werkzeug.datastructures import MultiDict

from tabletop.match import photo_score
from tabletop.match.event import EventKind
from tabletop.match.match import Match
from tabletop.messages import Declined, Message
from tabletop.referee.interpretation.layout_diff import differences
from tabletop.referee.mailbox import Mailbox
from tabletop.referee.snapshot import Snapshot
from tabletop.rules import registry
from tabletop.rules.game import Game, Position
from tabletop.rules.layout import Arrangement, Columns, Layout, Spread, zone_kind
from tabletop.web.games import ui_of
from tabletop.web.games.game_facts import CarrierWords
from tabletop.web.games.game_ui import AnyUI, Names
from tabletop.web.games.zone_names import ZoneNames
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import say
from tabletop.web.seating.seating import typed_name
from tabletop.web.views.photo_queue import Photo, PhotoFindings, PhotoReader, StatedCarriers


class Astray(NamedTuple):
    """A piece that the photographs show elsewhere than the record says."""

    name: str
    record: str
    shown: str


class ScoredPhotoFacts(TypedDict):
    """Facts for the page of a photographed final table.

    ``game`` is the one that was photographed, with its ``title``; ``counts_all`` says that photographs count all its
    points.  ``seats`` are (seat, its score, faults), ``recorded`` the points of the record and ``astray`` what lies
    elsewhere than there, if the game at the table is this one (``ours``).  ``count`` photographs were taken; ``wanted``
    are the seats whose names can be given.  ``bearing`` are (seat, its pieces that may carry one without a tag),
    ``carriers`` those that do, as stated, seen or recorded, and ``carried`` the words for it; ``kept`` says that this
    table keeps games.
    """

    game: str
    counts_all: bool
    title: str
    ours: bool
    seats: Sequence[tuple[int, Mapping[str, Any], Sequence[str]]]
    recorded: Sequence[int]
    astray: Sequence[Astray]
    called: Callable[[str], str]
    notes: Sequence[str]
    sound: bool
    count: int
    wanted: Sequence[int]
    bearing: Sequence[tuple[int, Sequence[str]]]
    carriers: Collection[str]
    carried: CarrierWords
    kept: bool


class CountedFacts(TypedDict):
    """Facts on what photographs were confirmed to show: (seat, name, its score), and what was in doubt."""

    counted: Sequence[tuple[int, str, Mapping[str, Any]]]
    doubts: Sequence[str]


class PhotoOnlyFacts(CountedFacts):
    """The same for a game that nobody refereed: who has most points, and whose seats are ``missing``.

    ``decided`` says that nothing is in doubt or missing and that photographs count all points; ``notes`` are other
    remarks, ``called`` names a piece.
    """

    called: Callable[[str], str]
    winners: Sequence[str]
    decided: bool
    notes: Sequence[str]
    missing: Sequence[str]


def reading(
    photo_reader: PhotoReader, snapshot: Snapshot, game: str, before: Photo | None
) -> Callable[[bytes], PhotoFindings]:
    """Return what scores a photograph of a final table, together with those ``before`` it.

    What was stated there does not count if the photograph shows another seat, about which nobody was asked.
    """
    agreed, stated = _agreed(game, snapshot), before.stated if before is not None else None
    called = _called(game)
    shots = before.seen.shots if before is not None and before.seen is not None else ()

    def read(data: bytes) -> PhotoFindings:
        if stated is None:
            return photo_reader.score(data, game, agreed, shots, called)
        seen = photo_reader.score(data, game, {**agreed, "carriers": stated.pieces}, shots, called)
        unasked = [seat for seat, pieces in _bearing(seen, photo_reader, game) if stated.offered.isdisjoint(pieces)]
        return photo_reader.score_again(game, agreed, seen.shots, called) if unasked else seen

    return read


def rereading(
    photo_reader: PhotoReader, snapshot: Snapshot, photo: Photo, stated: StatedCarriers
) -> Callable[[bytes], PhotoFindings]:
    """Return what scores the same photographs again with what was stated; it is given no new one."""
    agreed = {**_agreed(photo.game, snapshot), "carriers": stated.pieces}
    shots = photo.seen.shots if photo.seen is not None else ()
    called = _called(photo.game)
    return lambda _nothing: photo_reader.score_again(photo.game, agreed, shots, called)


def _called(game: str) -> dict[str, str]:
    """Return piece → its name in pictures, in the language of the page."""
    ui = ui_of(registry.game(game))
    return {piece: ui.in_pictures(piece) for piece in ui.pieces}


def _agreed(game: str, snapshot: Snapshot) -> dict[str, Any]:
    """Return the edition and the options that were agreed, if the game is the one at the table."""
    start = snapshot.match.start.data if game == snapshot.position.game.name else {}
    return {key: start[key] for key in ("edition", "options") if key in start}


def stated_in(typed: Sequence[str], photo: Photo, photo_reader: PhotoReader) -> StatedCarriers:
    """Return what a form states about carriers: a piece for each seat, or nothing.

    Raises Declined unless the page of the photograph offered these pieces.
    """
    assert photo.seen is not None
    offered = {piece for _seat, pieces in _bearing(photo.seen, photo_reader, photo.game) for piece in pieces}
    pieces = frozenset(filter(None, typed))
    if not typed or pieces - offered:
        raise Declined("bad-request", Message("Choose pieces that the photos show at a seat."))
    return StatedCarriers(pieces, frozenset(offered))


def _bearing(seen: PhotoFindings, photo_reader: PhotoReader, game: str) -> list[tuple[int, list[str]]]:
    """Return (seat, its pieces that may carry one without a tag) for the seats that have any."""
    assert seen.score is not None
    carriers = photo_reader.carriers(game)
    by_seat = [
        (seat["seat"], [tile for each in seat["palazzi"] for tile in each["tiles"] if tile in carriers])
        for seat in seen.score["seats"]
    ]
    return [(seat, pieces) for seat, pieces in by_seat if pieces]


def _known_carriers(photo: Photo, bearing: Sequence[tuple[int, Sequence[str]]], record: Layout) -> Collection[str]:
    """Return the carriers that were stated or seen, and until somebody states them those of the record elsewhere."""
    assert photo.seen is not None
    if photo.stated is not None:
        return photo.seen.carriers | photo.stated.pieces
    missing = [pieces for _seat, pieces in bearing if photo.seen.carriers.isdisjoint(pieces)]
    return photo.seen.carriers.union(lower for _upper, lower in record.upon if any(lower in each for each in missing))


def facts(photo: Photo, snapshot: Snapshot, names: Names, photo_reader: PhotoReader, *, kept: bool) -> ScoredPhotoFacts:
    """Return what the page reads: seats, their palazzi, what is in doubt, and how the record has it."""
    seen = photo.seen
    assert seen is not None
    assert seen.score is not None
    played = ui_of(registry.game(photo.game))
    ours = _is_ours(photo, snapshot)
    seats = {seat["seat"]: seat["seat"] for seat in seen.score["seats"]}
    notes = [say(note, played.shown()) for note in seen.score["notes"]]
    if ours:
        try:
            seats = whose(seen, snapshot.position)
        except Declined as declined:
            ours = False  # it can still be kept as a game of its own
            notes.append(say(declined.message))
    bearing = [(seats[seat], pieces) for seat, pieces in _bearing(seen, photo_reader, photo.game)]
    return {
        "game": played.name,
        "counts_all": not played.photographs_count,
        "title": registry.game(photo.game).title,
        "ours": ours,
        "seats": [(seats[seat["seat"]], seat, _faults(seat, played)) for seat in seen.score["seats"]],
        "recorded": [score.points for score in snapshot.position.score()] if ours else [],
        "astray": misplaced_groups(seen.layout, seats, snapshot.position, names) if ours else [],
        "called": played.beside_pictures,
        "notes": notes,
        "sound": seen.score["sound"],
        "count": len(seen.shots),
        "wanted": range(max([seat["seat"] + 1 for seat in seen.score["seats"]] + [_fewest(photo.game)])),
        "bearing": bearing,
        "carriers": _known_carriers(photo, bearing, snapshot.position.layout() if ours else Layout({})),
        "carried": played.carried,
        "kept": kept,
    }


def _is_ours(photo: Photo, snapshot: Snapshot) -> bool:
    """Return whether a photograph was taken in the match at the table and shows its game, and that is over."""
    return snapshot.over and snapshot.position.game.name == photo.game and snapshot.mark == photo.mark


def _faults(seat: Mapping[str, Any], played: AnyUI) -> list[str]:
    return [say(fault["message"], played.shown()) for group in seat["palazzi"] for fault in group["faults"]]


def _fewest(game: str) -> int:
    return min(registry.game(game).seat_range)


def whose(seen: PhotoFindings, position: Position) -> dict[int, int]:
    """Return seat in the photographs → seat of the game: that of its card, else the one whose pieces it shows.

    Photographed seats without cards are numbered as they come.  Raises Declined if there are more than the game has,
    or if a card is that of a seat that the game does not have.
    """
    assert seen.score is not None
    layout = position.layout()
    open_zones = {zone: layout.pieces(zone) for zone in layout if zone not in layout.hidden}
    left, owners = list(range(len(position.names))), {}
    shown = {seat["seat"]: {tile for each in seat["palazzi"] for tile in each["tiles"]} for seat in seen.score["seats"]}
    for number in sorted(shown, key=lambda number: (number not in seen.named, -len(shown[number]))):
        if number in seen.named:
            if number not in left:
                raise Declined("bad-request", Message("The photos show a seat that this game does not have."))
            owners[number] = number
            left.remove(number)
            continue

        def alike(seat: int, pieces: set[str] = shown[number], number: int = number) -> tuple[int, bool]:
            own = [there for zone, there in open_zones.items() if zone.endswith(str(seat))]
            return max((len(pieces & there) for there in own), default=0), seat == number

        best = max(left, key=alike, default=None)
        if best is None:
            raise Declined("bad-request", Message("The photos show more seats than this game has."))
        owners[number] = best
        left.remove(best)
    return owners


def misplaced_groups(layout: Layout, seats: Mapping[int, int], position: Position, names: Names) -> list[Astray]:
    """Return the pieces of the photographed seats that the photographs show elsewhere than the record."""
    ui = ui_of(position.game)
    called = ZoneNames(position, ui, names)
    shown = {_own(zone, seats): there for zone, there in layout.items()}
    record = position.layout()
    expected = Layout({zone: _plainly(record[zone]) for zone in shown if zone in record})
    seen = Layout(shown)
    there = seen.zone_of()
    moves = {move.piece: (move.belongs, move.lies) for move in differences(expected, seen)}
    extra = {piece: zone for piece, zone in there.items() if piece not in expected.zone_of() and zone in expected}
    belongs = record.zone_of()
    moves |= {piece: (belongs.get(piece, ""), zone) for piece, zone in extra.items() if piece not in moves}
    return [
        Astray(
            ui.called(piece),
            called.zone(home) if home and home not in record.hidden else _("not on the table"),
            called.zone(lies) if lies else _("not seen"),
        )
        for piece, (home, lies) in sorted(moves.items())
    ]


def beside(snapshot: Snapshot, names: Names) -> CountedFacts:
    """Return what photographs of a game's final table were confirmed to show, beside its own score."""
    score = snapshot.match.counted
    if score is None:
        return {"counted": [], "doubts": []}
    shown = [(seat["seat"], names[seat["seat"]], seat) for seat in score["seats"]]
    return {"counted": shown, "doubts": _doubts(score, snapshot.position.game)}


def _doubts(score: Mapping[str, Any], game: Game) -> list[str]:
    return [say(doubt, ui_of(game).shown()) for doubt in photo_score.doubts_of(score)]


def photo_only_facts(match: Match) -> PhotoOnlyFacts:
    """Return what the page of a game that nobody refereed reads."""
    score = match.counted
    assert score is not None
    shown = {seat["seat"]: seat for seat in score["seats"]}
    scores = match.scores
    order = sorted(shown, key=lambda seat: scores[seat].rank)
    return {
        "called": ui_of(match.game).beside_pictures,
        "counted": [(seat, match.names[seat], shown[seat]) for seat in order],
        "winners": [match.names[seat] for seat in order if scores[seat].rank == 1],
        "decided": is_decided(match.game, match.complete),
        "notes": [say(note, ui_of(match.game).shown()) for note in photo_score.notes_of(score)],
        "doubts": _doubts(score, match.game),
        "missing": [name for seat, name in enumerate(match.names) if seat not in shown],
    }


def is_decided(game: Game | None, complete: bool) -> bool:
    """Return whether complete photographs show who won: those of some games do not count all points."""
    return complete and game is not None and not ui_of(game).photographs_count


def _own(zone: str, seats: Mapping[int, int]) -> str:
    kind = zone_kind(zone)
    number = zone.removeprefix(kind)
    return f"{kind}{seats[int(number)]}" if number else zone


def _plainly(arrangement: Arrangement) -> Arrangement:
    """Return an arrangement as photographs show it: columns as they are, everything else as loose pieces."""
    if isinstance(arrangement, Columns):
        return arrangement
    return Spread(Layout({"": arrangement}).pieces(""))


def keep_score(photo: Photo, form: MultiDict[str, str], mailbox: Mailbox, photo_reader: PhotoReader | None) -> str:
    """Keep the score with the game at the table, else as a game of its own; return the address of its page.

    ``photo_reader`` keeps the latter, None at a table that keeps no games.  Raises Declined if it cannot be
    kept, JournalError if the disk refuses it.
    """
    seen, snapshot = photo.seen, mailbox.snapshot
    assert seen is not None
    assert seen.score is not None
    if not seen.score["seats"]:
        raise Declined("bad-request", Message("No seat was recognised: there is nothing to save."))
    if form.get("how") == "ours":
        if not _is_ours(photo, snapshot):
            raise Declined("wrong-phase", Message("This game is not the one at the table, or it is not over."))
        data = photo_score.stored_score(seen.score, whose(seen, snapshot.position))
        answer = mailbox.decide(EventKind.SCORE, data, id=f"photo-{photo.key}")
        if not answer.ok:
            assert answer.error is not None
            raise answer.error
        return "/after"
    if photo_reader is None:
        raise Declined("bad-request", Message("This table does not save games."))
    names = _names(form.getlist("names[]"), seen.score["seats"])
    data = photo_score.stored_score(seen.score, {seat["seat"]: seat["seat"] for seat in seen.score["seats"]})
    return f"/games/{photo_reader.keep(photo.game, names, data)}"


def _names(typed: Sequence[str], seats: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the names of the seats; those without a name go by their numbers."""
    count = max([len(typed[:8]), *(seat["seat"] + 1 for seat in seats)])
    names = [typed_name(name) for name in typed[:count]] + [""] * (count - len(typed))
    return [name or _("Seat %(number)s", number=number) for number, name in enumerate(names, start=1)]
