"""The agent's side of ACP 1: sessions, modes, options, prompts, cancel."""

from __future__ import annotations

import asyncio
import base64
import binascii
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from actions.agent.acp.blocks import parts_of
from actions.agent.acp.hosted import HostedSession, Setting
from actions.agent.acp.link import Link
from actions.agent.acp.models import Models
from actions.agent.acp.options import MODE, MODEL, mode_named
from actions.agent.acp.requests import (
    LateAnswer,
    ListSessions,
    NewSession,
    OfSession,
    Prompt,
    ReopenSession,
    SetMode,
    SetOption,
)
from actions.agent.acp.rpc import INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, RESOURCE_NOT_FOUND, Refusal, Rpc
from actions.agent.acp.servers import servers_of
from actions.agent.loop.options import Flags
from actions.agent.model.usage import Usage
from actions.agent.opening import Greeting, NotAgreed, agree
from actions.agent.session.store import SessionFile, SessionStore
from actions.agent.wire import Wire
from actions.errors import NotFound, SaysoError
from actions.storage.paths import Paths

_PAGE = 100
_MOST_LISTED = 10_000
Json = dict[str, Any]
_T = TypeVar("_T")


async def run(wire: Wire, greeting: Greeting, *, yolo: bool, afk: bool) -> None:
    """Serve ``wire`` until its end of input; a turn that still runs is ended with it."""
    agent = AcpAgent(Link(wire), greeting, Flags(yolo, afk), Paths.from_environment(), os.environ)
    await agent.serve()


class AcpAgent:
    """One client's sessions, by the methods of the protocol. Parameters come as JSON, answers go as JSON."""

    def __init__(
        self, link: Link, greeting: Greeting, flags: Flags, paths: Paths, environment: Mapping[str, str]
    ) -> None:
        self._link = link
        self._greeting = greeting
        self._flags = flags
        self._paths = paths
        self._store = SessionStore(paths.state / "agent" / "sessions")
        self._models = Models(environment, paths, self._found)
        self._sessions: dict[str, HostedSession] = {}

    async def serve(self) -> None:
        """Until the end of input."""
        requests = {
            "initialize": self.initialize,
            "authenticate": self.authenticate,
            "session/new": self.new_session,
            "session/load": self.load_session,
            "session/resume": self.resume_session,
            "session/fork": self.fork_session,
            "session/list": self.list_sessions,
            "session/close": self.close_session,
            "session/set_mode": self.set_mode,
            "session/set_config_option": self.set_option,
            "session/prompt": self.prompt,
            "session/delete": self.delete_session,
            "_sayso/permission/answer": self.late_answer,
            "_sayso/steer": self.steer,
        }
        self._models.start()
        await Rpc(self._link, requests, {"session/cancel": self.cancel}).serve(self._close)
        await self._link.flush()

    async def initialize(self, params: Any) -> Json:
        """A second initialize is answered like the first, which ``opening`` did."""
        try:
            self._greeting, answer = agree(params, self._greeting.tools)
        except NotAgreed as error:
            raise Refusal(INVALID_PARAMS, str(error)) from error
        return answer

    async def authenticate(self, params: Any) -> None:
        """There is nothing to sign in to: a key or a local model needs no account."""

    async def new_session(self, params: Any) -> Json:
        asked = NewSession.model_validate(params)
        session = self._host(self._store.create(_folder(asked.cwd)), asked)
        return {"sessionId": session.id, **session.described()}

    async def load_session(self, params: Any) -> Json:
        session = await self._reopen(params)
        session.replay()
        return session.described()

    async def resume_session(self, params: Any) -> Json:
        return (await self._reopen(params)).described()

    async def fork_session(self, params: Any) -> Json:
        asked = ReopenSession.model_validate(params)
        file = _kept(lambda: self._store.fork(asked.session_id, _folder(asked.cwd)), asked.session_id)
        session = self._host(file, asked)
        return {"sessionId": session.id, **session.described()}

    async def list_sessions(self, params: Any) -> Json:
        asked = ListSessions.model_validate(params or {})
        start = _start(asked.cursor)
        found = self._store.list(None if asked.cwd is None else str(Path(asked.cwd)), _MOST_LISTED)
        sessions = [
            {"sessionId": s.id, "cwd": s.cwd, "updatedAt": s.updated} | ({"title": s.title} if s.title else {})
            for s in found[start : start + _PAGE]
        ]
        more = {"nextCursor": _cursor(start + _PAGE)} if len(found) > start + _PAGE else {}
        return {"sessions": sessions, **more}

    async def close_session(self, params: Any) -> None:
        session = self._session(OfSession.model_validate(params).session_id)
        del self._sessions[session.id]
        await session.close()

    async def delete_session(self, params: Any) -> None:
        """ACP ``session/delete``: nothing of it is kept, also of one that runs here."""
        session_id = OfSession.model_validate(params).session_id
        if (running := self._sessions.pop(session_id, None)) is not None:
            await running.close()
        _kept(lambda: self._store.delete(session_id), session_id)

    async def set_mode(self, params: Any) -> None:
        asked = SetMode.model_validate(params)
        _take(lambda: self._session(asked.session_id).set_mode(mode_named(asked.mode_id)))

    async def set_option(self, params: Any) -> Json:
        asked = SetOption.model_validate(params)
        session = self._session(asked.session_id)
        match asked.config_id:
            case "mode":
                _take(lambda: session.set_mode(mode_named(asked.value)))
            case "model":
                _take(lambda: session.set_model(asked.value))
            case other:
                raise Refusal(INVALID_PARAMS, f"There is no option {other!r}; there are `{MODE}` and `{MODEL}`")
        return {"configOptions": session.options()}

    async def prompt(self, params: Any) -> Json:
        asked = Prompt.model_validate(params)
        session = self._session(asked.session_id)
        if session.busy:
            raise Refusal(INVALID_REQUEST, "A turn is running in this session; wait for its end or cancel it")
        _folder(session.cwd)
        try:
            outcome = await session.prompt(parts_of(asked.prompt), asked.sayso)
        except SaysoError as error:
            raise Refusal(INTERNAL_ERROR, error.message, error.details) from error
        about = {"result": outcome.data} if outcome.data else {}
        about |= {"detail": outcome.detail} if outcome.detail else {}
        return {
            "stopReason": outcome.reason,
            **({"usage": _usage(session.usage)} if session.usage.total else {}),
            **({"_meta": {"sayso": about}} if about else {}),
        }

    async def cancel(self, params: Any) -> None:
        """ACP ``session/cancel``; one that comes when nothing runs is no mistake."""
        if session := self._sessions.get(OfSession.model_validate(params).session_id):
            await session.cancel()

    async def late_answer(self, params: Any) -> Json:
        """The answer to a permission request that was put off, see ``docs/agent.md``."""
        asked = LateAnswer.model_validate(params)
        done = self._session(asked.session_id).answer(asked.request_id, asked.option_id, asked.feedback)
        return {"accepted": done}

    async def steer(self, params: Any) -> Json:
        """A message for the running turn, from its next step on, see ``docs/agent.md``; false when it takes none."""
        asked = Prompt.model_validate(params)
        return {"taken": self._session(asked.session_id).steer(parts_of(asked.prompt))}

    def _session(self, session_id: str) -> HostedSession:
        session = self._sessions.get(session_id)
        if session is None:
            raise _unknown(session_id, "Load or resume it first, or start a new one.")
        return session

    async def _reopen(self, params: Any) -> HostedSession:
        asked = ReopenSession.model_validate(params)
        folder = _folder(asked.cwd)
        if (running := self._sessions.pop(asked.session_id, None)) is not None:
            await running.close()
        file = _kept(lambda: self._store.open(asked.session_id, folder), asked.session_id)
        _kept(file.lock, asked.session_id)
        return self._host(file, asked)

    def _host(self, file: SessionFile, asked: NewSession | ReopenSession) -> HostedSession:
        tools = self._greeting.tools
        setting = Setting(self._link, self._greeting.hello, self._paths, self._models, self._flags)
        try:
            session = HostedSession(
                setting,
                file,
                extra=tuple(Path(_folder(path)) for path in asked.additional_directories or ()),
                servers=servers_of(asked.mcp_servers),
                tools=tools.tools(self._link, file.id) if tools is not None else (),
            )
        except SaysoError as error:
            raise Refusal(INTERNAL_ERROR, error.message, error.details) from error
        self._sessions[session.id] = session
        # Behind the answer that this is part of: a client does not know the session's id before it.
        asyncio.get_running_loop().call_soon(session.announce)
        return session

    def _found(self) -> None:
        """Models were found: every session's option Model offers them now."""
        for session in self._sessions.values():
            session.tell_options()

    async def _close(self) -> None:
        """The client is gone."""
        sessions, self._sessions = self._sessions, {}
        for session in sessions.values():
            await session.close()
        await self._models.close()


def _usage(usage: Usage) -> Json:
    """ACP, "Usage": the tokens of the whole session; the schema has no field for what they cost."""
    cost = {} if usage.cost_usd is None else {"_meta": {"sayso": {"cost_usd": str(usage.cost_usd)}}}
    return {
        "totalTokens": usage.total,
        "inputTokens": usage.input,
        "outputTokens": usage.output,
        "cachedReadTokens": usage.cached,
        **cost,
    }


def _take(change: Callable[[], None]) -> None:
    """Make a change that the client asked for; one that there is not is an error of the request."""
    try:
        change()
    except ValueError as error:
        raise Refusal(INVALID_PARAMS, str(error)) from None


def _kept(get: Callable[[], _T], session_id: str) -> _T:
    try:
        return get()
    except NotFound as error:
        raise _unknown(session_id, "Start a new one.") from error
    except SaysoError as error:
        raise Refusal(INVALID_REQUEST, error.message, error.details) from error


def _unknown(session_id: str, then: str) -> Refusal:
    return Refusal(RESOURCE_NOT_FOUND, f"There is no session {session_id!r} here. {then}", {"sessionId": session_id})


def _folder(cwd: str) -> str:
    """``cwd`` as a normal absolute path. Raises invalid params (ACP 1: the working directory MUST be absolute)."""
    folder = Path(cwd)
    if not folder.is_absolute():
        raise Refusal(INVALID_PARAMS, f"`cwd` has to be an absolute path, not {cwd!r}", {"cwd": cwd})
    if not folder.is_dir():
        raise Refusal(INVALID_PARAMS, f"The folder {cwd!r} does not exist; choose another workspace", {"cwd": cwd})
    return str(folder)


def _cursor(start: int) -> str:
    return base64.urlsafe_b64encode(str(start).encode()).decode()


def _start(cursor: str | None) -> int:
    if cursor is None:
        return 0
    try:
        return int(base64.urlsafe_b64decode(cursor.encode()).decode())
    except (ValueError, binascii.Error) as error:
        raise Refusal(INVALID_PARAMS, "This cursor is not one of this agent's; list from the start") from error
