"""A call over a real socket whose other end goes away, is somebody else, or is not there."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from actions.client.connection import HostConnection
from actions.errors import ErrorCode, HostUnavailable, SaysoError


def reply(document: Any) -> bytes:
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


@contextmanager
def host(folder: Path, *answers: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """A socket that gives one answer a connection, an empty one by hanging up; yields its path and what was asked."""
    path = str(folder / "host.sock")
    asked: list[bytes] = []
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen()

    def serve() -> None:
        for answer in answers:
            connection, _ = listener.accept()
            with connection:
                asked.append(connection.recv(65536))
                connection.sendall(answer)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield path, asked
    finally:
        thread.join(timeout=10)
        listener.close()


def test_a_call_and_its_answer(tmp_path: Path) -> None:
    with host(tmp_path, reply({"ok": True, "kind": "hello", "data": {"a": "ü\u2028"}})) as (path, asked):
        envelope = HostConnection(path, token="secret-1").call("hello", {"surface": "cli"})
    assert envelope == {"ok": True, "kind": "hello", "data": {"a": "ü\u2028"}}
    head, _, body = asked[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /rpc HTTP/1.1\r\n")
    assert b"Authorization: Bearer secret-1" in head
    assert json.loads(body) == {"method": "hello", "params": {"surface": "cli"}}


def test_nobody_there(tmp_path: Path) -> None:
    with pytest.raises(HostUnavailable) as caught:
        HostConnection(str(tmp_path / "host.sock")).call("hello", {})
    assert "sayso host" in caught.value.message


def test_a_host_is_started_once_when_nobody_answers(tmp_path: Path) -> None:
    starts: list[int] = []
    with pytest.raises(HostUnavailable):
        HostConnection(str(tmp_path / "host.sock"), start=lambda: starts.append(1)).call("hello", {})
    assert starts == [1]


def test_a_lost_answer_of_a_change_is_unknown(tmp_path: Path) -> None:
    with host(tmp_path, b"") as (path, _), pytest.raises(SaysoError) as caught:
        HostConnection(path).call("execute", {})
    assert caught.value.code is ErrorCode.OUTCOME_UNKNOWN


def test_a_lost_answer_of_a_read_is_asked_for_again(tmp_path: Path) -> None:
    with host(tmp_path, b"HTTP/1.1 200 OK\r\nContent-Length: 9", reply({"ok": True})) as (path, asked):
        assert HostConnection(path).call("hello", {}, repeatable=True) == {"ok": True}
    assert len(asked) == 2


@pytest.mark.parametrize("answer", [b"<html>", b"[]", b'{"no": "envelope"}'])
def test_somebody_else_on_the_socket(tmp_path: Path, answer: bytes) -> None:
    with host(tmp_path, reply(answer)) as (path, _), pytest.raises(SaysoError) as caught:
        HostConnection(path).call("hello", {})
    assert caught.value.code is ErrorCode.FAILED
