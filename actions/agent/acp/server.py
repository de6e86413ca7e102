"""The agent's side of ACP 1: sessions, modes, prompts, cancel."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from acp.core import run_agent
from acp.exceptions import RequestError
from acp.interfaces import Agent, Client
from acp.schema import (
    CloseSessionResponse,
    InitializeResponse,
    ListSessionsResponse,
    LoadSessionResponse,
    NewSessionResponse,
    PromptResponse,
    ResumeSessionResponse,
    SessionInfo,
    SetSessionConfigOptionResponse,
    SetSessionModeResponse,
)

from actions.agent.acp.client import TurnClient, config_options, mode_state, text_of
from actions.agent.acp.request import Ended, Request, Stop
from actions.agent.acp.sessions import Mode, Session, SessionStore, Turn
from actions.agent.acp.turns import ScoutTurn
from actions.agent.opening import introduction
from actions.agent.wire import Wire
from actions.errors import NotFound
from actions.storage.paths import Paths

_log = logging.getLogger(__name__)
_INVALID_PARAMS, _NOT_FOUND, _INVALID_REQUEST = -32602, -32002, -32600
_LISTED = 100


async def run(wire: Wire, *, asks: bool) -> None:
    """Serve ``wire`` until its end of input; a turn that still runs is ended with it."""
    store = SessionStore(Paths.from_environment().state / "agent" / "sessions")
    agent = ScoutAgent(store, asks=asks, model=os.environ.get("SAYSO_AGENT_MODEL") or None)
    # The SDK looks handlers up by name; its protocol type also names those of capabilities that are not advertised.
    await run_agent(cast("Agent", agent), wire, use_unstable_protocol=True)


class ScoutAgent:
    """Handlers of the SDK's agent side; ``_meta`` of a request arrives in ``kwargs``."""

    def __init__(self, store: SessionStore, *, asks: bool, model: str | None) -> None:
        self._store = store
        self._asks = asks
        self._model = model
        self._sessions: dict[str, Session] = {}
        self._running: dict[str, Stop] = {}
        self._turns = 0
        self._connection: Client | None = None

    def on_connect(self, conn: Client) -> None:
        self._connection = conn

    async def initialize(self, protocol_version: int, **kwargs: Any) -> InitializeResponse:
        """A second initialize gets the same answer as the first, which ``opening`` gave."""
        return InitializeResponse.model_validate(introduction())

    async def new_session(self, cwd: str, **kwargs: Any) -> NewSessionResponse:
        session = self._store.new(_folder(cwd))
        self._keep(session)
        return NewSessionResponse(
            session_id=session.id, modes=mode_state(session), config_options=list(config_options(session))
        )

    async def load_session(self, cwd: str, session_id: str, **kwargs: Any) -> LoadSessionResponse:
        session = self._reopen(session_id, cwd)
        await self._client(session).replay(session)
        return LoadSessionResponse(modes=mode_state(session), config_options=list(config_options(session)))

    async def resume_session(self, session_id: str, cwd: str, **kwargs: Any) -> ResumeSessionResponse:
        session = self._reopen(session_id, cwd)
        return ResumeSessionResponse(modes=mode_state(session), config_options=list(config_options(session)))

    async def list_sessions(self, cwd: str | None = None, **kwargs: Any) -> ListSessionsResponse:
        wanted = None if cwd is None else str(Path(cwd))
        found = [session for session in self._store.all() if wanted in (None, session.cwd)]
        return ListSessionsResponse(
            sessions=[
                SessionInfo(session_id=s.id, cwd=s.cwd, title=s.title, updated_at=s.updated) for s in found[:_LISTED]
            ]
        )

    async def close_session(self, session_id: str, **kwargs: Any) -> CloseSessionResponse:
        self._session(session_id)
        await self.cancel(session_id)
        self._sessions.pop(session_id, None)
        return CloseSessionResponse()

    async def set_session_mode(self, session_id: str, mode_id: str, **kwargs: Any) -> SetSessionModeResponse:
        await self._set_mode(self._session(session_id), mode_id)
        return SetSessionModeResponse()

    async def set_config_option(
        self, config_id: str, session_id: str, value: str | bool, **kwargs: Any
    ) -> SetSessionConfigOptionResponse:
        session = self._session(session_id)
        if config_id != "mode":
            raise RequestError(_INVALID_PARAMS, f"There is no option {config_id!r}; there is only `mode`")
        session = await self._set_mode(session, value)
        return SetSessionConfigOptionResponse(config_options=list(config_options(session)))

    async def prompt(self, prompt: Sequence[Any], session_id: str, **kwargs: Any) -> PromptResponse:
        session = self._session(session_id)
        if session_id in self._running:
            raise RequestError(_INVALID_REQUEST, "A turn is running in this session; wait for its end or cancel it")
        _folder(session.cwd)
        text = text_of(prompt)
        request = Request.read(text, kwargs.get("sayso"))
        self._turns += 1
        stop = self._running[session_id] = Stop()
        try:
            turn = ScoutTurn(self._client(session), asks=self._asks, model=self._model)
            ended = await turn.run(request, session, self._turns, stop)
        except ConnectionError:
            ended = Ended("cancelled")
        finally:
            stop()
            del self._running[session_id]
        await self._remember(session_id, text or request.text, ended, announce=request.run is None)
        meta = {"sayso": {"result": ended.plan.model_dump(mode="json")}} if ended.plan else None
        return PromptResponse(stop_reason=ended.reason, field_meta=meta)

    async def cancel(self, session_id: str, **kwargs: Any) -> None:
        """ACP ``session/cancel``; one that comes when nothing runs is no mistake."""
        if stop := self._running.get(session_id):
            stop()

    def _client(self, session: Session) -> TurnClient:
        if self._connection is None:
            raise RequestError.internal_error({"details": "no connection"})
        return TurnClient(self._connection, session.id, Path(session.cwd))

    def _session(self, session_id: str) -> Session:
        session = self._sessions.get(session_id)
        if session is None:
            raise _unknown(session_id, "Load or resume it first, or start a new one.")
        return session

    def _reopen(self, session_id: str, cwd: str) -> Session:
        try:
            known = self._sessions.get(session_id) or self._store.load(session_id)
        except NotFound as error:
            raise _unknown(session_id, "Start a new one.") from error
        session = known.model_copy(update={"cwd": _folder(cwd)})
        self._keep(session)
        return session

    async def _set_mode(self, session: Session, mode: str | bool) -> Session:
        try:
            chosen = Mode(str(mode))
        except ValueError:
            known = ", ".join(f"`{m}`" for m in Mode)
            raise RequestError(_INVALID_PARAMS, f"There is no mode {mode!r}; there are {known}") from None
        session = session.model_copy(update={"mode": chosen})
        self._keep(session)
        await self._client(session).mode_changed(session)
        return session

    async def _remember(self, session_id: str, text: str, ended: Ended, *, announce: bool) -> None:
        """Keep the turn. A new title is announced, but for a run: that one has its title from the host."""
        session = self._sessions.get(session_id)
        if session is None or not ended.answer:
            return
        before, session = session, session.with_turn(Turn(prompt=text, answer=ended.answer))
        if announce and session.title and session.title != before.title:
            await self._client(session).titled(session.title)
        self._keep(session.model_copy(update={"plan": ended.answer}) if ended.plan else session)

    def _keep(self, session: Session) -> None:
        session = session.model_copy(update={"updated": datetime.now(UTC).isoformat(timespec="seconds")})
        self._sessions[session.id] = session
        if problem := self._store.save(session):
            _log.warning("this session cannot be loaded later: %s", problem)


def _unknown(session_id: str, then: str) -> RequestError:
    return RequestError(_NOT_FOUND, f"There is no session {session_id!r} here. {then}", {"sessionId": session_id})


def _folder(cwd: str) -> str:
    """``cwd`` as a normal absolute path. Raises invalid params (ACP 1: the working directory MUST be absolute)."""
    folder = Path(cwd)
    if not folder.is_absolute():
        raise RequestError(_INVALID_PARAMS, f"`cwd` has to be an absolute path, not {cwd!r}", {"cwd": cwd})
    if not folder.is_dir():
        raise RequestError(
            _INVALID_PARAMS, f"The folder {cwd!r} does not exist; choose another workspace", {"cwd": cwd}
        )
    return str(folder)
