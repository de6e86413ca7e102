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
from actions.agent.toolset.events import CallEnded, Watcher, Watchers
from actions.agent.toolset.guards import Gate, HookRunner
from actions.agent.toolset.keys import LONG_STRING, CallKey, digest, parse, raw_key
from actions.agent.toolset.perform import Performer
from actions.agent.toolset.progress import Progress
from actions.agent.toolset.registry import Registry
from actions.agent.toolset.reminder import reminded, reminder
from actions.agent.toolset.results import ErrorClass, ToolResult, failure
from actions.agent.toolset.step import CANCELLED, CUT, PendingCall, Run, Step
from actions.agent.toolset.telemetry import DupType, Telemetry
from actions.agent.toolset.tool import Origin, Tool

T = TypeVar("T", bound=Tool)
_CANCEL_WAIT = 0.1
"""Seconds that a cancel waits for tools to clean up; then they go on doing so on their own."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StepReport:
    """What the calls of a step come to.

    ``rejected``: a call was rejected without feedback, the turn ends. ``stop``: a repetition went too far, the turn
    ends after one last request without tools; ``action`` and ``count`` tell how far the worst one went. ``duplicate``:
    a call of an earlier step came again.
    """

    calls: tuple[ToolCall, ...]
    """In call order, copies included, with the ids that they have in the step."""
    keys: tuple[CallKey, ...]
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
        self._watchers = Watchers()
        self._performer = Performer(gate, hooks, telemetry, Shortener(spool), source, self._watchers)
        self._progress = Progress(root)
        self._step = Step()
        self._number = 0
        self._open: set[Run] = set()
        """Runs whose calls wait. This is the owner of their tasks: a task owner's own bookkeeping would cost a fifth of
        a call, and :meth:`_perform` lets no error out of a task."""
        self._ending: set[asyncio.Task[None]] = set()
        """Tasks that were cancelled and still clean up."""

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
        return self._watchers.add(watcher)

    def begin_turn(self) -> None:
        """A new turn: nothing was called yet."""
        self._number = 0
        self.revert()

    def revert(self) -> None:
        """The context went back to an earlier point: repetition is counted anew."""
        self._progress.reset()
        self._fresh_step()

    def begin_step(self, seen: Iterable[CallKey] | None = None) -> None:
        """The next step; ``seen``, when given, are exactly the keys of the steps before it."""
        self._number += 1
        if seen is not None:
            self._progress.see(seen)
        if self._step.calls:
            self._fresh_step()

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
        pending.call, pending.run = call, None
        pending.dropped = self._dropped
        try:
            self._take(pending)
        except Exception as error:  # noqa: BLE001 - the promise of this method
            _log.exception("a call of %r could not be handled", call.name)
            if not pending.done():
                pending.set_result(failure(ErrorClass.TOOL_ERROR, f"{call.name} could not be called: {error}"))
        return pending

    def end_step(self, *, user_waits: bool = False) -> StepReport:
        """All calls have their results. ``user_waits``: a message of the user is there, which overrides a stop."""
        step, worst = self._step, self._step.worst
        action = "none" if worst is None else worst.action
        stop = action == "stop" and not user_waits
        counts = self._progress.commit(step.made)
        if self._telemetry is not None:
            for run, count in zip(step.made, counts, strict=True):
                if count > 1:
                    self._telemetry.repeat(run.key[0], count, run.action)
            if stop and worst is not None:
                self._telemetry.stop(worst.key[0], worst.count, self._number)
            self._telemetry.flush()
        self._fresh_step()
        return StepReport(
            calls=tuple(step.calls),
            keys=tuple([run.key for run in step.made]),
            action=action,
            count=1 if worst is None else worst.count,
            stop=stop,
            rejected=step.rejected,
            duplicate=step.duplicate,
        )

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
        for run in list(self._open):
            self._cut(run)
        if self._ending:
            await asyncio.wait(self._ending, timeout=_CANCEL_WAIT)

    async def close(self) -> None:
        """End every call and wait until its tool is done."""
        await self.cancel()
        if self._ending:
            await asyncio.wait(self._ending)
        if self._telemetry is not None:
            self._telemetry.flush()

    def _fresh_step(self) -> None:
        self._progress.begin()
        self._step = Step()

    def _take(self, pending: PendingCall) -> None:
        step, call = self._step, pending.call
        name, raw = call.name, call.arguments
        if not call.id or call.id in step.ids:
            call = pending.call = step.with_own_id(call)
        step.ids.add(call.id)
        step.calls.append(call)
        run = step.said.get((name, raw)) if len(raw) <= LONG_STRING else None
        if run is not None:
            self._copy(run, pending)
            return
        entry = self._registry.get(name)
        key, arguments, problem = (raw_key(name, raw), None, None) if entry is None else parse(name, raw)
        run = step.runs.get(key)
        if run is not None:
            self._copy(run, pending)
            return
        run = pending.run = step.runs[key] = Run(call, key, entry, arguments, problem)
        if len(raw) <= LONG_STRING:
            step.said[name, raw] = run
        self._progress.add(run, step.made)
        step.made.append(run)
        run.waiting.append(pending)
        if run.seen:
            step.duplicate = True
            self._repeated("cross_step", run, call)
        if step.records and (recorded := step.recorded(key)) is not None:
            self._end(run, recorded)
        elif entry is None:
            self._end(run, failure(ErrorClass.NOT_FOUND, f"There is no tool named {name!r}."))
        elif problem is not None:
            self._end(run, failure(ErrorClass.BAD_JSON, f"The arguments of {name} are no JSON: {problem}."))
        else:
            self._open.add(run)
            if self._telemetry is not None:
                run.started = time.perf_counter()
            run.task = asyncio.get_running_loop().create_task(self._perform(run))

    def _copy(self, run: Run, pending: PendingCall) -> None:
        pending.run = run
        self._step.made.append(run)
        self._repeated("same_step", run, pending.call)
        if run.result is None:
            run.waiting.append(pending)
        else:
            self._settle(run, pending, run.result)

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
        run.raw, run.task, run.arguments = raw, None, None  # the call has the text of the arguments
        if run.result is not None:  # it was cut before
            return
        if run.seen or run.expected is not None:
            self._progress.judge(run)
        run.result = raw if run.action == "none" else reminded(raw, reminder(run))
        step = self._step
        if step.worst is None or run.count > step.worst.count:
            step.worst = run
        if raw.error is ErrorClass.REJECTED and not raw.feedback:
            step.rejected = True
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
            self._telemetry.call(run.key[0], outcome, seconds, kind, result.error, run.raised)
        if self._watchers:
            self._watchers.tell(CallEnded(pending.call, None if run.entry is None else run.entry.tool, result))

    def _cut(self, run: Run, *, end_task: bool = True) -> None:
        """End an open run: its calls are cancelled, its task too."""
        self._open.discard(run)
        result = run.result = CUT if run.begun and run.effectful else CANCELLED
        waiting, run.waiting = run.waiting, []
        for pending in waiting:
            self._settle(run, pending, result)
        if end_task and run.task is not None:
            self._ending.add(run.task)
            run.task.add_done_callback(self._ending.discard)
            run.task.cancel()

    def _dropped(self, pending: PendingCall) -> None:
        """The caller cancelled one call; the run ends with the last of its calls."""
        run = pending.run
        if run is None or pending not in run.waiting:
            return
        run.waiting.remove(pending)
        self._settle(run, pending, CANCELLED)
        if not run.waiting:
            self._step.forget(run)
            self._cut(run)

    def _repeated(self, kind: DupType, run: Run, call: ToolCall) -> None:
        if self._telemetry is not None:
            self._telemetry.dedup(kind, digest(run.key), self._number, call.id)
