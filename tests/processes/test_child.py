"""Child processes: messages arrive whole, a hang ends in time, and no child outlives its parent."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import NoReturn

import pytest

from doubles.clock import PATIENCE
from doubles.open_files import open_files
from tabletop.processes.child import Child
from tabletop.processes.connection import CHUNK_BYTES, HEAD, Connection

ECHO = """
from tabletop.processes.answering import open_connection
connection = open_connection(niceness=3)
while (told := connection.receive()[0]) is not None:
    connection.send(told)
"""
HANGS = "while True: pass"


def command(code: str) -> tuple[str, ...]:
    return sys.executable, "-c", code


@pytest.fixture
def echo() -> Iterator[Child]:
    """A process that sends back every message."""
    child = Child(command(ECHO))
    yield child
    child.send(None, PATIENCE)
    assert child.end(PATIENCE) == 0


@pytest.fixture
def connections() -> Iterator[tuple[socket.socket, Connection]]:
    """A bare socket and the connection at its other end."""
    bare, connected = socket.socketpair()
    yield bare, (connection := Connection(connected))
    bare.close()
    connection.close()


def test_a_message_of_any_length_arrives_whole(echo: Child) -> None:
    for length in (0, 1, CHUNK_BYTES - HEAD.size, 20 * CHUNK_BYTES):
        assert echo.ask(bytes(length), PATIENCE) == (bytes(length), -1)


def test_a_file_arrives_with_its_own_message_only() -> None:
    """A file descriptor arrives open with its own message only; the messages before and after it have none."""
    ours, theirs = map(Connection, socket.socketpair())
    read, write = os.pipe()
    theirs.send("before")
    theirs.send("with", file=read)
    theirs.send("after")
    told = [ours.receive(0.0) for _ in range(3)]
    assert [what for what, _ in told] == ["before", "with", "after"]
    assert [file >= 0 for _, file in told] == [False, True, False]
    os.write(write, b"x")
    assert os.read(told[1][1], 1) == b"x"
    for file in (read, write, told[1][1]):
        os.close(file)
    for connection in (ours, theirs):
        connection.close()


def test_the_file_of_an_unfinished_message_is_closed_with_the_connection(
    connections: tuple[socket.socket, Connection],
) -> None:
    """A descriptor that came with an unfinished message is closed with the connection, as if the sender was killed."""
    bare, connection = connections
    read, write = os.pipe()
    socket.send_fds(bare, [HEAD.pack(100, True)], [read])
    os.close(read)
    with pytest.raises(TimeoutError):
        connection.receive(0.0)
    connection.close()
    with pytest.raises(BrokenPipeError):
        os.write(write, b"x")
    os.close(write)


def test_a_message_that_comes_in_parts_is_completed_by_a_later_call(
    connections: tuple[socket.socket, Connection],
) -> None:
    """The parts of a message that arrived before a time-out are kept for the next call."""
    bare, connection = connections
    sender, other = socket.socketpair()
    Connection(sender).send({"what": "a message"})
    message = other.recv(1000)
    sender.close()
    other.close()
    for part in (message[:3], message[3:-1]):
        bare.sendall(part)
        with pytest.raises(TimeoutError):
            connection.receive(0.0)
    bare.sendall(message[-1:])
    assert connection.receive(0.0) == ({"what": "a message"}, -1)


def test_a_closed_other_end_is_an_error_at_once(connections: tuple[socket.socket, Connection]) -> None:
    bare, connection = connections
    bare.sendall(b"\0\0")
    bare.close()
    with pytest.raises(EOFError):
        connection.receive()
    with pytest.raises(BrokenPipeError):
        connection.send("anything")


def test_a_message_that_is_not_received_in_time_is_given_up(connections: tuple[socket.socket, Connection]) -> None:
    _, connection = connections
    with pytest.raises(TimeoutError):
        connection.send(bytes(100 * CHUNK_BYTES), 0.01)


def test_a_process_that_hangs_is_killed() -> None:
    child = Child(command(HANGS))
    with pytest.raises(TimeoutError):
        child.ask("anything", 0.05)
    assert child.end(PATIENCE) == -signal.SIGKILL


def test_a_process_kept_by_the_kernel_is_not_waited_for_or_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If the kernel keeps a killed process, the table continues and no second one starts, so they cannot add up."""
    child = Child(command(HANGS))

    def stays(_process: object, timeout: float | None = None) -> NoReturn:
        assert timeout is not None, "it would wait for ever"
        raise subprocess.TimeoutExpired("", timeout)

    with monkeypatch.context() as kept:
        kept.setattr(subprocess.Popen, "wait", stays)
        kept.setattr(subprocess.Popen, "poll", lambda _process: None)
        assert child.end() == -signal.SIGKILL
        with pytest.raises(OSError, match="the kernel keeps it"):
            Child(command(HANGS))
    child._process.wait(PATIENCE)
    assert Child(command(HANGS)).end() == -signal.SIGKILL


def test_a_missing_program_leaves_nothing_open() -> None:
    before = open_files()
    with pytest.raises(FileNotFoundError):
        Child(["/not/there"])
    assert open_files() == before


def test_an_interrupt_does_not_end_the_child(echo: Child) -> None:
    """Ctrl-C in the parent's terminal does not reach the child, and the child goes on answering even after SIGINT."""
    assert echo.ask("begun", PATIENCE)[0] == "begun"
    assert os.getpgid(echo.pid) != os.getpgid(0)
    os.kill(echo.pid, signal.SIGINT)
    assert echo.ask("still here", PATIENCE)[0] == "still here"
    assert os.getpriority(os.PRIO_PROCESS, echo.pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 3)


TABLE = """
import sys
from tabletop.processes.child import Child
child = Child((sys.executable, "-c", sys.argv[1]))
child.receive(100)
print(child.pid, flush=True)
child.receive(100)
"""
"""A program that waits for a child that never answers."""
THINKS = """
from tabletop.processes.answering import open_connection
connection = open_connection()
connection.send("ready")
while True:
    pass
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_the_child_of_an_ended_parent_ends_in_silence(how: signal.Signals) -> None:
    """However the parent ends, the kernel ends the child, which prints nothing about it."""
    with subprocess.Popen(
        (*command(TABLE), THINKS), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as table:
        assert table.stdout is not None
        assert table.stderr is not None
        watched = os.pidfd_open(int(table.stdout.readline()))
        table.send_signal(how)
        assert select.select([watched], [], [], PATIENCE)[0], "it outlived the one that asked"
        os.close(watched)
        said = table.stderr.read()
    assert "Fatal" not in said
    assert said.count("Traceback") == (how is signal.SIGINT), said
