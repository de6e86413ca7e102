"""Our end of an ACP connection: typed calls to the agent, and everything it says in one strict order.

Source: ACP 1 over the ``agent-client-protocol`` SDK.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, NoReturn, TypeVar, cast

from acp import PROTOCOL_VERSION, RequestError, connect_to_agent
from acp.connection import StreamDirection, StreamEvent
from acp.schema import (
    BooleanConfigOptionCapabilities,
    ClientCapabilities,
    ClientSessionCapabilities,
    CreateElicitationRequest,
    ElicitationCapabilities,
    ElicitationFormCapabilities,
    Implementation,
    InitializeResponse,
    RequestPermissionRequest,
    SessionConfigOptionsCapabilities,
    TextContentBlock,
)
from pydantic import TypeAdapter, ValidationError

from actions.errors import ErrorCode, SaysoError
from actions.sessions.client_tools import METHOD, SessionTools
from actions.sessions.incoming import START_TIMEOUT, Ask, Incoming, PermissionAsk, QuestionAsk, TakenBack, Update
from actions.sessions.transport import AgentTransport, OnWire

_T = TypeVar("_T")
_log = logging.getLogger(__name__)
_ELICITATION: TypeAdapter[Any] = TypeAdapter(CreateElicitationRequest)


class AgentConnection:
    """Calls to one agent. After any connection error the connection is finished: the process has to be ended.

    ``on_incoming`` is called synchronously, in the order of the wire, and must not block; ``on_wait`` with each method
    that the agent is to answer; the other callbacks are those of :class:`AgentTransport`.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        on_incoming: Callable[[Incoming], None],
        on_noise: Callable[[str], None],
        on_end: Callable[[], None],
        on_replayed: Callable[[], None] = lambda: None,
        room: Callable[[], Awaitable[None]] | None = None,
        on_wire: OnWire | None = None,
        on_wait: Callable[[str], None] | None = None,
        tools: SessionTools | None = None,
    ) -> None:
        self._on_wait = on_wait
        self._on_incoming = on_incoming
        self._on_replayed = on_replayed
        self._loads: set[object] = set()
        self._tools = tools
        transport = AgentTransport(
            reader,
            writer,
            on_notification=self._notified,
            on_noise=on_noise,
            on_end=on_end,
            room=room,
            on_wire=on_wire,
        )
        self._asks: dict[tuple[str, str], deque[Ask]] = {}
        self._numbers: dict[int | str, Ask] = {}
        self._prompts: dict[int, dict[str, Any] | None] = {}
        self._agent = connect_to_agent(
            cast("Any", _Handlers(self)), transport, use_unstable_protocol=True, observers=[self._observe]
        )

    async def initialize(self, timeout: float = START_TIMEOUT) -> InitializeResponse:
        """ACP ``initialize``. We show forms; we offer no file system and no terminal: agents have their own."""
        return await self._bounded(
            "initialize",
            self._agent.initialize(
                protocol_version=PROTOCOL_VERSION,
                client_capabilities=ClientCapabilities(
                    session=ClientSessionCapabilities(
                        config_options=SessionConfigOptionsCapabilities(boolean=BooleanConfigOptionCapabilities())
                    ),
                    elicitation=ElicitationCapabilities(form=ElicitationFormCapabilities()),
                ),
                client_info=Implementation(name="sayso", title="Sayso", version="0.1.0"),
                **({} if self._tools is None else self._tools.meta),
            ),
            timeout,
        )

    async def authenticate(self, method_id: str, timeout: float | None = None) -> None:
        """ACP ``authenticate``; without a time limit where signing in may need a person."""
        call = self._agent.authenticate(method_id=method_id)
        await (self._checked("authenticate", call) if timeout is None else self._bounded("authenticate", call, timeout))

    async def new_session(self, cwd: str, mcp_servers: list[Any], timeout: float = START_TIMEOUT) -> dict[str, Any]:
        """ACP ``session/new``; gives the response as JSON."""
        call = self._agent.new_session(cwd=cwd, mcp_servers=mcp_servers)
        return _as_json(await self._bounded("session/new", call, timeout))

    async def load_session(
        self, agent_session_id: str, cwd: str, mcp_servers: list[Any], timeout: float = START_TIMEOUT
    ) -> dict[str, Any]:
        """ACP ``session/load``: the agent replays the whole conversation before it answers."""
        call = self._agent.load_session(session_id=agent_session_id, cwd=cwd, mcp_servers=mcp_servers)
        return _as_json(await self._bounded("session/load", call, timeout))

    async def resume_session(
        self, agent_session_id: str, cwd: str, mcp_servers: list[Any], timeout: float = START_TIMEOUT
    ) -> dict[str, Any]:
        """ACP ``session/resume``: nothing is replayed."""
        call = self._agent.resume_session(session_id=agent_session_id, cwd=cwd, mcp_servers=mcp_servers)
        return _as_json(await self._bounded("session/resume", call, timeout))

    async def fork_session(
        self, agent_session_id: str, cwd: str, mcp_servers: list[Any], timeout: float = START_TIMEOUT
    ) -> dict[str, Any]:
        """ACP ``session/fork`` (unstable): a second conversation from where this one stands; gives its id."""
        call = self._agent.fork_session(session_id=agent_session_id, cwd=cwd, mcp_servers=mcp_servers)
        return _as_json(await self._bounded("session/fork", call, timeout))

    async def set_mode(self, agent_session_id: str, mode_id: str) -> None:
        """ACP ``session/set_mode``; no error is the acknowledgement."""
        call = self._agent.set_session_mode(session_id=agent_session_id, mode_id=mode_id)
        await self._bounded("session/set_mode", call, START_TIMEOUT)

    async def set_config_option(self, agent_session_id: str, config_id: str, value: str | bool) -> list[dict[str, Any]]:
        """ACP ``session/set_config_option``; gives the complete state that the agent acknowledged."""
        call = self._agent.set_config_option(session_id=agent_session_id, config_id=config_id, value=value)
        answer = _as_json(await self._bounded("session/set_config_option", call, START_TIMEOUT))
        return list(answer.get("configOptions") or [])

    async def prompt(
        self, agent_session_id: str, text: str, meta: dict[str, Any] | None = None, appendix: str = ""
    ) -> dict[str, Any]:
        """ACP ``session/prompt``: one turn, without a time limit. Gives the response as JSON.

        ``appendix`` follows the text as a block of its own: an agent names its session after the first.
        A response outside the specification (an unknown stop reason, null) still is the end of the turn.
        """
        blocks: list[Any] = [TextContentBlock(type="text", text=part) for part in (text, appendix) if part]
        try:
            call = self._agent.prompt(session_id=agent_session_id, prompt=blocks, **(meta or {}))
            return _as_json(await self._checked("session/prompt", call))
        except ValidationError:
            return self._last_prompt_result() or {"stopReason": "end_turn"}
        finally:
            self._prompts.clear()

    async def steer(self, agent_session_id: str, text: str) -> bool:
        """``_sayso/steer``, an extension: a message for the running turn; false when the agent does not take it."""
        block = {"type": "text", "text": text}
        call = self._agent.ext_method("sayso/steer", {"sessionId": agent_session_id, "prompt": [block]})
        return _object(await self._bounded("_sayso/steer", call, START_TIMEOUT)).get("taken") is True

    async def delete_session(self, agent_session_id: str) -> None:
        """ACP ``session/delete``: the agent forgets the conversation. The SDK has no method of its own for it."""
        call = cast("Any", self._agent)._conn.send_request("session/delete", {"sessionId": agent_session_id})
        await self._bounded("session/delete", call, START_TIMEOUT)

    async def cancel(self, agent_session_id: str) -> None:
        """ACP ``session/cancel``. Answer the open permission requests first."""
        await self._checked("session/cancel", self._agent.cancel(session_id=agent_session_id))

    async def close(self) -> None:
        """Stop listening and close the agent's input."""
        try:
            await self._agent.close()
        except (OSError, ConnectionError) as error:
            _log.debug("closing a connection: %s", error)

    async def asked(self, agent_session_id: str, key: str) -> dict[str, Any] | None:
        """The answer to a request that was handed to ``on_incoming`` before; None for one that was not.

        ``key`` is a permission's tool call id or a question's message: among equals the first comes first.
        """
        waiting = self._asks.get((agent_session_id, key))
        if not waiting:
            return None
        ask = waiting.popleft()
        if not waiting:
            del self._asks[(agent_session_id, key)]
        try:
            return await ask.answer
        finally:
            self._numbers = {number: other for number, other in self._numbers.items() if other is not ask}

    async def extension(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """A request outside ACP: a call of a tool that we offered, or one that is refused."""
        if method == METHOD and self._tools is not None:
            return await self._tools.answer(params)
        raise RequestError.method_not_found(f"_{method}")

    def _notified(self, message: dict[str, Any]) -> None:
        params = _object(message.get("params"))
        if message.get("method") == "$/cancel_request":
            number: object = params.get("requestId")
            ask = self._numbers.get(number) if isinstance(number, int | str) else None
            if ask is not None:
                self._on_incoming(TakenBack(ask.agent_session_id, ask))
        elif message.get("method") == "session/update" and (update := _object(params.get("update"))):
            self._on_incoming(Update(str(params.get("sessionId", "")), update))

    def _observe(self, event: StreamEvent) -> None:
        # Called by the receive loop before any handler runs, so a permission stays in line with the updates around it,
        # and nothing that the SDK's models do not know is lost.
        message = event.message
        method = message.get("method")
        if event.direction is StreamDirection.OUTGOING:
            if method == "session/prompt":
                self._prompts[message["id"]] = None
            elif method == "session/load":
                self._loads.add(message["id"])
        elif method == "session/request_permission":
            self._take_permission(_object(message.get("params")), message.get("id"))
        elif method == "elicitation/create":
            self._take_question(_object(message.get("params")), message.get("id"))
        elif method is None and message.get("id") in self._loads:
            self._on_replayed()
        elif method is None and message.get("id") in self._prompts and isinstance(message.get("result"), dict):
            self._prompts[message["id"]] = message["result"]

    def _take_permission(self, params: dict[str, Any], number: object) -> None:
        try:
            RequestPermissionRequest.model_validate(params)
        except ValidationError:
            return  # the SDK refuses it with invalid_params; nobody could be asked
        tool_call = _object(params.get("toolCall"))
        options: Any = params.get("options")
        ask = PermissionAsk(
            str(params.get("sessionId", "")),
            tool_call,
            [cast("dict[str, Any]", o) for o in cast("list[Any]", options or []) if isinstance(o, dict)],
            asyncio.get_running_loop().create_future(),
        )
        self._take(ask, str(tool_call.get("toolCallId", "")), number)

    def _take_question(self, params: dict[str, Any], number: object) -> None:
        try:
            _ELICITATION.validate_python(params)
        except ValidationError:
            return  # as above
        if params.get("mode") != "form" or not isinstance(params.get("sessionId"), str):
            return  # of no session, or of a mode that is not offered: nobody can be asked
        ask = QuestionAsk(
            str(params["sessionId"]),
            str(params.get("message", "")),
            _object(params.get("requestedSchema")),
            str(params.get("toolCallId") or ""),
            asyncio.get_running_loop().create_future(),
        )
        self._take(ask, ask.message, number)

    def _take(self, ask: Ask, key: str, number: object) -> None:
        self._asks.setdefault((ask.agent_session_id, key), deque()).append(ask)
        if isinstance(number, int | str):
            self._numbers[number] = ask
        self._on_incoming(ask)

    def _last_prompt_result(self) -> dict[str, Any] | None:
        return next((result for result in reversed(self._prompts.values()) if result is not None), None)

    async def _bounded(self, method: str, call: Awaitable[_T], timeout: float) -> _T:
        try:
            return await asyncio.wait_for(self._checked(method, call), timeout)
        except TimeoutError as error:
            raise SaysoError(
                f"The agent did not answer {method} within {timeout:.0f} s. Run `sayso providers check` on it.",
                code=ErrorCode.TIMEOUT,
                details={"method": method, "timeout_s": timeout},
            ) from error
        except ValidationError as error:
            raise SaysoError(
                f"The agent answered {method} with something that is not ACP. Check its version.",
                details={"method": method, "errors": error.error_count()},
            ) from error

    async def _checked(self, method: str, call: Awaitable[_T]) -> _T:
        if self._on_wait is not None:
            self._on_wait(method)
        try:
            return await call
        except RequestError as error:
            _refused(method, error)


class _Handlers:
    """What the agent may ask for. Permission requests wait for their answer; whatever we do not offer is refused."""

    def __init__(self, connection: AgentConnection) -> None:
        self._connection = connection

    async def request_permission(self, session_id: str, tool_call: Any, options: Any, **_: Any) -> Any:
        outcome = await self._connection.asked(session_id, tool_call.tool_call_id)
        return {"outcome": outcome or {"outcome": "cancelled"}}

    async def create_elicitation(self, message: str, mode: Any, **_: Any) -> Any:
        session_id = getattr(mode, "session_id", None)
        answer = None if session_id is None else await self._connection.asked(session_id, message)
        return answer or {"action": "cancel"}

    async def create_terminal(self, **_: Any) -> Any:
        """Refused, for the SDK would answer null to what is not there."""
        raise RequestError.method_not_found("terminal/create")

    async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return await self._connection.extension(method, params)


_BARE = {"Parse error", "Invalid request", "Method not found", "Invalid params", "Internal error"}
"""What JSON-RPC itself calls its errors."""


def _object(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _as_json(answer: Any) -> dict[str, Any]:
    if answer is None:
        return {}
    return answer.model_dump(mode="json", by_alias=True, exclude_none=True)


def _refused(method: str, error: RequestError) -> NoReturn:
    if error.code == -32000:
        raise SaysoError(
            "The agent wants you to sign in first.",
            code=ErrorCode.FAILED,
            details={"method": method, "reason": "auth_required", "data": _reason(error)},
        ) from error
    reason = _reason(error)
    # Codes behind a sentence of the agent tell a person nothing; a bare "Internal error" is all the poorer without them
    told = bool(reason) and reason not in str(error) and (_says(error.data) or str(error) in _BARE)
    data = _object(error.data)
    details = {"method": method, "rpc_code": error.code, "reason": reason}
    if isinstance(data.get("retryable"), bool):
        details["retryable"] = data["retryable"]
    raise SaysoError(f"The agent refused {method}: {error}{f': {reason}' if told else ''}", details=details) from error


def _says(data: Any) -> bool:
    """Whether ``data`` of an error holds words, not codes alone."""
    return not isinstance(data, dict) or bool({"details", "message"} & cast("dict[str, Any]", data).keys())


def _reason(error: RequestError) -> str:
    data: Any = error.data
    if isinstance(data, dict):
        data = cast("dict[str, Any]", data)
        data = data.get("details") or data.get("message") or data
    return "" if data is None else (data if isinstance(data, str) else json.dumps(data, ensure_ascii=False))[:2000]
