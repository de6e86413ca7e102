"""The calls of one step: which are copies of one another, and what became of each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

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

    __slots__ = ("call", "dropped", "run")
    call: ToolCall
    run: Run | None
    dropped: Callable[[PendingCall], None]

    def cancel(self, msg: Any | None = None) -> bool:
        """Take this call back; identical calls of the step go on."""
        if not super().cancel(msg):
            return False
        self.dropped(self)
        return True


class Run:
    """One execution, for all calls of a step with the same key. ``problem``: why the arguments are no JSON."""

    raw: ToolResult | None = None
    """What came back, before a reminder."""
    result: ToolResult | None = None
    """What every call of this key gets."""
    raised: str | None = None
    """The class of the exception that the tool raised."""
    begun = False
    """The tool's own code has begun."""
    task: asyncio.Task[None] | None = None
    started = 0.0
    seen = False
    """The key was there in an earlier step."""
    strict = similar = count = 1
    """Calls in a row: of this key, of calls like this one, and what counts in the end."""
    action: Action = "none"
    like: str | None = None
    """The text of the arguments when white space and paths do not matter, once it was needed."""
    expected: int | None = None
    """What the last call like this one brought."""

    def __init__(self, call: ToolCall, key: CallKey, entry: Entry | None, arguments: Any, problem: str | None) -> None:
        self.call = call
        self.key = key
        self.entry = entry
        self.arguments = arguments
        self.problem = problem
        self.effect = Effect.NONE if entry is None else entry.effect
        self.polls = entry is not None and entry.tool.polls
        heeds = None if entry is None else entry.heeds
        self.heeds = (
            heeds if isinstance(arguments, dict) and heeds is not None and not arguments.keys() <= heeds else None
        )
        """The arguments that make a difference, where there are others."""
        self.waiting: list[PendingCall] = []

    @property
    def effectful(self) -> bool:
        return not self.effect.reads_only


class Step:
    """The state of one attempt at a step. ``records`` are the runs of earlier attempts by key."""

    __slots__ = ("calls", "duplicate", "ids", "made", "records", "rejected", "runs", "said", "worst")

    def __init__(self, records: dict[CallKey, Run] | None = None) -> None:
        self.runs: dict[CallKey, Run] = {}
        self.said: dict[tuple[str, str], Run] = {}
        """Runs by name and the very text of short arguments: finds most copies before anything is parsed."""
        self.calls: list[ToolCall] = []
        self.made: list[Run] = []
        """The run of each of the calls."""
        self.records = records or {}
        self.duplicate = self.rejected = False
        self.worst: Run | None = None
        """The run with the longest repetition behind it."""
        self.ids: set[str] = set()

    def with_own_id(self, call: ToolCall) -> ToolCall:
        """``call`` with an id that no call of the step has."""
        number = 2
        while (own := f"{call.id or 'call'}-{number}") in self.ids:
            number += 1
        return ToolCall(own, call.name, call.arguments)

    def forget(self, run: Run) -> None:
        """An identical call that comes later runs."""
        if self.runs.get(run.key) is run:
            del self.runs[run.key]
            self.said = {said: one for said, one in self.said.items() if one is not run}

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
