"""From the library's stream events to ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from actions.agent.model.events import CallComplete, CallDelta, CallStarted, Event, TextDelta, ThoughtDelta
from actions.agent.toolset.call import ToolCall

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponseStreamEvent


@dataclass(slots=True)
class _Open:
    """A call that is still coming in. ``ended``: the provider has gone on to something else."""

    id: str
    name: str
    arguments: str = ""
    ended: bool = False


class Reader:
    """Follows one answer. ``own`` gives a tool's own name by the one on the wire."""

    def __init__(self, own: Mapping[str, str]) -> None:
        self._own = own
        self._open: dict[int, _Open] = {}

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
            case m.PartEndEvent(index=index) if index in self._open:
                self._open[index].ended = True
                yield from self._completed()
            case _:
                pass

    def rest(self) -> Iterator[Event]:
        """The answer is at its end: the calls that are still open are complete too, JSON or not."""
        for index in list(self._open):
            yield self._complete(index)

    def _started(self, index: int, part: Any) -> Iterator[Event]:
        from pydantic_ai import messages as m

        match part:
            case m.TextPart(content=text) if text:
                yield TextDelta(text)
            case m.ThinkingPart(content=text) if text:
                yield ThoughtDelta(text)
            case m.ToolCallPart(tool_name=name, tool_call_id=call_id):
                self._open[index] = _Open(call_id, self._own.get(name, name))
                yield CallStarted(index, call_id, self._open[index].name)
                yield from self._more(index, as_text(part.args))
            case _:
                pass

    def _more(self, index: int, text: str) -> Iterator[Event]:
        if text:
            self._open[index].arguments += text
            yield CallDelta(index, text)

    def _completed(self) -> Iterator[Event]:
        """The ended calls up to the first one to which something may still be added, in call order."""
        for index, call in list(self._open.items()):
            if not call.ended or not _whole(call.arguments):
                return
            yield self._complete(index)

    def _complete(self, index: int) -> CallComplete:
        call = self._open.pop(index)
        return CallComplete(ToolCall(call.id, call.name, call.arguments))


def as_text(arguments: str | dict[str, Any] | None) -> str:
    """Arguments as JSON text, however the provider sent them."""
    if isinstance(arguments, str) or arguments is None:
        return arguments or ""
    import json

    return json.dumps(arguments, ensure_ascii=False)


def _whole(arguments: str) -> bool:
    """Whether nothing can follow: a complete JSON object. Some servers mix the pieces of parallel calls."""
    import pydantic_core

    try:
        return isinstance(pydantic_core.from_json(arguments), dict)
    except ValueError:
        return False
