"""What an agent says, in its order. Apart from the connection, so that a host starts without the protocol."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

START_TIMEOUT = 60.0
"""Seconds that an agent may take for each step of its start."""


@dataclass(frozen=True, slots=True)
class Update:
    """A ``session/update`` as the agent sent it, unknown fields included."""

    agent_session_id: str
    update: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PermissionAsk:
    """A ``session/request_permission`` as the agent sent it; ``answer`` takes the outcome for it."""

    agent_session_id: str
    tool_call: dict[str, Any]
    options: list[dict[str, Any]]
    answer: asyncio.Future[dict[str, Any]]

    def drop(self) -> None:
        """Tell the agent that nobody decides."""
        if not self.answer.done():
            self.answer.set_result({"outcome": "cancelled"})


@dataclass(frozen=True, slots=True)
class QuestionAsk:
    """An ``elicitation/create`` in form mode; ``answer`` takes the response to it."""

    agent_session_id: str
    message: str
    schema: dict[str, Any]
    tool_call_id: str
    answer: asyncio.Future[dict[str, Any]]

    def drop(self) -> None:
        """Tell the agent that nobody answers."""
        if not self.answer.done():
            self.answer.set_result({"action": "cancel"})


Ask = PermissionAsk | QuestionAsk


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A request that the agent does not want answered any more (``$/cancel_request``)."""

    agent_session_id: str
    ask: Ask


Incoming = Update | PermissionAsk | QuestionAsk | TakenBack
