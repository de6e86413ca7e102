"""The dispatcher: takes the calls of a step, runs each once, and sees to it that every call gets a result."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from actions.agent.approvals.decision import Source
from actions.agent.tools.needs import Spool
from actions.agent.toolset.budget import Shortener
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.dedup import Action
from actions.agent.toolset.events import CallEnded, CallEvent
from actions.agent.toolset.guards import Gate, HookRunner
from actions.agent.toolset.keys import CallKey, canonical, parse, raw_key
from actions.agent.toolset.perform import Performer
from actions.agent.toolset.progress import Progress
from actions.agent.toolset.registry import Registry
from actions.agent.toolset.reminder import reminded, reminder
from actions.agent.toolset.results import ErrorClass, ToolResult, failure
from actions.agent.toolset.step import CANCELLED, CUT, Made, PendingCall, Run, Step
from actions.agent.toolset.telemetry import DupType, Telemetry
from actions.agent.toolset.tool import Origin, Tool
from actions.tasks import TaskOwner

T = TypeVar("T", bound=Tool)
Watcher = Callable[[CallEvent], None]
_CANCEL_WAIT = 0.1
"""Seconds that a cancel waits for tools to clean up; then they go on doing so on their own."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StepReport:
    """What the calls of a step come to. ``keys`` and ``calls`` are in call order, copies included, calls with the ids
    that they have in the step.

    ``rejected``: a call was rejected without feedback, the turn ends. ``stop``: a repetition went too far, the turn
    ends after one last request without tools; ``action`` and ``count`` tell how far the worst one went. ``duplicate``:
    a call of an earlier step came again.
    """

    keys: tuple[CallKey, ...]
    calls: tuple[ToolCall, ...]
    action: Action
    count: int
    stop: bool
    rejected: bool
    duplicate: bool


class Toolset:
    """The tools of one agent and the calls of its turn.

    ``source`` says for whom the calls are, ``root`` is the folder that paths are compared below. Give it up with
    :meth:`close`.
    """

    def __init__(
        self,
        gate: Gate,
        *,
        source: Callable[[], Source],
        hooks: HookRunner | None = None,
        telemetry: Telemetry | None = None,
        spool: Spool | None = None,
        root: str = "",
    ) -> None:
        self._registry = Registry()
        self._telemetry = telemetry
        self._performer = Performer(gate, hooks, telemetry, Shortener(spool), source, self._announce)
        self._progress = Progress(root)
        self._step = Step()
        self._number = 0
        self._watchers: tuple[Watcher, ...] = ()
        self._tasks = TaskOwner("toolset")
        self._open: set[Run] = set()

    def add(self, tool: Tool, origin: Origin) -> bool:
        """False, with a warning in the log, when the name belongs to a tool that is not replaced."""
        return self._registry.add(tool, origin)

    def remove(self, name: str) -> bool:
        """Whether there was such a tool. Its running calls end as they would."""
        return self._registry.remove(name)

    def hide(self, name: str) -> bool:
        """Leave the tool out of what the model is shown; calls of it still run. False: no such tool."""
        return self._registry.hide(name)

    def unhide(self, name: str) -> bool:
        """Undo :meth:`hide`, however often that was called. False: no such tool."""
        return self._registry.unhide(name)

    def find(self, name: str) -> Tool | None:
        """The tool of this name, hidden or not."""
        return self._registry.find(name)

    def find_type(self, kind: type[T]) -> T | None:
        """The first tool of this class, hidden or not."""
        return self._registry.find_type(kind)

    def listed(self) -> tuple[Tool, ...]:
        """What the model is shown, in order; the same tuple as long as nothing changes."""
        return self._registry.listed()

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Tell ``watcher`` of every event from now on; the returned function ends that. It must not block."""
        self._watchers = (*self._watchers, watcher)

        def end() -> None:
            self._watchers = tuple(one for one in self._watchers if one is not watcher)

        return end

    def begin_turn(self) -> None:
        """A new turn: nothing was called yet."""
        self._number = 0
        self.revert()

    def revert(self) -> None:
        """The context went back to an earlier point: repetition is counted anew."""
        self._progress.reset()
        self._step = Step()

    def begin_step(self, seen: Iterable[CallKey] | None = None) -> None:
        """The next step; ``seen``, when given, are exactly the keys of the steps before it."""
        self._number += 1
        if seen is not None:
            self._progress.see(seen)
        self._progress.begin()
        self._step = Step()

    @property
    def duplicate(self) -> bool:
        """Whether a call of an earlier step came again in this one."""
        return self._step.duplicate

    def may_start_early(self, name: str) -> bool:
        """Whether calls of this tool may run while the model still writes: those without an effect."""
        tool = self._registry.find(name)
        return tool is not None and tool.effect.reads_only

    def handle(self, call: ToolCall) -> PendingCall:
        """Start ``call`` and return at once with its result to come. Never raises: whatever goes wrong is a result.

        ``call`` of the returned future has the id of the call in its step: another one where an earlier call of the
        step had the same. Cancelling the future takes only this call back.
        """
        pending = PendingCall()
        pending.call = call
        pending.dropped = self._dropped
        try:
            self._take(call, pending)
        except Exception as error:  # noqa: BLE001 - the promise of this method
            _log.exception("a call of %r could not be handled", call.name)
            if not pending.done():
                pending.set_result(failure(ErrorClass.TOOL_ERROR, f"{call.name} could not be called: {error}"))
        return pending

    def end_step(self, *, user_waits: bool = False) -> StepReport:
        """All calls have their results. ``user_waits``: a message of the user is there, which overrides a stop."""
        step, telemetry = self._step, self._telemetry
        counts = self._progress.commit(step.made)
        runs = step.runs.values()
        worst = max(runs, key=lambda run: run.count, default=None)
        stopping = worst is not None and worst.action == "stop" and not user_waits
        if telemetry is not None:
            for made, count in zip(step.made, counts, strict=True):
                if count > 1:
                    telemetry.repeat(made.run.key.name, count, made.run.action)
            if worst is not None and stopping:
                telemetry.stop(worst.key.name, worst.count, self._number)
        report = StepReport(
            keys=tuple(made.run.key for made in step.made),
            calls=tuple(made.call for made in step.made),
            action="none" if worst is None else worst.action,
            count=0 if worst is None else worst.count,
            stop=stopping,
            rejected=any(
                run.result is not None and run.result.error is ErrorClass.REJECTED and not run.result.feedback
                for run in runs
            ),
            duplicate=step.duplicate,
        )
        self._progress.begin()
        self._step = Step()
        return report

    def end_attempt(self) -> None:
        """The model's answer broke off and the step is tried again: end what runs, keep what has ended.

        In the next attempt a call that ended is answered from its record. One with an effect that was cut off midway
        answers ``outcome_unknown``; one that only reads, or had not begun, runs again.
        """
        step = self._step
        for run in [run for run in self._open if run in step.runs.values()]:
            self._cut(run)
        self._step = step.next_attempt()
        self._progress.begin()

    async def cancel(self) -> None:
        """Give every open call a ``cancelled`` result and end its tool; slow clean-up goes on without a wait."""
        tasks = [run.task for run in self._open if run.task is not None]
        for run in list(self._open):
            self._cut(run)
        if tasks:
            await asyncio.wait(tasks, timeout=_CANCEL_WAIT)

    async def close(self) -> None:
        """End every call and wait until its tool is done."""
        await self.cancel()
        await self._tasks.close()

    def _take(self, call: ToolCall, pending: PendingCall) -> None:
        step = self._step
        call = pending.call = step.with_own_id(call)
        name = call.name
        entry = self._registry.get(name)
        if entry is None:
            key, arguments, problem = raw_key(name, call.arguments), None, None
        else:
            key, arguments, problem = parse(name, call.arguments)
        run = pending.run = step.runs.get(key)
        if run is not None:
            self._progress.copy(run)
            step.made.append(Made(call, run, copy=True))
            self._repeated("same_step", run, call)
            if run.result is None:
                run.waiting.append(pending)
            else:
                self._settle(run, pending, run.result)
            return
        run = pending.run = step.runs[key] = Run(call, key, entry, arguments, problem)
        self._progress.add(run)
        step.made.append(Made(call, run, copy=False))
        run.waiting.append(pending)
        if run.seen:
            step.duplicate = True
            self._repeated("cross_step", run, call)
        if (recorded := step.recorded(key)) is not None:
            self._end(run, recorded)
        elif entry is None:
            self._end(run, failure(ErrorClass.NOT_FOUND, f"There is no tool named {name!r}."))
        elif problem is not None:
            self._end(run, failure(ErrorClass.BAD_JSON, f"The arguments of {name} are no JSON: {problem}."))
        else:
            self._open.add(run)
            run.started = time.perf_counter()
            run.task = self._tasks.start(self._perform(run), name=name)

    async def _perform(self, run: Run) -> None:
        try:
            result = await self._performer.perform(run, self._number)
        except asyncio.CancelledError:
            if run in self._open:  # not by us: the tool cancelled itself, or the toolset's owner is closing
                self._cut(run, end_task=False)
            raise
        except Exception as error:  # noqa: BLE001 - an error of ours must not leave a call without a result
            _log.exception("a call of %r failed outside of its tool", run.call.name)
            result = failure(ErrorClass.TOOL_ERROR, f"{run.call.name} failed: {type(error).__name__}: {error}")
        self._open.discard(run)
        self._end(run, result)

    def _end(self, run: Run, raw: ToolResult) -> None:
        run.raw = raw
        self._progress.judge(run)
        result = raw
        if run.action != "none":
            shown = run.call.arguments if run.arguments is None else canonical(run.arguments)
            result = reminded(raw, reminder(run.action, run.key.name, run.count, shown))
        if run.result is None:
            run.result = result
        run.task = None
        waiting, run.waiting = run.waiting, []
        for pending in waiting:
            self._settle(run, pending, run.result)

    def _settle(self, run: Run, pending: PendingCall, result: ToolResult) -> None:
        if not pending.done():
            pending.set_result(result)
        if self._telemetry is not None:
            outcome = "success" if result.error is None else "error"
            if result.error is ErrorClass.CANCELLED:
                outcome = "cancelled"
            copy = pending.call is not run.call
            kind: DupType = "same_step" if copy else "cross_step" if run.seen else "normal"
            seconds = time.perf_counter() - run.started if run.started and not copy else 0.0
            self._telemetry.call(run.key.name, outcome, seconds, kind, result.error, run.raised)
        if self._watchers:
            self._announce(CallEnded(pending.call, None if run.entry is None else run.entry.tool, result))

    def _cut(self, run: Run, *, end_task: bool = True) -> None:
        """End an open run: its calls are cancelled, its task too."""
        self._open.discard(run)
        result = run.result = CUT if run.begun and run.effectful else CANCELLED
        waiting, run.waiting = run.waiting, []
        for pending in waiting:
            self._settle(run, pending, result)
        if end_task and run.task is not None:
            run.task.cancel()

    def _dropped(self, pending: PendingCall) -> None:
        """The caller cancelled one call; the run ends with the last of its calls."""
        run = pending.run
        if run is None or pending not in run.waiting:
            return
        run.waiting.remove(pending)
        self._settle(run, pending, CANCELLED)
        if not run.waiting:
            if self._step.runs.get(run.key) is run:
                del self._step.runs[run.key]
            self._cut(run)

    def _repeated(self, kind: DupType, run: Run, call: ToolCall) -> None:
        if self._telemetry is not None:
            self._telemetry.dedup(kind, run.key.digest(), self._number, call.id)

    def _announce(self, event: CallEvent) -> None:
        for watcher in self._watchers:
            try:
                watcher(event)
            except Exception:  # noqa: BLE001 - what is shown must not change what is done
                _log.exception("a watcher of tool calls failed")
