"""What reaches a turn from outside while it runs: messages of the user and notices of background work."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from actions.agent.loop.talk import PromptPart


class Inbox:
    """Messages that join at the next step. A message of the user keeps a turn going that would have ended."""

    def __init__(self) -> None:
        self._messages: deque[tuple[PromptPart, ...]] = deque()
        self._notices: list[str] = []

    @property
    def user_waits(self) -> bool:
        return bool(self._messages)

    def put_message(self, parts: Sequence[PromptPart]) -> None:
        self._messages.append(tuple(parts))

    def put_notice(self, text: str) -> None:
        """A line for the model: a background task has ended, say."""
        self._notices.append(text)

    def take_messages(self) -> list[tuple[PromptPart, ...]]:
        taken = list(self._messages)
        self._messages.clear()
        return taken

    def take_notices(self) -> list[str]:
        taken, self._notices = self._notices, []
        return taken
