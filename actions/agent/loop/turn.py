"""A turn: steps until the model is done, somebody says stop, or a limit is reached."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from pydantic_ai.messages import ModelRequest, UserPromptPart

from actions.agent.loop.compaction import Compactor
from actions.agent.loop.flat import without_calls
from actions.agent.loop.inbox import Inbox
from actions.agent.loop.options import STEP_LIMIT
from actions.agent.loop.prompt import left_out, request_of
from actions.agent.loop.prompts import prompt_text
from actions.agent.loop.screen import Screen
from actions.agent.loop.step import StepEnd, Steps
from actions.agent.loop.talk import EndReason, TurnEnd
from actions.agent.model.errors import ModelError, ModelErrorKind
from actions.agent.session.context import Context, Revert
from actions.agent.tools.needs import ModelSenses
from actions.agent.toolset.dispatch import Toolset

_REASONS: dict[str, EndReason] = {"length": "max_tokens", "content_filter": "refusal"}
_CUT = (
    "<system>Your answer was cut at its limit of length: its last call may not be whole. Do less in one answer, say by "
    "writing a long file in several parts.</system>"
)
_SILENT = "The model ended its turn without a word. Send the prompt again, or choose another model."
_SAME_NOTES = 5
"""So many times one note may go back to one checkpoint in a turn: each way back counts repetition anew."""


@dataclass(frozen=True)
class Parts:
    """What a turn works with: everything of one agent."""

    steps: Steps
    context: Context
    toolset: Toolset
    compactor: Compactor
    screen: Screen
    inbox: Inbox
    senses: ModelSenses
    instructions: Callable[[], Awaitable[str]]


class Turn:
    """One turn. ``goes_on`` after a plain rejection: a subagent takes another way, a root's turn ends."""

    def __init__(self, parts: Parts, *, goes_on: bool = False, step_limit: int = STEP_LIMIT) -> None:
        self._parts = parts
        self._context = parts.context
        self._goes_on = goes_on
        self._step_limit = step_limit
        self._instructions = ""
        self._reverts: Counter[Revert] = Counter()
        self._silent = True

    async def run(self, prompt: ModelRequest) -> TurnEnd:
        """From ``prompt`` to the end. A cancelled turn leaves every call with a result, then raises CancelledError.

        Raises ModelError when the model does not answer; a refusal is an end.
        """
        self._parts.toolset.begin_turn()
        self._reverts.clear()
        self._silent = True
        self._context.wanted = None
        self._context.mend()
        self._context.begin_turn()
        self._take_in()  # what the turn before did not come to
        self._context.ask(prompt)
        self._context.checkpoint()
        try:
            self._instructions = await self._parts.instructions()
            return await self._steps()
        except ModelError as error:
            if error.kind is not ModelErrorKind.REFUSED:
                raise
            self._parts.screen.notice(error.message)
            return TurnEnd("refusal", error.message)
        except asyncio.CancelledError:
            await self._parts.steps.abandon()
            raise

    async def _steps(self) -> TurnEnd:
        for _ in range(self._step_limit):
            self._take_in()
            step = await self._step()
            self._silent = self._silent and step.report is None and not step.text.strip()
            if (end := await self._end_after(step)) is not None:
                if self._silent and end.reason != "refusal":
                    self._parts.screen.notice(_SILENT)
                return end
            if step.finish == "length":
                self._context.say(_CUT)
        self._parts.screen.notice(f"The turn ended at its limit of {self._step_limit} steps.")
        return TurnEnd("max_turn_requests", "step_limit")

    async def _step(self) -> StepEnd:
        """The next step; the context is compacted before it where it is full, and once more when the model says so."""
        parts = self._parts
        if parts.compactor.due:
            await parts.compactor.run()
        try:
            return await parts.steps.run(self._instructions, lambda: parts.inbox.user_waits)
        except ModelError as error:
            if error.kind is not ModelErrorKind.CONTEXT_TOO_LONG or not await parts.compactor.run():
                raise
            return await parts.steps.run(self._instructions, lambda: parts.inbox.user_waits)

    async def _end_after(self, step: StepEnd) -> TurnEnd | None:
        """Whether the turn ends here: rejection without feedback, then the way back, then the stop, then go on."""
        report = step.report
        if report is None:
            if self._parts.inbox.user_waits:
                return None
            return TurnEnd(_REASONS.get(step.finish or "", "end_turn"), text=step.text)
        if report.rejected and not self._goes_on:
            return TurnEnd("end_turn", "rejected", step.text)
        if (revert := self._context.wanted) is not None:
            self._context.revert(revert)
            self._context.checkpoint()
            self._parts.toolset.revert()
            self._reverts[revert] += 1
            if self._reverts[revert] >= _SAME_NOTES:
                return TurnEnd("end_turn", "tool_call_repeat", await self._last_words())
            return None
        if report.stop:
            return TurnEnd("end_turn", "tool_call_repeat", await self._last_words())
        return None

    async def _last_words(self) -> str:
        """The summary that the model gives after a forced stop."""
        self._context.add(ModelRequest(parts=[UserPromptPart(content=prompt_text("last_words"))]))
        try:
            return await self._parts.steps.last_words(without_calls(self._context.messages), self._instructions)
        except ModelError as error:
            self._parts.screen.notice(f"The turn ended because one call was repeated again and again. {error.message}")
            return ""

    def _take_in(self) -> None:
        """What came from outside since the last step."""
        inbox = self._parts.inbox
        for notice in inbox.take_notices():
            self._context.ask(ModelRequest(parts=[UserPromptPart(content=f"<system>{notice}</system>")]))
        for message in inbox.take_messages():
            if missing := left_out(message, self._parts.senses):
                self._parts.screen.notice(missing)
            self._context.ask(request_of(message, self._parts.senses))
