"""One call after another to the host, over its Unix socket.

This is the command's hot path: a module imported here is paid for by every `sayso` command.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Iterator
from typing import Any, cast

from actions.client.wire import Malformed, Response, send
from actions.errors import ErrorCode, HostUnavailable, SaysoError

CONNECT_TIMEOUT_S = 5.0


class HostConnection:
    """Calls to the host of one home.

    Each call has a connection of its own, so a host that was restarted between two of them does not matter. ``token``
    is the session-scoped token of an agent. ``start`` is called when nobody answers, and returns when a host does.
    """

    def __init__(self, socket_file: str, *, token: str | None = None, start: Callable[[], None] | None = None) -> None:
        self._socket_file = socket_file
        self._token = token
        self._start = start

    @property
    def socket_file(self) -> str:
        return self._socket_file

    @property
    def token(self) -> str | None:
        return self._token

    def call(
        self,
        method: str,
        params: dict[str, Any],
        *,
        repeatable: bool = False,
        told: Callable[[str], None] | None = None,
    ) -> dict[str, Any]:
        """The host's envelope for one call of a method.

        A ``repeatable`` call, one that changes nothing, is made again when the host goes away before it answers. One
        with ``told``, which hears how far it is, ends when this process does or gives up.

        Raises:
            HostUnavailable: nobody answers, and no host could be started.
            SaysoError: ``outcome_unknown`` when the host went away in the middle; ``failed`` for what is no answer.
        """
        given = params if told is None else {**params, "attached": True}
        body = json.dumps({"method": method, "params": given}).encode()
        try:
            return self._post(body, told)
        except _Lost as lost:
            if repeatable:
                try:
                    return self._post(body, told)
                except _Lost as again:
                    raise HostUnavailable("Sayso's host went away while it was asked. Try again.") from again
            raise SaysoError(
                "Sayso's host went away before it answered, so nothing says whether this was done. Look at what it "
                "would have changed before you repeat it; with an idempotency key a repetition is safe.",
                code=ErrorCode.OUTCOME_UNKNOWN,
            ) from lost

    def events(self, *, surface: str, after: int = 0, epoch: str = "") -> Iterator[dict[str, Any]]:
        """The event stream, from ``after`` on where the host still has it; its first line is ``hello``.

        Raises HostUnavailable when it cannot be opened or breaks off.
        """
        target = f"/events?after={after}&epoch={epoch}&surface={surface}"
        with self._connected() as connection:
            try:
                response = send(connection, "GET", target, self._headers())
                if response.status != 200:
                    raise _not_ours(response.status, response.read())
                for line in response.lines():
                    yield json.loads(line)
            except (Malformed, OSError) as error:
                raise HostUnavailable("The connection to Sayso's host broke off. Run the command again.") from error

    def _post(self, body: bytes, told: Callable[[str], None] | None = None) -> dict[str, Any]:
        with self._connected() as connection:
            try:
                response = send(connection, "POST", "/rpc", self._headers(), body)
                answer = response.read() if told is None or not response.in_lines else _last(response, told)
            except (Malformed, OSError) as error:
                raise _Lost from error
        try:
            envelope = json.loads(answer)
        except ValueError as error:
            raise _not_ours(response.status, answer) from error
        if not isinstance(envelope, dict) or "ok" not in envelope:
            raise _not_ours(response.status, answer)
        return cast("dict[str, Any]", envelope)

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        return headers

    def _connected(self) -> socket.socket:
        try:
            return open_socket(self._socket_file)
        except OSError as error:
            if self._start is None:
                raise _nobody(self._socket_file, error) from error
        self._start()
        try:
            return open_socket(self._socket_file)
        except OSError as error:
            raise _nobody(self._socket_file, error) from error


def _last(response: Response, told: Callable[[str], None]) -> bytes:
    """The line that is the answer, after those that say how far it is."""
    line = b""
    for line in response.lines():
        if not line.startswith(b'{"progress": '):
            break
        told(str(json.loads(line)["progress"]))
    return line


class _Lost(Exception):
    """The host closed the connection before it answered."""


def open_socket(path: str) -> socket.socket:
    """A connected socket; raises OSError when nobody listens on ``path``."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(CONNECT_TIMEOUT_S)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        raise
    connection.settimeout(None)  # a wait may last; Ctrl+C ends it
    return connection


def _nobody(path: str, error: OSError) -> HostUnavailable:
    why = error.strerror or str(error)
    message = f"No host of Sayso answers on {path} ({why}). Start one with: sayso host"
    if isinstance(error, PermissionError):
        message = f"The socket of Sayso's host, {path}, belongs to someone else. Run the command as that user."
    return HostUnavailable(message, details={"endpoint": path, "reason": why})


def _not_ours(status: int, answer: bytes) -> SaysoError:
    return SaysoError(
        f"Sayso's host answered with something else than an outcome (HTTP status {status}). Its log says more: "
        "sayso doctor shows where it is. Stopping the host and running the command again helps after an update.",
        details={"status": status, "answer": os.fsdecode(answer[:300])},
    )
