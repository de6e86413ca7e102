"""What a server's connection is at this moment, and what it offers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from actions.errors import ErrorCode, SaysoError


class State(StrEnum):
    """Where a connection stands. ``closed`` is only seen by who still holds a row of a closed pool."""

    PENDING = "pending"
    CONNECTING = "connecting"
    CONNECTED = "connected"
    FAILED = "failed"
    UNAUTHORIZED = "unauthorized"
    CLOSED = "closed"


class Reason(StrEnum):
    """Why a server is not connected, or a call has no result. The set is closed."""

    COMMAND_NOT_FOUND = "command_not_found"
    CWD_MISSING = "cwd_missing"
    NOT_EXECUTABLE = "not_executable"
    BAD_DEFINITION = "bad_definition"
    PROCESS_EXITED = "process_exited"
    INIT_TIMEOUT = "init_timeout"
    TIMEOUT = "timeout"
    PROTOCOL_ERROR = "protocol_error"
    SERVER_ERROR = "server_error"
    HTTP_STATUS = "http_status"
    UNAUTHORIZED = "unauthorized"
    TLS = "tls"
    DNS = "dns"
    UNREACHABLE = "unreachable"
    CLOSED = "closed"


PASSING = frozenset(
    {Reason.PROCESS_EXITED, Reason.INIT_TIMEOUT, Reason.TIMEOUT, Reason.DNS, Reason.UNREACHABLE, Reason.HTTP_STATUS}
)
"""Reasons that may be gone at the next try; the others need a person."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why, in words for a person, free of secrets. ``tail`` is the end of what the server wrote to stderr.

    ``status`` is the HTTP status, ``exit_code`` that of the process, ``retry_after`` what the server asked to wait for
    (seconds), ``login`` whether a login may help.
    """

    reason: Reason
    message: str
    tail: str = ""
    status: int | None = None
    exit_code: int | None = None
    retry_after: float | None = None
    login: bool = False

    @property
    def passing(self) -> bool:
        """Whether another try may go better without anybody's doing."""
        if self.status is not None and self.reason is Reason.HTTP_STATUS:
            return self.status in (408, 425, 429) or self.status >= 500
        return self.reason in PASSING


class ServerError(SaysoError):
    """A server did not do what was asked; ``failure`` says why."""

    def __init__(self, server: str, failure: Failure, *, code: ErrorCode = ErrorCode.FAILED) -> None:
        super().__init__(failure.message, code=code, details={"server": server, "reason": failure.reason.value})
        self.server = server
        self.failure = failure


class CallTimeout(ServerError):
    """The server was silent for its idle limit, or took longer than the hard one. Known by this class, not by words."""

    def __init__(self, server: str, failure: Failure) -> None:
        super().__init__(server, failure, code=ErrorCode.TIMEOUT)


@dataclass(frozen=True, slots=True)
class ToolInfo:
    """One tool as the server declares it. Everything here is a third party's claim, the annotations above all."""

    name: str
    description: str
    input_schema: Mapping[str, Any]
    title: str | None = None
    output_schema: Mapping[str, Any] | None = None
    annotations: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class SkippedTool:
    """An entry of the server's list that cannot be used, and why; the rest of the list can."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class CallResult:
    """What a call returned: content blocks as they came over the wire (MCP, ``ContentBlock``).

    ``is_error`` is the server's own word that the tool failed.
    """

    content: tuple[Mapping[str, Any], ...]
    structured: Any = None
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class ServerRow:
    """One server as shown to a person. ``elapsed`` are the seconds in this state, ``retry_in`` until the next try."""

    name: str
    state: State
    tools: tuple[ToolInfo, ...] = ()
    skipped: tuple[SkippedTool, ...] = ()
    failure: Failure | None = None
    protocol: str | None = None
    modern: bool | None = None
    server_info: str | None = None
    instructions: str | None = None
    warnings: tuple[str, ...] = ()
    tail: str = ""
    pid: int | None = None
    starts: int = 0
    elapsed: float = 0.0
    retry_in: float | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All servers of a pool. ``loading`` while one of them has neither connected nor failed yet."""

    loading: bool
    connected: int
    total: int
    tools: int
    servers: tuple[ServerRow, ...]
