"""An agent with a model: what only works when there is one. Loading this module loads the model's library."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from pydantic_ai.messages import ModelRequest, UserPromptPart

from actions.agent.loop.compaction import Compactor
from actions.agent.loop.inbox import Inbox
from actions.agent.loop.options import STEP_LIMIT
from actions.agent.loop.prompt import left_out, request_of
from actions.agent.loop.screen import Screen
from actions.agent.loop.speaker import Speaker
from actions.agent.loop.step import Steps
from actions.agent.loop.talk import PromptPart, TurnEnd
from actions.agent.loop.turn import Parts, Turn
from actions.agent.model.usage import Usage
from actions.agent.session.context import Context
from actions.agent.tools.needs import Spool
from actions.agent.toolset.dispatch import Toolset


class Brain:
    """One agent's context and what works on it. The model may be changed between turns.

    ``goes_on`` after a plain rejection: a subagent takes another way, a root's turn ends.
    """

    def __init__(
        self,
        model: Speaker,
        context: Context,
        toolset: Toolset,
        screen: Screen,
        *,
        inbox: Inbox,
        instructions: Callable[[], Awaitable[str]],
        spent: Callable[[Usage], None],
        spool: Spool | None = None,
        goes_on: bool = False,
        step_limit: int = STEP_LIMIT,
    ) -> None:
        self.context = context
        self._toolset, self._screen, self._inbox = toolset, screen, inbox
        self._read_instructions, self._spent, self._spool = instructions, spent, spool
        self._instructions = ""
        self._goes_on, self._step_limit = goes_on, step_limit
        self._parts = self._with(model)

    @property
    def model(self) -> Speaker:
        return self._model

    def use(self, model: Speaker) -> None:
        """Go on with ``model``, from the next turn on."""
        self._parts = self._with(model)

    async def prompt(self, parts: Sequence[PromptPart], reminders: Sequence[str] = ()) -> TurnEnd:
        """One turn. Raises ModelError when the model does not answer, CancelledError when it was cancelled."""
        said = [*(f"<system>checkpoint {self.context.next}</system>" for _ in range(self._marks)), *reminders]
        if missing := left_out(parts, self._model.senses):
            self._screen.notice(missing)
        return await self._turn(request_of(parts, self._model.senses, said))

    async def task(self, words: str) -> TurnEnd:
        """One turn of a subagent, whose prompt is ``words`` alone."""
        return await self._turn(ModelRequest(parts=[UserPromptPart(content=words)]))

    async def compact(self, focus: str = "") -> bool:
        """Sum the older messages up now. False when there is nothing that could be left out."""
        return await self._parts.compactor.run(focus)

    async def _turn(self, request: ModelRequest) -> TurnEnd:
        return await Turn(self._parts, goes_on=self._goes_on, step_limit=self._step_limit).run(request)

    async def _said_once(self) -> str:
        """The instructions as they were at the first turn: a provider that keeps a conversation in its cache finds it
        there as long as the beginning stays the same.
        """
        if not self._instructions:
            self._instructions = await self._read_instructions()
        return self._instructions

    @property
    def _marks(self) -> bool:
        return any(tool.name == "SendDMail" for tool in self._toolset.listed())

    def _with(self, model: Speaker) -> Parts:
        self._model = model
        steps = Steps(model, self._toolset, self.context, self._screen, spent=self._spent, marks=self._marks)
        return Parts(
            steps=steps,
            context=self.context,
            toolset=self._toolset,
            compactor=Compactor(model, self.context, self._screen, spent=self._spent, spool=self._spool),
            screen=self._screen,
            inbox=self._inbox,
            senses=model.senses,
            instructions=self._said_once,
        )
