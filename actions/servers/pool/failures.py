"""From what was raised to what is said: every failure of a connection gets a reason and words for a person."""

from __future__ import annotations

import errno
import ssl
from collections.abc import Iterator
from pathlib import Path
from socket import gaierror
from typing import cast

import httpx2
from mcp.client.auth import OAuthFlowError, OAuthTokenError
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, PARSE_ERROR, UNSUPPORTED_PROTOCOL_VERSION

from actions.servers.pool.definition import Http, ServerDefinition, Stdio
from actions.servers.pool.http import Trace
from actions.servers.pool.link import Malformed, Met, NotModern
from actions.servers.pool.login import LoginNeeded
from actions.servers.pool.secrets import Unresolved
from actions.servers.pool.states import Failure, Reason
from actions.servers.pool.tokens import Unreadable

_SESSION_GONE = "Session terminated"
_STAND_INS = ("Server returned an error response", "Not Found", "Redirect to ", _SESSION_GONE)
"""What the library says for a bad status that came without words of the server."""


class Failed(Exception):
    """A try ended with a failure that is already put in words."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


OURS = (NotModern, LoginNeeded, Failed, Unresolved, Unreadable, Met, Malformed)
"""What the modules of the pool raise on purpose."""


def start_failure(stdio: Stdio, error: Exception) -> Failure:
    """Why the process could not be started."""
    if isinstance(error, ValueError):
        return Failure(Reason.BAD_DEFINITION, f"The command cannot be started: {error}. Correct the server's settings.")
    # Whatever the system names as missing: a folder that is not there comes first, the command is looked up in it
    if stdio.cwd is not None and not Path(stdio.cwd).is_dir():
        return Failure(
            Reason.CWD_MISSING, f"The folder {stdio.cwd} is not there. Make it, or correct the server's folder."
        )
    if isinstance(error, FileNotFoundError):
        return Failure(
            Reason.COMMAND_NOT_FOUND,
            f"The command {stdio.command!r} was not found. Install it, or correct the server's command.",
        )
    if isinstance(error, PermissionError) or getattr(error, "errno", None) == errno.ENOEXEC:
        return Failure(
            Reason.NOT_EXECUTABLE,
            f"{stdio.command!r} is not a program that can be run. Make it executable, or correct the server's command.",
        )
    return Failure(
        Reason.BAD_DEFINITION, f"{stdio.command!r} cannot be started ({error}). Check the server's settings."
    )


def timed_out(stage: str, limit: float, noise: list[str]) -> Failure:
    """The connect limit passed in ``stage``."""
    heard = f" Its stdout began with {noise[0][:80]!r}." if noise else ""
    if stage == "list":
        return Failure(Reason.TIMEOUT, f"tools/list timed out: no answer within {limit:g} s.{heard}")
    return Failure(
        Reason.INIT_TIMEOUT, f"It did not answer initialize within {limit:g} s.{heard} Check that it is an MCP server."
    )


def exited(code: int | None) -> Failure:
    """The process ended, or closed its output."""
    if code is None:
        return Failure(Reason.PROCESS_EXITED, "The server closed its output. It is started again at the next call.")
    how = f"by signal {-code}" if code < 0 else f"exit code {code}"
    return Failure(Reason.PROCESS_EXITED, f"The process ended, {how}.", exit_code=code)


def classify(definition: ServerDefinition, error: BaseException, stage: str) -> Failure:
    """The failure that ``error`` stands for, raised while ``stage`` (start, initialize, list, call) was under way."""
    cause = root(error)
    if isinstance(cause, Failed):
        return cause.failure
    if isinstance(cause, Unresolved):
        return Failure(Reason.BAD_DEFINITION, cause.message)
    if isinstance(cause, Unreadable):
        return Failure(Reason.UNAUTHORIZED, cause.message, login=True)
    if isinstance(cause, LoginNeeded):
        return Failure(Reason.UNAUTHORIZED, "The login has run out. Log in again.", status=401, login=True)
    if isinstance(cause, OAuthFlowError | OAuthTokenError):
        return Failure(
            Reason.UNAUTHORIZED, f"The stored login does not work any more: {cause}. Log in again.", login=True
        )
    if isinstance(cause, Met):
        return _met(definition, cause, stage)
    if isinstance(cause, Malformed):
        return Failure(Reason.PROTOCOL_ERROR, _sentence(str(cause)))
    if isinstance(cause, httpx2.HTTPStatusError):
        met = Trace(cause.response.status_code, cause.response.headers.get("www-authenticate", ""))
        return _status(definition, met)
    if isinstance(cause, httpx2.InvalidURL | httpx2.UnsupportedProtocol):
        return Failure(Reason.BAD_DEFINITION, f"The URL cannot be used: {cause}. Correct the server's URL.")
    if isinstance(cause, httpx2.TransportError | OSError):
        return _network(definition, cause)
    return Failure(Reason.PROTOCOL_ERROR, _sentence(f"{stage} failed: {cause}"))


def root(error: BaseException) -> BaseException:
    """What really happened: the library's tasks raise groups, with the noise of their ending beside the cause."""
    leaves = list(_leaves(error))
    ours = (one for one in leaves if isinstance(one, OURS))
    return next(ours, next((one for one in leaves if isinstance(one, Exception)), error))


def session_gone(met: Met) -> bool:
    """Whether an HTTP server has forgotten the session (404 with a session id): a new one may be opened."""
    return _SESSION_GONE in str(met.error)


def only_modern(met: Met) -> bool:
    """Whether the server refuses the handshake because it speaks the stateless era alone."""
    return isinstance(met.error, MCPError) and met.error.code == UNSUPPORTED_PROTOCOL_VERSION


def closed(met: Met) -> bool:
    """Whether the connection ended under the request."""
    error = met.error  # the code alone is no proof: what breaks off within one HTTP answer carries it too
    return isinstance(error, MCPError) and (error.code, error.message) == (CONNECTION_CLOSED, "Connection closed")


def _met(definition: ServerDefinition, met: Met, stage: str) -> Failure:
    if (met.trace.status or 0) >= 300 and (
        met.trace.status in (401, 403, 429) or str(met.error).startswith(_STAND_INS)
    ):
        return _status(definition, met.trace, str(met.error))
    if met.trace.content_type == "text/html" or "text/html" in str(met.error):
        return Failure(
            Reason.PROTOCOL_ERROR,
            "It answered with a web page, not MCP. Check the URL, and log in to the network if it asks for that.",
        )
    if isinstance(met.error, MCPError) and isinstance(definition.transport, Http):
        if met.error.code == PARSE_ERROR:
            return Failure(Reason.PROTOCOL_ERROR, f"It answered with something that is not MCP: {met.error}")
        if met.error.code == CONNECTION_CLOSED:
            return Failure(Reason.PROTOCOL_ERROR, f"Its answer broke off: {met.error}")
    return Failure(Reason.SERVER_ERROR, str(met.error) or f"{stage} failed without a word from the server")


def _status(definition: ServerDefinition, met: Trace, text: str = "") -> Failure:
    status = met.status or 0
    if status == 401:
        # With metadata (RFC 9728) the server says itself where to log in; without, a header may be what it wants
        login = "resource_metadata" in met.challenge
        hint = "Log in." if login else "Log in, or set a header with your key."
        return Failure(Reason.UNAUTHORIZED, f"It wants to know who you are (HTTP 401). {hint}", status=401, login=True)
    if status == 405 and isinstance(definition.transport, Http) and definition.transport.transport == "http":
        return Failure(
            Reason.HTTP_STATUS,
            "It refused POST (HTTP 405). It looks like an SSE server: try that transport.",
            status=405,
        )
    if 300 <= status < 400:
        where = text.removeprefix("Redirect to ").split(" not followed")[0] if text.startswith("Redirect to ") else ""
        return Failure(
            Reason.HTTP_STATUS,
            f"It answered with a redirect (HTTP {status}). Use this address: {where or '?'}",
            status=status,
        )
    words = {
        403: "It refuses access. Check your rights and the headers.",
        404: "There is no MCP server at this URL. Check the URL.",
        429: "It is asked too often.",
        503: "It is busy.",
    }
    wait = f" It asks to wait {met.retry_after:g} s." if met.retry_after else ""
    text = f"It answered with HTTP {status}. {words.get(status, '')}".strip() + wait
    return Failure(Reason.HTTP_STATUS, text, status=status, retry_after=met.retry_after)


def _network(definition: ServerDefinition, error: Exception) -> Failure:
    host = ""
    if isinstance(definition.transport, Http):
        host = httpx2.URL(definition.transport.url).host
    chain = list(_chain(error))
    text = " ".join(str(cause) for cause in chain)
    if any(isinstance(cause, ssl.SSLError) for cause in chain) or "CERTIFICATE" in text or "[SSL" in text:
        return Failure(Reason.TLS, f"The secure connection to {host} failed: {error}. Check its certificate.")
    if any(isinstance(cause, gaierror) for cause in chain) or "Name or service not known" in text:
        return Failure(Reason.DNS, f"The name {host} cannot be found. Check the URL and the network.")
    return Failure(Reason.UNREACHABLE, f"{host} cannot be reached: {error or type(error).__name__}. Is it running?")


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in cast("BaseExceptionGroup[BaseException]", error).exceptions:
            yield from _leaves(inner)
    else:
        yield error


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
