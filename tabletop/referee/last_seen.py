"""What the camera has seen on the table since the last event: a piece that nobody saw leave was not laid again."""

from __future__ import annotations

from tabletop.match.match import Match
from tabletop.rules.game import Game
from tabletop.vision.scene import Scene
from tabletop.vision.tags import payloads

HOW_KEPT = "kept"
"""The reason given for a tag that is assumed to lie where it was once read."""


class LastSeen:
    """The tags that were read in a scene since the match went on last; ``now`` are the pieces that are read."""

    def __init__(self) -> None:
        self.now: frozenset[str] = frozenset()
        self._read: frozenset[str] = frozenset()

    def see(self, scene: Scene) -> None:
        """Add what is read in a scene."""
        self._read |= _read(scene)

    def name(self, game: Game, scene: Scene) -> None:
        """Take in which pieces of a game are read in a scene."""
        pieces = (payloads.piece_of(game, payload) for payload in _read(scene))
        self.now = frozenset(piece for piece in pieces if piece is not None)

    def recorded(self, scene: Scene | None) -> None:
        """Begin again after an event, with what lies there to be read."""
        self._read = frozenset() if scene is None else _read(scene)

    def unproven(self, match: Match, scene: Scene) -> frozenset[str]:
        """Return the pieces that seem to have been moved though none was read there since the last event."""
        kept = {sighting.payload for sighting in scene.sightings if sighting.how == HOW_KEPT} - self._read
        if not kept:
            return frozenset()
        belongs, lies = match.position.layout().zone_of(), scene.layout.zone_of()
        pieces = (payloads.piece_of(match.game, payload) for payload in kept)
        return frozenset(piece for piece in pieces if piece in lies and lies[piece] != belongs.get(piece))


def _read(scene: Scene) -> frozenset[str]:
    return frozenset(sighting.payload for sighting in scene.sightings if sighting.how != HOW_KEPT)
