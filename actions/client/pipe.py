"""A connection to the host that carries lines both ways, for as long as it lasts."""

from __future__ import annotations

import json
import socket
from typing import Any

from actions.client.connection import open_socket
from actions.client.wire import Malformed, Response, begin
from actions.errors import ErrorCode, HostUnavailable, SaysoError


class Pipe:
    """An open request to the host: :meth:`send` adds to its body, ``response`` is read as the answer comes.

    Sending and reading may be done in two threads.
    """

    def __init__(self, connection: socket.socket, response: Response) -> None:
        self._connection = connection
        self.response = response

    def send(self, content: bytes) -> None:
        """Add to what is sent. Raises OSError when the host is gone."""
        self._connection.sendall(b"%x\r\n%b\r\n" % (len(content), content))

    def end(self) -> None:
        """Nothing more is sent; the host then ends its side as well."""
        self._connection.sendall(b"0\r\n\r\n")


def open_pipe(socket_file: str, target: str, *, method: str = "POST", token: str | None = None) -> Pipe:
    """Begin a request of the host and read the head of its answer.

    Raises HostUnavailable when nobody answers, and the host's own error as a SaysoError.
    """
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        connection = open_socket(socket_file)
        response = begin(connection, method, target, headers)
        if response.status == 200:
            return Pipe(connection, response)
        answer = response.read()
    except (OSError, Malformed) as error:
        raise HostUnavailable(f"Sayso's host does not answer on {socket_file}. Run the command again.") from error
    raise _refused(answer)


def _refused(answer: bytes) -> SaysoError:
    try:
        error: dict[str, Any] = json.loads(answer)["error"]
        return SaysoError(str(error["message"]), code=ErrorCode(error["code"]), details=error.get("details"))
    except (ValueError, KeyError, TypeError):
        return SaysoError("Sayso's host does not know this request. Stop it and run the command again: sayso host stop")
