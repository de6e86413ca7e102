"""Who may stand between a call and its tool: the gate (approvals) and hooks, as the dispatcher sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.results import ToolResult

if TYPE_CHECKING:
    from actions.agent.approvals.decision import Decision, Wanted
    from actions.agent.hooks.verdict import HookVerdict


class Gate(Protocol):
    """Decides whether a call may run."""

    def refusal(self, wanted: Wanted) -> str | None:
        """Why no approval could let this call through now (plan mode), in words for the model; else None."""
        ...

    def fast(self, wanted: Wanted) -> Decision | None:
        """A decision that needs no person, left on record; None when a person must be asked."""
        ...

    async def ask(self, wanted: Wanted) -> Decision:
        """Ask a person; waits without limit. Raises ApprovalCancelled."""
        ...

    def stale(self, wanted: Wanted) -> None:
        """What was approved is not true any more: the call does not run."""
        ...


class HookRunner(Protocol):
    """Runs the commands that a person put around tool calls. The events are ``PreToolUse``, ``PostToolUse`` and
    ``PostToolUseFailure``.
    """

    def wants(self, event: str, tool: str) -> bool: ...

    async def before(self, call: ToolCall, arguments: Any) -> HookVerdict: ...

    def after(self, call: ToolCall, arguments: Any, result: ToolResult) -> None: ...

    def failed(self, call: ToolCall, arguments: Any, error: BaseException) -> None: ...
