"""The host as the window reaches it: calls and the event stream over the host's Unix socket.

Wire: ``POST /rpc`` with ``{"method", "params"}``, ``GET /events`` with one JSON object a line. ``hello`` names the
epoch, ``reset`` says that events were missed and everything has to be read again.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

import httpx2

from actions.client.launch import HostStarter
from actions.errors import ErrorCode, SaysoError
from actions.storage.paths import Paths
from actions.tasks import TaskOwner
from desktop.app.backend import ConnectionChange, HostEvent, Outcome, Status
from desktop.status import Connection
from desktop.subscriptions import Listeners

SURFACE = "ui"
_QUIET_SECONDS = 45.0  # the host sends a ping each 15 s
_RETRY_SECONDS = (0.2, 0.5, 1.0, 2.0, 5.0)
_TURN_SECONDS = 0.004  # while lines are buffered the reader never suspends by itself

Offer = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]


class RemoteBackend:
    """A :class:`~desktop.app.backend.Backend` over one home's host.

    ``offers`` are what the host may ask of this window, by name; each answers with an object or raises SaysoError.
    """

    def __init__(
        self,
        paths: Paths,
        environ: Mapping[str, str],
        *,
        language: str = "en",
        offers: Mapping[str, Offer] | None = None,
    ) -> None:
        self._starter = HostStarter(paths, environ)
        self._language = language
        self._offers = dict(offers or {})
        # Requests carry no timeout of their own: an action may take as long as it takes.
        transport = httpx2.AsyncHTTPTransport(uds=str(paths.socket_file))
        self._http = httpx2.AsyncClient(transport=transport, base_url="http://sayso", timeout=None)
        self._events: Listeners[HostEvent] = Listeners()
        self._changes: Listeners[ConnectionChange] = Listeners()
        self._state = ConnectionChange(Connection.CONNECTING)
        self._epoch = ""
        self._seq = 0
        self._fresh = True
        self._tasks = TaskOwner("backend")
        self._starting: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Connect, starting a host when none runs, and stay connected."""
        self._tasks.start(self._stay_connected(), name="events")

    async def close(self) -> None:
        """Let go of the host; it goes on."""
        await self._tasks.close()
        await self._http.aclose()

    def offer(self, name: str, answer: Offer) -> None:
        """Offer something that only a window can do; call it before :meth:`open`."""
        self._offers[name] = answer

    def subscribe(self, listener: Callable[[HostEvent], None]) -> AbstractContextManager[None]:
        return self._events.subscribe(listener)

    def subscribe_connection(self, listener: Callable[[ConnectionChange], None]) -> AbstractContextManager[None]:
        listener(self._state)
        return self._changes.subscribe(listener)

    async def execute(
        self, action_id: str, input: Mapping[str, Any] | None = None, *, surface: str = SURFACE, **params: Any
    ) -> Outcome:
        """Run an action. A host that is away is started once; when that fails, so does the outcome."""
        call = {
            "action": action_id,
            "input": dict(input or {}),
            "surface": surface,
            "language": self._language,
            **params,
        }
        try:
            return outcome_of(await self.call("execute", {"language": self._language, **call}))
        except SaysoError as error:
            return Outcome(Status.FAILED, code=error.code.value, message=error.message, details=error.details)

    async def call(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """The host's envelope for one call. Raises SaysoError when the host cannot be reached or breaks off."""
        body = {"method": method, "params": dict(params)}
        try:
            return await self._post(body)
        except httpx2.ConnectError:
            await self._start_host()
        try:
            return await self._post(body)
        except httpx2.ConnectError as error:
            raise SaysoError("Sayso's host does not answer.", code=ErrorCode.HOST_UNAVAILABLE) from error

    async def _post(self, body: Mapping[str, Any]) -> dict[str, Any]:
        try:
            response = await self._http.post("/rpc", json=body)
            return response.json()
        except httpx2.ConnectError:
            raise
        except (httpx2.HTTPError, ValueError) as error:
            raise SaysoError(
                "Sayso's host went away before it answered. Look at what this would have changed before you repeat it.",
                code=ErrorCode.OUTCOME_UNKNOWN,
            ) from error

    async def _start_host(self) -> None:
        """One start at a time, however many calls wait for it."""
        if self._starting is None or self._starting.done():
            self._starting = self._tasks.start(asyncio.to_thread(self._starter.start), name="start")
        await asyncio.shield(self._starting)

    async def _stay_connected(self) -> None:
        attempt = 0
        while True:
            try:
                async for event in self._stream():
                    attempt = 0
                    self._take(event)
                reason = ""
            except httpx2.ConnectError:
                reason = await self._try_to_start() if attempt == 0 else "Nobody listens on its socket."
                if not reason:
                    attempt = 1
                    continue
            except (httpx2.HTTPError, ValueError) as error:
                reason = str(error)
            state = Connection.LOST if attempt < len(_RETRY_SECONDS) and not self._fresh else Connection.FAILED
            self._tell(ConnectionChange(state, reason))
            await asyncio.sleep(_RETRY_SECONDS[min(attempt, len(_RETRY_SECONDS) - 1)])
            attempt += 1

    async def _try_to_start(self) -> str:
        """Start a host; returns why that failed, else nothing."""
        try:
            await self._start_host()
        except SaysoError as error:
            return error.message
        return ""

    async def _stream(self) -> AsyncIterator[Mapping[str, Any]]:
        query = {"surface": SURFACE, "offers": ",".join(self._offers)}
        if self._epoch:
            query |= {"after": str(self._seq), "epoch": self._epoch}
        timeout = httpx2.Timeout(None, read=_QUIET_SECONDS)
        async with self._http.stream("GET", "/events", params=query, timeout=timeout) as response:
            turn_ends = time.perf_counter() + _TURN_SECONDS
            async for line in response.aiter_lines():
                if time.perf_counter() > turn_ends:
                    await asyncio.sleep(0)
                    turn_ends = time.perf_counter() + _TURN_SECONDS
                if line:
                    yield json.loads(line)

    def _take(self, event: Mapping[str, Any]) -> None:
        match event.get("type"):
            case "hello":
                self._epoch = str(event.get("epoch") or "")
                self._seq = int(event.get("seq") or 0)
                missed, self._fresh = self._fresh, False
                self._tell(ConnectionChange(Connection.CONNECTED, missed=missed))
            case "reset":
                self._seq = int(event.get("seq") or 0)
                self._tell(ConnectionChange(Connection.CONNECTED, missed=True))
            case "ping":
                pass
            case "client_call":
                self._seq = int(event.get("seq") or self._seq)
                self._tasks.start(self._answer(event.get("data") or {}), name="client_call")
            case kind:
                self._seq = int(event.get("seq") or self._seq)
                self._events.tell(HostEvent(str(kind), event.get("data") or {}, self._seq))

    async def _answer(self, asked: Mapping[str, Any]) -> None:
        """Do what the host asks of this window and say what came of it."""
        name = str(asked.get("name"))
        reply: dict[str, Any] = {"call_id": asked.get("call_id"), "surface": SURFACE}
        offer = self._offers.get(name)
        try:
            if offer is None:
                raise SaysoError(f"This window does not offer {name}.")
            reply |= {"ok": True, "data": dict(await offer(asked.get("arguments") or {}))}
        except SaysoError as error:
            reply |= {"ok": False, "error": error.as_json()}
        await self.call("client.reply", reply)

    def _tell(self, change: ConnectionChange) -> None:
        self._state = change
        self._changes.tell(change)


def outcome_of(envelope: Mapping[str, Any]) -> Outcome:
    """An outcome from the host's envelope."""
    status = Status(envelope.get("outcome") or ("completed" if envelope.get("ok") else "failed"))
    data = envelope.get("data") or {}
    error = envelope.get("error") or {}
    return Outcome(
        status,
        data=data,
        approval_id=data.get("approval_id") if status is Status.PENDING else None,
        code=str(error.get("code") or ""),
        message=str(error.get("message") or ""),
        details=error.get("details") or {},
    )
