"""As much of HTTP/1.1 (RFC 9112) as one request over a local socket takes.

``http.client`` would do, but its import (mail parser, TLS) takes longer than everything else that a command does.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import IO

_LONGEST_LINE = 64 * 1024


class Malformed(ValueError):
    """The answer is no HTTP, or it ends too early."""


class Response:
    """An answer whose head has been read; the body comes from the socket as it is asked for."""

    def __init__(self, status: int, headers: dict[str, str], stream: IO[bytes]) -> None:
        self.status = status
        self._headers = headers
        self._stream = stream

    @property
    def in_lines(self) -> bool:
        """Whether the body is JSON, a line after the other."""
        return "ndjson" in self._headers.get("content-type", "")

    def read(self) -> bytes:
        """The whole body. Raises Malformed when the connection ends before it does."""
        if "chunked" in self._headers.get("transfer-encoding", ""):
            return b"".join(self.chunks())
        if (length := self._headers.get("content-length")) is None:
            return self._stream.read()
        return _exactly(self._stream, int(length))

    def lines(self) -> Iterator[bytes]:
        """The lines of a body that comes in chunks, each as soon as it is whole."""
        rest = b""
        for chunk in self.chunks():
            *whole, rest = (rest + chunk).split(b"\n")
            yield from whole

    def chunks(self) -> Iterator[bytes]:
        """The chunks of a body as they come. Raises Malformed when the connection ends before it does."""
        while size := int(_line(self._stream).partition(b";")[0], 16):
            yield _exactly(self._stream, size)
            _line(self._stream)


def send(connection: socket.socket, method: str, target: str, headers: dict[str, str], body: bytes = b"") -> Response:
    """Send one request and read the head of its answer. Raises OSError or Malformed."""
    _send_head(connection, method, target, {"Content-Length": str(len(body)), **headers}, body)
    return _head_of(connection)


def begin(connection: socket.socket, method: str, target: str, headers: dict[str, str]) -> Response:
    """Send the head of a request whose body follows in chunks, and read the head of its answer.

    Raises OSError or Malformed.
    """
    _send_head(connection, method, target, {"Transfer-Encoding": "chunked", **headers}, b"")
    return _head_of(connection)


def _send_head(connection: socket.socket, method: str, target: str, headers: dict[str, str], body: bytes) -> None:
    head = {"Host": "sayso", "Connection": "close", **headers}
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in head.items()), "", ""]
    connection.sendall("\r\n".join(lines).encode("latin-1") + body)


def _head_of(connection: socket.socket) -> Response:
    stream = connection.makefile("rb")
    version, _, rest = _line(stream).partition(b" ")
    if not version.startswith(b"HTTP/1.") or not rest[:3].isdigit():
        raise Malformed("The answer is no HTTP.")
    received: dict[str, str] = {}
    while line := _line(stream):
        name, _, value = line.decode("latin-1").partition(":")
        received[name.lower()] = value.strip()
    return Response(int(rest[:3]), received, stream)


def _line(stream: IO[bytes]) -> bytes:
    line = stream.readline(_LONGEST_LINE)
    if not line.endswith(b"\n"):
        raise Malformed("The answer ends too early.")
    return line.rstrip(b"\r\n")


def _exactly(stream: IO[bytes], count: int) -> bytes:
    content = stream.read(count)
    if len(content) < count:
        raise Malformed("The answer ends too early.")
    return content
