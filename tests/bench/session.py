"""session.*: a hosted session, stored and published, against a bare client of the ACP SDK that keeps nothing."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from acp import PROTOCOL_VERSION, connect_to_agent, text_block

from actions.storage.database import Database
from actions.storage.paths import Paths
from tests.actions.sessions.conftest import SCRIPTED, new_room
from tests.bench.harness import Figure

UPDATES = 20_000
ROUNDS = 3
START_LIMIT = 2.0
UPDATE_LIMIT = 1.0
"""Keeping every piece must not cost more than the SDK needs to hand it over and forget it."""


def figures() -> Iterator[Figure]:
    """``session.start``: to the first prompt, ms. ``session.updates``: a streamed piece, microseconds."""
    ours: list[tuple[float, float]] = []
    bare: list[tuple[float, float]] = []
    for _ in range(ROUNDS):
        ours.append(asyncio.run(_hosted()))
        bare.append(asyncio.run(_bare()))
    start, stream = min(t[0] for t in ours), min(t[1] for t in ours)
    start_floor, stream_floor = min(t[0] for t in bare), min(t[1] for t in bare)
    yield Figure("session.start", start * 1000, "ms", START_LIMIT, start_floor * 1000)
    yield Figure("session.updates", stream / UPDATES * 1e6, "us", UPDATE_LIMIT, stream_floor / UPDATES * 1e6)


async def _hosted() -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        paths = Paths.under(Path(folder) / "home")
        paths.ensure()
        paths.providers_file.write_text(f'[providers.a]\ncommand = ["{sys.executable}", "{SCRIPTED}"]\n')
        database = Database(paths.database_file, paths.backups)
        await database.open()
        room = new_room(database, paths, lambda *_: None)
        await room.providers.get("a")  # the login shell's PATH is asked once a host, not once a session
        try:
            started = time.perf_counter()
            view = await room.sessions.spawn_new(provider="a", workspace=folder)
            ready = time.perf_counter()
            end = await room.sessions.send(view.id, "flood", wait=True)
            done = time.perf_counter()
            assert len(end.text or "") == UPDATES
        finally:
            await room.sessions.close()
            await database.close()
    return ready - started, done - ready


class _Counter:
    def __init__(self) -> None:
        self.heard = 0

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        self.heard += 1

    async def request_permission(self, session_id: str, tool_call: Any, options: Any, **_: Any) -> Any:
        raise AssertionError("nothing is asked here")

    def on_connect(self, conn: Any) -> None:
        """Nothing to keep."""


async def _bare() -> tuple[float, float]:
    client = _Counter()
    started = time.perf_counter()
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(SCRIPTED), stdin=pipe, stdout=pipe, env={**os.environ, "SCRIPTED": ""}
    )
    agent: Any = connect_to_agent(client, process.stdin, process.stdout)  # pyright: ignore[reportArgumentType]
    await agent.initialize(protocol_version=PROTOCOL_VERSION)
    session = await agent.new_session(cwd="/", mcp_servers=[])
    ready = time.perf_counter()
    await agent.prompt(session_id=session.session_id, prompt=[text_block("flood")])
    done = time.perf_counter()
    assert client.heard == UPDATES
    process.kill()
    await process.wait()
    await agent.close()
    return ready - started, done - ready
