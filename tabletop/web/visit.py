"""Who sends this request: the parts a request handler works with, and the seat or host behind its cookies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from flask import Response, abort, current_app, request

from tabletop.referee.desk import Desk
from tabletop.web.guard import Limiter
from tabletop.web.hub import Hub
from tabletop.web.room import Room
from tabletop.web.screen import Screen
from tabletop.web.votes import Votes

KEY = "tabletop"
"""Where the app keeps its parts."""
YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Parts:
    """What the handlers share; put together once by :func:`tabletop.web.app.create_app`."""

    desk: Desk
    room: Room
    votes: Votes
    hub: Hub
    screen: Screen
    joins: Limiter
    tries: Limiter
    photos: Limiter
    addresses: Sequence[str]
    picture: Callable[[], bytes | None] | None
    press: Callable[[str], None] | None
    read_photo: Callable[[bytes], list[str]] | None


def parts() -> Parts:
    """Return the parts of the app that handles this request."""
    return cast(Parts, current_app.extensions[KEY])


def seat() -> int | None:
    """Return the seat of whoever sends this request, None for a spectator."""
    return parts().room.seat_of(request.cookies.get("seat", ""))


def own_seat() -> int:
    """Return the seat of whoever sends this request.  Ends it with 403 where there is none."""
    found = seat()
    if found is None:
        abort(403, "This phone holds no seat, or another phone has taken it over.")
    return found


def is_host() -> bool:
    """Tell whether the host sends this request."""
    return parts().room.is_host(request.cookies.get("host", ""))


def require_host() -> None:
    """End the request with 403 where it is not the host's."""
    if not is_host():
        abort(403, "Only the host may do this.")


def set_token(response: Response, name: str, token: str) -> None:
    """Give a token to the browser: out of reach of scripts and of other sites, never in an address."""
    response.set_cookie(name, token, max_age=YEAR, httponly=True, samesite="Strict")
