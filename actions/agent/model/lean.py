"""Past a slow way of the vendors' clients: they walk the whole request by its type hints, to rename what needs it.

Nothing in messages, input and tools needs that, and the walk takes longer than everything else of a step; so these
three go into the body beside it, as they are.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from actions.agent.model.ref import Wire

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from openai import AsyncOpenAI

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


def lean_anthropic(sdk: AsyncAnthropic) -> AsyncAnthropic:
    """``sdk`` with a short way for messages."""
    messages: Any = sdk.beta.messages
    messages.create = _short(messages.create, messages=[])
    return sdk


def _short(create: Create, **needed: Any) -> Create:
    """``create`` with its long arguments in ``extra_body``, which replaces what stands in the body under their names;
    ``needed`` are the arguments that it insists on.
    """

    async def shorter(*, extra_body: Any = None, **arguments: Any) -> Any:
        long = {name: list(arguments.pop(name)) for name in _LONG if isinstance(arguments.get(name), list | tuple)}
        kept = {name: value for name, value in needed.items() if name not in arguments}
        return await create(extra_body={**(extra_body or {}), **long} or None, **kept, **arguments)

    return shorter
