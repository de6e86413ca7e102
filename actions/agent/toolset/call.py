"""One tool call as the model made it."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ToolCall:
    """``id`` is unique in its turn, ``arguments`` the raw JSON text as the model wrote it."""

    id: str
    name: str
    arguments: str


current_call: ContextVar[ToolCall | None] = ContextVar("current_call", default=None)
"""The call that runs now; None outside of one."""
