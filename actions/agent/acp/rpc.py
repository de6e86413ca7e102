"""The client's requests, each answered by a task of its own (JSON-RPC 2.0 as ACP 1 uses it).

The protocol's Python library does this too, but loading it takes over a second of CPU and 9 MB: its models of the whole
schema, of which an agent needs a dozen. The library speaks the other end in the tests.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

from pydantic import ValidationError

from actions.agent.acp.link import Link
from actions.tasks import TaskOwner

INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32600, -32601, -32602, -32603
RESOURCE_NOT_FOUND, REQUEST_CANCELLED = -32002, -32800
_log = logging.getLogger(__name__)
Method = Callable[[Any], Awaitable[dict[str, Any] | None]]
"""Takes the parameters as they came, gives the result. A notification's result is thrown away."""


class Refusal(Exception):
    """A request cannot be done: the error that the client gets."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def as_error(self) -> dict[str, Any]:
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        return error if self.data is None else {**error, "data": self.data}


class Rpc:
    """Serves the requests and notifications of one client by their methods."""

    def __init__(self, link: Link, requests: Mapping[str, Method], notifications: Mapping[str, Method]) -> None:
        self._link = link
        self._requests = requests
        self._notifications = notifications
        self._open: dict[int | str, asyncio.Task[None]] = {}

    async def serve(self, ended: Callable[[], Awaitable[None]]) -> None:
        """Until the end of input; then ``ended``, and whatever still runs is cancelled."""
        tasks = TaskOwner("the client's requests")
        try:
            while (message := await self._link.receive()) is not None:
                method = str(message["method"])
                if "id" in message:
                    self._start(tasks, message["id"], method, message.get("params"))
                elif method == "$/cancel_request":
                    self._cancel(message.get("params"))
                elif (heard := self._notifications.get(method)) is not None:
                    tasks.start(self._hear(heard, message.get("params")), name=method)
        finally:
            await ended()
            await tasks.close()

    def _start(self, tasks: TaskOwner, number: object, method: str, params: object) -> None:
        task = tasks.start(self._answer(number, method, params), name=method)
        if isinstance(number, int | str):
            self._open[number] = task
            task.add_done_callback(lambda _: self._open.pop(number, None))

    def _cancel(self, params: object) -> None:
        """The client does not want the answer to one of its requests any more."""
        number = cast("dict[str, object]", params).get("requestId") if isinstance(params, dict) else None
        if isinstance(number, int | str) and (task := self._open.get(number)) is not None:
            task.cancel()

    async def _answer(self, number: object, method: str, params: object) -> None:
        try:
            answer: dict[str, Any] = {"result": await self._done(method, params)}
        except Refusal as refusal:
            answer = {"error": refusal.as_error()}
        except asyncio.CancelledError:
            self._link.reply(number, {"error": Refusal(REQUEST_CANCELLED, "Request cancelled").as_error()})
            raise
        self._link.reply(number, answer)

    async def _done(self, method: str, params: object) -> dict[str, Any]:
        wanted = self._requests.get(method)
        if wanted is None:
            raise Refusal(METHOD_NOT_FOUND, f"This agent has no method `{method}`", {"method": method})
        try:
            return await wanted(params) or {}
        except ValidationError as error:
            raise Refusal(INVALID_PARAMS, f"Invalid params: {_faults(error)}") from error
        except (Refusal, asyncio.CancelledError):
            raise
        except Exception as error:
            _log.exception("%s failed", method)
            raise Refusal(INTERNAL_ERROR, f"Internal error: {error}") from error

    async def _hear(self, method: Method, params: object) -> None:
        try:
            await method(params)
        except (ValidationError, Refusal) as error:
            _log.warning("a notification that cannot be used: %s", error)


def _faults(error: ValidationError) -> str:
    return "; ".join(f"`{'.'.join(map(str, e['loc'])) or 'params'}`: {e['msg']}" for e in error.errors()[:5])
