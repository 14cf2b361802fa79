"""Whose turn it is and what the table needs: the referee's sentences and pieces to move, as one seat may read them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from tabletop.match import happenings
from tabletop.match.event import EventKind
from tabletop.messages import N_, Message, listed
from tabletop.referee.messages import SENTENCES
from tabletop.referee.snapshot import Said, Snapshot
from tabletop.rules.game import Position
from tabletop.rules.secrecy import known_pieces
from tabletop.web.games.game_ui import AnyUI, Names
from tabletop.web.games.zone_names import ZoneNames
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import say
from tabletop.web.message_text import sentence
from tabletop.web.seating.claims import Admission, SeatClaim
from tabletop.web.seating.votes import Vote, asked_by_ok
from tabletop.web.views.game_log import action_line

PLAY_AGAIN = N_(
    "To play again with the same people, clear the table; then tap “Play again” on a phone, or hold OK on the panel."
)
PLAY_AGAIN_SIMULATED = N_("To play again, tap “Play again” on a phone, or hold OK on the demo page.")
PLAY_AGAIN_BY_HOST = N_("The next game can be begun on a phone, or by the host.")
SIMULATED: Mapping[str, str] = {SENTENCES["undone"]: N_("Undone: {what}.")}
"""Sentences that ask hands for something → what they say instead where the program moves the hands."""

About = Mapping[str, str]
"""The data attributes of a page's body, by which style sheets change how the whole page looks."""


def about(*, mine: bool, scene: str, hues: Sequence[int], televised: bool) -> About:
    """Return the data of a page's body: the stage's scene, and the seats' colours as ``SEAT-HUE``.

    ``mine`` says that the page's seat decides, ``televised`` that a stage is open which counts the score.
    """
    colours = " ".join(f"{seat}-{hue}" for seat, hue in enumerate(hues))
    facts = {"mine": mine, "televised": televised}
    return {"scene": scene, "hues": colours, **{name: "yes" if fact else "no" for name, fact in facts.items()}}


def prompts(
    snapshot: Snapshot,
    seat: int | None,
    ui: AnyUI,
    names: Names,
    *,
    simulated: bool = False,
    again: bool = False,
    panel: bool = True,
    watched: bool = False,
    choosing: Collection[int] = (),
) -> list[tuple[str, str]]:
    """Return what the table needs, as (kind, sentence), most urgent first.

    At a ``simulated`` table a seat is not asked to move pieces: hands that the program moves do it.  Where they are
    ``watched``, only what the referee asks for is said, and seats that are ``choosing`` on pages are sent there.
    ``again`` says that the next game can be begun now, ``panel`` that there is a panel to do so.
    """
    flies = simulated and watched and not asks_for_moves(snapshot)
    awaited = (
        flies or (simulated and seat is not None) or (ui.says_what_is_awaited and snapshot.position.decider is None)
    )
    instead = {**SIMULATED, **ui.simulated} if simulated else {}
    said = [
        ("wait" if spoken.code == "waiting" else "say", _said(spoken, snapshot.position, seat, ui, names, instead))
        for spoken in snapshot.say
        if not (awaited and spoken.code == "waiting")
        and not (snapshot.over and spoken.code == "news")  # the score shows it
        and not (seat is not None and spoken.code == "panel-lost")  # it would stay, and players cannot change it
    ]
    decider, waiting = snapshot.position.decider, any(spoken.code == "waiting" for spoken in snapshot.say)
    if flies and waiting and decider is not None and decider in choosing:
        name = names[decider]
        said.append(("wait", _("%(name)s: choose on your page; the simulated hands lay the pieces.", name=name)))
    if again:
        said.append(("wait", _(PLAY_AGAIN_SIMULATED if simulated else PLAY_AGAIN if panel else PLAY_AGAIN_BY_HOST)))
    if snapshot.match.deputed:
        absent = listed([names[absentee] for absentee in sorted(snapshot.match.deputed)])
        said.append(("say", _("The host plays for %(names)s.", names=say(absent))))
    if snapshot.todo and simulated and seat is not None:
        # It is not shown to the seat that decides: a line that comes and goes would move what is about to be tapped.
        busy = [("wait", _("The simulated hands are laying the pieces …"))]
        return [] if seat == snapshot.position.decider else busy
    moves = _moves(snapshot, seat, ui, names) if snapshot.todo and not flies else []
    return list(dict.fromkeys(said + [("move", text) for text in moves]))


def asks_for_moves(snapshot: Snapshot) -> bool:
    """Return whether the referee blinks because pieces lie where they should not."""
    light = snapshot.signals.get("illegal")
    return light is not None and light.name == "FAST"


def status(snapshot: Snapshot, seat: int | None, ui: AnyUI, names: Names) -> str:
    """Return who decides what, as a seat (None: a spectator) reads it; or that the game is paused, or who won."""
    position = snapshot.position
    if snapshot.match.paused:
        return _("The game is paused.")
    if snapshot.over:
        return _("The game was ended early.") if snapshot.match.ended else _won(position, seat, names)
    if position.decider is None:
        due = ui.concerned(position)
        seen = 0 if snapshot.scene is None else ui.shown_at_deal(position, snapshot.scene.layout)
        return ui.waiting(position, due == seat, names[due], seen)
    return ui.deciding(position, position.decider == seat, names[position.decider])


def _won(position: Position, seat: int | None, names: Names) -> str:
    """Return the sentence that the game is over, and who won, as a seat reads it."""
    winners = [winner for winner, score in enumerate(position.score()) if score.rank == 1]
    if len(winners) > 1:
        return _("The game is over: %(names)s share the victory.", names=say(listed([names[one] for one in winners])))
    if winners == [seat]:
        return _("The game is over: you win!")
    return _("The game is over: %(name)s wins.", name=names[winners[0]])


def let_in(claim: SeatClaim, admission: Admission) -> str:
    """Return what people have to do to let in a phone that waits for a seat, or to be the host."""
    if not admission.confirm:
        return _("Another phone has this seat: it has to agree, or the host.")
    if claim.seat is None:
        return _(
            "A phone asks to be the host. When all seat lights flash three times, hold OK on the panel for a "
            "second to agree."
        )
    if claim.seat in admission.own_buttons:
        return _("Press the button of seat %(number)s, where the light blinks, or ask the host.", number=claim.seat + 1)
    return _(
        "When the light of seat %(number)s blinks, hold OK on the panel for a second, or ask the host.",
        number=claim.seat + 1,
    )


def confirmation(claim: SeatClaim, names: Names) -> str:
    """Return the sentence on a claim that was confirmed at the panel or by the host."""
    if claim.seat is not None:
        name = claim.name or names[claim.seat]
        return _("%(name)s’s phone is confirmed for seat %(number)s.", name=name, number=claim.seat + 1)
    if claim.name:
        return _("%(name)s’s phone is confirmed as the host’s.", name=claim.name)
    return _("A phone is confirmed as the host’s.")


def at_panel(vote: Vote, own_buttons: Collection[int], names: Names) -> str:
    """Return how a vote is answered at the panel."""
    asked = asked_by_ok(vote, own_buttons)
    if asked is None:
        return _("On the panel: press your seat’s button to agree, or PASS to decline.")
    return _("On the panel: the light of %(name)s blinks; press OK to agree, or PASS to decline.", name=names[asked])


def _said(said: Said, position: Position, seat: int | None, ui: AnyUI, names: Names, instead: Mapping[str, str]) -> str:
    """Return what the referee said, with some sentences ``instead`` of others; an action as in this seat's log."""
    said = replace(said, text=_reworded(said.text, instead))
    if "act" in said.facts:
        action = position.game.action(said.facts["act"])
        line = action_line(action, said.facts["seat"], ui, seat, names, position.game)
        what = ui.in_a_sentence(replace(line, text=line.text.rstrip(".")))
        said = replace(said, text=said.text.with_facts(what=what))
    elif said.code == "waiting" and seat is not None and seat == position.decider:
        said = replace(said, text=said.text.facts.get("what", said.text))
    return sentence(said, ui, names)


def _reworded(text: Message, instead: Mapping[str, str]) -> Message:
    """Return a message in which sentences, or those it is joined from, are replaced by others with the same facts."""
    facts = {name: _reworded(fact, instead) if isinstance(fact, Message) else fact for name, fact in text.facts.items()}
    return text.with_facts(**facts) if text.many else Message(instead.get(text.template, text.template), **facts)


def _moves(snapshot: Snapshot, seat: int | None, ui: AnyUI, names: Names) -> list[str]:
    """Return what is to be moved; of a piece that belongs where this seat may not look, only where it lies now."""
    places = ZoneNames(snapshot.position, ui, names)
    shown = {f"{zone}{owner}": owner for zone in _shows(snapshot) for owner in range(len(names))}
    ways: dict[tuple[str, str, str], list[str]] = {}
    known, covered = known_pieces(snapshot.position, seat) | shared_names(snapshot), set[str]()
    taker, taken = _taken(snapshot, seat)
    layout = snapshot.position.layout()
    own, takers = (layout.hand_zones(holder, len(names)) for holder in (seat, taker))
    for move in snapshot.todo:
        if move.belongs in own:
            ways.setdefault(("", move.belongs, ""), []).append(ui.called(move.piece))
        elif move.piece in known:
            ways.setdefault((move.lies, move.belongs, move.rule), []).append(ui.called(move.piece))
        elif move.piece in taken and move.belongs in takers:
            name, piece = names[taker], ui.called(move.piece)
            covered.add(_("%(name)s: take %(piece)s into your hand.", name=name, piece=piece))
        elif shown.get(move.lies, seat) != seat:
            covered.add(_("%(name)s: take what you showed into your hand.", name=names[shown[move.lies]]))
        else:
            covered.add(_("Something that should be out of sight lies here: %(place)s.", place=places.zone(move.lies)))
    open_ones = [
        _("Take %(piece)s into your hand.", piece=_listed(pieces))
        if way[1] in own
        else _move(_listed(pieces), way, seat, places)
        for way, pieces in ways.items()
    ]
    # Not in the order of the pieces: that would reveal where each of them belongs.
    return open_ones + sorted(covered)


def _taken(snapshot: Snapshot, seat: int | None) -> tuple[int, tuple[str, ...]]:
    """Return the seat that acted last and the pieces that everybody saw it name; none if the action may be secret."""
    newest, game = snapshot.match.newest_change, snapshot.position.game
    if newest is None or newest.kind != EventKind.ACTION or newest.seat is None:
        return 0, ()
    return newest.seat, happenings.tell(game, game.action(dict(newest.data)), newest.seat, seat).pieces


def public_names(snapshot: Snapshot) -> frozenset[str]:
    """Return the names of the pieces that everybody may know, with those that everybody just saw taken."""
    return known_pieces(snapshot.position, None) | shared_names(snapshot) | frozenset(_taken(snapshot, None)[1])


def shared_names(snapshot: Snapshot) -> frozenset[str]:
    """Return the names that interchangeable pieces, such as floors, share: all of them lie open."""
    return frozenset(piece.like for piece in snapshot.position.game.pieces.values() if piece.like)


def _shows(snapshot: Snapshot) -> set[str]:
    """Return the zones, without their seats, in which a seat shows what it holds."""
    table = snapshot.position.game.table
    return set(table.shows.values()) if table is not None else set()


def _listed(pieces: Sequence[str]) -> str:
    """Return the pieces as a list whose items can be told apart, even if a name has commas of its own."""
    return ("; " if any("," in piece for piece in pieces) else ", ").join(pieces)


def _move(pieces: str, way: tuple[str, str, str], seat: int | None, places: ZoneNames) -> str:
    """Return the sentence on where pieces should go, and why."""
    lies, belongs, rule = way
    here, to = places.zone(lies, seat) if lies else "", places.zone(belongs, seat) if belongs else ""
    if here == to:
        text = _("Arrange %(piece)s as the pages show, here: %(place)s.", piece=pieces, place=to)
    elif not belongs:
        text = _("Take %(piece)s away from here: %(place)s.", piece=pieces, place=here)
    elif not lies:
        text = _("Put %(piece)s here: %(place)s.", piece=pieces, place=to)
    else:
        text = _("Move %(piece)s from %(from_)s to %(to)s.", piece=pieces, from_=here, to=to)
    return f"{text} {say(rule)}".strip()
