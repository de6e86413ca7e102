"""Trying a server out: start it, list its tools, end it with everything that it started."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from actions.catalog.server_views import ServerTest
from actions.servers.pool.definition import SecretRef, ServerDefinition, Stdio
from actions.servers.pool.pool import Pool
from actions.servers.pool.states import Reason, ServerRow, State
from actions.servers.pool.surroundings import Surroundings
from actions.servers.values import MissingValue, expanded
from actions.storage.secrets import SecretStore

_LAUNCH = (
    Reason.COMMAND_NOT_FOUND,
    Reason.CWD_MISSING,
    Reason.NOT_EXECUTABLE,
    Reason.BAD_DEFINITION,
    Reason.PROCESS_EXITED,
    Reason.CLOSED,
)
_GRACE = 10.0
"""Seconds beyond the connect limit: for the library to load and a first way of connecting to be given up."""


class Tester:
    """Tries servers, each in a pool of its own."""

    def __init__(self, environ: Callable[[], Mapping[str, str]], store: Callable[[], SecretStore]) -> None:
        self._environ = environ
        self._store = store

    async def test(self, definition: ServerDefinition, workspace: Path | None) -> ServerTest:
        """What came of it; a failure is an answer, not an error."""
        environ = self._environ()
        try:
            filled = expanded(definition, environ, workspace=workspace)
        except MissingValue as error:
            return ServerTest(ok=False, code="missing_credentials", message=error.message)
        began = time.monotonic()
        pool = Pool(
            Surroundings(
                environ,
                secrets=lambda name: self._store().get(name),
                tokens=self._store,
                cwd=workspace,
                roots=() if workspace is None else (workspace,),
            )
        )
        try:
            pool.start([filled])
            snapshot = await pool.wait_ready(filled.connect_limit + _GRACE)
            ms = round((time.monotonic() - began) * 1000)
            row = snapshot.servers[0] if snapshot is not None else ServerRow(filled.name, State.PENDING)
        finally:
            await pool.close()
        return _result(filled, row, ms)


def _result(definition: ServerDefinition, row: ServerRow, ms: int) -> ServerTest:
    if row.state is State.CONNECTED:
        return ServerTest(
            ok=True,
            tool_count=len(row.tools),
            tools=[tool.name for tool in row.tools],
            ms=ms,
            era=row.protocol,
            server_info=row.server_info,
            skipped=[{"name": tool.name, "reason": tool.reason} for tool in row.skipped],
            warnings=list(row.warnings),
        )
    failure = row.failure
    if failure is None:
        return ServerTest(
            ok=False, ms=ms, code="timeout", message="It did not answer in time.", stderr=row.tail or None
        )
    return ServerTest(
        ok=False,
        ms=ms,
        code=_code(definition, failure.reason, failure.message),
        message=failure.message,
        stderr=(failure.tail or row.tail) or None,
        exit_code=failure.exit_code,
        warnings=list(row.warnings),
    )


def _code(definition: ServerDefinition, reason: Reason, message: str) -> str:
    if reason is Reason.BAD_DEFINITION and _refers_to_secret(definition) and "secret" in message:
        return "missing_credentials"
    if reason in _LAUNCH:
        return "launch_failed"
    if reason in (Reason.INIT_TIMEOUT, Reason.TIMEOUT):
        return "timeout"
    if reason is Reason.UNAUTHORIZED:
        return "needs_login"
    return "list_tools_failed" if "tools/list" in message or message.startswith("List ") else "connect_failed"


def _refers_to_secret(definition: ServerDefinition) -> bool:
    transport = definition.transport
    values = transport.env if isinstance(transport, Stdio) else transport.headers
    return any(isinstance(value, SecretRef) for value in values.values())
