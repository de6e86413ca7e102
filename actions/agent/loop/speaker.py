"""A model as the loop uses it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING, Protocol

from actions.agent.model.events import Event, ToolSpec
from actions.agent.tools.needs import ModelSenses

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage


class Speaker(Protocol):
    """:class:`actions.agent.model.requests.Model` is one."""

    @property
    def window(self) -> int: ...

    @property
    def senses(self) -> ModelSenses: ...

    def stream(
        self, messages: Sequence[ModelMessage], tools: Sequence[ToolSpec], *, instructions: str = ""
    ) -> AsyncGenerator[Event]: ...
