"""The pages that ask for a photograph and that show what was understood of it."""

from __future__ import annotations

from collections.abc import Sequence

from flask import render_template, request

from tabletop.messages import Declined
from tabletop.referee.snapshot import Snapshot
from tabletop.rules import registry
from tabletop.rules.game import Game
from tabletop.web.games import ui_of
from tabletop.web.games.game_ui import AnyUI, Names
from tabletop.web.i18n import gettext as _
from tabletop.web.i18n import say
from tabletop.web.pages import session
from tabletop.web.views import score_photo, table_photo
from tabletop.web.views.photo_facts import CardsFacts, TakeFacts, UnderstoodFacts
from tabletop.web.views.photo_queue import Photo, PhotoFindings


def refused_page(photo: Photo, declined: Declined) -> str:
    """Return the page with what was understood and why it is declined."""
    ui = ui_of(session.context().mailbox.snapshot.position.game)
    return understood_page(photo, ui.explain(declined), say(declined.rule))


def understood_page(photo: Photo, refused: str = "", rule: str = "") -> str:
    """Return the page with what was understood; ``refused`` is why it does not count, ``rule`` the rule behind it."""
    context = session.context()
    snapshot, seen = context.mailbox.snapshot, photo.seen
    assert seen is not None
    ui = ui_of(snapshot.position.game)
    names = context.room.seating.called(snapshot.position.names)
    shown = ui_of(registry.game(photo.game)).shown()
    seen_by_all: UnderstoodFacts = {
        "page": "photo",
        "photo": photo,
        "base": f"/photo/{photo.purpose}/{photo.key}",
        "on": snapshot.number,
        "names": names,
        "doubts": [(number, say(text, shown)) for number, text in seen.doubts],
        "refused": refused,
        "refused_rule": rule,
    }
    return render_template(
        f"photo/{photo.purpose}.html",
        **{
            **seen_by_all,
            **ui.board(snapshot.position, names, over=snapshot.over),
            **_of_purpose(photo, seen, snapshot, ui, names),
        },
    )


def _of_purpose(
    photo: Photo, seen: PhotoFindings, snapshot: Snapshot, ui: AnyUI, names: Names
) -> CardsFacts | table_photo.TablePhotoFacts | score_photo.ScoredPhotoFacts:
    """Return what the page for photographs of this purpose reads in addition."""
    match photo.purpose:
        case "cards":
            return {"dealt": ui.dealt(snapshot.position), "ticked": seen.pieces, "due": _is_due(photo)}
        case "table":
            return table_photo.facts(photo, snapshot, ui, names)
        case _:
            context = session.context()
            assert context.photo_reader is not None
            return score_photo.facts(photo, snapshot, names, context.photo_reader, kept=context.archive is not None)


def _is_due(photo: Photo) -> bool:
    position = session.context().mailbox.snapshot.position
    ui = ui_of(position.game)
    return ui.dealt(position) is not None and ui.concerned(position) == photo.seat


def taking_page(purpose: str, unreadable: Photo | None = None) -> str:
    """Return the page that asks for a photograph, or for another one in place of one that is ``unreadable``."""
    snapshot = session.context().mailbox.snapshot
    games = {game.name: game.title for game in scored_games()} if purpose == "score" else {}
    game, before = request.args.get("game", snapshot.position.game.name), request.args.get("with", "")[:40]
    trouble = ""
    if unreadable is not None:
        game, before = unreadable.game, unreadable.before
        trouble = _("The photo: %(why)s", why=say(unreadable.trouble))
    facts: TakeFacts = {
        "page": "photo",
        "purpose": purpose,
        "trouble": trouble,
        "games": games,
        "chosen": game,
        "before": before,
        "seat": request.args.get("seat", type=int),
    }
    return render_template("photo/take.html", **facts)


def scored_games() -> Sequence[Game]:
    """Return the games whose final table is scored from photographs."""
    photo_reader = session.context().photo_reader
    return photo_reader.scored() if photo_reader is not None else ()
