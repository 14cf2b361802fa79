"""What is said of a whole picture: that the camera was moved, sees no marker, or nothing at all."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.messages import Message

NO_MARKER = Message("No zone card can be seen.")
ONE_MARKER = Message("Only one zone card can be seen: positions far from it are uncertain.")
BUMPED = Message("The camera was moved; the table has been found again.")
LOST = Message("The camera was moved and the table cannot be found: no zone card can be seen.")
OVEREXPOSED = Message(
    "The camera takes in too much light: paper is burnt out, and tags may go unread. Dim the lamp or turn it away."
)
DARK = Message("It is too dark to see the table: changes are ignored until there is light again.")
WHITE = Message("The camera is dazzled and sees only white: changes are ignored until it sees the table again.")
BLIND: Mapping[str, Message] = {"black": DARK, "white": WHITE}
"""Why nothing can be seen on a table, by what :func:`tabletop.vision.image.darkness.blindness` says of its picture."""
