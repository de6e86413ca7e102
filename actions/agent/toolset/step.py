"""The calls of one step: which are copies of one another, and what became of each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple

from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.dedup import Action
from actions.agent.toolset.keys import CallKey
from actions.agent.toolset.registry import Entry
from actions.agent.toolset.results import ErrorClass, ToolResult, failure
from actions.catalog.spec import Effect

CANCELLED = failure(ErrorClass.CANCELLED, "The call was cancelled before it ended.")
CUT = failure(
    ErrorClass.CANCELLED, "The call was cancelled while it ran. It may have had an effect: check before you repeat it."
)
UNKNOWN = failure(
    ErrorClass.OUTCOME_UNKNOWN,
    "The call was cut off while it ran and was not run again. Check whether it had its effect before you repeat it.",
)


class PendingCall(asyncio.Future[ToolResult]):
    """The result of one call, to be awaited. ``call`` carries the id that the call has in its step."""

    call: ToolCall
    dropped: Callable[[PendingCall], None]
    run: Run | None = None

    def cancel(self, msg: Any | None = None) -> bool:
        """Take this call back; identical calls of the step go on."""
        if not super().cancel(msg):
            return False
        self.dropped(self)
        return True


class Run:
    """One execution, for all calls of a step with the same key."""

    __slots__ = (
        "action",
        "arguments",
        "begun",
        "call",
        "count",
        "effect",
        "entry",
        "expected",
        "key",
        "like",
        "problem",
        "raised",
        "raw",
        "result",
        "seen",
        "similar",
        "started",
        "strict",
        "task",
        "waiting",
    )

    def __init__(self, call: ToolCall, key: CallKey, entry: Entry | None, arguments: Any, problem: str | None) -> None:
        self.call = call
        self.key = key
        self.entry = entry
        self.arguments = arguments
        self.problem = problem
        """Why the arguments are no JSON."""
        self.effect = Effect.NONE if entry is None else entry.tool.effect
        self.begun = False
        """The tool's own code has begun."""
        self.raw: ToolResult | None = None
        """What came back, before a reminder."""
        self.result: ToolResult | None = None
        self.raised: str | None = None
        """The class of the exception that the tool raised."""
        self.task: asyncio.Task[None] | None = None
        self.waiting: list[PendingCall] = []
        self.started = 0.0
        self.seen = False
        """The key was there in an earlier step."""
        self.strict = self.similar = self.count = 1
        """Calls in a row: of this key, of calls like this one, and what counts in the end."""
        self.expected: int | None = None
        """What the last call like this one brought."""
        self.action: Action = "none"
        self.like: str | None = None
        """The text of the arguments when white space and paths do not matter, once it was needed."""

    @property
    def polls(self) -> bool:
        return self.entry is not None and self.entry.tool.polls

    @property
    def effectful(self) -> bool:
        return not self.effect.reads_only


class Made(NamedTuple):
    """One call of a step; ``copy``: an earlier call of the step has the same key."""

    call: ToolCall
    run: Run
    copy: bool


class Step:
    """The state of one attempt at a step. ``records`` are the runs of earlier attempts by key."""

    __slots__ = ("_ids", "duplicate", "made", "records", "runs")

    def __init__(self, records: dict[CallKey, Run] | None = None) -> None:
        self.runs: dict[CallKey, Run] = {}
        self.made: list[Made] = []
        self.records = records or {}
        self.duplicate = False
        self._ids: set[str] = set()

    def with_own_id(self, call: ToolCall) -> ToolCall:
        """``call``, with another id when an earlier call of the step has this one."""
        ids = self._ids
        if call.id in ids:
            number = 2
            while (own := f"{call.id}-{number}") in ids:
                number += 1
            call = ToolCall(own, call.name, call.arguments)
        ids.add(call.id)
        return call

    def recorded(self, key: CallKey) -> ToolResult | None:
        """What answers this key from an earlier attempt; None when it has to run (again)."""
        run = self.records.get(key)
        if run is None or run.raw is not None:
            return None if run is None else run.raw
        return UNKNOWN if run.begun and run.effectful else None

    def next_attempt(self) -> Step:
        """The step again, after the model's answer broke off: what ended or may have had an effect is kept."""
        kept = {key: run for key, run in self.runs.items() if run.raw is not None or (run.begun and run.effectful)}
        return Step({**self.records, **kept})
