"""The agent's toolset over real servers, with real approvals."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from actions.agent.approvals.decision import Answer, Choice, Request, Source
from actions.agent.approvals.rules import Rules
from actions.agent.approvals.runtime import Approvals, Requested
from actions.agent.approvals.state import ApprovalState
from actions.agent.mcp.tools import McpTools
from actions.agent.tools.needs import Spool
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.dispatch import Toolset
from actions.agent.toolset.results import Part, TextPart, ToolResult
from actions.servers.pool.pool import Pool
from actions.servers.pool.surroundings import Surroundings


class Desk:
    """One agent: its toolset, the pool, and a person who answers each request with ``answer``."""

    def __init__(self, folder: Path) -> None:
        self.answer = Answer(Choice.ONCE)
        self.asked: list[Request] = []
        self.approvals = Approvals(state=ApprovalState(), rules=Rules(warn=print))
        self.approvals.watch(self._on_event)
        self.spool = Spool(folder / "spool")
        self.pool = Pool(Surroundings(dict(os.environ)))
        self.toolset = self.new_toolset()
        self.tools = McpTools(self.pool, self.toolset, spool=self.spool)
        self._calls = 0

    def new_toolset(self, source: Source = Source("turn", "1")) -> Toolset:  # noqa: B008 - frozen
        return Toolset(self.approvals.child(source), source=lambda: source, spool=self.spool)

    async def call(self, name: str, arguments: str = "{}", toolset: Toolset | None = None) -> ToolResult:
        self._calls += 1
        toolset = toolset or self.toolset
        toolset.begin_step()
        result = await toolset.handle(ToolCall(f"call-{self._calls}", name, arguments))
        toolset.end_step()
        return result

    def names(self) -> list[str]:
        return [tool.name for tool in self.toolset.listed()]

    def _on_event(self, event: object) -> None:
        if isinstance(event, Requested):
            self.asked.append(event.request)
            self.approvals.resolve(event.request.id, self.answer)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.tools.close()
    await desk.pool.close()
    await desk.toolset.close()


Words = Callable[[ToolResult], str]


def words(result: ToolResult) -> str:
    """All text of a result."""
    output = result.output
    parts: tuple[Part, ...] = (TextPart(output),) if isinstance(output, str) else output
    return "\n".join(part.text for part in parts if isinstance(part, TextPart))
