"""What only a connected window can do, asked over its event stream and answered by a call."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from actions.delivery.events import EventHub
from actions.errors import ErrorCode, SaysoError

ANSWER_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Showing:
    """The session that a window shows, if any, and whether the window has the keyboard."""

    session_id: str | None
    focused: bool = False


class Windows:
    """Implements the window port: a call goes to the window that connected last and offers it."""

    def __init__(self, hub: EventHub, *, answer_seconds: float = ANSWER_SECONDS) -> None:
        self._hub = hub
        self._waiting: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._answer_seconds = answer_seconds
        self._showing: dict[str, Showing] = {}

    def show(self, window: str, showing: Showing) -> None:
        """A window says what it shows. Windows that are gone are forgotten."""
        self._showing = {name: seen for name, seen in self._showing.items() if name in self._open()}
        self._showing[window] = showing

    def shows(self, session_id: str, *, focused: bool = False) -> bool:
        """Whether a connected window shows a session; with ``focused``, whether it has the keyboard as well."""
        here = self._open()
        return any(
            name in here and seen.session_id == session_id and (seen.focused or not focused)
            for name, seen in self._showing.items()
        )

    def _open(self) -> set[str]:
        return {subscription.window for subscription in self._hub.subscribers if subscription.window}

    def offers(self, name: str) -> bool:
        """Whether a connected window can do ``name``."""
        return any(name in subscription.offers for subscription in self._hub.subscribers)

    async def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Ask a window. Raises ``failed`` where none does it or it is gone, ``timeout`` when it does not answer."""
        able = [s for s in self._hub.subscribers if name in s.offers]
        if not able:
            raise SaysoError("No window is open for this. Start one with: sayso desktop", details={"needs": name})
        call_id = secrets.token_hex(8)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[call_id] = answer
        data = {"call_id": call_id, "name": name, "arguments": dict(arguments)}
        self._hub.publish("client_call", data, only=able[-1].number)
        able[-1].when_closed(answer, lambda: SaysoError(f"The window was closed before it answered {name}."))
        try:
            async with asyncio.timeout(self._answer_seconds):
                return await answer
        except TimeoutError:
            raise SaysoError(f"The window did not answer {name} in time.", code=ErrorCode.TIMEOUT) from None
        finally:
            self._waiting.pop(call_id, None)

    def answered(self, call_id: str, ok: bool, data: Mapping[str, Any], error: Mapping[str, Any] | None) -> bool:
        """Take a window's answer; false when nobody waits for it."""
        waiting = self._waiting.get(call_id)
        if waiting is None or waiting.done():
            return False
        if ok:
            waiting.set_result(dict(data))
        else:
            details = dict(error or {})
            waiting.set_exception(SaysoError(str(details.get("message") or "The window could not do it.")))
        return True
