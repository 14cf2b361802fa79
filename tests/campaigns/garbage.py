"""Garbage wherever text or pictures come in: protocol lines, records, positions, TOML, editions, backups, pictures.

``python -m tests.campaigns.garbage --seconds 60 --seed 1``.  Sound input is broken in its bytes, words, lines and
values.  Anything but a sound answer or the one kind of refusal that each reader has is a fault, as are a traceback and
an input that takes over five seconds.  ``inputs`` counts all of them, the other counts those of each kind.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from PIL import Image

from doubles.finished_games import played
from tabletop import config
from tabletop.match import backup
from tabletop.match.archive import Archive
from tabletop.match.errors import MatchError
from tabletop.match.store import SUFFIX
from tabletop.rules import edition, registry
from tabletop.rules.contract import play_random_game
from tabletop.rules.game import Illegal
from tabletop.rules.protocol import ProtocolReferee
from tabletop.rules.text import record, record_text, recorder
from tabletop.rules.text.position_text import format_position, parse_position
from tabletop.rules.text.replay import replay
from tabletop.vision.errors import PictureError
from tabletop.vision.image.load import open_picture
from tests.campaigns import garble
from tests.campaigns.harness import Budget, Tally, main

ROOT = Path(__file__).parents[2]
WORDS = (
    b"", b" ", b"\n", b"\t", b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"\xe2\x80\xae", b"9" * 400, b"-1", b"1e999",
    b"nan", b"inf", b"[", b"]]", b"{", b'"', b"'''", b"=", b"#", b"[[a]]", b"a.b.c = 1", b"true", b"null", b"R5a",
    b"B3.2", b"%s", b"../../x", b"x" * 3000, b"[" * 3000, b"\\u0000",
)  # fmt: skip


def broken(rng: random.Random, sound: bytes) -> bytes:
    """Return sound bytes with a few errors put in."""
    data = bytearray(sound)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 12))):
        at, how = rng.randrange(len(data) + 1), rng.randrange(6)
        if how == 0 and data:
            data[min(at, len(data) - 1)] ^= 1 << rng.randrange(8)
        elif how == 1:
            del data[at : at + rng.choice((1, 5, 60))]
        elif how == 2:
            data[at:at] = rng.choice(WORDS)
        elif how == 3:
            data[at : at + rng.randrange(1, 9)] = rng.choice(WORDS)
        elif how == 4:
            lines = bytes(data).split(b"\n")
            lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
            data = bytearray(b"\n".join(lines))
        elif rng.random() < 0.2:
            del data[at:]
    return bytes(data)


def lines(rng: random.Random) -> Iterator[tuple[bytes, Callable[[], object]]]:
    """Iterate over garbled requests to the referee, each with the call that has to withstand it."""
    referee = ProtocolReferee()
    for request in garble.requests(rng, 40):
        for _ in range(10):
            line = garble.garble(request, rng)
            yield line.encode("utf-8", "surrogatepass"), partial(_answered, referee, line)


def _answered(referee: ProtocolReferee, line: str) -> object:
    return json.loads(referee.answer_line(line))


def texts(rng: random.Random) -> Iterator[tuple[bytes, Callable[[], object]]]:
    """Iterate over broken records and positions."""
    game = registry.game(rng.choice(registry.BUILT_IN))
    walk = play_random_game(game, rng.randrange(10**6), 2)
    sound = recorder.write(walk.positions[0], walk.actions[: rng.randrange(1, 40)]).encode()

    def replayed(text: str) -> None:
        try:
            for _step in replay(record_text.parse_record(text)):
                pass
        except record.RecordError:
            pass

    def loaded(text: str) -> None:
        with suppress(Illegal):
            parse_position(game, text)

    position = format_position(rng.choice(walk.positions)).encode()
    for _ in range(60):
        data = broken(rng, sound)
        yield data, partial(replayed, data.decode("utf-8", "surrogateescape"))
        line = broken(rng, position)
        yield line, partial(loaded, line.decode("utf-8", "surrogateescape"))


def settings(rng: random.Random, folder: Path) -> Iterator[tuple[bytes, Callable[[], object]]]:
    """Iterate over broken configurations and editions."""
    file, sound = folder / "table.toml", (ROOT / "tabletop/setup/table.toml").read_bytes()
    forms = {name: (ROOT / f"tabletop/rules/{name}/edition.toml") for name in registry.EDITIONS.parts()}

    def read() -> None:
        with suppress(config.ConfigError):
            config.load(file)

    def checked(name: str, text: str) -> None:
        form = registry.EDITIONS.part(name)
        assert form is not None
        try:
            data = edition.parse(text)
            for seats in (None, 2, 5):
                list(form.faults(data, seats))
            form.to_toml("ours", form.entered(data))
            registry.game(name).new(["A", "B"], {}, edition=data)
        except (edition.EditionError, Illegal):
            pass

    for _ in range(60):
        data = broken(rng, sound)
        file.write_bytes(data)
        yield data, read
        name = rng.choice([*forms])
        data = broken(rng, forms[name].read_bytes())
        yield data, partial(checked, name, data.decode("utf-8", "replace"))


def pictures(rng: random.Random) -> Iterator[tuple[bytes, Callable[[], object]]]:
    """Iterate over broken photographs of every format that is read."""
    plain = Image.effect_noise((rng.randrange(8, 200), rng.randrange(8, 200)), 60).convert(
        rng.choice(["L", "RGB", "P", "1"])
    )

    def opened(data: bytes) -> None:
        with suppress(PictureError):
            open_picture(io.BytesIO(data), "photo")

    for kind in ("JPEG", "PNG", "GIF", "WEBP", "TIFF", "BMP"):
        out = io.BytesIO()
        plain.convert("RGB" if kind in ("JPEG", "WEBP") else plain.mode).save(out, kind)
        for _ in range(10):
            data = broken(rng, out.getvalue())
            yield data, partial(opened, data)


def backups(rng: random.Random, folder: Path, sound: bytes) -> Iterator[tuple[bytes, Callable[[], object]]]:
    """Iterate over backups broken before or after compression."""

    def restored(data: bytes) -> None:
        with tempfile.TemporaryDirectory(dir=folder) as place:
            try:
                backup.restore(Archive(Path(place)), io.BytesIO(data))
            except backup.BadBackup:
                assert not [*Path(place).glob(f"*{SUFFIX}")]
            except MatchError:
                pass

    for _ in range(6):
        data = broken(rng, sound) if rng.random() < 0.3 else gzip.compress(broken(rng, gzip.decompress(sound)), 1)
        yield data, partial(restored, data)


def campaign(budget: Budget, tally: Tally) -> None:
    """Try each kind of input in turn."""
    rng = budget.rng
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        games = folder / "games"
        games.mkdir()
        played(games, "one", 30)
        saved = b"".join(backup.save(archive := Archive(games), archive.names()))
        for _round in budget.rounds():
            sources = {
                "lines": lines(rng), "records": texts(rng), "settings": settings(rng, folder),
                "pictures": pictures(rng), "backups": backups(rng, folder, saved),
            }  # fmt: skip
            for kind, source in sources.items():
                for data, attempt in source:
                    with tally.input((kind, data)):
                        attempt()
                    tally.count(kind)
                    if not budget.left():
                        break
            if tally.enough:
                return


if __name__ == "__main__":
    main(campaign, __doc__)
