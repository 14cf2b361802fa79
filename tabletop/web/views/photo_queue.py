"""Photographs that people have just taken: read one after the other, kept until they are confirmed, never on disk."""

from __future__ import annotations

import logging
import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from werkzeug.exceptions import ServiceUnavailable

from tabletop.messages import EMPTY, Message, said_by
from tabletop.rules.game import Game
from tabletop.rules.layout import Layout
from tabletop.web.i18n import gettext as _

log = logging.getLogger(__name__)

MAX_PHOTOS = 12
"""How many photographs are kept; the oldest is dropped first."""
MAX_PHOTO_AGE_S = 900.0
"""The age at which a photograph is dropped."""
MAX_WAITING_PHOTOS = 3
"""How many photographs may wait, besides the one that is being read."""
MAX_WAITING_BYTES = 40 * 1024 * 1024
"""The size of all photographs that wait, together."""


class PhotoFindings(Protocol):
    """The findings in one or more photographs of the same table."""

    @property
    def pictures(self) -> Sequence[tuple[int, bytes]]:
        """JPEGs with everything drawn in, each with the number of its photograph from 0."""

    @property
    def pieces(self) -> Sequence[str]:
        """The ids of the pieces that were read, sorted."""

    @property
    def doubts(self) -> Sequence[tuple[int, str]]:
        """(photograph, sentence) for all that does not count; a picture shows the numbers of its own sentences."""

    @property
    def layout(self) -> Layout:
        """The zones that are seen as a whole."""

    @property
    def unsure(self) -> frozenset[str]:
        """The zones in which something cannot be read."""

    @property
    def score(self) -> Mapping[str, Any] | None:
        """The result in the form of ``tabletop score``, None if no score was asked for."""

    @property
    def named(self) -> frozenset[int]:
        """The seats of the score that are known by their cards."""

    @property
    def carriers(self) -> frozenset[str]:
        """The pieces on which others stand, as stated or seen."""

    @property
    def shots(self) -> Sequence[Any]:
        """The shots so far, to be passed on with the next photograph of the same table."""


class UnreadablePhoto(ValueError):
    """A photo from a phone cannot be read; ``str`` is a sentence for people that says why."""


class PhotoReader(Protocol):
    """Reads photographs as they were sent (any bytes); its reading methods raise UnreadablePhoto if they cannot."""

    def open(self) -> None:
        """Get ready: somebody is about to take one."""

    def pieces(self, data: bytes) -> PhotoFindings:
        """Return the pieces in a photograph, wherever they lie."""

    def table(self, data: bytes) -> PhotoFindings:
        """Return what lies in the zones of the table."""

    def scored(self) -> Sequence[Game]:
        """Return the games whose final table is scored from photographs."""

    def score(
        self, data: bytes, game: str, agreed: Mapping[str, Any], before: Sequence[Any], called: Mapping[str, str]
    ) -> PhotoFindings:
        """Return the scores of a final table, from this photograph and from those before it.

        ``agreed`` are the ``edition`` and the ``options`` of the game, without which it has the usual ones, and the
        ``carriers`` that were stated, none of them if no piece carries one without a tag.  ``called``: piece → its name
        in the pictures.
        """

    def score_again(
        self, game: str, agreed: Mapping[str, Any], shots: Sequence[Any], called: Mapping[str, str]
    ) -> PhotoFindings:
        """Return the scores of a final table from photographs that were read before."""

    def carriers(self, game: str) -> Collection[str]:
        """Return the pieces of a game on which one without a tag can stand."""

    def keep(self, game: str, names: Sequence[str], score: Mapping[str, Any]) -> str:
        """Store the score of a table that nobody refereed; return its name in the store.

        Raises Illegal if the game refuses these seats, JournalError if the disk does.
        """


UNREADABLE = Message("it cannot be read; take another one.")
"""The reason given for a photo that cannot be read if nothing more is known."""


class StatedCarriers(NamedTuple):
    """The pieces on which one without a tag was stated to stand, among those that a page ``offered``."""

    pieces: frozenset[str]
    offered: frozenset[str]


@dataclass(slots=True, eq=False)
class Photo:
    """One photograph: ``owner`` is the token of who took it, ``seat`` the seat that it is for, None if for no seat.

    ``mark`` is that of the match in which it was taken, ``before`` the key of the photograph to which it is added,
    empty if it stands for itself; ``stated`` is what people stated about carriers, None if nothing.  Once ``ready``
    either ``seen`` is there or ``trouble`` says why not.
    """

    key: str
    purpose: str
    owner: str
    seat: int | None
    game: str
    mark: str
    before: str
    since: float
    stated: StatedCarriers | None = None
    seen: PhotoFindings | None = None
    trouble: Message = EMPTY
    done: str = ""
    """The page to which its confirmation led: confirming it again leads there as well."""
    turn: AbstractContextManager[object] = field(default_factory=threading.Lock)
    """Held while it is confirmed: a form that is sent twice at once counts once."""
    ready: threading.Event = field(default_factory=threading.Event)


class PhotoQueue:
    """The photographs taken at this table, for any thread; ``clock`` gives monotonic seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._photos: OrderedDict[str, Photo] = OrderedDict()
        self._waiting: deque[tuple[Photo, bytes, Callable[[bytes], PhotoFindings]]] = deque()
        self._busy = False

    def take(
        self,
        purpose: str,
        owner: str,
        seat: int | None,
        game: str,
        data: bytes,
        read: Callable[[bytes], PhotoFindings],
        *,
        mark: str,
        before: str = "",
        stated: StatedCarriers | None = None,
    ) -> Photo:
        """Queue a photograph for reading and return it.  Raises ServiceUnavailable (503) if the queue is full."""
        photo = Photo(secrets.token_urlsafe(16), purpose, owner, seat, game, mark, before, self._clock(), stated)
        with self._lock:
            held = sum(len(waiting) for _photo, waiting, _read in self._waiting)
            if len(self._waiting) >= MAX_WAITING_PHOTOS or held + len(data) > MAX_WAITING_BYTES:
                raise ServiceUnavailable(_("Other photos are being read. Send yours again in a few seconds."))
            if not self._busy:
                # First of all: a system that is short of threads may refuse one, and then nothing waits for it.
                threading.Thread(target=self._work, name="photographs", daemon=True).start()
                self._busy = True
            self._forget_old()
            self._make_room()
            self._photos[photo.key] = photo
            self._waiting.append((photo, data, read))
        return photo

    def find(self, key: str) -> Photo | None:
        """Return a photograph that is still kept."""
        with self._lock:
            self._forget_old()
            return self._photos.get(key)

    def ahead(self, photo: Photo) -> int:
        """Return how many other photographs are read before this one."""
        with self._lock:
            row = [waiting for waiting, _data, _read in self._waiting]
            return row.index(photo) + 1 if photo in row else 0

    def _forget_old(self) -> None:
        now = self._clock()
        for key, photo in [*self._photos.items()]:
            if photo.ready.is_set() and now - photo.since > MAX_PHOTO_AGE_S:
                del self._photos[key]

    def _make_room(self) -> None:
        """Drop the oldest photograph that was read if MAX_PHOTOS are kept."""
        oldest = next((key for key, photo in self._photos.items() if photo.ready.is_set()), None)
        if oldest is not None and len(self._photos) >= MAX_PHOTOS:
            del self._photos[oldest]

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._busy = False
                    return
                photo, data, read = self._waiting.popleft()
            try:
                photo.seen = read(data)
            except UnreadablePhoto as error:
                photo.trouble = said_by(error)
            except Exception:
                log.exception("a photograph could not be read")
                photo.trouble = UNREADABLE
            del data, read
            photo.ready.set()
