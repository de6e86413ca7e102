"""One session of the built-in agent: prompts, cancel, modes, with a model or without."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from actions.agent.approvals.decision import Source
from actions.agent.approvals.runtime import Approvals
from actions.agent.loop.commands import Commands
from actions.agent.loop.inbox import Inbox
from actions.agent.loop.modes import Modes
from actions.agent.loop.prompts import prompt_text
from actions.agent.loop.replay import replay
from actions.agent.loop.screen import Screen
from actions.agent.loop.subagents import SubagentDesk
from actions.agent.loop.talk import PromptPart, TurnEnd, words_of
from actions.agent.model.usage import Usage
from actions.agent.session.state import Mode, SessionState, StateKeeper
from actions.agent.session.store import SessionFile
from actions.agent.tools.needs import PlanMode, Workspace
from actions.agent.toolset.dispatch import Toolset
from actions.errors import ErrorCode, SaysoError
from actions.storage.ids import Prefix, new_id
from actions.tasks import TaskOwner

if TYPE_CHECKING:
    from actions.agent.loop.brain import Brain
    from actions.agent.loop.speaker import Speaker

_TITLE = 80
_SERVERS_WAIT = 3.0
"""Seconds that the first turn waits for MCP servers."""


class TurnId:
    """The id of the turn that runs now: requests for approval carry it as their source."""

    def __init__(self) -> None:
        self.now = "none"

    def source(self) -> Source:
        return Source("turn", self.now)


@dataclass(frozen=True)
class Rooms:
    """What a session is put together from; see :mod:`actions.agent.loop.build`."""

    workspace: Workspace
    file: SessionFile
    screen: Screen
    keeper: StateKeeper
    approvals: Approvals
    modes: Modes
    planning: PlanMode
    toolset: Toolset
    subagents: SubagentDesk
    inbox: Inbox
    commands: Commands
    servers_ready: Callable[[float], Awaitable[object]]
    turn: TurnId
    refit: Callable[[Speaker], None]
    """Adds the tools that only this model has a use for."""
    think: Callable[[Speaker, Callable[[Usage], None]], Brain]
    """Makes the part that needs a model; loads the model's library."""
    stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    """Everything that ends with the session."""


class AgentSession:
    """One session. At most one turn at a time; give it up with :meth:`close`."""

    def __init__(self, rooms: Rooms, *, model: Speaker | None, spent: Usage) -> None:
        self._rooms = rooms
        self._model = model
        self._brain: Brain | None = None
        self._spent = spent
        self._turn: asyncio.Task[TurnEnd | SaysoError] | None = None
        self._first = True
        self._tasks = TaskOwner(f"session {rooms.file.id}")

    @property
    def id(self) -> str:
        return self._rooms.file.id

    @property
    def workspace(self) -> Workspace:
        return self._rooms.workspace

    @property
    def approvals(self) -> Approvals:
        """For the requests: watch, pending, resolve; and the rules."""
        return self._rooms.approvals

    @property
    def toolset(self) -> Toolset:
        return self._rooms.toolset

    @property
    def state(self) -> SessionState:
        return self._rooms.keeper.now

    @property
    def mode(self) -> Mode:
        return self._rooms.modes.now

    @property
    def model(self) -> Speaker | None:
        return self._model

    @property
    def spent(self) -> Usage:
        """What the session has used so far."""
        return self._spent

    @property
    def running(self) -> bool:
        return self._turn is not None

    @property
    def commands(self) -> Commands:
        """The slash commands, which need no model."""
        return self._rooms.commands

    def set_mode(self, mode: Mode) -> None:
        """A person chose ``mode``; it counts from the next call on and releases what waits where it approves all."""
        self._rooms.modes.choose(mode)

    def set_model(self, model: Speaker | None) -> None:
        """Go on with another model from the next turn on; None: without one."""
        self._model = model
        if model is not None:
            self._rooms.refit(model)
            if self._brain is not None:
                self._brain.use(model)

    def can_answer(self, parts: Sequence[PromptPart]) -> bool:
        """Whether :meth:`prompt` has an answer: there is a model, or this is a slash command."""
        return self._model is not None or self._rooms.commands.find(words_of(parts)) is not None

    async def prompt(self, parts: Sequence[PromptPart]) -> TurnEnd:
        """One turn to its end.

        Raises:
            SaysoError: a turn runs already, or there is neither a model nor a command.
            ModelError: the model did not answer, also after retries. Everything done so far stays in the context.
        """
        if self._turn is not None:
            raise SaysoError("A turn is running in this session; wait for its end or cancel it.")
        if not self.can_answer(parts):
            raise SaysoError("No model is set; choose one in the settings.", code=ErrorCode.NOT_FOUND)
        self._rooms.turn.now = new_id(Prefix.REQUEST)
        turn = self._turn = self._tasks.start(self._outcome(tuple(parts)), name="turn")
        try:
            await asyncio.wait([turn])
        except asyncio.CancelledError:
            await self.cancel()
            raise
        finally:
            self._turn = None
            self._take_back_requests()
        if turn.cancelled():
            return TurnEnd("cancelled")
        end = turn.result()
        if isinstance(end, SaysoError):
            raise end
        return end

    async def cancel(self) -> None:
        """End the running turn: requests for approval are taken back first, every call gets a result. Harmless when
        none runs."""
        turn = self._turn
        if turn is None or turn.done():
            return
        self._take_back_requests()
        if turn.cancelling() == 0:  # once: a second one would break into the clean-up of the first
            turn.cancel()
        await asyncio.wait([turn])

    async def compact(self, focus: str = "") -> bool:
        """Sum the older messages of the context up; ``focus`` is what has to be kept. False when there is nothing that
        could be left out. Raises SaysoError while a turn runs, ModelError when the model gives no summary.
        """
        if self._turn is not None:
            raise SaysoError("A turn is running in this session; wait for its end or cancel it.")
        return self._model is not None and await self._mind(self._model).compact(focus)

    def steer(self, parts: Sequence[PromptPart]) -> bool:
        """Add a message to the running turn, from its next step on. False when no turn runs that could take it."""
        if self._turn is None or self._model is None:
            return False
        self._rooms.inbox.put_message(parts)
        return True

    def remember(self, prompt: str, answer: str, plan: str | None = None) -> None:
        """Keep a turn that was answered without a model, and its plan where it made one."""
        self._rooms.file.append("turn", prompt=prompt, answer=answer)
        self._entitle(prompt)
        if plan is not None:
            self._rooms.keeper.change(plan=plan)

    def replay(self, screen: Screen | None = None) -> None:
        """Show the whole session once more."""
        shown = screen or self._rooms.screen
        replay(self._rooms.file.records(), self._rooms.toolset, shown)
        if self.state.todo:
            shown.todo(self.state.todo)

    async def close(self) -> None:
        """End the turn, background tasks, servers and everything else of this session."""
        await self.cancel()
        await self._tasks.close()
        await self._rooms.stack.aclose()

    async def _outcome(self, parts: tuple[PromptPart, ...]) -> TurnEnd | SaysoError:
        """An error that is told to a person is an outcome: only what nobody expected ends the task by raising."""
        try:
            return await self._run(parts)
        except SaysoError as error:
            return error

    async def _run(self, parts: tuple[PromptPart, ...]) -> TurnEnd:
        rooms = self._rooms
        words = words_of(parts)
        self._entitle(words)
        command = rooms.commands.find(words)
        if command is not None:
            end = await rooms.commands.run(command)
            rooms.file.append("turn", prompt=words, answer=end.text)
            return end
        assert self._model is not None
        if self._first:
            self._first = False
            await rooms.servers_ready(_SERVERS_WAIT)
        brain = self._mind(self._model)
        return await brain.prompt(parts, self._reminders())

    def _mind(self, model: Speaker) -> Brain:
        if self._brain is None:
            self._brain = self._rooms.think(model, self.spend)
        return self._brain

    def _reminders(self) -> list[str]:
        if not self._rooms.modes.planning:
            return []
        return [prompt_text("planning").replace("{{file}}", str(self._rooms.planning.file))]

    def spend(self, usage: Usage) -> None:
        """Add the usage of a request to that of the session."""
        self._spent += usage
        cost = self._spent.cost_usd
        self._rooms.file.append(
            "usage",
            input=self._spent.input,
            output=self._spent.output,
            cached=self._spent.cached,
            cost_usd=None if cost is None else str(cost),
        )
        if self._brain is not None and self._model is not None:
            self._rooms.screen.usage(self._brain.context.tokens, self._model.window, cost)

    def _entitle(self, prompt: str) -> None:
        title = " ".join(re.sub(r"<[^>]*>", " ", prompt).split())[:_TITLE]
        if title and self._rooms.keeper.now.title is None:
            self._rooms.keeper.change(title=title)
            self._rooms.screen.title(title)

    def _take_back_requests(self) -> None:
        self._rooms.approvals.cancel_by_source("turn", self._rooms.turn.now)
        self._rooms.subagents.cancel_requests()
