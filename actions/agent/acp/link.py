"""The connection as the agent uses it: notifications that never wait, requests that can be taken back.

Updates keep their order without a queue of their own, the answer to a request arrives as the client wrote it, and a
request that nobody waits for any more is cancelled on the wire too (``$/cancel_request``).
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from actions.agent.wire import Wire

_FIRST_ID = 1


class Refused(Exception):
    """The client answered a request with an error. JSON-RPC 2.0, section 5.1."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Link:
    """Speaks to one client. ``open`` turns false at the end of input and stays so."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._next_id = _FIRST_ID
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self.open = True

    async def receive(self) -> dict[str, Any] | None:
        """The next request or notification of the client; None when it is gone. Answers go to those who wait."""
        while (message := await self._wire.receive()) is not None:
            if "method" in message:
                return message
            self._answered(message)
        self._gone()
        return None

    def reply(self, number: object, answer: dict[str, Any]) -> None:
        """Answer a request of the client: ``answer`` has ``result`` or ``error``."""
        self._wire.post({"jsonrpc": "2.0", "id": number, **answer})

    async def flush(self) -> None:
        """Wait until what was sent is written, but not long."""
        await self._wire.flush()

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification after everything that was sent before it."""
        self._wire.post({"jsonrpc": "2.0", "method": method, "params": params})

    async def call(self, method: str, params: dict[str, Any]) -> Any:
        """The client's result, without a time limit. Raises Refused, and ConnectionError when the client is gone.

        Cancelling the caller tells the client that its answer is not wanted any more.
        """
        if not self.open:
            raise ConnectionError("The client closed the connection")
        number = self._next_id
        self._next_id += 1
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._wire.post({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        try:
            return await answer
        except asyncio.CancelledError:
            if number in self._waiting:
                self.notify("$/cancel_request", {"requestId": number})
            raise
        finally:
            self._waiting.pop(number, None)

    def _answered(self, message: dict[str, Any]) -> None:
        """The first answer counts; one to an id that nobody waits for is ignored."""
        number = message.get("id")
        answer = self._waiting.pop(number, None) if type(number) is int else None
        if answer is None or answer.done():
            return
        error = message.get("error")
        if error is None:
            answer.set_result(message.get("result"))
            return
        told = cast("dict[str, Any]", error) if isinstance(error, dict) else {}
        code = told.get("code")
        answer.set_exception(Refused(code if isinstance(code, int) else -32603, str(told.get("message") or "Error")))

    def _gone(self) -> None:
        self.open = False
        waiting, self._waiting = list(self._waiting.values()), {}
        for answer in waiting:
            if not answer.done():
                answer.set_exception(ConnectionError("The client closed the connection"))
