"""The simulated camera, which gives pictures as a Pi camera above the simulated table would.

Only what changed since the last frame is drawn again; noise is new in every frame.  ``frame(time)`` is for runs without
a clock, ``capture`` belongs to the interface of real cameras.
"""

from __future__ import annotations

import math
import random
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from tabletop.config import SIMULATED_CAMERA
from tabletop.hardware.errors import CameraLost
from tabletop.rules.table import Zone
from tabletop.simulator.camera.arm import Arms
from tabletop.simulator.camera.drawing import Artist, Pattern, PrintedThing
from tabletop.simulator.camera.lens import CameraModel, Floats, stand_camera
from tabletop.simulator.camera.light import make_light, mirrored_lights
from tabletop.simulator.camera.picture import NoiselessPicture, Patch, PixelBox
from tabletop.simulator.camera.projection import Stage, grey_of
from tabletop.simulator.camera.sensor import Blur, Noise, shrink, small_step
from tabletop.simulator.conditions import Conditions
from tabletop.simulator.table.pose import PiecePose
from tabletop.simulator.table.simulated_table import Lying, Reach, SimulatedTable
from tabletop.vision.frame import Frame, Grey

ZONE_CARD_THICKNESS_MM = 0.3
MIN_BLOCK_THICKNESS_MM = 2.0
"""The least thickness of a block; blocks lie beside each other, never on each other's edge."""

Prints = dict[tuple[str, bool, float], PrintedThing]
"""A piece, whether its face is up and how torn its sticker is → its print."""
_kept: deque[tuple[object, Floats, Prints]] = deque(maxlen=2)
"""What determined the picture of a bare table, that picture, and the prints drawn so far, for the next game there."""


class SimulatedCamera:
    """A camera above a simulated table.

    ``pattern`` returns a payload's modules.  With ``colour``, frames have a colour picture for people as well, which
    takes about three times the work.  Set ``stuck`` to make captures fail like those of a camera that hangs, and
    ``lamp`` to the share of the light that is on.  ``stands``: the camera model, if it does not hang above the table.
    """

    def __init__(
        self,
        table: SimulatedTable,
        pattern: Pattern,
        *,
        size: tuple[int, int] = (2304, 1296),
        given: Conditions,
        seed: int = 0,
        colour: bool = False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        interval: float = 0.1,
        stands: CameraModel | None = None,
    ) -> None:
        rng = random.Random(f"camera {seed}")
        self._table = table
        self._given = given
        self._colour = colour
        self._clock = clock
        self._sleep = sleep
        self._interval = interval
        self._due = 0.0
        self.stuck = False
        self.lamp = 1.0
        model = stand_camera(size, table.extent, given.tilt, given.bend, rng)
        self._light = make_light(size, given, colour, rng)
        density = 2 * model.scale_at(table.extent[0] / 2, table.extent[1] / 2)
        self._artist = Artist(pattern, table.game, density, given.wear, seed)
        self._prints: Prints = {}
        self._seed, self._turns = seed, 0
        self._blur = Blur(size, given, rng)
        self._number = 0
        self._grey: Grey = np.empty((size[1], size[0]), np.uint8)
        step = small_step(size[0])
        self._small: Grey = np.empty((size[1] // step, size[0] // step), np.uint8)
        self._look_from(stands or model)
        self._show(self._bare_table() if stands else self._kept_table((size, given, seed, colour, pattern)))
        self._noise = Noise(self._grey.shape, given.noise, given.flicker, seed)
        self._small_noise = Noise(self._small.shape, given.noise / step, given.flicker, seed + 1)
        self._colour_noise = Noise(self._pixels.shape, given.noise, given.flicker, seed + 2) if colour else None

    @property
    def about(self) -> str:
        """A description of the camera."""
        return SIMULATED_CAMERA

    @property
    def name(self) -> str:
        """Its name in messages."""
        return SIMULATED_CAMERA

    def stand(self, model: CameraModel) -> None:
        """Move the camera, as when somebody bumps it; its picture keeps its size."""
        self._look_from(model)
        self._show(self._bare_table())

    def _look_from(self, model: CameraModel) -> None:
        self.model = model
        self._stage = Stage(model, self._light)
        self._arms = Arms(model, self._light)
        self._drawn: dict[str, tuple[Lying, tuple[Patch, Patch]]] = {}
        self._hands: tuple[Reach, ...] = ()
        self._hand_boxes: list[PixelBox] = []

    def _kept_table(self, made: object) -> Floats:
        """Return the bare table as another camera saw it that was ``made`` like this one, and share its prints."""
        table = self._table
        wanted = made, table.game, table.make, table.extent, dict(table.zones), dict(table.marks)
        for known, bare, prints in _kept:
            if known == wanted:
                self._prints = prints
                return bare
        bare = self._bare_table()
        _kept.append((wanted, bare, self._prints))
        return bare

    def _bare_table(self) -> Floats:
        """Return the radiance of the table with its zone cards alone, read-only."""
        ground = self._stage.ground(self._seed)
        self._lay_zone_cards(ground)
        ground.setflags(write=False)
        return ground

    def _show(self, bare: Floats) -> None:
        """Begin a picture of a table on which nothing lies yet."""
        self._picture = NoiselessPicture(bare, self._blur, self._blur.reach)
        self._pixels = self._picture.pixels
        self._develop([self._picture.whole])

    def turn_lamp(self) -> None:
        """Turn the lamps away, so that they are mirrored elsewhere; they light the table as before."""
        self._turns += 1
        chance = random.Random(f"lamps {self._seed} {self._turns}")
        glare = mirrored_lights(self.model.size, self._given, self._colour, chance)
        self._light = replace(self._light, glare=glare)
        self.stand(self.model)

    def frame(self, time: float) -> Frame:
        """Return a picture of the table as it is, with ``time`` (monotonic seconds) as the time of its exposure."""
        self._develop(self._redrawn())
        self._number += 1
        return Frame(
            self._noise.added(self._lit(self._grey)),
            self._small_noise.added(self._lit(self._small)),
            time,
            self._number,
            self._colour_noise.added(self._lit(self._pixels)) if self._colour_noise else None,
        )

    def capture(self, after: float, timeout: float) -> Frame:
        """Return a frame exposed after ``after``, at least ``interval`` seconds after the last one.

        Raises CameraLost after ``timeout`` seconds if ``stuck`` is set.
        """
        now = self._clock()
        if self.stuck:
            self._sleep(timeout)
            raise CameraLost(self.name, "The camera {camera} gives no picture: it was made to hang.")
        begin = max(after, self._due, now)
        if begin > now:
            self._sleep(begin - now)
        self._due = begin + self._interval
        return self.frame(begin)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def photograph(self) -> bytes:
        """Return a JPEG of the table as it is, of the quality in the conditions."""
        frame = self.frame(self._clock())
        picture = frame.grey if frame.colour is None else frame.colour
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self._given.jpeg])
        return data.tobytes()

    def _lit(self, pixels: Grey) -> Grey:
        """Return pixels dimmed to the light that is on; grey levels are the square root of radiance."""
        return pixels if self.lamp == 1 else cv2.convertScaleAbs(pixels, alpha=math.sqrt(self.lamp)).astype(np.uint8)

    def _lay_zone_cards(self, ground: Floats) -> None:
        whole = PixelBox(0, 0, *self.model.size)
        cards: dict[str, list[Zone]] = {}
        for zone in self._table.zones.values():
            cards.setdefault(zone.marker, []).append(zone)
        for marker, zones in cards.items():
            print_, (left, top) = self._artist.zone_card(zones)
            marked = self._table.marks[marker]
            middle = marked.out(print_.width / 2 - left, print_.height / 2 - top)
            for patch in self._stage.patches(
                self._toned(print_), PiecePose(*middle, marked.angle), ZONE_CARD_THICKNESS_MM
            ):
                patch.onto(ground, whole)

    def _redrawn(self) -> list[PixelBox]:
        """Update the picture and the hands over it; return the boxes of pixels that changed."""
        lying, hands = dict(self._table.lying), self._table.hands
        dirty = []
        for piece, (drawn, (_, face)) in list(self._drawn.items()):
            if lying.get(piece) is not drawn:
                dirty.append(face.box)
                del self._drawn[piece]
        for piece, there in lying.items():
            if piece not in self._drawn:
                self._drawn[piece] = (there, self._patches(there))
                dirty.append(self._drawn[piece][1][1].box)
        changed = self._picture.redraw(dirty, self._layers()) if dirty else []
        return self._with_hands(changed, hands)

    def _layers(self) -> list[Patch]:
        """Return the patches of all pieces, the lowest first.

        The side and the shadow of a block are below the faces of the blocks of the same height beside it.
        """
        layers: list[tuple[int, int, Patch]] = []
        for lying, (side, face) in self._drawn.values():
            high = self._height(lying)
            beside = (
                other.order
                for other, (_, theirs) in self._drawn.values()
                if high and self._height(other) == high and not side.box.cut(theirs.box).empty
            )
            layers += [(min(beside, default=lying.order), 0, side), (lying.order, 1, face)]
        return [patch for _, _, patch in sorted(layers, key=lambda layer: layer[:2])]

    def _height(self, lying: Lying) -> float:
        """Return the height of a block's face, mm; 0 for a flat piece."""
        thick = self._table.sizes[lying.kind].thick
        return lying.lift + thick if thick >= MIN_BLOCK_THICKNESS_MM else 0.0

    def _with_hands(self, changed: list[PixelBox], hands: tuple[Reach, ...]) -> list[PixelBox]:
        if hands == self._hands and not (hands and changed):
            return changed
        # Where hands were before, the picture below is visible again.
        uncovered = [box for box in self._hand_boxes if not box.empty]
        self._hands = hands
        patches = [self._arms.patch(hand) for hand in hands]
        boxes = [patch.box for patch in patches]
        self._hand_boxes = boxes
        if not hands:
            self._pixels = self._picture.pixels
            return [*changed, *uncovered]
        if self._pixels is self._picture.pixels:
            self._pixels = self._picture.pixels.copy()
        for box in [*changed, *uncovered]:
            self._pixels[box.window] = self._picture.pixels[box.window]
        for box in boxes:
            self._pixels[box.window] = self._picture.overlaid(patches, box)
        return [*changed, *uncovered, *boxes]

    def _develop(self, boxes: list[PixelBox]) -> None:
        for box in boxes:
            part = self._pixels[box.window]
            self._grey[box.window] = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) if self._colour else part
            shrink(self._grey, self._small, box)

    def _patches(self, lying: Lying) -> tuple[Patch, Patch]:
        key, size = (lying.piece, lying.face_up, lying.torn), self._table.sizes[lying.kind]
        if key not in self._prints:
            print_ = (
                self._artist.piece(lying.piece, lying.kind, size, lying.torn)
                if lying.face_up
                else self._artist.back(size)
            )
            self._prints[key] = self._toned(print_)
        return self._stage.patches(self._prints[key], lying.pose, size.thick, lying.lift, lying.bow)

    def _toned(self, print_: PrintedThing) -> PrintedThing:
        return print_ if self._colour else print_._replace(reflects=grey_of(print_.reflects))
