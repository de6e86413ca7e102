"""Logins to servers: begun here, finished by a person in a browser, told to whoever asks how they stand."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from actions.catalog.server_use_views import LoginState
from actions.errors import SaysoError
from actions.servers.pool.pool import Pool
from actions.tasks import TaskOwner

LIMIT_S = 300.0
_FIRST_WORD_S = 20.0
"""Seconds until the page is known at the latest: the server's metadata is asked for, and a client registered."""


@dataclass
class _Login:
    began: float
    task: asyncio.Task[None] | None = None
    url: str | None = None
    state: Literal["waiting", "done", "failed"] = "waiting"
    message: str | None = None
    moved: asyncio.Event = field(default_factory=asyncio.Event)


class Logins:
    """One at a time for each server."""

    def __init__(self, *, limit_s: float = LIMIT_S) -> None:
        self._limit_s = limit_s
        self._logins: dict[str, _Login] = {}
        self._tasks = TaskOwner("logins")

    async def begin(self, key: str, server: str, pool: Pool, *, wait_s: float) -> LoginState:
        """Begin one, or go on with the one under way; returns when the page is known, and ``wait_s`` later at most."""
        login = self._logins.get(key)
        if login is None or login.state != "waiting":
            login = self._logins[key] = _Login(time.monotonic())
            login.task = self._tasks.start(self._run(login, server, pool), name=server)
        await _until(login, _FIRST_WORD_S, lambda: login.url is not None)
        if wait_s > 0:
            await _until(login, wait_s, lambda: False)
        return self._view(server, login)

    async def cancel(self, key: str, server: str) -> LoginState:
        """Give up the one under way."""
        login = self._logins.pop(key, None)
        if login is None or login.task is None or login.state != "waiting":
            return LoginState(server=server, state="failed", message="No login is under way.")
        login.task.cancel()
        await asyncio.wait({login.task})
        return LoginState(server=server, state="failed", message="The login was given up.")

    async def close(self) -> None:
        """Give up all of them."""
        await self._tasks.close()

    async def _run(self, login: _Login, server: str, pool: Pool) -> None:
        async def show(url: str) -> None:
            login.url = url
            login.moved.set()

        try:
            await pool.log_in(server, show, limit=self._limit_s)
            login.state = "done"
        except SaysoError as error:
            login.state, login.message = "failed", error.message
        finally:
            if login.state == "waiting":
                login.state, login.message = "failed", "The login was given up."
            login.moved.set()

    def _view(self, server: str, login: _Login) -> LoginState:
        waiting = login.state == "waiting"
        left = max(0, round(self._limit_s - (time.monotonic() - login.began)))
        return LoginState(
            server=server,
            state=login.state,
            url=login.url if waiting else None,
            seconds_left=left if waiting else None,
            message=login.message,
        )


async def _until(login: _Login, limit: float, enough: Callable[[], bool]) -> None:
    try:
        async with asyncio.timeout(limit):
            while login.state == "waiting" and not enough():
                login.moved.clear()
                await login.moved.wait()
    except TimeoutError:
        pass
