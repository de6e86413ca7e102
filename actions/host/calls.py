"""The calls of the local endpoint: who is it, run an action, show the catalog, answer for a window, stop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast

from actions.catalog.context import Progress
from actions.catalog.spec import Surface
from actions.delivery.sources import ToolSources
from actions.delivery.windows import Showing, Windows
from actions.errors import ErrorCode, InvalidInput, Refused, SaysoError
from actions.execution.directory import Directory
from actions.execution.request import Completed, Failed, Outcome, Pending, Rejected, Request
from actions.host.seats import Seats, SessionOf
from actions.policy.presence import Claim, Peer, identify

_LONGEST_S = 3600
"""As long as a person may look at what a call of theirs asks."""


class Door(Protocol):
    async def execute(self, request: Request) -> Outcome: ...


@dataclass(frozen=True)
class HostFacts:
    """What a client is told of the host."""

    pid: int
    version: str
    epoch: str
    home: str


class HostCalls:
    """Answers ``POST /rpc``. Each method is named as on the wire."""

    def __init__(
        self,
        facts: HostFacts,
        door: Door,
        directory: Directory,
        windows: Windows,
        session_of: SessionOf,
        status: Callable[[], dict[str, Any]],
        stop: Callable[[], None],
        seen: Callable[[str], Awaitable[None]],
        seats: Seats,
        tools: ToolSources,
    ) -> None:
        self._facts = facts
        self._door = door
        self._directory = directory
        self._windows = windows
        self._session_of = session_of
        self._status = status
        self._stop = stop
        self._seen = seen
        self._seats = seats
        self._tools = tools

    async def __call__(
        self,
        method: str,
        params: Mapping[str, Any],
        peer: Peer,
        claim: Claim,
        token: str | None,
        progress: Progress | None = None,
    ) -> dict[str, Any]:
        """The JSON envelope for a call; one with ``progress`` ends with its caller.

        Raises SaysoError for a method that does not exist or does not fit.
        """
        surface, caller = identify(peer, claim, host_pid=self._facts.pid, token_session=self._session_of(peer, token))
        match method:
            case "hello":
                data = {**vars(self._facts), "surface": surface.value, "present": caller.present}
                return _done("hello", data)
            case "execute":
                request = Request(
                    action_id=_text(params, "action"),
                    input=_object(params, "input"),
                    surface=surface,
                    caller=caller,
                    idempotency_key=_optional_text(params, "idempotency_key"),
                    workspace=_optional_text(params, "workspace"),
                    language=_optional_text(params, "language") or "en",
                    read_back=_read_back(params) if surface is Surface.VOICE else None,
                    heard=_heard(params) if surface is Surface.VOICE else None,
                    # A window shows the request itself while its call waits; nobody else may hold a call open.
                    patience_s=_seconds(params, "patience_s") if surface is Surface.UI else None,
                    progress=progress,
                    attached=progress is not None,
                )
                return envelope(request.action_id, await self._door.execute(request))
            case "catalog":
                language = _optional_text(params, "language") or "en"
                found = self._directory.everything(surface, _optional_text(params, "workspace"), language)
                return _done("catalog", found)
            case "tools.list":
                seat = await self._seats.of_peer(peer, claim, token, _optional_text(params, "workspace"))
                return _done("tools", await self._tools.list(seat, _optional_text(params, "provider")))
            case "tools.call":
                seat = await self._seats.of_peer(peer, claim, token, _optional_text(params, "workspace"))
                return await self._tools.call(
                    seat,
                    _text(params, "source"),
                    _text(params, "tool"),
                    _object(params, "arguments"),
                    key=_optional_text(params, "idempotency_key"),
                    waits=params.get("wait") is True,
                )
            case "host.status":
                return _done("host", self._status())
            case "client.reply":
                _refuse_agents(surface)
                error = params.get("error")
                taken = self._windows.answered(
                    _text(params, "call_id"), params.get("ok") is True, _object(params, "data"), error
                )
                return _done("reply", {"taken": taken})
            case "window.raise":
                _refuse_agents(surface)
                return _done("window", await self._windows.call(method, {}))
            case "window.showing":
                if surface is not Surface.UI:
                    raise Refused("Only a window shows sessions.", code=ErrorCode.UNSUPPORTED_SURFACE)
                session_id = _optional_text(params, "showing")
                self._windows.show(_text(params, "window"), Showing(session_id, params.get("focused") is True))
                if session_id is not None:
                    await self._seen(session_id)
                return _done("window", {})
            case "host.stop":
                _refuse_agents(surface)
                self._stop()
                return _done("host", {"stopping": True})
            case _:
                raise InvalidInput(f"The host has no method {method!r}. This client may be of another version.")


def envelope(action_id: str, outcome: Outcome) -> dict[str, Any]:
    """An outcome as clients get it."""
    match outcome:
        case Completed(data):
            return {"ok": True, "outcome": "completed", "kind": action_id, "data": dict(data)}
        case Pending(approval_id, action, summary):
            data = {"approval_id": approval_id, "action": action, "summary": summary}
            return {"ok": True, "outcome": "pending", "kind": "approval_pending", "data": data}
        case Rejected(feedback):
            error = SaysoError(
                f"It was rejected: {feedback}" if feedback else "It was rejected.",
                code=ErrorCode.REJECTED,
                details={"feedback": feedback},
            )
            return {"ok": False, "outcome": "rejected", "error": error.as_json()}
        case Failed(code, message, details):
            error = SaysoError(message, code=code, details=details)
            return {"ok": False, "outcome": "failed", "error": error.as_json()}


def _done(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"ok": True, "outcome": "completed", "kind": kind, "data": data}


def _refuse_agents(surface: Surface) -> None:
    if surface in (Surface.SESSION_AGENT, Surface.MCP):
        raise Refused("An agent may not do this.", code=ErrorCode.PRESENT_USER_REQUIRED)


def _text(params: Mapping[str, Any], name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str) or not value:
        raise InvalidInput(f"The call needs {name}.", [{"field": name, "message": "It must be text."}])
    return value


READ_BACK_S = 10.0
"""A yes to a read-back that is older may be meant for something else."""


def _read_back(params: Mapping[str, Any]) -> str | None:
    """The request that was read back; None where the client does not say how long ago, or it is too long."""
    age = params.get("read_back_age_s")
    young = isinstance(age, int | float) and not isinstance(age, bool) and 0 <= age < READ_BACK_S
    return _optional_text(params, "read_back") if young else None


def _heard(params: Mapping[str, Any]) -> dict[str, Any] | None:
    """What the recogniser made of a command, cut to what is worth keeping."""
    given = params.get("heard")
    if not isinstance(given, dict):
        return None
    heard = cast("dict[str, Any]", given)
    kept: dict[str, Any] = {name: str(heard[name])[:500] for name in ("text", "answer") if heard.get(name) is not None}
    if isinstance(confidence := heard.get("confidence"), int | float) and not isinstance(confidence, bool):
        kept["confidence"] = round(min(1.0, max(0.0, float(confidence))), 3)
    return kept or None


def _optional_text(params: Mapping[str, Any], name: str) -> str | None:
    value = params.get(name)
    if value is None or isinstance(value, str):
        return value
    raise InvalidInput(f"{name} must be text.", [{"field": name, "message": "It must be text."}])


def _seconds(params: Mapping[str, Any], name: str) -> float | None:
    value = params.get(name)
    if value is None or (isinstance(value, int | float) and 0 <= value <= _LONGEST_S):
        return value
    raise InvalidInput(
        f"{name} must be seconds.", [{"field": name, "message": f"It must be a number from 0 to {_LONGEST_S}."}]
    )


def _object(params: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = params.get(name)
    if value is None:
        return {}
    if isinstance(value, dict):
        return value  # pyright: ignore[reportUnknownVariableType]  # JSON objects have text keys
    raise InvalidInput(f"{name} must be an object.", [{"field": name, "message": "It must be a JSON object."}])
