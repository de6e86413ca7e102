"""Prompts that wait, and how a turn ended."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

from actions.errors import NotFound, SaysoError

ANSWER_LIMIT = 1024 * 1024
"""Characters of a final answer that are kept in memory; the transcript has all of it."""


@dataclass(frozen=True, slots=True)
class TurnResult:
    """How a turn ended: ACP's stop reason, or ``interrupted`` (the agent died) or ``error`` (it refused)."""

    stop_reason: str
    text: str = ""
    structured: dict[str, Any] | None = None
    usage: dict[str, Any] | None = None
    error: SaysoError | None = None

    @classmethod
    def of(cls, response: Mapping[str, Any]) -> TurnResult:
        """What the agent's answer to ``session/prompt`` says; ``structured`` is its ``_meta.sayso.result``."""
        own = _object(_object(response.get("_meta")).get("sayso"))
        return cls(
            str(response.get("stopReason") or "end_turn"),
            structured=_object(own.get("result")) or None,
            usage=_object(response.get("usage")) or None,
        )


def _object(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


@dataclass(frozen=True, slots=True)
class Prompt:
    """A message to the agent. ``meta`` goes along as ``_meta``; ``ended`` resolves with the end of its turn."""

    id: str
    text: str
    ended: asyncio.Future[TurnResult]
    meta: dict[str, Any] | None = None
    origin: Literal["user", "run"] = "user"


class PromptQueue:
    """Messages that wait for their turn. Held after a cancel, so that a stop does not start the next thing."""

    def __init__(self) -> None:
        self._waiting: deque[Prompt] = deque()
        self.held = False

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, prompt: Prompt, *, first: bool = False) -> None:
        """Put a message at the end (or first) and release a held queue."""
        self.held = False
        if first:
            self._waiting.appendleft(prompt)
        else:
            self._waiting.append(prompt)

    def next(self) -> Prompt | None:
        """Take the next message, unless the queue is held."""
        if self.held or not self._waiting:
            return None
        prompt = self._waiting.popleft()
        if prompt.ended.done():  # its waiters were told that it is held
            prompt = replace(prompt, ended=asyncio.get_running_loop().create_future())
        return prompt

    def remove(self, prompt: Prompt) -> bool:
        """Take a message out again; false when it does not wait any more."""
        at = next((at for at, other in enumerate(self._waiting) if other.id == prompt.id), None)
        if at is None:
            return False
        del self._waiting[at]
        return True

    def get(self, message_id: str) -> Prompt:
        """A message that waits. Raises NotFound when it does not, as do the next three."""
        return self._waiting[self._place(message_id)]

    def edit(self, message_id: str, text: str) -> None:
        """Say something else instead."""
        at = self._place(message_id)
        self._waiting[at] = replace(self._waiting[at], text=text)

    def move(self, message_id: str, position: int) -> None:
        """Put a message at a place, 0 is the next to be sent; beyond the end is the end."""
        prompt = self._waiting[self._place(message_id)]
        self._waiting.remove(prompt)
        self._waiting.insert(position, prompt)

    def drop(self, message_id: str) -> None:
        """Take a message out for good; whoever waits for it is told ``dropped``."""
        prompt = self._waiting[self._place(message_id)]
        self._waiting.remove(prompt)
        if not prompt.ended.done():
            prompt.ended.set_result(TurnResult("dropped"))

    def hold(self, *, tell: bool = True) -> None:
        """Keep what waits until the next message is added; with ``tell``, who waits for one of them hears ``held``."""
        self.held = bool(self._waiting)
        for prompt in self._waiting:
            if tell and not prompt.ended.done():
                prompt.ended.set_result(TurnResult("held"))

    def release(self) -> None:
        """Let what waits go on."""
        self.held = False

    def _place(self, message_id: str) -> int:
        for at, prompt in enumerate(self._waiting):
            if prompt.id == message_id:
                return at
        raise NotFound(
            "This message does not wait any more: it was sent or dropped.", details={"message_id": message_id}
        )

    def as_json(self) -> list[dict[str, Any]]:
        """What waits, as stored with the session."""
        return [{"id": prompt.id, "text": prompt.text, "origin": prompt.origin} for prompt in self._waiting]


@dataclass(slots=True)
class Turn:
    """The running turn: its number, its prompt and the agent's latest message, which is its final answer so far."""

    number: int
    prompt: Prompt
    cancelling: bool = False
    _item: str | None = None
    _parts: list[str] = field(default_factory=list[str])
    _length: int = 0

    def hear(self, item_id: str | None, text: str) -> None:
        """A piece of an agent message."""
        if item_id != self._item:
            self._item, self._parts, self._length = item_id, [], 0
        if self._length < ANSWER_LIMIT:
            self._parts.append(text)
            self._length += len(text)

    @property
    def answer(self) -> str:
        """The last message of the agent in this turn."""
        return "".join(self._parts)
