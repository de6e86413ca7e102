"""One session of one client: what is prompted, what is shown, how it is stopped."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from actions.agent.acp.commands import available
from actions.agent.acp.hello import Hello
from actions.agent.acp.link import Link
from actions.agent.acp.models import LateModel, Models, value_of
from actions.agent.acp.names import CallNames
from actions.agent.acp.options import SCOUT, config_options, mode_state
from actions.agent.acp.permissions import PermissionDesk
from actions.agent.acp.person import WirePerson
from actions.agent.acp.scouting import ScoutHands
from actions.agent.acp.updates import WireScreen
from actions.agent.loop.build import open_session
from actions.agent.loop.options import AgentOptions, Flags
from actions.agent.loop.talk import PromptPart, words_of
from actions.agent.model.ref import ModelRef
from actions.agent.model.usage import Usage
from actions.agent.scout.request import Request, Stop
from actions.agent.scout.turn import ScoutTurn
from actions.agent.session.state import Mode
from actions.agent.session.store import SessionFile
from actions.agent.tools.needs import Workspace
from actions.agent.toolset.tool import Tool
from actions.servers.pool.definition import ServerDefinition
from actions.storage.paths import Paths
from actions.tasks import TaskOwner

_TURN_TEXT = 200_000
_PATIENCE = 2.0
"""Seconds that a close gives a cancelled turn to end."""


@dataclass(frozen=True)
class Setting:
    """What every session of one client has in common."""

    link: Link
    hello: Hello
    paths: Paths
    models: Models
    flags: Flags


@dataclass(frozen=True)
class Outcome:
    """How a prompt ended. ``reason`` is a stop reason of ACP 1, ``data`` the structured result of a run."""

    reason: str
    detail: str = ""
    data: dict[str, Any] | None = None


class HostedSession:
    """Close it when the client closes the session or goes away. Needs a running loop."""

    def __init__(
        self,
        setting: Setting,
        file: SessionFile,
        *,
        extra: tuple[Path, ...] = (),
        servers: tuple[ServerDefinition, ...] = (),
        tools: tuple[Tool, ...] = (),
    ) -> None:
        self.id = file.id
        self.cwd = file.cwd
        self._setting = setting
        self._tasks = TaskOwner(f"the wire of {self.id}")
        names = CallNames()
        self.screen = WireScreen(setting.link, self.id, Path(self.cwd), names, self.tell_options)
        person = WirePerson(
            setting.link,
            self.id,
            names,
            forms=setting.hello.forms,
            cancelled=self.cancel_soon,
            notice=self.screen.notice,
        )
        self._file = file
        ref = _model_of(file, setting.models)
        self._model: LateModel | None = setting.models.open(ref) if ref is not None else None
        self._agent = open_session(
            AgentOptions(
                workspace=Workspace(Path(self.cwd), extra),
                file=file,
                screen=self.screen,
                person=person,
                paths=setting.paths,
                model=self._model,
                flags=setting.flags,
                servers=servers,
                client_tools=tools,
            )
        )
        self._desk = PermissionDesk(
            setting.link,
            self.id,
            names,
            self._agent.approvals,
            self._agent.toolset.find,
            cancelled=self.cancel_soon,
            notice=self.screen.notice,
        )
        self._turns = 0
        self._closing = False
        self._stop: Stop | None = None
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def busy(self) -> bool:
        return self._stop is not None

    @property
    def usage(self) -> Usage:
        """What the session has used so far."""
        return self._agent.spent

    def described(self) -> dict[str, Any]:
        """The fields that the answers to new, load, resume and fork share."""
        return {"modes": mode_state(self._agent.mode), "configOptions": self.options()}

    def options(self) -> list[dict[str, Any]]:
        """The complete state of the config options."""
        model = value_of(self._model.ref) if self._model is not None else SCOUT
        return config_options(self._agent.mode, model, self._setting.models.choices())

    def announce(self) -> None:
        """What a client may hear once it knows the session's id."""
        self.screen.release()
        self.screen.commands(available(self._agent.commands.available))
        if problem := self._setting.models.problem:
            self.screen.notice(problem)

    def tell_options(self) -> None:
        self.screen.update("config_option_update", configOptions=self.options())

    def set_mode(self, mode: Mode) -> None:
        """A person chose ``mode``. Confirmed in both forms; what waits is released where it asks for nothing."""
        self._agent.set_mode(mode)
        self.screen.mode(mode.value)

    def set_model(self, value: object) -> None:
        """A person chose a model, from the next turn on. Raises ValueError for one that is not offered."""
        ref = self._setting.models.find(value)
        if ref is not None:
            self._setting.models.agree(ref)
        self._model = self._setting.models.open(ref) if ref is not None else None
        self._file.append("model", value=value_of(ref) if ref is not None else SCOUT)
        self._agent.set_model(self._model)
        self.tell_options()

    def replay(self) -> None:
        """Everything that was said and done, once more (ACP 1, session/load)."""
        self._agent.replay()

    def answer(self, request_id: str, option_id: str, feedback: str) -> bool:
        """Answer a permission request that was put off. False when it is decided already."""
        return self._desk.answer(request_id, option_id, feedback)

    async def prompt(self, parts: tuple[PromptPart, ...], meta: object) -> Outcome:
        """One turn. ``meta`` is ``_meta.sayso`` of the prompt. Raises SaysoError when the model does not answer."""
        stop = self._stop = Stop()
        self._idle.clear()
        request = Request.read(words_of(parts), meta)
        self.screen.entitles = request.run is None  # a run has its title from the host
        try:
            if self._model is None and (request.run is not None or not self._agent.can_answer(parts)):
                return await self._scout(request, stop)
            command = self._agent.commands.find(words_of(parts)) is not None
            if self._model is not None and not command and not await self._opened(self._model, stop):
                return Outcome("cancelled")
            end = await self._agent.prompt(parts)
            return Outcome(end.reason, end.detail, end.data or None)
        finally:
            stop()
            self._stop = None
            self._idle.set()

    def steer(self, parts: tuple[PromptPart, ...]) -> bool:
        """Add a message to the running turn, from its next step on. False when none runs that could take it."""
        return self._stop is not None and self._agent.steer(parts)

    async def cancel(self) -> None:
        """Stop what runs; one that comes when nothing runs is no mistake."""
        if self._stop is not None:
            self._stop()
        await self._agent.cancel()

    def cancel_soon(self) -> None:
        """The same for those who cannot wait, because the turn waits for them."""
        if not self._closing:
            self._tasks.start(self.cancel(), name="cancel")

    async def close(self) -> None:
        """End the turn, take every open request back from the client, and let go of everything."""
        self._closing = True
        await self.cancel()
        with suppress(TimeoutError):  # so that the prompt is answered
            await asyncio.wait_for(self._idle.wait(), _PATIENCE)
        await self._tasks.close()
        await self._agent.close()
        await self._desk.close()

    async def _opened(self, model: LateModel, stop: Stop) -> bool:
        """Wait for the model; False when the turn was stopped before that."""
        tasks = TaskOwner(f"the model of {self.id}")
        opening = tasks.start(model.ready(), name="ready")
        stopping = tasks.start(stop.told.wait(), name="stop")
        try:
            await asyncio.wait((opening, stopping), return_when=asyncio.FIRST_COMPLETED)
            if opening.done():
                opening.result()
            return not stop.told.is_set()
        finally:
            await tasks.close()

    async def _scout(self, request: Request, stop: Stop) -> Outcome:
        self._turns += 1
        hands = ScoutHands(self._agent, self.screen, stop)
        turn = ScoutTurn(Path(self.cwd), self.screen, hands.write, hands.allow)
        ended = await turn.run(
            request,
            stop,
            planning=self._agent.mode is Mode.PLAN,
            last_plan=self._agent.state.plan,
            number=self._turns,
        )
        if ended.answer:
            self._agent.remember(
                request.text[:_TURN_TEXT],
                ended.answer[:_TURN_TEXT],
                ended.answer if ended.plan else None,
            )
        return Outcome(ended.reason, data=ended.data)


def _model_of(file: SessionFile, models: Models) -> ModelRef | None:
    """The model that was chosen for the session, as far as it is still offered; else the one that is set."""
    chosen = [record.get("value") for record in file.records() if record["kind"] == "model"]
    try:
        return models.find(chosen[-1]) if chosen else models.default
    except ValueError:
        return models.default
