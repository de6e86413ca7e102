"""What a model says while it answers, in order: pieces of text and thought, tool calls, and the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from actions.agent.model.usage import Usage
from actions.agent.toolset.call import ToolCall

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as it is offered to the model; ``parameters`` is a JSON Schema."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ThoughtDelta:
    """The next piece of the model's reasoning."""

    text: str


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A tool call began. ``index`` ties its pieces together, ``id`` is the one that the call keeps."""

    index: int
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class CallDelta:
    """The next piece of a call's argument text."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class CallComplete:
    """A call whose arguments are all there. Calls come complete in call order, each exactly once."""

    call: ToolCall


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event. ``response`` is what belongs into the context; its call ids are those of the events."""

    response: ModelResponse
    usage: Usage


Event = TextDelta | ThoughtDelta | CallStarted | CallDelta | CallComplete | Finished
