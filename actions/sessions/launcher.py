"""From a provider and a folder to an agent that is ready for its first prompt.

Source: ACP 1, initialization and session setup.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from actions.errors import NotFound, SaysoError
from actions.sessions import shims
from actions.sessions.client_tools import ClientTools, SessionTools
from actions.sessions.conversation import begin
from actions.sessions.environment import build_environment
from actions.sessions.events import Draft, Kind, notice
from actions.sessions.incoming import START_TIMEOUT
from actions.sessions.ledger import ProcessLedger
from actions.sessions.link import Ears, Link, Wishes
from actions.sessions.lookup import find_program
from actions.sessions.modes import ModeState
from actions.sessions.own_command import put_own_command
from actions.sessions.private import PrivateFolder
from actions.sessions.process import EOF_WAIT, AgentProcess, Identity, Launch
from actions.sessions.provider import Provider, SecretName
from actions.sessions.quirks import quirks_of
from actions.sessions.setting_up import set_up
from actions.sessions.signing_in import before_new, callable_method, methods_of, what_to_do
from actions.sessions.tool_delivery import ToolDelivery
from actions.sessions.wirelog import WireTap, secrets_of, wire_file
from actions.tasks import TaskOwner

if TYPE_CHECKING:
    pass

_T = TypeVar("_T")
_LOOK_AGAIN = 0.1
_LAST_WORDS = 0.5
_REFERENCE = "secret:"

McpServers = Callable[[str, Mapping[str, Any]], Awaitable[Sequence[Any]]]
"""``(session id, the agent's capabilities) -> MCP servers of the user's for session/new`` (``acp.schema``)."""


class Launcher:
    """Starts and ends agents: process, ledger row, connection, session, ask mode."""

    def __init__(
        self,
        ledger: ProcessLedger,
        *,
        logs: Path,
        search_path: Callable[[], Awaitable[str]],
        secret: Callable[[str], Awaitable[str]],
        session_env: Callable[[str], Mapping[str, str]],
        mcp_servers: McpServers | None = None,
        tools: ToolDelivery | None = None,
        trusted: Callable[[Path], Awaitable[bool]] | None = None,
        advice: Callable[[Provider], Awaitable[Sequence[str]]] | None = None,
        refusal: Callable[[Provider], Awaitable[str | None]] | None = None,
        client_tools: ClientTools | None = None,
        start_timeout: float = START_TIMEOUT,
    ) -> None:
        self._ledger = ledger
        self._logs = logs
        self._bin = logs.parent / "bin"
        self._search_path = search_path
        self._secret = secret
        self._session_env = session_env
        self._mcp_servers = mcp_servers
        self._tools = tools
        self._trusted = trusted
        self._advice = advice
        self._refusal = refusal
        self._client_tools = client_tools
        self._timeout = start_timeout

    async def connect(
        self,
        provider: Provider,
        cwd: Path,
        *,
        session_id: str,
        ears: Ears,
        environment: Mapping[str, str] | None = None,
        wire_log: bool = False,
    ) -> Link:
        """Start the process and exchange ``initialize``. On any failure nothing is left running.

        Raises SaysoError with the reason and the end of the agent's stderr.
        """
        given = (cwd, session_id, ears, environment or {}, wire_log)
        try:
            return await self._connect(provider, *given)
        except SaysoError as error:
            if not (provider.older_command and "unknown" in str(error.details.get("stderr") or "").casefold()):
                raise
        older = {"command": provider.older_command, "older_command": ()}
        return await self._connect(provider.model_copy(update=older), *given)

    async def _connect(
        self,
        provider: Provider,
        cwd: Path,
        session_id: str,
        ears: Ears,
        environment: Mapping[str, str],
        wire_log: bool,
    ) -> Link:
        clock = _Clock()
        private = PrivateFolder(self._logs.parent / "private" / session_id, cwd)
        env, secrets = await self._environment(provider, session_id, private, environment)
        argv = await asyncio.to_thread(_argv, provider, env["PATH"])
        quirks = quirks_of(provider.quirks)
        if why := quirks.refusal(argv):
            raise SaysoError(why, details={"command": list(argv)})
        launch = Launch(argv, cwd, env, provider.name, provider.install_hint)
        rows: list[str] = []

        async def note(identity: Identity) -> None:
            rows.append(
                await self._ledger.opened(identity, session_id=session_id, argv=launch.argv, purpose=provider.id)
            )

        if self._tools is not None:
            self._tools.prepare(provider)
        process = await self._spawn(provider, launch, private, self._logs / f"{session_id}.log", note)
        process.tell_when_left(ears.ended)
        clock.lap("spawn")
        # Loading the protocol takes a while, and a host that shows what is stored does not need it.
        from actions.sessions.connection import AgentConnection

        tap = WireTap(wire_file(self._logs, session_id), secrets_of(env, secrets))
        tap.open = wire_log
        connection = AgentConnection(
            process.stdout,
            process.stdin,
            on_incoming=quirks.before(ears.incoming),
            on_noise=process.note_noise,
            on_end=ears.ended,
            on_replayed=ears.forget,
            room=ears.room,
            on_wire=tap.note,
            on_wait=ears.waits,
            tools=SessionTools.of(self._client_tools, session_id)
            if self._client_tools is not None and provider.client_tools
            else None,
        )
        link = Link(process, connection, rows[0], ears, tap, private, quirks, ms=clock.ms)
        link.notices += [notice(f"{provider.name}: {text}", "will_not_work") for text in quirks.warnings(env)]
        link.has_key = provider.sign_in is not None and bool(env.get(provider.sign_in.when_env))
        try:
            link.initialized = await _while_alive(link, link.connection.initialize(self._limit(provider)))
            clock.lap("initialize")
        except (SaysoError, OSError) as error:
            raise await self._failed(provider, link, error) from error
        except BaseException:
            await asyncio.shield(self.end(link, "start_failed", quick=True))
            raise
        return link

    async def open_session(
        self, provider: Provider, link: Link, cwd: Path, *, session_id: str, wishes: Wishes, tools: bool = True
    ) -> None:
        """Start or take up the agent's session, then set the ask mode. On any failure the agent is ended.

        Without ``tools`` it gets none of ours, and no server of the user's.
        """
        clock = _Clock(link.ms)
        try:
            if (method := before_new(provider, methods_of(link.initialized))) is not None and link.has_key:
                # Nobody is needed for it, so it has a time limit.
                await _while_alive(link, link.connection.authenticate(method, self._limit(provider)))
            servers = await self._hand_over(provider, link, session_id) if tools else []
            response = await self._begin(provider, link, str(cwd), servers, wishes)
            clock.lap("session")
            link.modes = ModeState.from_response(response)
            await set_up(provider, link, wishes)
        except (SaysoError, OSError) as error:
            raise await self._failed(provider, link, error) from error
        except BaseException:
            await asyncio.shield(self.end(link, "start_failed", quick=True))
            raise

    async def end(self, link: Link, reason: str, *, quick: bool = False) -> None:
        """End the agent and everything it started, and close its ledger row. ``quick`` is for a host that is ending."""
        await link.connection.close()
        eof_wait = link.quirks.eof_wait(EOF_WAIT)
        ending = await (link.process.end(eof_wait=0.4, term_wait=0.6) if quick else link.process.end(eof_wait=eof_wait))
        await asyncio.to_thread(link.private.remove)
        if self._tools is not None:
            await self._tools.take_back(link.tools)
        await self._ledger.closed(link.ledger_row, "survived" if ending.survivors else reason)

    async def _hand_over(self, provider: Provider, link: Link, session_id: str) -> list[Any]:
        """The MCP servers for the agent's session: the user's, then ours, where it gets our tools that way."""
        servers = list(await self._mcp_servers(session_id, link.capabilities)) if self._mcp_servers else []
        if self._tools is not None:
            link.tools = await self._tools.to(provider, link.capabilities, session_id)
            servers += link.tools.servers
        if link.tools.note is not None:
            link.notices.append(notice(link.tools.note, "tools_otherwise"))
        return servers

    async def _spawn(
        self,
        provider: Provider,
        launch: Launch,
        private: PrivateFolder,
        log: Path,
        note: Callable[..., Awaitable[None]],
    ) -> AgentProcess:
        """Write the private files, then start the agent; a start that fails leaves none of them."""
        if missing := await asyncio.to_thread(_missing, provider, launch.env["PATH"]):
            raise NotFound(
                f"{provider.name} needs the command {missing!r}, which was not found. {provider.install_hint}",
                details={"command": missing},
            )
        if self._refusal is not None and (why := await self._refusal(provider)) is not None:
            raise SaysoError(f"{provider.name} cannot be started. {why}", details={"reason": "too_old"})
        try:
            await asyncio.to_thread(put_own_command, self._bin)
            await asyncio.to_thread(private.fill, provider)
            return await AgentProcess.spawn(launch, stderr_file=log, on_started=note)
        except OSError as error:
            await asyncio.to_thread(private.remove)
            raise SaysoError(
                f"{provider.name}: its configuration cannot be written to {private.path} ({error}).",
                details={"path": str(private.path)},
            ) from error
        except BaseException:
            await asyncio.shield(asyncio.to_thread(private.remove))
            raise

    async def _begin(
        self, provider: Provider, link: Link, cwd: str, servers: list[Any], wishes: Wishes
    ) -> dict[str, Any]:
        """The agent's session; after a sign-in that was asked for, one more try."""
        try:
            return await _while_alive(link, begin(link, cwd, servers, wishes, self._limit(provider)))
        except SaysoError as error:
            if wishes.sign_in is None or error.details.get("reason") != "auth_required":
                raise
        method = callable_method(methods_of(link.initialized), wishes.sign_in)
        await _while_alive(link, link.connection.authenticate(method))
        return await _while_alive(link, begin(link, cwd, servers, wishes, self._limit(provider)))

    def _limit(self, provider: Provider) -> float:
        return self._timeout if provider.start_limit_s is None else provider.start_limit_s

    async def _environment(
        self, provider: Provider, session_id: str, private: PrivateFolder, extra: Mapping[str, str]
    ) -> tuple[dict[str, str], Sequence[str]]:
        """The agent's environment, and which of its values are secrets."""
        own: dict[str, str] = {}
        secrets: list[str] = []
        trusted = self._trusted is not None and await self._trusted(private.workspace)
        given: dict[str, str | SecretName] = {**private.variables(provider, trusted=trusted), **extra}
        for name, value in given.items():
            if isinstance(value, str) and name in extra and value.startswith(_REFERENCE):
                value = SecretName(secret=value.removeprefix(_REFERENCE))
            own[name] = await self._secret(value.secret) if isinstance(value, SecretName) else value
            if isinstance(value, SecretName):
                secrets.append(own[name])
        environment = build_environment(
            path=os.pathsep.join((str(self._bin), await self._search_path())),
            pass_through=provider.pass_env,
            unset=provider.unset_env,
            own=own,
            session={**self._session_env(session_id), "SAYSO_SESSION_ID": session_id},
        )
        return environment, secrets

    async def _failed(self, provider: Provider, link: Link, error: SaysoError | OSError) -> SaysoError:
        if isinstance(error, OSError):
            await settled(link.process)
        returncode = link.process.returncode
        await asyncio.shield(self.end(link, "start_failed", quick=True))
        tail = link.process.stderr_tail()
        details: dict[str, Any] = {"provider": provider.id, "stderr": tail, "returncode": returncode}
        if isinstance(error, SaysoError):
            message = error.message
            if error.details.get("reason") == "auth_required":
                message = what_to_do(provider, methods_of(link.initialized))
            return _with_details(error, message, details)
        how = "closed the connection" if returncode is None else f"ended with exit code {returncode}"
        last = tail.splitlines()[-1].strip() if tail else "It wrote nothing to stderr."
        advice = " ".join(await self._advice(provider)) if self._advice is not None else ""
        last = f"{last} {advice}".strip()
        return SaysoError(
            f"{provider.name} {how} before it was ready: {last} Run `sayso providers check {provider.id}`.",
            details=details,
        )


async def _while_alive(link: Link, step: Coroutine[Any, Any, _T]) -> _T:
    """What a step of the start gives. Raises ConnectionResetError once the agent has ended: a child that it left behind
    may hold its output open, so that the end of the stream never comes.
    """
    tasks = TaskOwner("start")
    working = tasks.start(step, name="step")
    try:
        while not working.done():
            ended = link.process.returncode is not None
            await asyncio.wait({working}, timeout=_LAST_WORDS if ended else _LOOK_AGAIN)
            if ended and not working.done():
                raise ConnectionResetError("the agent has ended")
        return working.result()
    finally:
        await tasks.close()


def _argv(provider: Provider, path: str) -> list[str]:
    # The program is looked up on the agent's own PATH, not on ours.
    program = provider.command[0]
    found = find_program(program, path) or program
    return [*shims.resolved(found, find_program("node", path)), *provider.command[1:]]


def _missing(provider: Provider, path: str) -> str | None:
    return next((command for command in provider.needs if find_program(command, path) is None), None)


def _with_details(error: SaysoError, message: str, details: Mapping[str, Any]) -> SaysoError:
    error.message = message
    error.args = (message,)
    error.details.update(details)
    return error


async def settled(process: AgentProcess) -> None:
    """Give an agent that seems to be gone the time to be so, and its last words the time to arrive."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), 0.5)
    await process.settle_stderr()


class _Clock:
    def __init__(self, ms: dict[str, int] | None = None) -> None:
        self.ms: dict[str, int] = {} if ms is None else ms
        self._last = time.monotonic()

    def lap(self, name: str) -> None:
        now = time.monotonic()
        self.ms[name] = round((now - self._last) * 1000)
        self._last = now


def mode_event(link: Link) -> Draft:
    """The mode that the agent acknowledged, for the transcript."""
    mode = link.modes.mode
    return Draft(Kind.MODE, {"mode": mode.current, "mode_name": mode.name_of(mode.current)})
