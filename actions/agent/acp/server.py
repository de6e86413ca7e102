"""The agent's side of ACP 1: sessions, modes, options, prompts, cancel."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from acp.core import run_agent
from acp.exceptions import RequestError
from acp.interfaces import Agent

from actions.agent.acp.blocks import parts_of
from actions.agent.acp.commands import SCOUT, available
from actions.agent.acp.hosted import HostedSession
from actions.agent.acp.link import Link
from actions.agent.acp.options import MODE, MODEL, ModelChoice, mode_named
from actions.agent.opening import Flags, Greeting, NotAgreed, agree
from actions.agent.session.store import SessionFile, SessionStore
from actions.agent.wire import Wire
from actions.errors import NotFound
from actions.storage.paths import Paths

_INVALID_PARAMS, _NOT_FOUND, _INVALID_REQUEST = -32602, -32002, -32600
_PAGE = 100
_MOST_LISTED = 10_000


async def run(wire: Wire, greeting: Greeting, flags: Flags) -> None:
    """Serve ``wire`` until its end of input; a turn that still runs is ended with it."""
    link = Link(wire)
    agent = AcpAgent(link, SessionStore(Paths.from_environment().state / "agent" / "sessions"), greeting, flags)
    # The SDK looks handlers up by name; its protocol type also names those of capabilities that are not advertised.
    try:
        await run_agent(cast("Agent", agent), link, use_unstable_protocol=True)
    finally:
        await agent.close()


class AcpAgent:
    """Handlers of the SDK's agent side; ``_meta`` of a request arrives in ``kwargs``. Answers are plain JSON."""

    def __init__(self, link: Link, store: SessionStore, greeting: Greeting, flags: Flags) -> None:
        self._link = link
        self._store = store
        self._greeting = greeting
        self._flags = flags
        self._sessions: dict[str, HostedSession] = {}

    async def initialize(self, protocol_version: int, **kwargs: Any) -> dict[str, Any]:
        """A second initialize is answered like the first, which ``opening`` did."""
        capabilities: Any = kwargs.get("client_capabilities")
        params = {
            "protocolVersion": protocol_version,
            "clientCapabilities": capabilities.model_dump(by_alias=True, exclude_none=True) if capabilities else None,
            "_meta": {"sayso": kwargs.get("sayso")},
        }
        try:
            self._greeting, answer = agree(params, self._greeting.tools)
        except NotAgreed as error:
            raise RequestError(_INVALID_PARAMS, str(error)) from error
        return answer

    async def new_session(self, cwd: str, **kwargs: Any) -> dict[str, Any]:
        session = self._keep(self._store.create(_folder(cwd)))
        return {"sessionId": session.id, **session.described()}

    async def load_session(self, cwd: str, session_id: str, **kwargs: Any) -> dict[str, Any]:
        session = await self._reopen(session_id, cwd)
        session.replay()
        return session.described()

    async def resume_session(self, session_id: str, cwd: str, **kwargs: Any) -> dict[str, Any]:
        return (await self._reopen(session_id, cwd)).described()

    async def fork_session(self, session_id: str, cwd: str, **kwargs: Any) -> dict[str, Any]:
        try:
            file = self._store.fork(session_id, _folder(cwd))
        except NotFound as error:
            raise _unknown(session_id, "Start a new one.") from error
        session = self._keep(file)
        return {"sessionId": session.id, **session.described()}

    async def list_sessions(self, cwd: str | None = None, cursor: str | None = None, **kwargs: Any) -> dict[str, Any]:
        start = _start(cursor)
        wanted = None if cwd is None else str(Path(cwd))
        found = self._store.list(wanted, _MOST_LISTED)
        sessions = [
            {"sessionId": s.id, "cwd": s.cwd, "updatedAt": s.updated} | ({"title": s.title} if s.title else {})
            for s in found[start : start + _PAGE]
        ]
        more = {"nextCursor": _cursor(start + _PAGE)} if len(found) > start + _PAGE else {}
        return {"sessions": sessions, **more}

    async def close_session(self, session_id: str, **kwargs: Any) -> dict[str, Any]:
        session = self._session(session_id)
        del self._sessions[session_id]
        await session.close()
        return {}

    async def set_session_mode(self, session_id: str, mode_id: str, **kwargs: Any) -> dict[str, Any]:
        self._set_mode(self._session(session_id), mode_id)
        return {}

    async def set_config_option(
        self, config_id: str, session_id: str, value: str | bool, **kwargs: Any
    ) -> dict[str, Any]:
        session = self._session(session_id)
        if config_id != MODE:
            raise RequestError(_INVALID_PARAMS, f"There is no option {config_id!r}; there are `{MODE}` and `{MODEL}`")
        self._set_mode(session, value)
        return {"configOptions": session.options()}

    async def prompt(self, prompt: Sequence[Any], session_id: str, **kwargs: Any) -> dict[str, Any]:
        session = self._session(session_id)
        if session.busy:
            raise RequestError(_INVALID_REQUEST, "A turn is running in this session; wait for its end or cancel it")
        _folder(session.cwd)
        outcome = await session.prompt(parts_of(prompt), kwargs.get("sayso"))
        meta = {"_meta": {"sayso": {"result": outcome.data}}} if outcome.data else {}
        return {"stopReason": outcome.reason, **meta}

    async def cancel(self, session_id: str, **kwargs: Any) -> None:
        """ACP ``session/cancel``; one that comes when nothing runs is no mistake."""
        if session := self._sessions.get(session_id):
            session.cancel()

    async def close(self) -> None:
        """The client is gone: every session ends."""
        sessions, self._sessions = self._sessions, {}
        for session in sessions.values():
            await session.close()

    def _session(self, session_id: str) -> HostedSession:
        session = self._sessions.get(session_id)
        if session is None:
            raise _unknown(session_id, "Load or resume it first, or start a new one.")
        return session

    async def _reopen(self, session_id: str, cwd: str) -> HostedSession:
        folder = _folder(cwd)
        try:
            file = self._store.open(session_id, folder)
        except NotFound as error:
            raise _unknown(session_id, "Start a new one.") from error
        if (running := self._sessions.pop(session_id, None)) is not None:
            await running.close()
        return self._keep(file)

    def _keep(self, file: SessionFile) -> HostedSession:
        session = HostedSession(file, self._link, self._flags, self._models)
        self._sessions[session.id] = session
        # Behind the answer that this is part of: a client does not know the session's id before it.
        asyncio.get_running_loop().call_soon(session.screen.commands, available(SCOUT))
        return session

    def _models(self) -> Sequence[ModelChoice]:
        return ()

    def _set_mode(self, session: HostedSession, said: object) -> None:
        try:
            mode = mode_named(said)
        except ValueError as error:
            raise RequestError(_INVALID_PARAMS, str(error)) from None
        session.set_mode(mode)


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


def _cursor(start: int) -> str:
    return base64.urlsafe_b64encode(str(start).encode()).decode()


def _start(cursor: str | None) -> int:
    if cursor is None:
        return 0
    try:
        return int(base64.urlsafe_b64decode(cursor.encode()).decode())
    except (ValueError, binascii.Error) as error:
        raise RequestError(_INVALID_PARAMS, "This cursor is not one of this agent's; list from the start") from error
