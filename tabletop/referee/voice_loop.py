"""Lets the table speak: its voice says, sentence by sentence, what is new."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from tabletop.hardware.errors import VoiceLost
from tabletop.referee.mailbox import Mailbox
from tabletop.referee.snapshot import Snapshot

log = logging.getLogger(__name__)
MAX_SENTENCES = 4
"""If more are waiting, only the newest are spoken: speech is slower than people play and would never catch up."""
LOOK_AGAIN_S = 0.5
"""How often to check for news while some of it is held back, in seconds."""
MAX_FAREWELL_S = 5.0
"""How long the current sentence may still be spoken once the table closes, in seconds."""


class VoiceLoop:
    """Speaks in a thread of its own while the context lasts; a voice that fails is reported once and given up.

    ``waits`` returns whether some of the news is held back for a while.
    """

    def __init__(
        self,
        mailbox: Mailbox,
        news: Callable[[Snapshot], list[str]],
        say: Callable[[str], None],
        waits: Callable[[], bool] = lambda: False,
    ) -> None:
        self._mailbox, self._news, self._say, self._waits = mailbox, news, say, waits
        self._changed, self._ended = threading.Event(), False
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        mailbox.on_change(self._changed.set)

    def __enter__(self) -> VoiceLoop:
        self._changed.set()
        self._thread.start()
        return self

    def __exit__(self, *trouble: object) -> None:
        self._ended = True
        self._changed.set()
        self._thread.join(MAX_FAREWELL_S)

    def _run(self) -> None:
        while True:
            self._changed.wait(LOOK_AGAIN_S if self._waits() else None)
            self._changed.clear()
            if self._ended:
                return
            try:
                self.speak()
            except VoiceLost as lost:
                log.warning("The table cannot speak. %s", lost)
                return
            except Exception:
                log.exception("what is new could not be said")

    def speak(self) -> None:
        """Say what is new.  Raises VoiceLost if nothing can be heard."""
        for text in self._news(self._mailbox.snapshot)[-MAX_SENTENCES:]:
            if not self._ended:
                self._say(text)
