"""One call from its arguments to its result: checked, let through, run, and every way to fail made a result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from actions.agent.approvals.decision import ApprovalCancelled, Decision, Source, Wanted
from actions.agent.toolset.budget import Shortener
from actions.agent.toolset.call import current_call
from actions.agent.toolset.events import CallPrepared, CallRunning, Watchers
from actions.agent.toolset.guards import Gate, HookRunner
from actions.agent.toolset.registry import Entry
from actions.agent.toolset.results import ErrorClass, TextDisplay, ToolFailure, ToolResult, failure
from actions.agent.toolset.step import Run
from actions.agent.toolset.telemetry import Telemetry
from actions.agent.toolset.tool import Tool
from actions.catalog.spec import Effect

_ASKS = frozenset({Effect.WRITE, Effect.EXTERNAL, Effect.DANGER})


class Performer:
    """Runs calls one by one. ``source`` says for whom the calls are."""

    def __init__(
        self,
        gate: Gate,
        hooks: HookRunner | None,
        telemetry: Telemetry | None,
        shorten: Shortener,
        source: Callable[[], Source],
        watchers: Watchers,
    ) -> None:
        self._gate, self._hooks, self._telemetry = gate, hooks, telemetry
        self._shorten, self._source, self._watchers = shorten, source, watchers

    async def perform(self, run: Run, step: int) -> ToolResult:
        """The result of ``run``, without a reminder; ``step`` is the step's number. Raises only CancelledError, and
        what ends the process.
        """
        entry, call = run.entry, run.call
        assert entry is not None
        try:
            arguments = run.arguments if entry.validate is None else entry.validate(run.arguments)
            if entry.varies:
                run.effect = entry.tool.effect_of(arguments)
            asks = run.effect in _ASKS and not (entry.tool.user_action and entry.origin == "builtin")
            if (self._hooks is not None or asks or entry.prepares) and (
                stopped := await self._stopped(run, entry.tool, arguments, step, asks=asks, prepares=entry.prepares)
            ) is not None:
                return stopped
        except ValidationError as error:
            return _invalid(call.name, error)
        except ToolFailure as error:
            return error.result
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a call is a result for the model
            return _raised(run, error)
        if self._watchers:
            self._watchers.tell(CallRunning(call, entry.tool))
        result = await self._run(run, entry, arguments)
        if entry.origin != "mcp" and self._shorten.concerns(result):
            result = await self._shorten(result, call.id)
        return result

    async def _stopped(
        self, run: Run, tool: Tool, arguments: Any, step: int, *, asks: bool, prepares: bool
    ) -> ToolResult | None:
        """Hooks, then what the tool says of the call, then the gate. None: the call may run."""
        call, hooks, reason = run.call, self._hooks, ""
        if hooks is not None and hooks.wants("PreToolUse", tool.name):
            verdict = await hooks.before(call, arguments)
            if self._telemetry is not None:
                self._telemetry.hook(tool.name, verdict.kind)
            if verdict.kind == "block":
                return failure(ErrorClass.BLOCKED, f"A hook blocked this call: {verdict.reason}")
            if verdict.kind == "ask":
                asks, reason = True, verdict.reason
        if not (asks or prepares):
            return None
        token = current_call.set(call)
        ask = await tool.prepare(arguments)
        current_call.reset(token)
        if reason:
            words = f"A hook wants this call to be asked for: {reason}"
            ask = replace(ask, summary=f"{ask.summary} ({words})", preview=(*ask.preview, TextDisplay(words)))
        self._watchers.tell(CallPrepared(call, tool, ask))
        if not asks:
            return None
        return await self._refused(Wanted(call, tool.name, run.effect, ask, self._source()), step)

    async def _refused(self, wanted: Wanted, step: int) -> ToolResult | None:
        gate = self._gate
        if (why := gate.refusal(wanted)) is not None:
            return failure(ErrorClass.BLOCKED, why)
        decision = gate.fast(wanted)
        if decision is None:
            try:
                decision = await gate.ask(wanted)
            except ApprovalCancelled:
                return failure(ErrorClass.CANCELLED, "The request for approval was taken back; the call did not run.")
        if self._telemetry is not None:
            self._telemetry.permission(wanted.tool, decision.approved, decision.decided_by, step)
        if not decision.approved:
            return rejection(decision, subagent=wanted.source.agent_id is not None)
        if wanted.ask.still_true is not None and not await wanted.ask.still_true():
            gate.stale(wanted)
            return failure(
                ErrorClass.TOOL_ERROR,
                "What was approved is out of date: the file changed after its preview was shown. Nothing was done. "
                "Read the file again before you repeat the change.",
            )
        return None

    async def _run(self, run: Run, entry: Entry, arguments: Any) -> ToolResult:
        call, tool, hooks = run.call, entry.tool, self._hooks
        token = current_call.set(call)
        try:
            running = entry.start(arguments)
        except TypeError as error:
            current_call.reset(token)
            return failure(ErrorClass.INVALID_INPUT, f"{tool.name} does not take these arguments: {error}")
        run.begun = True
        try:
            result: object = await running
            if type(result) is not ToolResult:
                raise TypeError(f"{tool.name} returned {type(result).__name__}, not a tool result")
        except ToolFailure as error:
            result = error.result
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a tool raises is a result for the model
            current_call.reset(token)
            if hooks is not None and hooks.wants("PostToolUseFailure", tool.name):
                hooks.failed(call, arguments, error)
            return _raised(run, error)
        current_call.reset(token)
        if hooks is not None and hooks.wants("PostToolUse", tool.name):
            hooks.after(call, arguments, result)
        return result


def rejection(decision: Decision, *, subagent: bool) -> ToolResult:
    """What the model is told after a no."""
    if decision.feedback:
        return ToolResult(
            message=f"The user rejected this call and said: {decision.feedback}",
            error=ErrorClass.REJECTED,
            feedback=decision.feedback,
        )
    if subagent:
        return failure(
            ErrorClass.REJECTED,
            "The user rejected this call. Do not repeat it and do not work around it: take another way, or report "
            "this limit.",
        )
    return failure(ErrorClass.REJECTED, "The user rejected this call.")


def _invalid(name: str, error: ValidationError) -> ToolResult:
    fields = [
        f"{'.'.join(map(str, problem['loc'])) or 'arguments'}: {problem['msg']}"
        for problem in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    return failure(ErrorClass.INVALID_INPUT, f"The arguments of {name} do not fit. {'; '.join(fields)}")


def _raised(run: Run, error: BaseException) -> ToolResult:
    run.raised = type(error).__name__
    kind = ErrorClass.TIMEOUT if isinstance(error, TimeoutError) else ErrorClass.TOOL_ERROR
    return failure(kind, f"{run.call.name} failed: {run.raised}: {error}")
