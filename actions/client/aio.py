"""The host for programs with an event loop: calls, and a stream of events that misses nothing and repeats nothing.

It runs under asyncio's own loop and under qasync's.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from enum import StrEnum
from typing import Any, cast

import httpx2

from actions.errors import ErrorCode, HostUnavailable, SaysoError
from actions.tasks import TaskOwner

QUIET_S = 45.0
"""The host sends a ping each 15 s; silence for this long is a lost connection."""

_BACKOFF_S = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_TURN_S = 0.005
_log = logging.getLogger(__name__)

Event = Mapping[str, Any]
"""``{"seq", "type", "data"}``"""

OnEvent = Callable[[Event], None]
Handler = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]
"""Does what the host asks of a client; gets the arguments, gives an object or raises SaysoError."""


class Line(StrEnum):
    """Where the line to the host stands. After ``reset`` events are missing: read again whatever is shown."""

    CONNECTED = "connected"
    DISCONNECTED = "disconnected"
    RESET = "reset"


OnLine = Callable[[Line, str], None]
"""Hears each change, with the reason of a lost line."""


class AsyncClient:
    """A client of one home's host. ``start`` blocks until a host answers; it is called, in a thread, when none does.

    ``surface`` and ``label`` are what the client says of itself; the host decides what it counts as.
    """

    def __init__(
        self,
        socket_file: str,
        *,
        surface: str,
        label: str = "",
        language: str = "en",
        token: str | None = None,
        start: Callable[[], None] | None = None,
    ) -> None:
        self.window = secrets.token_hex(8)
        """The name of this client among the windows that the host knows."""
        self._surface = surface
        self._label = label
        self._language = language
        self._start = start
        self._tasks = TaskOwner("client")
        self._starting: asyncio.Task[None] | None = None
        self._position: tuple[str, int] | None = None
        self._http = httpx2.AsyncClient(
            # A socket of this machine needs no certificates, and loading them takes a tenth of a second.
            transport=httpx2.AsyncHTTPTransport(uds=socket_file, verify=False),
            base_url="http://sayso",
            headers={"Authorization": f"Bearer {token}"} if token else None,
            timeout=None,  # an action takes as long as it takes
        )

    async def execute(
        self,
        action: str,
        input: Mapping[str, Any],
        *,
        surface: str | None = None,
        session_id: str | None = None,
        workspace: str | None = None,
        language: str | None = None,
        idempotency_key: str | None = None,
        **more: Any,
    ) -> dict[str, Any]:
        """Run an action; gives the envelope: completed, pending, rejected or failed, by its ``outcome``.

        With ``attached=True`` it ends when this call is cancelled.

        Raises HostUnavailable when there is no host, and ``outcome_unknown`` when it went away before it answered.
        """
        params = {
            "action": action,
            "input": dict(input),
            "surface": surface or self._surface,
            "session_id": session_id,
            "workspace": workspace,
            "language": language or self._language,
            "idempotency_key": idempotency_key,
            "label": self._label,
            **more,
        }
        sent = {name: value for name, value in params.items() if value is not None}
        return await self.call("execute", sent, repeatable=idempotency_key is not None)

    async def catalog(
        self, *, surface: str | None = None, language: str | None = None, workspace: str | None = None
    ) -> dict[str, Any]:
        """``{"version", "actions"}`` as a surface sees them. Raises SaysoError."""
        params = {"surface": surface or self._surface, "language": language or self._language, "workspace": workspace}
        sent = {name: value for name, value in params.items() if value is not None}
        envelope = await self.call("catalog", sent, repeatable=True)
        if not envelope["ok"]:
            raise SaysoError(str(envelope["error"]["message"]))
        return cast("dict[str, Any]", envelope["data"])

    async def call(self, method: str, params: Mapping[str, Any], *, repeatable: bool = False) -> dict[str, Any]:
        """The envelope of one call of a method of the host; ``repeatable`` ones are made again over a lost line."""
        body = {"method": method, "params": dict(params)}
        try:
            return await self._post(body)
        except httpx2.ConnectError as error:
            await self._start_host(error)
        except _Lost as lost:
            if not repeatable:
                raise SaysoError(
                    "Sayso's host went away before it answered. Look at what this would have changed before you "
                    "repeat it.",
                    code=ErrorCode.OUTCOME_UNKNOWN,
                ) from lost
        try:
            return await self._post(body)
        except (httpx2.ConnectError, _Lost) as error:
            raise HostUnavailable("Sayso's host does not answer. Try again.") from error

    async def events(
        self,
        on_event: OnEvent,
        *,
        on_line: OnLine | None = None,
        handlers: Mapping[str, Handler] | None = None,
    ) -> None:
        """Hear every event, in order and once, until cancelled. Reconnects by itself, and resumes where it was.

        ``handlers`` are what the host may ask of this client, by name; each runs as a task, so a slow one holds up
        neither events nor the others. An error of ``on_event`` ends the loop.
        """
        told = on_line or _unheard
        offered = dict(handlers or {})
        attempt = 0
        owner = TaskOwner("client.handlers")
        try:
            while True:
                reason = "The host ended the stream."
                try:
                    async with aclosing(self._stream(",".join(offered))) as stream:
                        async for event in stream:
                            attempt = 0
                            self._take(event, on_event, told, offered, owner)
                except httpx2.ConnectError as error:
                    reason = await self._revive(error, attempt)
                except (httpx2.HTTPError, OSError, ValueError) as error:
                    reason = str(error) or type(error).__name__
                told(Line.DISCONNECTED, reason)
                await asyncio.sleep(_BACKOFF_S[min(attempt, len(_BACKOFF_S) - 1)])
                attempt += 1
        finally:
            await owner.close()

    async def close(self) -> None:
        """Let go of the host; it goes on."""
        await self._tasks.close()
        await self._http.aclose()

    async def _post(self, body: Mapping[str, Any]) -> dict[str, Any]:
        try:
            response = await self._http.post("/rpc", json=body)
            # An attached call's answer is its last line; those before say how far it is.
            envelope = json.loads(response.content.rstrip().rpartition(b"\n")[2])
        except httpx2.ConnectError:
            raise
        except (httpx2.HTTPError, OSError) as error:
            raise _Lost from error
        except ValueError as error:
            raise SaysoError(
                "Sayso's host answered with something that is no outcome. Stop it and try again, as after an update."
            ) from error
        return cast("dict[str, Any]", envelope)

    async def _start_host(self, cause: Exception) -> None:
        """One start at a time, however many calls wait for it; a caller that is cancelled does not stop it."""
        if self._start is None:
            raise HostUnavailable("No host of Sayso answers. Start one with: sayso host") from cause
        if self._starting is None or self._starting.done():
            self._starting = self._tasks.start(asyncio.to_thread(self._start), name="start")
        await asyncio.shield(self._starting)

    async def _revive(self, error: httpx2.ConnectError, attempt: int) -> str:
        """Start a host, the first time at once and then after a pause; gives the reason why there is none."""
        if self._position is not None and attempt == 0:
            return "Nobody listens on its socket."  # who stopped it may be starting another one
        try:
            await self._start_host(error)
        except SaysoError as failure:
            return failure.message
        return "The host was started."

    async def _stream(self, offers: str) -> AsyncGenerator[dict[str, Any]]:
        query = {"surface": self._surface, "offers": offers, "window": self.window}
        if self._position is not None:
            epoch, seq = self._position
            query |= {"epoch": epoch, "after": str(seq)}
        timeout = httpx2.Timeout(None, read=QUIET_S)
        async with self._http.stream("GET", "/events", params=query, timeout=timeout) as response:
            response.raise_for_status()
            turn_ends = time.perf_counter() + _TURN_S
            async with aclosing(_lines(response.aiter_bytes())) as lines:
                async for line in lines:
                    if time.perf_counter() > turn_ends:
                        # Lines that are here already never suspend by themselves, and a window has to paint.
                        await asyncio.sleep(0)
                        turn_ends = time.perf_counter() + _TURN_S
                    yield json.loads(line)

    def _take(
        self,
        event: dict[str, Any],
        on_event: OnEvent,
        told: OnLine,
        handlers: Mapping[str, Handler],
        owner: TaskOwner,
    ) -> None:
        match event.get("type"):
            case "ping":
                return
            case "hello":
                if self._position is None or self._position[0] != event["epoch"]:
                    self._position = (event["epoch"], event["seq"])
                told(Line.CONNECTED, "")
            case "reset":
                epoch = self._position[0] if self._position else ""
                self._position = (epoch, event.get("seq", 0))
                told(Line.RESET, "")
            case kind:
                epoch, last = self._position or ("", 0)
                if event["seq"] <= last:
                    return
                # Taken before it is told: an event whose listener fails is not told twice.
                self._position = (epoch, event["seq"])
                if kind == "client_call":
                    owner.start(self._answer(event["data"], handlers), name="client_call")
                else:
                    on_event(event)

    async def _answer(self, asked: Mapping[str, Any], handlers: Mapping[str, Handler]) -> None:
        """Do what the host asks and say what came of it."""
        name = str(asked.get("name"))
        reply: dict[str, Any] = {"call_id": asked.get("call_id"), "surface": self._surface}
        try:
            if (handler := handlers.get(name)) is None:
                raise SaysoError(f"This client does not offer {name}.")
            reply |= {"ok": True, "data": dict(await handler(asked.get("arguments") or {}))}
        except SaysoError as error:
            reply |= {"ok": False, "error": error.as_json()}
        except Exception:  # noqa: BLE001 - the host must hear of it, whatever it is
            _log.exception("the handler of %s failed", name)
            reply |= {"ok": False, "error": SaysoError(f"{name} failed in the window.").as_json()}
        try:
            await self.call("client.reply", reply)
        except SaysoError as error:
            _log.warning("the answer to %s did not reach the host: %s", name, error.message)


def _unheard(line: Line, reason: str) -> None:
    """Nobody wants to hear where the line stands."""


class _Lost(Exception):
    """The connection ended before the answer."""


async def _lines(chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """Lines end at a line feed only: U+2028 and its like are text in JSON. A last line that was cut off is dropped."""
    rest = b""
    async for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            if line.strip():
                yield line
