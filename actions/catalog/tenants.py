"""The sessions that have an agent running in a folder."""

from __future__ import annotations

from actions.catalog.context import ActionContext
from actions.catalog.views import SessionState, SessionView
from actions.errors import SaysoError

_BUSY = (SessionState.STARTING, SessionState.WORKING, SessionState.WAITING)


async def sessions_in(folder: str, ctx: ActionContext) -> list[SessionView]:
    """Those whose workspace is ``folder`` or lies in it, runs included."""
    found: list[SessionView] = []
    cursor: str | None = None
    while True:
        page = await ctx.ports.sessions.list(active_only=True, include_runs=True, limit=200, cursor=cursor)
        found += [s for s in page.sessions if s.workspace == folder or s.workspace.startswith(f"{folder}/")]
        if (cursor := page.next_cursor) is None:
            return found


async def refuse_busy(folder: str, ctx: ActionContext, advice: str) -> None:
    """Raises SaysoError, with ``advice``, when a session is in the middle of something there."""
    busy = [session for session in await sessions_in(folder, ctx) if session.state in _BUSY]
    if busy:
        names = ", ".join(f"“{session.title}”" for session in busy)
        raise SaysoError(
            f"{names} is at work in {folder}. {advice}",
            details={"reason": "at_work", "working": [session.id for session in busy]},
        )


async def stop_sessions(folder: str, ctx: ActionContext) -> None:
    """End the agents there; their sessions stay."""
    for session in await sessions_in(folder, ctx):
        await ctx.ports.sessions.stop(session.id)
