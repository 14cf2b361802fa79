"""Photographs are kept until they are confirmed, but only the newest and only for a while."""

from __future__ import annotations

import threading
from typing import NoReturn

import pytest

from doubles.clock import PATIENCE
from doubles.fake_photo_reader import FakePhotoReader
from tabletop.web.views.photo_queue import MAX_PHOTO_AGE_S, MAX_PHOTOS, MAX_WAITING_PHOTOS, Photo, PhotoQueue


def taken(queue: PhotoQueue) -> Photo:
    """Take a photograph, and wait until it is read."""
    photo = queue.take("table", "token", 0, "palazzo", b"picture", FakePhotoReader().pieces, mark="mark")
    assert photo.ready.wait(PATIENCE)
    return photo


def test_the_limited_number_of_photographs_is_kept_and_viewing_one_drops_none() -> None:
    queue = PhotoQueue(lambda: 0.0)
    photos = [taken(queue) for _ in range(MAX_PHOTOS)]
    for _ in range(2):
        assert [queue.find(photo.key) for photo in photos] == photos
    newest = taken(queue)
    assert [queue.find(photo.key) for photo in photos] == [None, *photos[1:]]
    assert queue.find(newest.key) is newest


def test_a_photograph_that_nobody_confirms_is_dropped_after_a_while() -> None:
    now = [0.0]
    queue = PhotoQueue(lambda: now[0])
    photo = taken(queue)
    now[0] = MAX_PHOTO_AGE_S
    assert queue.find(photo.key) is photo
    now[0] += 1
    assert queue.find(photo.key) is None


def test_a_photograph_that_is_refused_a_thread_keeps_no_other_from_being_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After the system has refused a thread for one photograph, later ones are still read."""

    def refused(_thread: threading.Thread) -> NoReturn:
        raise RuntimeError("can't start new thread")

    queue = PhotoQueue(lambda: 0.0)
    with monkeypatch.context() as short:
        short.setattr(threading.Thread, "start", refused)
        for _ in range(MAX_WAITING_PHOTOS + 1):
            with pytest.raises(RuntimeError):
                taken(queue)
    assert taken(queue).seen is not None
