"""Small stand-ins between a tool and what it needs: made before it, or beside it."""

from __future__ import annotations

from collections.abc import Sequence

from actions.agent.approvals.state import ApprovalState
from actions.agent.loop.screen import Screen
from actions.agent.tools.needs import Checkpoints, Question, Questions


class LateCheckpoints:
    """The checkpoints of a context that is made later, with the model; implements
    :class:`~actions.agent.tools.needs.Checkpoints`."""

    def __init__(self) -> None:
        self.context: Checkpoints | None = None

    @property
    def last(self) -> int:
        return -1 if self.context is None else self.context.last

    def go_back(self, checkpoint: int, note: str) -> None:
        if self.context is None:
            raise ValueError("there is no checkpoint yet")
        self.context.go_back(checkpoint, note)


class UnattendedQuestions:
    """Questions that are dismissed while nobody is there (afk)."""

    def __init__(self, asked: Questions, state: ApprovalState) -> None:
        self._asked, self._state = asked, state

    @property
    def available(self) -> bool:
        return self._asked.available

    async def ask(self, questions: Sequence[Question]) -> dict[str, list[str]] | None:
        return None if self._state.afk else await self._asked.ask(questions)


class LiveScreen:
    """Live output of commands on the screen of their agent; implements
    :class:`~actions.agent.tools.live.LiveOutput`."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def output(self, call_id: str, text: str) -> None:
        self._screen.call_output(call_id, text)
