"""From the library's stream events to ours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from actions.agent.model.events import CallComplete, CallDelta, CallStarted, Event, TextDelta, ThoughtDelta
from actions.agent.toolset.call import ToolCall

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponsePart, ModelResponseStreamEvent


@dataclass(slots=True)
class _Open:
    """A call that is still coming in."""

    id: str
    name: str
    arguments: str = ""


class Reader:
    """Follows one answer. Gives every call an id that no call of ``history`` or of this answer has."""

    def __init__(self, history: Sequence[ModelMessage]) -> None:
        from pydantic_ai.messages import ModelResponse, ToolCallPart

        self._taken = {
            part.tool_call_id
            for message in history
            if isinstance(message, ModelResponse)
            for part in message.parts
            if isinstance(part, ToolCallPart)
        }
        self._open: dict[int, _Open] = {}
        self._ids: list[str] = []

    def read(self, event: ModelResponseStreamEvent) -> Iterator[Event]:
        """Our events for one of the library's."""
        from pydantic_ai import messages as m

        match event:
            case m.PartStartEvent(index=index, part=part):
                yield from self._started(index, part)
            case m.PartDeltaEvent(index=index, delta=delta):
                match delta:
                    case m.TextPartDelta(content_delta=str(text)) if text:
                        yield TextDelta(text)
                    case m.ThinkingPartDelta(content_delta=str(text)) if text:
                        yield ThoughtDelta(text)
                    case m.ToolCallPartDelta(args_delta=arguments) if arguments and index in self._open:
                        yield from self._more(index, as_text(arguments))
                    case _:
                        pass
            case m.PartEndEvent(index=index) if index in self._open and _whole(self._open[index].arguments):
                yield self._complete(index)
            case _:
                pass

    def rest(self) -> Iterator[Event]:
        """The calls whose arguments never became a JSON object: complete too, now that the answer is."""
        for index in list(self._open):
            yield self._complete(index)

    def with_our_ids(self, parts: Sequence[ModelResponsePart]) -> list[ModelResponsePart]:
        """The parts of the finished answer, its calls with the ids of the events."""
        from pydantic_ai.messages import ToolCallPart

        ids = iter(self._ids)
        return [replace(part, tool_call_id=next(ids)) if isinstance(part, ToolCallPart) else part for part in parts]

    def _started(self, index: int, part: Any) -> Iterator[Event]:
        from pydantic_ai import messages as m

        match part:
            case m.TextPart(content=text) if text:
                yield TextDelta(text)
            case m.ThinkingPart(content=text) if text:
                yield ThoughtDelta(text)
            case m.ToolCallPart():
                call = self._open[index] = _Open(self._own_id(part.tool_call_id), part.tool_name)
                yield CallStarted(index, call.id, call.name)
                yield from self._more(index, as_text(part.args))
            case _:
                pass

    def _more(self, index: int, text: str) -> Iterator[Event]:
        if text:
            self._open[index].arguments += text
            yield CallDelta(index, text)

    def _complete(self, index: int) -> CallComplete:
        call = self._open.pop(index)
        return CallComplete(ToolCall(call.id, call.name, call.arguments))

    def _own_id(self, theirs: str) -> str:
        own, count = theirs, 1
        while own in self._taken:
            count += 1
            own = f"{theirs}_{count}"
        self._taken.add(own)
        self._ids.append(own)
        return own


def as_text(arguments: str | dict[str, Any] | None) -> str:
    """Arguments as JSON text, however the provider sent them."""
    if isinstance(arguments, str) or arguments is None:
        return arguments or ""
    import json

    return json.dumps(arguments, ensure_ascii=False)


def _whole(arguments: str) -> bool:
    """Whether nothing can follow: a complete JSON object, or a call without arguments."""
    import pydantic_core

    try:
        return not arguments or isinstance(pydantic_core.from_json(arguments), dict)
    except ValueError:
        return False
