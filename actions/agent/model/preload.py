"""The slow part of the first request, ahead of it: imports. May run in a thread."""

from __future__ import annotations

import importlib

from actions.agent.model.ref import ModelRef

_MODULES = {
    "chat": ("pydantic_ai.models.openai", "pydantic_ai.providers.openai_compatible"),
    "responses": ("pydantic_ai.models.openai", "pydantic_ai.providers.openai"),
    "anthropic": ("pydantic_ai.models.anthropic", "pydantic_ai.providers.anthropic"),
    "gemini": ("pydantic_ai.models.google", "pydantic_ai.providers.google"),
}


def preload(ref: ModelRef) -> None:
    """Import what :func:`actions.agent.model.requests.open_model` needs for ``ref``; nothing is opened or sent.

    Takes 1 to 3 s of CPU. Calling it twice, or while the model is being opened, is harmless.
    """
    for module in _MODULES[ref.wire]:
        importlib.import_module(module)
    from genai_prices.data_snapshot import get_snapshot

    get_snapshot()  # the table of prices and windows
