"""What the libraries do anew for each request although it comes to the same, or to nothing.

The vendors' clients walk the whole request by its type hints, to rename what needs it. Nothing in messages, input and
tools does, and the walk takes longer than everything else of a step; so these three go into the body beside it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from actions.agent.model.ref import Wire

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.resources.beta.messages import AsyncMessages
    from openai import AsyncOpenAI
    from pydantic_ai.models import Model as LibraryModel
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import ToolDefinition

_LONG = ("messages", "input", "tools")
Create = Callable[..., Awaitable[Any]]


def lean_openai(sdk: AsyncOpenAI, wire: Wire) -> AsyncOpenAI:
    """``sdk`` with a short way for ``wire``; the other one is not even loaded."""
    if wire == "responses":
        responses: Any = sdk.responses
        responses.create = _short(responses.create, input=[])
    else:
        chat: Any = sdk.chat.completions
        chat.create = _short(chat.create, messages=[])
    return sdk


def lean_anthropic(sdk: AsyncAnthropic, messages: AsyncMessages) -> None:
    """Give ``sdk`` a short way for messages; what else is in its place is not even loaded."""
    short: Any = messages
    short.create = _short(messages.create, messages=[])
    sdk.__dict__["beta"] = SimpleNamespace(messages=short)


def customize_once(library: LibraryModel) -> LibraryModel:
    """``library`` that works out the vendor's form of the tools once, not anew for each request with the same ones."""
    customize = library.customize_request_parameters
    known: list[tuple[list[ToolDefinition], list[ToolDefinition]]] = []

    def once(parameters: ModelRequestParameters) -> ModelRequestParameters:
        tools = parameters.function_tools
        if known and known[0][0] == tools:
            return replace(customize(replace(parameters, function_tools=[])), function_tools=known[0][1])
        made = customize(parameters)
        known[:] = [(tools, made.function_tools)]
        return made

    any_library: Any = library
    any_library.customize_request_parameters = once
    return library


def _short(create: Create, **needed: Any) -> Create:
    """``create`` with its long arguments in ``extra_body``, which replaces what stands in the body under their names;
    ``needed`` are the arguments that it insists on.
    """

    async def shorter(*, extra_body: Any = None, **arguments: Any) -> Any:
        long = {name: list(arguments.pop(name)) for name in _LONG if isinstance(arguments.get(name), list | tuple)}
        kept = {name: value for name, value in needed.items() if name not in arguments}
        return await create(extra_body={**(extra_body or {}), **long} or None, **kept, **arguments)

    return shorter
