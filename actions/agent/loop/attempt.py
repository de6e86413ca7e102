"""One answer of the model as it comes in: what it said so far, and which of its calls already run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from pydantic_ai.messages import ModelResponse, ToolCallPart
from pydantic_ai.messages import TextPart as SaidPart

from actions.agent.loop.screen import Screen
from actions.agent.model.events import CallComplete, CallDelta, CallStarted, Event, Finished, TextDelta, ThoughtDelta
from actions.agent.model.usage import Usage
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.dispatch import Toolset
from actions.agent.toolset.results import ErrorClass, ToolResult, failure
from actions.agent.toolset.tool import Tool
from actions.catalog.spec import Effect


class Attempt:
    """Takes the events of one request. Reading calls start as soon as they and all calls before them are complete; the
    rest waits for :meth:`start_rest`, so that nothing with an effect rests on half a message.

    ``fresh_id`` gives a call an id that no other call of the session has.
    """

    def __init__(self, toolset: Toolset, screen: Screen, fresh_id: Callable[[str], str]) -> None:
        self._toolset, self._screen, self._fresh_id = toolset, screen, fresh_id
        self._text: list[str] = []
        self._announced: dict[int, str] = {}
        self._ids: list[str] = []
        self.calls: list[ToolCall] = []
        self._running: dict[str, asyncio.Future[ToolResult]] = {}
        self._early = True
        self.response: ModelResponse | None = None
        self.usage = Usage()

    @property
    def text(self) -> str:
        return "".join(self._text)

    def take(self, event: Event) -> None:
        """The next event: shown, and acted upon."""
        match event:
            case TextDelta(text=text):
                self._text.append(text)
                self._screen.text(text)
            case ThoughtDelta(text=text):
                self._screen.thought(text)
            case CallStarted(index=index, id=theirs, name=name):
                own = self._announced[index] = self._fresh_id(theirs)
                self._ids.append(own)
                self._screen.call_started(own, name, self._toolset.find(name))
            case CallDelta(index=index, text=text):
                self._screen.call_arguments(self._announced[index], text)
            case CallComplete(call=call):
                self._complete(replace(call, id=self._ids[len(self.calls)]))
            case Finished(response=response, usage=usage):
                self.response, self.usage = self._with_own_ids(response), usage

    def start_rest(self) -> None:
        """The message is complete: start every call that does not run yet, in call order."""
        for call in self.calls:
            if call.id not in self._running:
                self._running[call.id] = self._toolset.handle(call)

    async def results(self) -> list[tuple[ToolCall, ToolResult]]:
        """The results in call order, once all calls have ended."""
        if self._running:
            await asyncio.wait(self._running.values())
        return [(call, self._running[call.id].result()) for call in self.calls]

    def partial(self) -> ModelResponse | None:
        """What there is of an answer that broke off; None when there is nothing in it."""
        said = [SaidPart(content=self.text)] if self._text else []
        calls = [ToolCallPart(call.name, call.arguments, call.id) for call in self.calls]
        return ModelResponse(parts=[*said, *calls]) if said or calls else None

    def said(self) -> ModelResponse | None:
        """The finished answer without its calls; None when nothing is left."""
        if self.response is None:
            return None
        parts = [part for part in self.response.parts if not isinstance(part, ToolCallPart)]
        return replace(self.response, parts=parts) if any(isinstance(part, SaidPart) for part in parts) else None

    def leave(self, why: ToolResult) -> list[tuple[ToolCall, ToolResult]]:
        """End every call that has no result with ``why``, also on the screen. The results in call order."""
        for call_id in self._ids:
            if call_id not in self._running:
                self._screen.call_ended(call_id, why)
        ended = {call_id: future.result() for call_id, future in self._running.items() if _has_result(future)}
        return [(call, ended.get(call.id, why)) for call in self.calls]

    def _complete(self, call: ToolCall) -> None:
        self.calls.append(call)
        self._screen.call_made(call, self._toolset.find(call.name))
        self._early = self._early and _reads(self._toolset.find(call.name))
        if self._early:
            self._running[call.id] = self._toolset.handle(call)

    def _with_own_ids(self, response: ModelResponse) -> ModelResponse:
        ids = iter(self._ids)
        parts = [
            replace(part, tool_call_id=next(ids)) if isinstance(part, ToolCallPart) else part for part in response.parts
        ]
        return replace(response, parts=parts)


def broke_off() -> ToolResult:
    """The result of a call in an answer that never came to its end."""
    return failure(ErrorClass.CANCELLED, "The answer of the model broke off; the step is tried again.")


def _has_result(future: asyncio.Future[ToolResult]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _reads(tool: Tool | None) -> bool:
    """Whether a call may run on half a message. Not those of effect none: they ask the user, or start a subagent."""
    return tool is not None and tool.effect is Effect.READ
