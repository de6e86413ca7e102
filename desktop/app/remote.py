"""The backend of a running window: :class:`actions.client.aio.AsyncClient`, in the panes' terms."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from actions.client.aio import AsyncClient, Event, Handler, Line
from actions.errors import SaysoError
from actions.tasks import TaskOwner
from desktop.app.backend import ConnectionChange, HostEvent, Outcome, Status
from desktop.status import Connection
from desktop.subscriptions import Listeners

_log = logging.getLogger(__name__)


class RemoteBackend:
    """Implements :class:`~desktop.app.backend.Backend`; owns the client and closes it."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._events: Listeners[HostEvent] = Listeners()
        self._changes: Listeners[ConnectionChange] = Listeners()
        self._state = ConnectionChange(Connection.CONNECTING)
        self._was_connected = False
        self._tasks = TaskOwner("backend")

    def open(self, offers: Mapping[str, Handler]) -> None:
        """Connect, starting a host when none runs, and stay connected. ``offers`` are what the host may ask for."""
        events = self._client.events(self._on_event, on_line=self._on_line, handlers=offers)
        self._tasks.start(events, name="events")

    async def close(self) -> None:
        """Let go of the host; it goes on."""
        await self._tasks.close()
        await self._client.close()

    def subscribe(self, listener: Callable[[HostEvent], None]) -> AbstractContextManager[None]:
        return self._events.subscribe(listener)

    def subscribe_connection(self, listener: Callable[[ConnectionChange], None]) -> AbstractContextManager[None]:
        listener(self._state)
        return self._changes.subscribe(listener)

    async def execute(
        self,
        action_id: str,
        input: Mapping[str, Any] | None = None,
        *,
        patience_s: float | None = None,
        attached: bool = False,
    ) -> Outcome:
        call = self._client.execute(action_id, input or {}, patience_s=patience_s, attached=attached or None)
        try:
            return outcome_of(await call)
        except SaysoError as error:
            return Outcome(Status.FAILED, code=error.code.value, message=error.message, details=error.details)

    async def showing(self, session_id: str | None, *, focused: bool) -> None:
        params = {"window": self._client.window, "surface": "ui", "focused": focused}
        try:
            await self._client.call("window.showing", {**params, "showing": session_id}, repeatable=True)
        except SaysoError as error:
            _log.info("the host was not told what the window shows: %s", error.message)

    def _on_event(self, event: Event) -> None:
        self._events.tell(HostEvent(str(event["type"]), event.get("data") or {}, int(event["seq"])))

    def _on_line(self, line: Line, reason: str) -> None:
        match line:
            case Line.CONNECTED:
                change = ConnectionChange(Connection.CONNECTED, missed=not self._was_connected)
                self._was_connected = True
            case Line.RESET:
                change = ConnectionChange(Connection.CONNECTED, missed=True)
            case Line.DISCONNECTED:
                state = Connection.LOST if self._was_connected else Connection.FAILED
                change = ConnectionChange(state, reason)
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
