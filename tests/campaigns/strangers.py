"""Things that look as much as possible like tags of the set in play but are not: none may get an identity.

``python -m tests.campaigns.strangers 100000 [--photos WHERE]`` looks at that many candidate places; an identity where
none of our tags lies is printed, and the exit status is 1.  ``--pictures 8 --awaited 12`` looks as a second look does,
``--game piecepack --make box --side 14`` looks for coins alone.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from bench.painting import Lying, Painter
from bench.photographs import SUFFIXES
from bench.public_sets import WHERE, folder_of
from tabletop.rules import registry
from tabletop.rules.game import Game
from tabletop.vision.errors import PictureError
from tabletop.vision.frame import Grey
from tabletop.vision.geometry.boxes import Box
from tabletop.vision.geometry.plane import Plane
from tabletop.vision.image.load import open_picture
from tabletop.vision.kit import Kit
from tabletop.vision.live.reread.retries import VEIL_MM
from tabletop.vision.live.reread.stacking import PictureStack
from tabletop.vision.recognise.candidates import NARROW_SIGHT, CandidateFinder, Candidates
from tabletop.vision.recognise.recogniser import Recogniser
from tabletop.vision.tags import patterns
from tabletop.vision.tags.patterns import Pattern

LETTERS = list("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
WIDTH, HEIGHT = 520.0, 390.0
PARTS, BESIDE = 4, 14.0
"""Number of parts across and down that the tracker looks at closely, and the margin seen around each, mm."""
CODES = [(x, y) for x in range(-225, 226, 41) for y in range(-165, 166, 41)]
"""Places of codes, mm, so close to each other that some touch."""


@dataclass(frozen=True)
class OurTags:
    """The tags to be recognised, all of a game's pieces or those of one side (mm), and their patterns."""

    game: Game
    side: float
    looks: dict[str, Pattern]

    @classmethod
    def of(cls, kit: Kit, side: float) -> OurTags:
        """Return the tags of a kit that have that side."""
        names = [one.payload for one in kit.pieces if one.size_mm == side]
        return cls(kit.game, side, {name: kit.patterns[name] for name in names})


Draw = Callable[[np.random.Generator, Painter, OurTags], dict[str, tuple[float, float]]]
"""A function that paints things of one kind and returns where our own tags lie, by payload."""


def codes(pattern: Callable[[np.random.Generator, OurTags], Pattern | None]) -> Draw:
    """Return a function that paints a table full of codes, most the size of our tags, some slightly off."""

    def draw(rng: np.random.Generator, painter: Painter, ours: OurTags) -> dict[str, tuple[float, float]]:
        for x, y in CODES:
            one = pattern(rng, ours)
            if one is not None:
                size = ours.side * float(rng.choice((1.0, 1.0, 0.94, 1.07)))
                painter.paste(
                    patterns.draw(one, 10), x + rng.uniform(-9, 9), y + rng.uniform(-9, 9), rng.uniform(0, 360), size
                )
        return {}

    return draw


def other_letter(rng: np.random.Generator, ours: OurTags) -> Pattern:
    """Return a tag of ours with another set letter."""
    payload = str(rng.choice(list(ours.looks)))
    return patterns.pattern(payload.replace(":", f"{rng.choice(LETTERS[10:])}:", 1))


def other_game(rng: np.random.Generator, ours: OurTags) -> Pattern:
    """Return a tag of another of our games, or a marker of any letter."""
    game = registry.game(str(rng.choice([name for name in registry.BUILT_IN if name != ours.game.name])))
    return patterns.pattern(str(rng.choice(list(Kit(game, letter=str(rng.choice(["", "B", "Q"]))).entries))))


def random_text(rng: np.random.Generator, ours: OurTags) -> Pattern:
    """Return a code of our QR version and error correction level with random text."""
    return patterns.encode("".join(rng.choice(LETTERS, int(rng.integers(4, 11)))), int(rng.integers(8)))


def like_ours(rng: np.random.Generator, ours: OurTags) -> Pattern:
    """Return a code that begins with our game's prefix and continues at random."""
    return patterns.encode(f"{ours.game.tag}:" + "".join(rng.choice(LETTERS, 7)), int(rng.integers(8)))


def one_character(rng: np.random.Generator, ours: OurTags) -> Pattern | None:
    """Return a tag of ours with one character of its text changed, under the same mask."""
    look = patterns.encoding_of(str(rng.choice(list(ours.looks))))
    text, at = list(look.text), int(rng.integers(3, len(look.text)))
    text[at] = str(rng.choice(LETTERS))
    return None if "".join(text) == look.text else patterns.encode("".join(text), look.mask)


def mirrored(rng: np.random.Generator, ours: OurTags) -> Pattern:
    """Return a tag of ours as a mirror shows it."""
    return ours.looks[str(rng.choice(list(ours.looks)))].T


def negative(rng: np.random.Generator, ours: OurTags) -> Pattern:
    """Return a tag of ours with light and dark exchanged."""
    return ~ours.looks[str(rng.choice(list(ours.looks)))]


def damaged(rng: np.random.Generator, painter: Painter, ours: OurTags) -> dict[str, tuple[float, float]]:
    """Paint tags of ours with a third of their modules redrawn at random; each must be read right or not at all."""
    lying = {}
    for (x, y), payload in zip(CODES, rng.permutation(list(ours.looks)), strict=False):
        pattern = ours.looks[str(payload)].copy()
        change = rng.random(pattern.shape) < 0.6
        change[:9, :], change[:, :9] = False, False
        pattern[change] = rng.random(int(change.sum())) < 0.5
        painter.tag(pattern, Lying(str(payload), x, y, rng.uniform(0, 360), ours.side))
        lying[str(payload)] = (float(x), float(y))
    return lying


def cards(rng: np.random.Generator, painter: Painter, ours: OurTags) -> dict[str, tuple[float, float]]:
    """Paint printed cards, tiles and dice, side by side."""
    for x, y in CODES:
        if rng.random() < 0.8:
            painter.art(x, y, rng.uniform(0, 360), rng.uniform(18, 40), rng.uniform(18, 34))
        else:
            painter.paste(_die(rng), x, y, rng.uniform(0, 360), 16)
    return {}


def print_on_paper(rng: np.random.Generator, painter: Painter, ours: OurTags) -> dict[str, tuple[float, float]]:
    """Paint rule sheets, crosswords and barcodes."""
    for x in (-150, 0, 150):
        for y in (-100, 100):
            sheet = np.full((1200, 900), 235, np.uint8)
            kind = rng.integers(3)
            if kind == 0:
                for line in range(20, 1200, int(rng.integers(14, 40))):
                    words = "".join(rng.choice(list("abcdefgh iklmnop rstuv wyz"), 70))
                    cv2.putText(sheet, words, (10, line), cv2.FONT_HERSHEY_SIMPLEX, line % 5 / 10 + 0.4, 30, 2)
            elif kind == 1:
                squares = (rng.random((1200 // 24, 900 // 24)) < rng.uniform(0.3, 0.6)).astype(np.uint8)
                sheet[:1200, :888] = np.kron(np.where(squares, 235, 20).astype(np.uint8), np.ones((24, 24), np.uint8))
            else:
                bars = np.repeat(rng.random(180) < 0.5, 5)
                sheet[:, bars] = 20
            painter.paste(sheet, x, y, rng.uniform(-20, 20), rng.uniform(90, 140))
    return {}


def wood_and_hands(rng: np.random.Generator, painter: Painter, ours: OurTags) -> dict[str, tuple[float, float]]:
    """Paint cards with hands over them."""
    cards(rng, painter, ours)
    for _ in range(3):
        painter.hand(rng.uniform(-200, 200), rng.uniform(-120, 120), rng.uniform(50, 90), int(rng.choice((-1, 1))))
    return {}


def half_hidden(rng: np.random.Generator, painter: Painter, ours: OurTags) -> dict[str, tuple[float, float]]:
    """Paint tags of ours with much of each covered; each must be read right or not at all."""
    lying = {}
    for (x, y), payload in zip(CODES, rng.permutation(list(ours.looks)), strict=False):
        _covered(rng, painter, ours, (float(x), float(y)), ours.looks[str(payload)])
        lying[str(payload)] = (float(x), float(y))
    return lying


def half_hidden_codes(rng: np.random.Generator, painter: Painter, ours: OurTags) -> dict[str, tuple[float, float]]:
    """Paint foreign codes that resemble ours, with much of each covered."""
    kinds = (other_letter, other_game, random_text, like_ours, one_character)
    for number, (x, y) in enumerate(CODES):
        one = kinds[number % len(kinds)](rng, ours)
        if one is not None:
            _covered(rng, painter, ours, (float(x), float(y)), one)
    return {}


def _covered(
    rng: np.random.Generator, painter: Painter, ours: OurTags, place: tuple[float, float], pattern: Pattern
) -> None:
    """Paint a code and something that covers much of it."""
    x, y = place
    painter.tag(pattern, Lying("", x, y, rng.uniform(0, 360), ours.side))
    way = rng.uniform(0, 2 * np.pi)
    painter.paste(
        np.full((200, 200), int(rng.integers(30, 230)), np.uint8),
        x + 0.6 * ours.side * np.cos(way), y + 0.6 * ours.side * np.sin(way),
        rng.uniform(0, 360), ours.side * rng.uniform(0.6, 1.1),
    )  # fmt: skip


def _die(rng: np.random.Generator) -> Grey:
    face = np.full((96, 96), 230, np.uint8)
    for _ in range(int(rng.integers(1, 7))):
        cv2.circle(face, (int(rng.integers(1, 4)) * 24, int(rng.integers(1, 4)) * 24), 9, 20, -1)
    return face


KINDS: dict[str, Draw] = {
    "tags of other set letters": codes(other_letter),
    "tags of other games": codes(other_game),
    "codes that say anything": codes(random_text),
    "codes that begin like ours": codes(like_ours),
    "ours but for one character": codes(one_character),
    "mirrored tags of ours": codes(mirrored),
    "negatives of ours": codes(negative),
    "cards and dice": cards,
    "text, grids and bars": print_on_paper,
    "cards under hands": wood_and_hands,
    "ours, half hidden": half_hidden,
    "foreign codes, half hidden": half_hidden_codes,
    "ours, badly damaged": damaged,
}


class Counting(CandidateFinder):
    """A candidate finder that counts the places it looks at."""

    places = 0

    def find(self, *args: object, **options: object) -> Candidates:
        """Return the candidates, and count them."""
        return self._counted(super().find(*args, **options))  # type: ignore[arg-type]

    def find_hidden(self, *args: object, **options: object) -> Candidates:
        """Return the candidates that may be half hidden, and count them."""
        return self._counted(super().find_hidden(*args, **options))  # type: ignore[arg-type]

    def _counted(self, found: Candidates) -> Candidates:
        self.places += len(found.scores)
        return found


def seen(
    painter: Painter, rng: np.random.Generator, ours: OurTags, pictures: int = 1, grain: float = 0.0
) -> tuple[list[Grey], Plane]:
    """Return a table as some camera sees it in some light: 0.8 to 2 px per module, with some blur and noise.

    With several ``pictures``: the stack of all of them, once without veiling reflections and once as it is, as a second
    look sees it.  ``grain``: most grey levels of coarse noise, as a camera adds in dim light.
    """
    pitch = ours.side / patterns.TAG_MODULES / rng.uniform(0.8, 2.0)
    size = (int(WIDTH / pitch), int(HEIGHT / pitch))
    drawn = cv2.resize(painter.canvas, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    light = np.asarray(cv2.GaussianBlur(drawn, (0, 0), rng.uniform(0.3, 1.1)), dtype=np.float32)
    light, noise, evidence = 40 + light * rng.uniform(0.4, 0.8), rng.uniform(1, 8), PictureStack()
    for _ in range(pictures):
        shot = light + rng.normal(0, noise, light.shape)
        if grain:
            shot += rng.uniform(0.3, 1) * grain * 2 * cv2.GaussianBlur(rng.normal(0, 1, light.shape), (0, 0), 0.5)
        evidence.add(np.clip(shot, 0, 255).astype(np.uint8), (0, 0, *size))
    plane = Plane(np.diag((pitch, pitch, 1.0)), 0.0, (size[1], size[0]))
    return [evidence.picture(width) for width in ([VEIL_MM / pitch, 0.0] if pictures > 1 else [0.0])], plane


def photographs(folder: Path, rng: np.random.Generator, ours: OurTags) -> Iterator[tuple[str, Grey, Plane]]:
    """Iterate over other people's photographs in some sizes, as if each were a picture of a table."""
    for path in sorted(folder.rglob("*")):
        try:
            grey = open_picture(path).grey if path.suffix.lower() in SUFFIXES else None
        except PictureError:
            continue
        for _ in range(3 if grey is not None else 0):
            assert grey is not None
            width = int(rng.uniform(400, 1000))
            small = cv2.resize(grey, (width, max(60, width * grey.shape[0] // grey.shape[1])))
            pitch = ours.side / patterns.TAG_MODULES / rng.uniform(0.8, 2.0)
            yield (
                path.name,
                np.asarray(small, dtype=np.uint8),
                Plane(np.diag((pitch, pitch, 1.0)), 0.0, small.shape[:2]),
            )


def small_parts(plane: Plane) -> list[Box]:
    """Return the parts of a table, mm, at which the tracker looks closely, with the margin a tag at the edge needs."""
    left, top, right, bottom = plane.bounds()
    xs, ys = np.linspace(left, right, PARTS + 1), np.linspace(top, bottom, PARTS + 1)
    return [
        (x - BESIDE, y - BESIDE, x + xs[1] - left + BESIDE, y + ys[1] - top + BESIDE) for x in xs[:-1] for y in ys[:-1]
    ]


def campaign(
    ours: OurTags,
    places: int,
    photos: Path | None,
    seed: int = 1,
    pictures: int = 1,
    awaited: int = 0,
    grain: float = 0.0,
    faint: bool = False,
) -> Iterator[tuple[str, int, list[str]]]:
    """Iterate over kind, places looked at and false identities, picture by picture, until enough places are seen.

    ``faint``: look as closely as the tracker does at a small part where something new must lie.
    """
    recogniser = Recogniser(ours.looks, ours.side)
    spotter = Counting(recogniser.templates.mean, len(ours.looks))
    recogniser._finder = spotter
    if faint:
        recogniser._narrow_finder = spotter = Counting(recogniser.templates.mean, len(ours.looks), NARROW_SIGHT)
    rng = np.random.default_rng(seed)
    for name, grey, plane in photographs(photos, rng, ours) if photos is not None else ():
        before = spotter.places
        found = recogniser.read(recogniser.view(plane).take(grey), hidden=True).found
        yield "photographs", spotter.places - before, [f"{one.payload} in {name}" for one in found]
    while spotter.places < places:
        for kind, draw in KINDS.items():
            painter = Painter(rng, WIDTH, HEIGHT)
            lying = draw(rng, painter, ours)
            greys, plane = seen(painter, rng, ours, pictures, grain)
            before = spotter.places
            soon = [str(payload) for payload in rng.permutation(list(ours.looks))[:awaited]]
            view, boxes = recogniser.view(plane), small_parts(plane) if faint else [None]
            images = [view.take(grey, box) for grey in greys for box in boxes]
            read = [one for image in images for one in recogniser.read(image, soon, hidden=True, faint=faint).found]
            wrong = [one for one in read if not _lies_there(one.payload, one.place, lying)]
            told = [f"{one.payload} score {one.score:.2f} lead {one.margin:.2f}" for one in wrong]
            yield kind, spotter.places - before, told


def _lies_there(payload: str, place: tuple[float, float], lying: dict[str, tuple[float, float]]) -> bool:
    x, y = lying.get(payload, (np.inf, np.inf))
    return bool(np.hypot(place[0] - WIDTH / 2 - x, place[1] - HEIGHT / 2 - y) < 4)


def main() -> int:
    """Run the campaign and print a table; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("places", type=int, nargs="?", default=100_000)
    parser.add_argument("--photos", metavar="WHERE", help=f"other people's photographs: {WHERE}")
    parser.add_argument("--game", default="palazzo", choices=registry.BUILT_IN)
    parser.add_argument("--make", default="", help="as the pieces come; empty: the usual one")
    parser.add_argument("--scale", type=float, default=1.0, help="how many times as large as usual")
    parser.add_argument("--side", type=float, default=20.0, help="only tags of that side, mm")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", type=int, default=1, help="how many are added up, as at a second look")
    parser.add_argument("--awaited", type=int, default=0, help="how many of our tags the game waits for")
    parser.add_argument("--faint", action="store_true", help="look as closely as where something new must lie")
    parser.add_argument("--grain", type=float, default=0.0, help="grey levels of coarse noise, as in dim light")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    ours = OurTags.of(Kit(registry.game(asked.game), asked.make, scale=asked.scale), asked.side)
    photos = folder_of(asked.photos) if asked.photos is not None else None
    if photos is None or not photos.is_dir():
        print("NO PHOTOGRAPHS: none were looked at (--photos WHERE).")
    looked: Counter[str] = Counter()
    pictures: Counter[str] = Counter()
    false: Counter[str] = Counter()
    of = (photos, asked.seed, asked.pictures, asked.awaited, asked.grain, asked.faint)
    for kind, places, wrong in campaign(ours, asked.places, *of):
        looked[kind] += places
        pictures[kind] += 1
        false[kind] += len(wrong)
        for one in wrong:
            print(f"FALSE among {kind}: {one}", flush=True)
    print("| what was looked at | pictures | candidate places | false identities |\n|---|---|---|---|")
    for kind in looked:
        print(f"| {kind} | {pictures[kind]} | {looked[kind]} | {false[kind]} |")
    print(f"| together | {pictures.total()} | {looked.total()} | {false.total()} |")
    return 1 if false.total() else 0


if __name__ == "__main__":
    sys.exit(main())
