"""Callers that wait for the end of a request: any number of them, each with its own patience."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

from actions.errors import ErrorCode
from actions.execution.request import Failed, Outcome


class Waiters:
    """Who waits for which request. Cancelling one waiter leaves the others waiting."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Future[Outcome]]] = {}

    @contextmanager
    def join(self, approval_id: str) -> Generator[asyncio.Future[Outcome]]:
        """A future of the outcome, while the block lasts. Join first, then look at the row: nothing is missed."""
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(approval_id, set()).add(future)
        try:
            yield future
        finally:
            others = self._waiting.get(approval_id, set())
            others.discard(future)
            if not others:
                self._waiting.pop(approval_id, None)

    def count(self, approval_id: str) -> int:
        return len(self._waiting.get(approval_id, ()))

    def close(self) -> None:
        """Tell everyone that the host ends; their requests stay."""
        for approval_id in list(self._waiting):
            message = "The host is closing. The request stays in the inbox."
            self.settle(approval_id, Failed(ErrorCode.HOST_UNAVAILABLE, message, {"approval_id": approval_id}))

    def settle(self, approval_id: str, outcome: Outcome) -> None:
        """Give everyone who waits the outcome."""
        for future in self._waiting.pop(approval_id, set()):
            if not future.done():
                future.set_result(outcome)
