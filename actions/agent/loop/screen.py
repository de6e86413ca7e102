"""What a turn needs from whoever shows it: a screen to draw on and a person to ask. Implemented by ``agent/acp``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from actions.agent.tools.needs import Questions
from actions.agent.toolset.asking import Ask
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.results import MediaPart, ToolResult
from actions.agent.toolset.tool import Tool


class Screen(Protocol):
    """What a turn shows. Each method returns at once; what is shown keeps the order of the calls.

    A call is shown by ``call_started`` (its name is known, arguments still stream), ``call_arguments`` (a piece of the
    JSON text, never the whole again), ``call_made`` (the arguments are complete; starts the call too where nothing
    streamed), ``call_prepared``, ``call_running``, ``call_output`` (a piece of live output) and ``call_ended``.
    The same methods replay a stored session.
    """

    def user(self, text: str, media: Sequence[MediaPart] = ()) -> None:
        """A message of the user; only for a replay."""
        ...

    def text(self, text: str) -> None: ...

    def thought(self, text: str) -> None: ...

    def call_started(self, call_id: str, name: str, tool: Tool | None) -> None: ...

    def call_arguments(self, call_id: str, delta: str) -> None: ...

    def call_made(self, call: ToolCall, tool: Tool | None) -> None: ...

    def call_prepared(self, call_id: str, ask: Ask) -> None: ...

    def call_running(self, call_id: str) -> None: ...

    def call_output(self, call_id: str, text: str) -> None: ...

    def call_ended(self, call_id: str, result: ToolResult) -> None: ...

    def todo(self, items: Sequence[tuple[str, str]]) -> None:
        """The whole list: ``(title, status)``, status ``pending``, ``in_progress`` or ``done``."""
        ...

    def usage(self, used: int, window: int, cost_usd: Decimal | None) -> None:
        """``used`` tokens of the ``window`` are in the context; the cost is that of the whole session."""
        ...

    def notice(self, text: str) -> None:
        """A warning to the person: a retry, a server that failed, a tool left out."""
        ...

    def mode(self, mode: str) -> None:
        """The agent itself changed the mode: ``default``, ``plan``, ``yolo`` or ``afk``."""
        ...

    def title(self, title: str) -> None: ...

    def child(self, parent_call: str, agent_id: str, agent_type: str) -> Screen:
        """A subagent's screen: its calls are shown under ``parent_call``, its words as that call's live output."""
        ...


@dataclass(frozen=True)
class PlanVerdict:
    """What a person said to a plan. ``mode`` is the mode to go on in after a yes, ``feedback`` what is to change."""

    approved: bool
    mode: str = "default"
    feedback: str = ""


class Person(Protocol):
    """Whoever can be asked besides the approvals."""

    @property
    def questions(self) -> Questions: ...

    async def decide_plan(self, plan: str, file: str) -> PlanVerdict:
        """Put ``plan`` (Markdown, kept in ``file``) before the person. No time limit; a dismissal is a plain no."""
        ...
