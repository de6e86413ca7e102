"""``tools.list`` and ``tools.call``: every source of tools that a session has, ours and the user's servers alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from actions.catalog.spec import Surface
from actions.delivery.desk import Seat, ToolDesk
from actions.delivery.results import rejection
from actions.errors import SaysoError
from actions.execution.request import Completed, Failed, Outcome, Pending, Rejected

OURS = "sayso"
_FOR_EVER = 365 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Listing:
    """Tools by source, and what is wrong with a source that gave none: ``{source, error}``."""

    sources: Mapping[str, Sequence[Mapping[str, Any]]]
    warnings: Sequence[Mapping[str, str]] = ()


class ServerSources(Protocol):
    """The user's MCP servers as sources of tools."""

    async def list(self, seat: Seat, provider: str | None, /) -> Listing:
        """The servers bound here, by name; one that is dead is a warning. Waits at most their start limits."""
        ...


class ToolSources:
    """All sources of a seat."""

    def __init__(self, desk: ToolDesk, servers: ServerSources) -> None:
        self._desk = desk
        self._servers = servers

    async def list(self, seat: Seat, provider: str | None = None) -> dict[str, Any]:
        """``{sources: {name: [{name, title, description, input_schema}]}, warnings}``: what an agent here would get."""
        agent = replace(seat, surface=Surface.SESSION_AGENT)
        ours = [
            {
                "name": tool["name"],
                "title": tool["title"],
                "description": tool["description"],
                "input_schema": tool["inputSchema"],
            }
            for tool in self._desk.tools(agent)
        ]
        theirs = await self._servers.list(seat, provider)
        sources = {OURS: ours, **{name: list(theirs.sources[name]) for name in sorted(theirs.sources)}}
        return {"sources": sources, "warnings": [dict(warning) for warning in theirs.warnings]}

    async def call(
        self,
        seat: Seat,
        source: str,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        key: str | None = None,
        waits: bool = False,
    ) -> dict[str, Any]:
        """The envelope of a call: ``data`` is ``{source, tool, output}``, or a pending approval.

        ``waits``: a call that is asked about answers when it was decided. ``key`` is the idempotency key.
        """
        patience = _FOR_EVER if waits else None
        if source != OURS:
            called = await self._desk.call_server(seat, source, tool, arguments, key=key, patience_s=patience)
            return _theirs(source, tool, called.action, called.outcome)
        called = await self._desk.call(seat, tool, arguments, origin={"source": source}, key=key, patience_s=patience)
        return _ours(tool, called.action, called.outcome)


def _ours(tool: str, action: str, outcome: Outcome) -> dict[str, Any]:
    match outcome:
        case Completed(data):
            return _done({"source": OURS, "tool": tool, "output": dict(data)})
        case Pending(approval_id, asked, summary):
            data = {"approval_id": approval_id, "action": asked, "summary": summary}
            return {"ok": True, "outcome": "pending", "kind": "approval_pending", "data": data}
        case Rejected(feedback):
            return {"ok": False, "outcome": "rejected", "error": rejection(action, feedback).as_json()}
        case Failed(code, message, details):
            error = SaysoError(message, code=code, details=details)
            return {"ok": False, "outcome": "failed", "error": error.as_json()}


def _theirs(source: str, tool: str, action: str, outcome: Outcome) -> dict[str, Any]:
    if not isinstance(outcome, Completed):
        return _ours(tool, action, outcome)
    found = outcome.data
    output = {"content": found["content"]}
    if found["structured"] is not None:
        output["structuredContent"] = found["structured"]
    data = {"source": source, "tool": tool, "output": output}
    if not found["is_error"]:
        return _done(data)
    error = SaysoError(f"{tool} of {source} reports an error.", details={"source": source, "tool": tool})
    return {"ok": False, "outcome": "failed", "data": data, "error": error.as_json()}


def _done(data: dict[str, Any]) -> dict[str, Any]:
    return {"ok": True, "outcome": "completed", "kind": "tool_result", "data": data}
