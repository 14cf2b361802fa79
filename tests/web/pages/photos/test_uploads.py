"""What phones send is read one after the other, limited in size and number, and refused in a sentence if it is bad."""

from __future__ import annotations

import io
import random
import re
import struct
import threading
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image

from doubles.clock import PATIENCE
from doubles.fake_photo_reader import FakePhotoReader, Sight, scored, send
from doubles.memory_table import MemoryTable
from doubles.pages import HOST, Pages
from doubles.positions import NAMES
from tabletop.rules.palazzo import GAME
from tabletop.vision.kit import Kit
from tabletop.vision.report.phone_photo import pieces_of
from tabletop.web.pages.photos import photos


def test_photographs_are_read_one_after_the_other_and_a_long_row_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go = threading.Event(), threading.Event()

    class Slow(FakePhotoReader):
        def score(self, *args: Any) -> Sight:
            begun.set()
            go.wait(PATIENCE)
            return super().score(*args)

    slow = Slow(Sight(score=scored(["B1.1"])))
    made = Pages(MemoryTable(GAME, NAMES, seed=3), photo_reader=slow)
    phone = made.phone(0)
    paths = [send(phone, "score").headers["Location"]]
    assert begun.wait(PATIENCE)
    paths += [send(phone, "score").headers["Location"] for _ in range(3)]
    made.now += 60
    assert send(phone, "score").status_code == 503
    with monkeypatch.context() as hurried:
        hurried.setattr(photos, "READING_TIMEOUT_S", 0.0)
        answer = phone.get(paths[2])
    assert answer.headers["Refresh"]
    assert "2 other photos are read first" in answer.text
    go.set()
    assert all(phone.get(path).status_code == 200 for path in paths)
    assert len(slow.asked) == 4
    made.close()


def _png(width: int, height: int) -> bytes:
    """Return a white PNG of that size, whose rows are packed a thousandfold."""
    out = io.BytesIO()
    Image.new("1", (width, height), 1).save(out, "PNG")
    return out.getvalue()


def _jpeg() -> bytes:
    out = io.BytesIO()
    Image.effect_noise((1200, 900), 60).convert("RGB").save(out, "JPEG")
    return out.getvalue()


BAD_PHOTOS: dict[str, Callable[[], bytes]] = {
    "a picture of 100 megapixels": lambda: _png(10_000, 10_000),
    "one that says it has 4 gigapixels": lambda: _png(8, 8).replace(
        struct.pack(">II", 8, 8), b"\x00\x00\xff\xff" * 2, 1
    ),
    "a truncated JPEG": lambda: _jpeg()[:9000],
    "nothing": lambda: b"",
    "a zip archive": lambda: b"PK\x03\x04" + bytes(1000),
    "noise": lambda: random.Random(7).randbytes(5000),
    "an iPhone's own": lambda: b"\x00\x00\x00\x18ftypheic" + bytes(1000),
}


@pytest.mark.parametrize("kind", BAD_PHOTOS)
def test_a_bad_photograph_is_refused_in_one_sentence_and_cheaply(
    pages: Pages, kind: str, reader: FakePhotoReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture that is too large is not unpacked: memory grows by less than the picture would take."""

    def read(data: bytes, *_more: Any) -> Any:
        return pieces_of(data, Kit(GAME))

    monkeypatch.setattr(reader, "score", read)
    data, phone = BAD_PHOTOS[kind](), pages.phone(0)
    tracemalloc.start()
    try:
        answer = phone.get(send(phone, "score", data).headers["Location"])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert answer.status_code == 422
    assert re.search(r'role="alert"><b[^>]*>✕</b><span>The photo: [^<]*\.</span>', answer.text)
    assert peak < 40 * 1024 * 1024


def test_too_large_an_upload_is_refused_before_it_is_read(pages: Pages, reader: FakePhotoReader) -> None:
    head = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    headers = {"Origin": HOST, "Accept": "text/html", "Content-Type": "multipart/form-data; boundary=x"}
    client = pages.phone(0).client
    answer = client.post("/photo/score", data=head + bytes(21 * 1024 * 1024), base_url=HOST, headers=headers)
    assert answer.status_code == 413
    assert "<h1>" in answer.text
    assert reader.asked == []


def test_photographs_are_limited_by_their_number(pages: Pages) -> None:
    phone = pages.phone(0)
    assert [send(phone, "score").status_code for _ in range(8)][-1] == 429
    phone.client.environ_base["REMOTE_ADDR"] = "::ffff:127.0.0.1"  # the same address, mapped to IPv6
    assert send(phone, "score").status_code == 429
