"""One step: a request to the model, its answer as it comes, and the calls in it up to their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from pydantic_ai.messages import FinishReason, ModelMessage

from actions.agent.loop.attempt import Attempt, broke_off
from actions.agent.loop.patience import Patience
from actions.agent.loop.prompt import results_of
from actions.agent.loop.screen import Screen
from actions.agent.loop.speaker import Speaker
from actions.agent.loop.specs import spec_of
from actions.agent.model.errors import ModelError
from actions.agent.model.events import ToolSpec
from actions.agent.model.usage import Usage
from actions.agent.session.context import Context
from actions.agent.toolset.dispatch import StepReport, Toolset
from actions.agent.toolset.results import ErrorClass, failure
from actions.agent.toolset.tool import Tool

_STOPPED = failure(ErrorClass.CANCELLED, "The user stopped the turn before this call had ended.")


@dataclass(frozen=True, slots=True)
class StepEnd:
    """``report`` is None when the answer held no call."""

    text: str
    finish: FinishReason | None = None
    report: StepReport | None = None


class Steps:
    """Runs the steps of one agent, one at a time, and adds what comes out of them to the context.

    ``spent`` is told the usage of each request. ``marks``: show checkpoints to the model, which has a tool to go back.
    """

    def __init__(
        self,
        model: Speaker,
        toolset: Toolset,
        context: Context,
        screen: Screen,
        *,
        spent: Callable[[Usage], None],
        marks: bool = False,
    ) -> None:
        self._model, self._toolset, self._context, self._screen = model, toolset, context, screen
        self._spent = spent
        self._marks = marks
        self._attempt: Attempt | None = None
        self._kept = False
        self._offered: tuple[Tool, ...] = ()
        self._specs: tuple[ToolSpec, ...] = ()

    async def run(self, instructions: str, user_waits: Callable[[], bool]) -> StepEnd:
        """One request and its calls. Raises ModelError when the model gave no answer, also after retries."""
        self._toolset.begin_step()
        attempt = await self._answer(self._context.messages, self._tools(), instructions)
        assert attempt.response is not None
        self._context.add(attempt.response)
        if attempt.usage.total:  # not every server counts
            self._context.counted(attempt.usage.total)
        self._kept = True
        if not attempt.calls:
            self._attempt = None
            self._toolset.end_step()
            return StepEnd(attempt.text, attempt.response.finish_reason)
        attempt.start_rest()
        self._context.add(results_of(await attempt.results(), self._mark()))
        self._attempt = None
        self._context.checkpoint()
        return StepEnd(attempt.text, attempt.response.finish_reason, self._toolset.end_step(user_waits=user_waits()))

    async def last_words(self, messages: Sequence[ModelMessage], instructions: str) -> str:
        """One request without tools: its answer goes into the context, calls in it are not run."""
        attempt = await self._answer(messages, (), instructions)
        self._attempt = None
        attempt.leave(_STOPPED)
        if (said := attempt.said()) is not None:
            self._context.add(said)
        return attempt.text

    async def abandon(self) -> None:
        """The turn was cancelled: every open call gets its result, and what there is goes into the context."""
        attempt, self._attempt = self._attempt, None
        await self._toolset.cancel()
        if attempt is None:
            return
        results = attempt.leave(_STOPPED)
        if not self._kept and (partial := attempt.partial()) is not None:
            self._context.add(partial)
        if results:
            self._context.add(results_of(results))
        self._toolset.end_step()

    async def _answer(self, messages: Sequence[ModelMessage], tools: Sequence[ToolSpec], instructions: str) -> Attempt:
        """A whole answer; a request that failed is sent again where that may help."""
        patience = Patience(self._screen)
        while True:
            self._kept = False
            attempt = self._attempt = Attempt(self._toolset, self._screen, self._context.fresh_id)
            try:
                await self._listen(attempt, messages, tools, instructions)
            except ModelError as error:
                self._attempt = None
                attempt.leave(broke_off())
                self._toolset.end_attempt()
                await patience.after(error, begun=bool(attempt.calls))
            else:
                return attempt

    async def _listen(
        self, attempt: Attempt, messages: Sequence[ModelMessage], tools: Sequence[ToolSpec], instructions: str
    ) -> None:
        async with aclosing(self._model.stream(messages, tools, instructions=instructions)) as events:
            async for event in events:
                attempt.take(event)
        self._spent(attempt.usage)

    def _tools(self) -> tuple[ToolSpec, ...]:
        offered = self._toolset.listed()
        if offered != self._offered:
            self._offered = offered
            self._specs = tuple(spec_of(tool) for tool in offered)
        return self._specs

    def _mark(self) -> str:
        return f"<system>checkpoint {self._context.next}</system>" if self._marks else ""
