"""A real gateway on a real port with the whole catalog; only what is behind the door is a stand-in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from actions.catalog.context import Caller, CallerKind
from actions.catalog.registry import Catalog, load
from actions.catalog.spec import Surface
from actions.delivery.desk import Seat, ToolDesk
from actions.delivery.mcp.gateway import Address, Gateway
from actions.delivery.results import ResultFiles
from actions.execution.request import Outcome, Pending, Request
from actions.host.tokens import SessionTokens
from actions.policy.settings import PolicySettings

_schemas: dict[str, dict[str, Any]] = {}
"""Made by the first desk: the others of this process take them over, to save each test half a second."""


@cache
def catalog() -> Catalog:
    return load()


class Behind:
    """What is behind the door: keeps every request, and answers as ``answer`` says."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._news = asyncio.Condition()
        self.cancelled = asyncio.Event()
        self.answer: Callable[[Request], Awaitable[Outcome]] = self.at_once

    async def execute(self, request: Request) -> Outcome:
        async with self._news:
            self.requests.append(request)
            self._news.notify_all()
        try:
            return await self.answer(request)
        except asyncio.CancelledError:
            self.cancelled.set()
            raise

    async def came(self, number: int = 1) -> None:
        """Wait until so many requests have come."""
        async with asyncio.timeout(30), self._news:
            await self._news.wait_for(lambda: len(self.requests) >= number)

    async def at_once(self, request: Request) -> Outcome:
        return Pending("apr_1", request.action_id)  # what fits every tool

    async def never(self, request: Request) -> Outcome:
        await asyncio.Event().wait()
        raise AssertionError


class Served:
    """The gateway with what a test changes about it."""

    def __init__(self, folder: Path) -> None:
        self.behind = Behind()
        self.policy = PolicySettings()
        self.delegation = "native_first"
        self.keys = SessionTokens()
        self.sessions = {"s1", "s2"}
        self.seen: list[tuple[str, str, str]] = []
        self.results = folder / "results"
        self.desk = ToolDesk(catalog(), lambda: self.policy, self.behind, lambda: self.delegation)
        vars(self.desk)["_plain"] = _schemas
        self.gateway = Gateway(
            self.desk, self.keys, self._seat_of, ResultFiles(self.results), version="1",
            seen=lambda *what: self.seen.append(what),
        )  # fmt: skip

    async def _seat_of(self, session_id: str) -> Seat | None:
        return agent(session_id) if session_id in self.sessions else None

    async def session(self, session_id: str = "s1") -> Address:
        return await self.gateway.address(session_id)


def agent(session_id: str) -> Seat:
    return Seat(Surface.SESSION_AGENT, Caller(CallerKind.SESSION, session_id, (session_id,)), "/repo")


def editor() -> Seat:
    return Seat(Surface.MCP, Caller(CallerKind.EDITOR), "/repo")


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    made = Served(tmp_path)
    yield made
    await made.gateway.close()


INITIALIZE: dict[str, Any] = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}},
}  # fmt: skip
ACCEPT = {"Accept": "application/json, text/event-stream"}
