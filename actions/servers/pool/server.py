"""One server of a pool: connects in the background, tells where it stands, calls, and comes back when it died."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

import anyio

from actions.servers.pool.connection import Attempt, Tools
from actions.servers.pool.definition import ServerDefinition, Stdio
from actions.servers.pool.failures import classify, closed, exited, only_modern, root, session_gone, timed_out
from actions.servers.pool.link import PROBE_LIMIT, Link, Malformed, Met, NotModern, Progress
from actions.servers.pool.login import LoginNeeded, Show, log_in
from actions.servers.pool.states import (
    CallResult,
    CallTimeout,
    Failure,
    Reason,
    ServerError,
    ServerRow,
    State,
    ToolInfo,
)
from actions.servers.pool.surroundings import Surroundings
from actions.servers.pool.tokens import Tokens
from actions.tasks import TaskOwner

BACKOFF = (2.0, 8.0, 30.0)
"""Seconds before each further try of a first connection that failed for a passing reason; then a person is needed."""
CLOSE_WAIT = 8.0
_LOADING = (State.PENDING, State.CONNECTING)
Check = Callable[[tuple[ToolInfo, ...]], Awaitable[None]]
"""Looks at a server's tools right before a call, also after it was started again; it raises to keep it back."""


@dataclass(frozen=True, slots=True)
class _Way:
    """How a connection is tried: whether the modern era is asked for (or was, ``probed``), ``patient`` where the server
    knows no other, with a token that is renewed first, and ``again`` after a server ended the session that it had just
    begun."""

    modern: bool
    probed: bool
    patient: bool = False
    renew: bool = False
    again: bool = False


class Server:
    """The connection to one server through all its lives."""

    def __init__(
        self, definition: ServerDefinition, surroundings: Surroundings, on_change: Callable[[ServerRow], None]
    ) -> None:
        self.definition = definition
        self._around = surroundings
        self._on_change = on_change
        self._row = ServerRow(definition.name, State.PENDING)
        self._since = time.monotonic()
        self._retry_at: float | None = None
        self._attempt: Attempt | None = None
        self._link: Link | None = None
        self._lost: Failure | None = None
        self._tried = asyncio.Event()
        self._moved = asyncio.Event()
        self._wake = asyncio.Event()
        self._stop = asyncio.Event()
        self._tasks = TaskOwner(f"server {definition.name}")
        self._keeper: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None
        self._last = TaskOwner(f"end of server {definition.name}")

    # What it is

    @property
    def row(self) -> ServerRow:
        """Where it stands now."""
        now = time.monotonic()
        retry_in = None if self._retry_at is None else max(0.0, self._retry_at - now)
        attempt = self._attempt
        warnings = self._row.warnings
        if attempt is not None and attempt.noise:
            warnings = (*warnings, f"It writes to stdout, which belongs to the protocol: {attempt.noise[0][:80]!r}")
        return replace(
            self._row,
            elapsed=now - self._since,
            retry_in=retry_in,
            warnings=warnings,
            tail="" if attempt is None else attempt.stderr.tail(),
            pid=None if attempt is None or attempt.process is None or self._link is None else attempt.process.pid,
        )

    async def tried(self) -> None:
        """Wait until the first try has ended, one way or the other."""
        await self._tried.wait()

    # What it does

    def start(self) -> None:
        """Connect in the background."""
        if self._keeper is None:
            self._keeper = self._tasks.start(self._keep(), name="connection")

    async def retry(self) -> None:
        """Try again now, if it is not connected, and wait for the end of that try."""
        starts = self._row.starts
        self._wake.set()
        while self._link is None and (self._row.starts == starts or self._row.state in _LOADING):
            if self._row.state is State.CLOSED:
                return
            await self._moved.wait()

    async def call(
        self,
        tool: str,
        arguments: dict[str, Any],
        on_progress: Progress | None = None,
        check: Check | None = None,
    ) -> CallResult:
        """Call a tool; a server that died is started again first. ``check`` sees the tools that it has then.

        Raises CallTimeout, ServerError, and what ``check`` raises.
        """
        link = await self._checked(check)
        try:
            return await self._call(link, tool, arguments, on_progress)
        except Met as met:
            if not session_gone(met):
                raise await self._call_failed(link, met) from met
        except Malformed as error:
            raise ServerError(self.definition.name, classify(self.definition, error, "call")) from error
        # The server has forgotten the session and did nothing with the call: once more, in a new one
        self._lose(link, Failure(Reason.HTTP_STATUS, "The server has ended the session.", status=404))
        link = await self._checked(check)
        try:
            return await self._call(link, tool, arguments, on_progress)
        except (Met, Malformed) as error:
            raise await self._call_failed(link, error) from error

    async def log_in(self, show: Show, *, limit: float) -> None:
        """Let a person log in (see :func:`login.log_in`), then connect anew. Raises ServerError."""
        store, transport = self._around.tokens, self.definition.transport
        if store is None or isinstance(transport, Stdio):
            failure = Failure(Reason.BAD_DEFINITION, f"There is no login for {self.definition.name} from here.")
            raise ServerError(self.definition.name, failure)
        await log_in(
            self.definition, Tokens(store, self.definition.name, transport.url), self._around.secrets, show, limit=limit
        )
        await self._anew()

    async def log_out(self) -> None:
        """Forget the stored login."""
        store, transport = self._around.tokens, self.definition.transport
        if store is not None and not isinstance(transport, Stdio):
            await Tokens(store, self.definition.name, transport.url).forget()
            await self._anew()

    async def _anew(self) -> None:
        if self._link is not None:
            self._lose(self._link, Failure(Reason.CLOSED, "It is connected anew, for another login."))
        await self.retry()

    async def close(self) -> None:
        """End the connection, the process and all that it started.

        Safe to call again; a caller that is cancelled leaves the closing to run to its end.
        """
        if self._closing is None:
            self._closing = self._last.start(self._close(), name="close")
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        self._stop.set()
        if self._keeper is not None and self._row.state is State.CONNECTED:
            await asyncio.wait({self._keeper}, timeout=CLOSE_WAIT)
        await self._tasks.close()
        self._set(State.CLOSED)

    # The life of the connection

    async def _keep(self) -> None:
        tries = 0
        while not self._stop.is_set():
            self._wake.clear()
            self._set(State.CONNECTING, starts=self._row.starts + 1)
            was_open, failure = await self._live()
            if self._stop.is_set():
                return
            wait = None if was_open else self._delay(failure, tries)
            self._retry_at = None if wait is None else time.monotonic() + wait
            state = State.UNAUTHORIZED if failure.reason is Reason.UNAUTHORIZED else State.FAILED
            self._set(state, failure=failure)
            tries = 0 if await self._woken(wait) else tries + 1

    async def _live(self) -> tuple[bool, Failure]:
        """One connection from its start to its end: whether it was ever open, and why it is not any more."""
        old = await asyncio.to_thread(self._around.eras.is_old, self.definition)
        way = _Way(modern=not old, probed=not old)
        while isinstance(end := await self._turn(way), _Way):
            if self._stop.is_set():
                return False, Failure(Reason.CLOSED, "It was closed.")
            way = end
        return end

    async def _turn(self, way: _Way) -> tuple[bool, Failure] | _Way:
        """A connection, once it is this server's turn where a process has to start."""
        if not isinstance(self.definition.transport, Stdio):
            return await self._connection(way)
        async with self._around.starts.turn() as answered:
            return await self._connection(way, answered)

    async def _connection(self, way: _Way, answered: Callable[[], None] = lambda: None) -> tuple[bool, Failure] | _Way:
        """One try, and all of the connection that it brings; or another way that is worth a try at once."""
        attempt = self._attempt = Attempt(self.definition, self._around, renew=way.renew)
        limit = self.definition.connect_limit
        self._lost = None
        opened = False
        patient = False
        try:
            began = anyio.current_time()
            with anyio.CancelScope(deadline=began + limit) as scope:
                async with attempt.open(answered, self._tools_changed, modern=way.modern, patient=way.patient) as (
                    link,
                    tools,
                ):
                    scope.deadline = math.inf
                    opened = True
                    if way.probed and not way.modern and anyio.current_time() - began < PROBE_LIMIT / 2:
                        # It answers in time, so it was not its slow start that left the probe without an answer
                        await asyncio.to_thread(self._around.eras.note_old, self.definition)
                    self._opened(link, tools)
                    await self._until_over(attempt)
                    patient = not attempt.over.is_set()
            if scope.cancelled_caught:
                failure = timed_out(attempt.stage, limit, attempt.noise)
            elif patient:
                failure = Failure(Reason.CLOSED, "It was closed.")
            else:
                failure = self._lost or await self._ended(attempt)
        except Exception as error:  # noqa: BLE001 - the library has no base class; each becomes a failure
            cause = root(error)
            if (other := _other_way(way, cause, attempt)) is not None:
                return other
            failure = await self._failure(attempt, cause)
        finally:
            self._link = None
            await attempt.end(patient=patient)
        return opened, self._told(attempt, failure)

    async def _failure(self, attempt: Attempt, error: BaseException) -> Failure:
        if self._lost is not None:
            return self._lost
        if attempt.process is not None and isinstance(error, Met) and closed(error):
            return await self._ended(attempt)
        return classify(self.definition, error, attempt.stage)

    async def _ended(self, attempt: Attempt) -> Failure:
        if attempt.process is None:
            return Failure(Reason.UNREACHABLE, "The server ended the connection.")
        await attempt.process.settle()
        return exited(attempt.process.returncode)

    def _told(self, attempt: Attempt, failure: Failure) -> Failure:
        return replace(failure, message=attempt.redact(failure.message), tail=failure.tail or attempt.stderr.tail())

    async def _until_over(self, attempt: Attempt) -> None:
        ends = [self._tasks.start(event.wait(), name="end") for event in (self._stop, attempt.over)]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in ends:
                end.cancel()

    async def _woken(self, wait: float | None) -> bool:
        """Wait for a retry, a call or the next try that is due; False for the latter."""
        waits = [self._tasks.start(event.wait(), name="pause") for event in (self._stop, self._wake)]
        try:
            done, _ = await asyncio.wait(waits, timeout=wait, return_when=asyncio.FIRST_COMPLETED)
            return bool(done)
        finally:
            self._retry_at = None
            for one in waits:
                one.cancel()

    def _delay(self, failure: Failure, tries: int) -> float | None:
        if not failure.passing or tries >= len(BACKOFF):
            return None
        return max(BACKOFF[tries] if failure.retry_after is None else 0.0, failure.retry_after or 0.0)

    # Its state

    def _opened(self, link: Link, tools: Tools) -> None:
        self._link = link
        self._set(
            State.CONNECTED,
            protocol=link.protocol,
            modern=link.modern,
            server_info=link.server_info,
            instructions=link.instructions,
            tools=tools.tools,
            skipped=tools.skipped,
            warnings=tools.warnings,
        )

    def _set(self, state: State, *, failure: Failure | None = None, **changes: Any) -> None:
        if state is not self._row.state:
            self._since = time.monotonic()
        self._row = replace(self._row, state=state, failure=failure, **changes)
        if state not in _LOADING:
            self._tried.set()
        self._moved.set()
        self._moved = asyncio.Event()
        self._on_change(self.row)

    def _tools_changed(self) -> None:
        if self._link is not None and not self._stop.is_set():
            self._tasks.start(self._list_again(self._link), name="list")

    async def _list_again(self, link: Link) -> None:
        attempt = self._attempt
        assert attempt is not None
        try:
            with anyio.fail_after(self.definition.limits.idle):
                tools = await attempt.list(link)
        except (Met, Malformed, TimeoutError) as error:
            text = f"Its tools changed and could not be read again: {attempt.redact(str(error)) or 'no answer'}"
            self._set(self._row.state, failure=self._row.failure, warnings=(*self._row.warnings[-4:], text))
            return
        if link is self._link:
            self._set(State.CONNECTED, tools=tools.tools, skipped=tools.skipped, warnings=tools.warnings)

    # Calls

    async def _checked(self, check: Check | None) -> Link:
        link = await self._connected()
        if check is not None:
            await check(self._row.tools)
        return link

    async def _connected(self) -> Link:
        """The open connection; one that failed or died is tried once more for this caller. Raises ServerError."""
        woken_at: int | None = None
        while True:
            if self._link is not None and self._attempt is not None and self._attempt.over.is_set():
                # It died a moment ago, and its keeper has not come to it yet
                self._lose(self._link, await self._ended(self._attempt))
            if self._link is not None:
                return self._link
            state = self._row.state
            if state is State.CLOSED or self._stop.is_set():
                raise self._unusable(Failure(Reason.CLOSED, "It is being closed."))
            if state is State.UNAUTHORIZED or (state is State.FAILED and woken_at not in (None, self._row.starts)):
                raise self._unusable(self._row.failure)
            moved = self._moved
            if state is State.FAILED and woken_at is None:
                woken_at = self._row.starts
                self._wake.set()
            await moved.wait()

    def _unusable(self, failure: Failure | None) -> ServerError:
        failure = failure or Failure(Reason.CLOSED, "It is not connected.")
        text = f"The server {self.definition.name} is not connected: {failure.message}"
        return ServerError(self.definition.name, replace(failure, message=text))

    async def _call(self, link: Link, tool: str, arguments: dict[str, Any], on_progress: Progress | None) -> CallResult:
        limits = self.definition.limits
        start = anyio.current_time()
        last = start + limits.call

        def progress(done: float, total: float | None, message: str | None) -> None:
            scope.deadline = min(last, anyio.current_time() + limits.idle)
            if on_progress is not None:
                on_progress(done, total, message)

        with anyio.CancelScope(deadline=min(last, start + limits.idle)) as scope:
            return await link.call(tool, arguments, progress)
        took = anyio.current_time() - start
        what = f"more than {limits.call:g} s" if took >= limits.call else f"{limits.idle:g} s without a sign of life"
        text = f"{tool} of {self.definition.name} was given up after {what}. Whether it had an effect is not known."
        raise CallTimeout(self.definition.name, Failure(Reason.TIMEOUT, text))

    async def _call_failed(self, link: Link, error: Met | Malformed) -> ServerError:
        attempt = self._attempt
        if isinstance(error, Met) and closed(error) and attempt is not None:
            failure = self._told(attempt, await self._ended(attempt))
            self._lose(link, failure)
            text = f"The server {self.definition.name} ended during the call. {failure.message}"
            return ServerError(self.definition.name, replace(failure, message=text))
        failure = classify(self.definition, error, "call")
        if attempt is not None:
            failure = replace(failure, message=attempt.redact(failure.message))
        if failure.reason is Reason.UNAUTHORIZED:
            self._lose(link, failure)
        return ServerError(self.definition.name, failure)

    def _lose(self, link: Link, failure: Failure) -> None:
        """Give the connection up for ``failure``."""
        if link is self._link and self._attempt is not None:
            self._link = None
            self._lost = failure
            self._set(State.UNAUTHORIZED if failure.reason is Reason.UNAUTHORIZED else State.FAILED, failure=failure)
            self._attempt.over.set()


def _other_way(way: _Way, cause: BaseException, attempt: Attempt) -> _Way | None:
    """What else to try at once after ``cause``; each only once."""
    if isinstance(cause, NotModern):
        return replace(way, modern=False)
    if isinstance(cause, Met) and only_modern(cause) and not way.modern and not way.patient:
        return replace(way, modern=True, patient=True)  # its start was too slow for the question, or it was updated
    if isinstance(cause, LoginNeeded) and not way.renew and attempt.tokens is not None and attempt.tokens.renewable:
        return replace(way, renew=True)
    if isinstance(cause, Met) and session_gone(cause) and not way.again:
        return replace(way, again=True)
    return None
