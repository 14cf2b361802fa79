"""The mailbox: any thread may speak, one thread acts, and nothing that goes wrong silences it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from typing import NoReturn

import pytest

from doubles.clock import PATIENCE
from tabletop.hardware.cameras.camera import CameraState
from tabletop.hardware.panel.buttons import Kind, Press
from tabletop.hardware.panel.lights import Pattern
from tabletop.match.event import EventKind
from tabletop.referee.mailbox import Mailbox, MailboxClosed
from tabletop.referee.referee import Referee
from tabletop.rules.layout import Layout, Spread
from tabletop.rules.palazzo import GAME
from tabletop.vision.scene import Scene


@pytest.fixture
def mailbox(referee: Referee) -> Iterator[Mailbox]:
    with Mailbox(referee) as mailbox:
        yield mailbox


def first_tile() -> tuple[str, Layout]:
    tile = sorted(GAME.new(["A", "B"]).to_json()["unseen"]["I"])[0]
    return tile, Layout({"quarry1": Spread(frozenset([tile]))})


def test_a_scene_changes_the_snapshot_for_all_who_wait(mailbox: Mailbox) -> None:
    _, layout = first_tile()
    before = mailbox.snapshot.revision
    mailbox.see(Scene(1.0, 1, layout))
    news = mailbox.wait(before, PATIENCE)
    assert news is not None
    assert news.number == 2


def test_waiting_ends_without_a_snapshot_if_nothing_changes(mailbox: Mailbox) -> None:
    assert mailbox.wait(mailbox.snapshot.revision, 0.01) is None


def test_a_request_is_answered_to_the_thread_that_asked(mailbox: Mailbox) -> None:
    tile, _ = first_tile()
    reveal = GAME.action({"do": "reveal", "piece": tile})
    answers = []

    def ask(number: int) -> None:
        answers.append(mailbox.act(reveal, on=1, id=f"request {number}", seat=None))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.ok for answer in answers) == [False] * 7 + [True]
    assert all(answer.stale for answer in answers if not answer.ok)


def test_of_several_waiting_scenes_only_the_newest_is_read(referee: Referee) -> None:
    seen = []
    referee.see = lambda scene: seen.append(scene.number)  # type: ignore[method-assign]
    mailbox = Mailbox(referee)
    for number in range(1, 6):
        mailbox.see(Scene(float(number), number, Layout({})))
    with mailbox:
        mailbox.camera(CameraState.OK)
        assert mailbox.wait(0, PATIENCE) is not None
    assert seen == [5]


def test_a_message_that_fails_does_not_stop_the_referee(
    mailbox: Mailbox, referee: Referee, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(press: Press) -> None:
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr(referee, "press", stumble)
    before = mailbox.snapshot.revision
    mailbox.press(Press("MONEY", Kind.PRESS, 1.0))
    mailbox.camera(CameraState.OK)
    assert mailbox.wait(before, PATIENCE) is not None
    assert "could not be handled" in caplog.text


def test_a_repeated_failure_is_logged_once(
    mailbox: Mailbox, referee: Referee, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A scene that fails with every frame is logged once, so that the log does not fill the disk."""

    def fails(_scene: Scene) -> NoReturn:
        raise ZeroDivisionError

    monkeypatch.setattr(referee, "see", fails)
    for number in range(3):
        mailbox.see(Scene(1.0, number, Layout({})))
        assert mailbox.answers(PATIENCE)
    assert caplog.text.count("could not be handled") == 1


def test_a_failing_listener_affects_neither_the_referee_nor_the_others(
    mailbox: Mailbox, caplog: pytest.LogCaptureFixture
) -> None:
    def stumble() -> None:
        raise ZeroDivisionError("a fault of ours")

    told: queue.Queue[int] = queue.Queue()
    mailbox.on_change(stumble)
    mailbox.on_change(lambda: told.put(mailbox.snapshot.revision))
    mailbox.camera(CameraState.LOST)
    mailbox.camera(CameraState.OK)
    assert [told.get(timeout=PATIENCE) for _ in range(2)] == [1, 2]
    assert "a listener failed" in caplog.text


def test_an_error_in_a_request_reaches_its_caller(
    mailbox: Mailbox, referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr(referee, "act", stumble)
    with pytest.raises(ZeroDivisionError):
        mailbox.act(GAME.action({"do": "money"}), on=1, id="x", seat=0)


def test_a_request_after_closing_is_refused_instead_of_waiting_forever(referee: Referee) -> None:
    with Mailbox(referee) as mailbox:
        pass
    with pytest.raises(MailboxClosed):
        mailbox.decide(EventKind.PAUSE, {}, id="late")
    mailbox.press(Press("OK", Kind.PRESS, 1.0))


def test_each_new_snapshot_is_announced_once(referee: Referee) -> None:
    """The panel is woken once by each new snapshot, and not by messages that change nothing."""
    told: queue.Queue[int] = queue.Queue()
    with Mailbox(referee) as mailbox:
        mailbox.on_change(lambda: told.put(referee.snapshot.revision))
        mailbox.camera(CameraState.LOST)
        mailbox.camera(CameraState.LOST)
        mailbox.camera(CameraState.OK)
        assert [told.get(timeout=PATIENCE) for _ in range(2)] == [1, 2]
    assert told.empty()


def test_a_press_is_answered_by_light_before_the_scene_is_read_again(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A press changes its light before the scene is read, which takes longest; pages are told when all is done."""
    read, go_on = referee._look, threading.Event()

    def look_slowly(*how: bool) -> None:
        assert go_on.wait(PATIENCE)
        read(*how)

    monkeypatch.setattr(referee, "_look", look_slowly)
    lit: queue.SimpleQueue[Pattern] = queue.SimpleQueue()
    told: queue.SimpleQueue[bool] = queue.SimpleQueue()
    with Mailbox(referee) as mailbox:
        before = mailbox.snapshot
        mailbox.on_light(lambda: lit.put(mailbox.lights["illegal"]))
        mailbox.on_change(lambda: told.put(mailbox.lights is mailbox.snapshot.signals))
        mailbox.press(Press("PASS", Kind.PRESS, 1.0))
        assert lit.get(timeout=PATIENCE) is Pattern.FAST
        assert mailbox.snapshot is before
        go_on.set()
        assert told.get(timeout=PATIENCE)
        assert mailbox.lights["illegal"] is Pattern.FAST
