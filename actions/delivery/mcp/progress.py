"""Progress of a call as its client hears it (MCP, "Progress"): what the tool says itself, else that it is at work."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError, NoBackChannelError

from actions.catalog.context import Progress
from actions.servers.pool.hidden import visible
from actions.tasks import TaskOwner

HEARTBEAT_S = 5.0
"""Seconds of silence until a client is told that a call is at work."""
_WORDS = 500
_log = logging.getLogger(__name__)
_Note = tuple[float, float | None, str | None]


@asynccontextmanager
async def reporting(ctx: ServerRequestContext[Any, Any]) -> AsyncGenerator[Progress | None]:
    """Where the client wants progress: what takes it, until the call is answered. None where it does not."""
    if not (ctx.meta and ctx.meta.get("progress_token") is not None):
        yield None
        return
    notes: asyncio.Queue[_Note | None] = asyncio.Queue()
    owner = TaskOwner("mcp call")
    telling = owner.start(_tell(ctx, notes), name="progress")
    try:
        yield lambda done, total, message: notes.put_nowait((done, total, message))
        notes.put_nowait(None)  # what was said before the answer is told before it
        await asyncio.wait({telling}, timeout=HEARTBEAT_S)
    finally:
        await owner.close()


async def _tell(ctx: ServerRequestContext[Any, Any], notes: asyncio.Queue[_Note | None]) -> None:
    """What the tool says goes on from the seconds that were told before it spoke: progress only ever grows."""
    began = time.monotonic()
    before, spoke = 0.0, False
    try:
        while True:
            try:
                note = await asyncio.wait_for(notes.get(), HEARTBEAT_S)
            except TimeoutError:
                if not spoke:
                    before = float(round(time.monotonic() - began))
                    await ctx.session.report_progress(before, None, f"at work for {before:.0f} s")
                continue
            if note is None:
                return
            spoke = True
            done, total, message = note
            words = None if message is None else visible(message)[:_WORDS]
            await ctx.session.report_progress(before + done, None if total is None else before + total, words)
    except (MCPError, NoBackChannelError, OSError) as gone:
        _log.debug("progress is not wanted any more: %s", gone)
