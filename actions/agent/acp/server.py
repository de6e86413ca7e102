"""The agent's side of ACP 1: sessions, modes, options, prompts, cancel."""

from __future__ import annotations

import asyncio
import base64
import binascii
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from acp.core import run_agent
from acp.exceptions import RequestError
from acp.interfaces import Agent

from actions.agent.acp.blocks import parts_of
from actions.agent.acp.hosted import HostedSession, Setting
from actions.agent.acp.link import Link
from actions.agent.acp.models import Models
from actions.agent.acp.options import MODE, MODEL, mode_named
from actions.agent.acp.servers import servers_of
from actions.agent.loop.options import Flags
from actions.agent.model.usage import Usage
from actions.agent.opening import Greeting, NotAgreed, agree
from actions.agent.session.store import SessionFile, SessionStore
from actions.agent.wire import Wire
from actions.errors import NotFound, SaysoError
from actions.storage.paths import Paths

_INVALID_PARAMS, _NOT_FOUND, _INVALID_REQUEST, _INTERNAL = -32602, -32002, -32600, -32603
_PAGE = 100
_MOST_LISTED = 10_000


async def run(wire: Wire, greeting: Greeting, *, yolo: bool, afk: bool) -> None:
    """Serve ``wire`` until its end of input; a turn that still runs is ended with it."""
    agent = AcpAgent(Link(wire), greeting, Flags(yolo, afk), Paths.from_environment(), os.environ)
    await agent.serve()


class AcpAgent:
    """Handlers of the SDK's agent side; ``_meta`` of a request arrives in ``kwargs``. Answers are plain JSON."""

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
        self._models.start()
        try:
            # The SDK looks handlers up by name; its protocol type names those of capabilities that we do not have too.
            await run_agent(cast("Agent", self), self._link, use_unstable_protocol=True)
        finally:
            for session in self._sessions.values():
                await session.close()
            await self._models.close()

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
        session = self._host(self._store.create(_folder(cwd)), kwargs)
        return {"sessionId": session.id, **session.described()}

    async def load_session(self, cwd: str, session_id: str, **kwargs: Any) -> dict[str, Any]:
        session = await self._reopen(session_id, cwd, kwargs)
        session.replay()
        return session.described()

    async def resume_session(self, session_id: str, cwd: str, **kwargs: Any) -> dict[str, Any]:
        return (await self._reopen(session_id, cwd, kwargs)).described()

    async def fork_session(self, session_id: str, cwd: str, **kwargs: Any) -> dict[str, Any]:
        try:
            file = self._store.fork(session_id, _folder(cwd))
        except NotFound as error:
            raise _unknown(session_id, "Start a new one.") from error
        session = self._host(file, kwargs)
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
        try:
            self._session(session_id).set_mode(mode_named(mode_id))
        except ValueError as error:
            raise RequestError(_INVALID_PARAMS, str(error)) from None
        return {}

    async def set_config_option(
        self, config_id: str, session_id: str, value: str | bool, **kwargs: Any
    ) -> dict[str, Any]:
        session = self._session(session_id)
        try:
            match config_id:
                case "mode":
                    session.set_mode(mode_named(value))
                case "model":
                    session.set_model(value)
                case _:
                    raise ValueError(f"There is no option {config_id!r}; there are `{MODE}` and `{MODEL}`")
        except ValueError as error:
            raise RequestError(_INVALID_PARAMS, str(error)) from None
        return {"configOptions": session.options()}

    async def prompt(self, prompt: Sequence[Any], session_id: str, **kwargs: Any) -> dict[str, Any]:
        session = self._session(session_id)
        if session.busy:
            raise RequestError(_INVALID_REQUEST, "A turn is running in this session; wait for its end or cancel it")
        _folder(session.cwd)
        try:
            outcome = await session.prompt(parts_of(prompt), kwargs.get("sayso"))
        except SaysoError as error:
            raise RequestError(_INTERNAL, error.message, error.details) from error
        about = {"result": outcome.data} if outcome.data else {}
        about |= {"detail": outcome.detail} if outcome.detail else {}
        return {
            "stopReason": outcome.reason,
            **({"usage": _usage(session.usage)} if session.usage.total else {}),
            **({"_meta": {"sayso": about}} if about else {}),
        }

    async def cancel(self, session_id: str, **kwargs: Any) -> None:
        """ACP ``session/cancel``; one that comes when nothing runs is no mistake."""
        if session := self._sessions.get(session_id):
            await session.cancel()

    async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """``_sayso/permission/answer``: the answer to a request that was put off, see ``docs/agent.md``."""
        if method != "sayso/permission/answer":
            raise RequestError.method_not_found(f"_{method}")
        given = {key: value for key, value in params.items() if isinstance(value, str)}
        session = self._session(given.get("sessionId", ""))
        done = session.answer(given.get("requestId", ""), given.get("optionId", ""), given.get("feedback", ""))
        return {"accepted": done}

    def _session(self, session_id: str) -> HostedSession:
        session = self._sessions.get(session_id)
        if session is None:
            raise _unknown(session_id, "Load or resume it first, or start a new one.")
        return session

    async def _reopen(self, session_id: str, cwd: str, given: Mapping[str, Any]) -> HostedSession:
        folder = _folder(cwd)
        if (running := self._sessions.pop(session_id, None)) is not None:
            await running.close()
        try:
            file = self._store.open(session_id, folder)
        except NotFound as error:
            raise _unknown(session_id, "Start a new one.") from error
        return self._host(file, given)

    def _host(self, file: SessionFile, given: Mapping[str, Any]) -> HostedSession:
        tools = self._greeting.tools
        setting = Setting(self._link, self._greeting.hello, self._paths, self._models, self._flags)
        try:
            session = HostedSession(
                setting,
                file,
                extra=tuple(Path(_folder(path)) for path in given.get("additional_directories") or ()),
                servers=servers_of(given.get("mcp_servers")),
                tools=tools.tools(self._link, file.id) if tools is not None else (),
            )
        except SaysoError as error:
            raise RequestError(_INTERNAL, error.message, error.details) from error
        self._sessions[session.id] = session
        # Behind the answer that this is part of: a client does not know the session's id before it.
        asyncio.get_running_loop().call_soon(session.announce)
        return session

    def _found(self) -> None:
        """Models were found: every session's option Model offers them now."""
        for session in self._sessions.values():
            session.tell_options()


def _usage(usage: Usage) -> dict[str, Any]:
    """ACP, "Usage": the tokens of the whole session."""
    return {
        "totalTokens": usage.total,
        "inputTokens": usage.input,
        "outputTokens": usage.output,
        "cachedReadTokens": usage.cached,
    }


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
