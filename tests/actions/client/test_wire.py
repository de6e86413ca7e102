"""Answers as a server may send them: in one piece, in many, cut off."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress

import pytest

from actions.client.wire import Malformed, Response, send


def answered(*pieces: bytes) -> Response:
    """The response to one request, of a peer that sends ``pieces`` and hangs up."""
    ours, theirs = socket.socketpair()

    def serve() -> None:
        # A reader that has what it needs does not wait for the rest.
        with theirs, suppress(BrokenPipeError):
            theirs.recv(65536)
            for piece in pieces:
                theirs.sendall(piece)
                time.sleep(0.01)

    threading.Thread(target=serve).start()
    return send(ours, "POST", "/rpc", {"Content-Type": "application/json"}, b"{}")


def test_a_body_of_known_length() -> None:
    response = answered(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more")
    assert (response.status, response.read()) == (200, b"hello")


def test_a_body_until_the_end() -> None:
    assert answered(b"HTTP/1.0 404 Not Found\r\n\r\n", b"gone").read() == b"gone"


def test_chunks_that_arrive_in_any_pieces() -> None:
    whole = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab\n\r\n4;x=y\r\nc\nd\n\r\n0\r\n\r\n"
    for size in (1, 7, 1000):
        pieces = [whole[i : i + size] for i in range(0, len(whole), size)]
        assert list(answered(*pieces).lines()) == [b"ab", b"c", b"d"]


def test_what_is_cut_off_is_no_answer() -> None:
    with pytest.raises(Malformed):
        answered(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel").read()
    with pytest.raises(Malformed):
        answered(b"HTTP/1.1 200 OK\r\nContent-Le")
    with pytest.raises(Malformed):
        list(answered(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nab\n").lines())
    with pytest.raises(Malformed):
        answered(b"")
    with pytest.raises(Malformed):
        answered(b"SSH-2.0-OpenSSH_9\r\n")
