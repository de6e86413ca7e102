"""A model for what no server can be made to do at the right moment: answers that break off, ids that come twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import FinishReason, ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart

from actions.agent.model.errors import ModelError, ModelErrorKind
from actions.agent.model.events import CallComplete, CallDelta, CallStarted, Event, Finished, TextDelta, ToolSpec
from actions.agent.model.usage import Usage
from actions.agent.tools.needs import ModelSenses
from actions.agent.toolset.call import ToolCall


@dataclass(frozen=True)
class Answer:
    """What one request gets. ``error`` comes ``wait`` seconds after the last call, in place of the end."""

    text: str = ""
    calls: tuple[tuple[str, str, str], ...] = ()
    error: ModelError | None = None
    wait: float = 0.0
    usage: Usage = field(default_factory=lambda: Usage(100, 20))
    finish: FinishReason = "stop"


def says(text: str, **more: int) -> Answer:
    return Answer(text, usage=Usage(more.get("used", 100), 20))


def calls(*made: tuple[str, str, str], text: str = "", used: int = 100) -> Answer:
    """``made``: id, tool and arguments of each call."""
    return Answer(text, made, usage=Usage(used, 20))


def breaks(answer: Answer, kind: ModelErrorKind = ModelErrorKind.NETWORK, wait: float = 0.0) -> Answer:
    return Answer(answer.text, answer.calls, ModelError(kind, "The connection broke off."), wait)


class Scripted:
    """Gives ``answers`` in order. ``asked`` keeps what each request held."""

    def __init__(self, *answers: Answer, window: int = 100_000, senses: ModelSenses | None = None) -> None:
        self._answers = list(answers)
        self.window = window
        self.senses = senses or ModelSenses(image=True)
        self.asked: list[tuple[list[Any], list[str], str]] = []

    async def stream(
        self, messages: Sequence[ModelMessage], tools: Sequence[ToolSpec], *, instructions: str = ""
    ) -> AsyncGenerator[Event]:
        self.asked.append((list(messages), [tool.name for tool in tools], instructions))
        answer = self._answers.pop(0)
        if answer.text:
            yield TextDelta(answer.text)
        for index, (call_id, name, arguments) in enumerate(answer.calls):
            yield CallStarted(index, call_id, name)
            yield CallDelta(index, arguments)
            yield CallComplete(ToolCall(call_id, name, arguments))
            await asyncio.sleep(0)
        if answer.error is not None:
            await asyncio.sleep(answer.wait)
            raise answer.error
        parts = [ToolCallPart(name, arguments, call_id) for call_id, name, arguments in answer.calls]
        said = [TextPart(answer.text), *parts] if answer.text else parts
        yield Finished(ModelResponse(parts=said, finish_reason=answer.finish), answer.usage)

    def results_in_request(self, number: int) -> list[tuple[str, str]]:
        """Id and text of every tool result that request ``number`` held, in order."""
        messages = self.asked[number][0]
        parts = [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]
        return [(part.tool_call_id, str(part.content)) for part in parts]
