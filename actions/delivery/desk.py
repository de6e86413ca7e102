"""The tools that a caller has, and their calls: the same for MCP, for ``sayso tools`` and for the shell bridge.

Every call is a request at the one door; nothing here judges it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Protocol

from pydantic import Field, ValidationError

from actions.catalog.context import Caller, Progress
from actions.catalog.projections.tool import tool as projected
from actions.catalog.registry import Catalog
from actions.catalog.spec import ActionInput, ActionSpec, Exposure, Surface
from actions.delivery.guidance import DELEGATING, SAYSO_REQUIRED, delegation_rule, instructions
from actions.delivery.schemas import inlined, tool_input, tool_output
from actions.errors import ErrorCode, SaysoError
from actions.execution.request import Failed, Outcome, Request
from actions.policy.availability import availability
from actions.policy.exposure import exposed
from actions.policy.settings import PolicySettings

EXECUTE = "action_execute"
CALL = "mcp.tool.call"
"""The action that a call of a tool of the user's own servers is."""
_DISCOVERY = frozenset({"action.spec.search", "action.spec.get", "action.options.resolve"})
_ANYTHING: dict[str, Any] = {"type": "object"}


class ExecuteAction(ActionInput):
    """The input of ``action_execute``, which is a tool and no action: its inner action is judged."""

    action_id: str
    input: dict[str, Any] = Field(default_factory=dict[str, Any])
    idempotency_key: str | None = None


class DoorPort(Protocol):
    async def execute(self, request: Request) -> Outcome: ...


@dataclass(frozen=True, slots=True)
class Seat:
    """Who calls, as the host established it, and the directory that they work in."""

    surface: Surface
    caller: Caller
    workspace: str | None = None


class Theirs(Protocol):
    """Tools of the user's own servers that a session gets through us."""

    async def ready(self, session_id: str, /) -> None:
        """Give servers that still connect a moment, before their tools are listed."""
        ...

    def tools(self, session_id: str, /) -> list[dict[str, Any]]: ...

    def meant(self, session_id: str, name: str, /) -> tuple[str, str] | None:
        """The server and the tool that a name stands for."""
        ...


@dataclass(frozen=True, slots=True)
class Called:
    """The end of a call: the action that ran, or the tool's name where there was none, and its outcome."""

    action: str
    outcome: Outcome


class ToolDesk:
    """``delegation`` gives the setting ``runs.delegation``; policy and setting are read anew at each question.

    ``theirs`` are the user's own servers, where a session gets them through us.
    """

    def __init__(
        self,
        catalog: Catalog,
        policy: Callable[[], PolicySettings],
        door: DoorPort,
        delegation: Callable[[], str],
        theirs: Callable[[], Theirs] | None = None,
    ) -> None:
        self._catalog = catalog
        self._policy = policy
        self._door = door
        self._delegation = delegation
        self._theirs = theirs
        self._by_name = {spec.tool_name: spec for spec in catalog}
        self._plain: dict[str, dict[str, Any]] = {}
        self._lists: dict[tuple[Surface, str | None, str], tuple[PolicySettings, list[dict[str, Any]]]] = {}

    def prepare(self) -> None:
        """Make every schema now; takes a moment, and may be called in a thread."""
        for spec in self._catalog:
            self._tool(spec)

    def instructions(self) -> str:
        """What a server of these tools says of itself to a model."""
        return instructions(self._delegation())

    def tools(self, seat: Seat) -> list[dict[str, Any]]:
        """The tools that this caller has by name, as MCP lists them, in a fixed order: discovery first."""
        policy, delegation = self._policy(), self._delegation()
        key = (seat.surface, seat.workspace, delegation)
        known = self._lists.get(key)
        if known is not None and known[0] is policy:
            return known[1]
        direct = [spec for spec in self._catalog if self._direct(spec, seat, policy)]
        direct.sort(key=lambda spec: (spec.id not in _DISCOVERY, spec.id))
        found = [self._worded(spec, delegation) for spec in direct]
        at = sum(1 for spec in direct if spec.id in _DISCOVERY)
        found.insert(at, _execute_tool(delegation))
        self._lists[key] = (policy, found)
        return found

    async def all_tools(self, seat: Seat) -> list[dict[str, Any]]:
        """As :meth:`tools`, and those of the user's servers that go through us in this session."""
        ours = self.tools(seat)
        if (session_id := self._session_with_servers(seat)) is None or self._theirs is None:
            return ours
        theirs = self._theirs()
        await theirs.ready(session_id)
        return [*ours, *theirs.tools(session_id)]

    async def call(
        self,
        seat: Seat,
        name: str,
        arguments: Mapping[str, Any],
        *,
        origin: Mapping[str, Any] | None = None,
        key: str | None = None,
        patience_s: float | None = None,
        progress: Progress | None = None,
    ) -> Called:
        """Call a tool. Every way in which it can fail is an outcome; raises nothing but CancelledError.

        ``key`` is the idempotency key; ``patience_s`` the seconds to wait for a decision, else the action's own;
        ``progress`` hears how far a call is that says so.
        """
        try:
            action_id, given, own_key = self._meant(seat, name, arguments)
        except SaysoError as error:
            return Called(name, Failed.of(error))
        request = Request(
            action_id=action_id,
            input=given,
            surface=seat.surface,
            caller=seat.caller,
            idempotency_key=own_key or key,
            patience_s=patience_s,
            workspace=seat.workspace,
            origin={"tool": name, **(origin or {})},
            progress=progress,
        )
        return Called(action_id, await self._door.execute(request))

    async def call_server(
        self,
        seat: Seat,
        server: str,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        key: str | None = None,
        patience_s: float | None = None,
    ) -> Called:
        """Call a tool of one of the user's servers, as :meth:`call` does."""
        request = Request(
            action_id=CALL,
            input={"server": server, "tool": tool, "arguments": dict(arguments)},
            surface=seat.surface,
            caller=seat.caller,
            idempotency_key=key,
            patience_s=patience_s,
            workspace=seat.workspace,
            origin={"tool": tool, "source": server},
        )
        return Called(CALL, await self._door.execute(request))

    def _meant(self, seat: Seat, name: str, arguments: Mapping[str, Any]) -> tuple[str, Mapping[str, Any], str | None]:
        if name == EXECUTE:
            execute = _execute_input(arguments)
            return execute.action_id, execute.input, execute.idempotency_key
        spec = self._by_name.get(name)
        policy = self._policy()
        if spec is None:
            session_id = self._session_with_servers(seat)
            meant = None if session_id is None or self._theirs is None else self._theirs().meant(session_id, name)
            if meant is None:
                raise self._unknown(seat, name)
            return CALL, {"server": meant[0], "tool": meant[1], "arguments": dict(arguments)}, None
        if availability(spec, seat.surface, policy, workspace=seat.workspace).available and (
            exposed(spec, seat.surface, policy, workspace=seat.workspace).exposure is not Exposure.DIRECT
        ):
            raise SaysoError(
                f"{name} is not offered as a tool here. Run it with {EXECUTE}, action_id {spec.id!r}.",
                code=ErrorCode.UNKNOWN_TOOL,
                details={"tool": name, "action": spec.id},
            )
        return spec.id, arguments, None

    @staticmethod
    def _session_with_servers(seat: Seat) -> str | None:
        return seat.caller.session_id if seat.surface is Surface.SESSION_AGENT else None

    def _unknown(self, seat: Seat, name: str) -> SaysoError:
        listed = [str(tool["name"]) for tool in self.tools(seat)]
        near = get_close_matches(name, listed, n=3, cutoff=0.5)
        meant = f" Did you mean {', '.join(near)}?" if near else " Search for what you need with action_spec_search."
        details = {"tool": name, "candidates": [{"name": found} for found in near]}
        return SaysoError(f"There is no tool {name!r}.{meant}", code=ErrorCode.UNKNOWN_TOOL, details=details)

    def _direct(self, spec: ActionSpec, seat: Seat, policy: PolicySettings) -> bool:
        return (
            spec.implemented
            and availability(spec, seat.surface, policy, workspace=seat.workspace, caller=seat.caller).available
            and exposed(spec, seat.surface, policy, workspace=seat.workspace).exposure is Exposure.DIRECT
        )

    def _worded(self, spec: ActionSpec, delegation: str) -> dict[str, Any]:
        found = self._tool(spec)
        if spec.id in _DISCOVERY and spec.id != "action.options.resolve":
            return {**found, "description": f"{found['description']} {delegation_rule(delegation)}"}
        if spec.id in DELEGATING and delegation != SAYSO_REQUIRED:
            return {**found, "description": f"{found['description']} Only when the user asked for it."}
        return found

    def _tool(self, spec: ActionSpec) -> dict[str, Any]:
        found = self._plain.get(spec.id)
        if found is None:
            seen = projected(spec)
            found = self._plain[spec.id] = {
                "name": seen.name,
                "title": seen.title,
                "description": seen.description,
                "inputSchema": tool_input(spec),
                "outputSchema": tool_output(spec),
                "annotations": {"title": seen.title, **seen.annotations},
            }
        return found


def _execute_input(arguments: Mapping[str, Any]) -> ExecuteAction:
    given = dict(arguments)
    if isinstance(text := given.get("input"), str):  # some models write an object as text
        try:
            given["input"] = json.loads(text)
        except ValueError:
            given["input"] = text
    try:
        return ExecuteAction.model_validate(given)
    except ValidationError as error:
        fields = [
            {"field": ".".join(map(str, entry["loc"])), "message": str(entry["msg"])}
            for entry in error.errors(include_url=False, include_context=False, include_input=False)
        ]
        listed = "; ".join(f"{field['field']}: {field['message']}" for field in fields)
        message = f"{EXECUTE} takes action_id and input. {listed}."
        raise SaysoError(message, code=ErrorCode.INVALID_INPUT, details={"fields": fields}) from error


def _execute_tool(delegation: str) -> dict[str, Any]:
    return {
        "name": EXECUTE,
        "title": "Run an action",
        "description": "Run an action of Sayso by its id, with its input as action_spec_get describes it. "
        + delegation_rule(delegation),
        "inputSchema": inlined(ExecuteAction.model_json_schema(by_alias=False, mode="validation")),
        "outputSchema": _ANYTHING,
        "annotations": {"title": "Run an action", "readOnlyHint": False, "destructiveHint": True,
                        "idempotentHint": False, "openWorldHint": True},
    }  # fmt: skip
