"""Tools that the client offers at initialize and runs itself (an extension of ACP, ``docs/agent.md``)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from actions.agent.acp.link import Link, Refused
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.call import current_call
from actions.agent.toolset.results import ErrorClass, TextDisplay, ToolFailure, ToolResult, failure
from actions.agent.toolset.tool import Tool
from actions.catalog.spec import Effect

METHOD = "_sayso/client_tool/call"
LIMIT = 300.0
"""Seconds that a client may take for a call, where the tool names no limit of its own."""
BUILT_IN = frozenset(
    {
        "Agent", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "FetchURL", "Glob", "Grep", "ReadFile",
        "ReadMediaFile", "SearchWeb", "SendDMail", "SetTodoList", "Shell", "StrReplaceFile", "TaskList", "TaskOutput",
        "TaskStop", "WriteFile",
    }
)  # fmt: skip
"""Names that are taken, known without loading the tools: initialize is answered before that."""
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Offer(BaseModel):
    """One tool as the client offers it. ``timeout`` in seconds."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    name: str
    description: str = ""
    schema_: dict[str, Any] = Field(default_factory=lambda: {"type": "object"}, alias="schema")
    effect: Literal["none", "read", "write", "external", "danger"] = "write"
    timeout: float = Field(default=LIMIT, gt=0, le=86_400)


class Answered(BaseModel):
    """What the client answers to a call."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    is_error: bool
    output: str
    message: str = ""
    display: str | None = None


class ClientTools:
    """What one client has registered, by name; a second registration of a name replaces the first."""

    def __init__(self) -> None:
        self._offers: dict[str, Offer] = {}

    def register(self, offered: object) -> dict[str, Any]:
        """Take ``_meta.sayso.client_tools`` as it came. Returns ``{accepted: [name], rejected: [{name, reason}]}``."""
        accepted: list[str] = []
        rejected: list[dict[str, str]] = []
        for one in cast("list[object]", offered) if isinstance(offered, list) else [offered]:
            name = str(cast("dict[str, Any]", one).get("name", "")) if isinstance(one, dict) else ""
            try:
                if not isinstance(one, dict):
                    raise ValueError("a tool is an object with name, description and schema")  # noqa: TRY004
                offer = Offer.model_validate(one)
                _check(offer)
            except (ValidationError, ValueError) as error:
                rejected.append({"name": name, "reason": _reason(error)})
                continue
            if name not in accepted:
                accepted.append(name)
            self._offers[name] = offer
        return {"accepted": accepted, "rejected": rejected}

    def tools(self, link: Link, session_id: str) -> tuple[Tool, ...]:
        """The registered tools for one session, in the order of their registration."""
        return tuple(ClientTool(offer, link, session_id) for offer in self._offers.values())


class ClientTool(Tool):
    """Sends each call to the client. Arguments are checked first, here as well as before the approval."""

    def __init__(self, offer: Offer, link: Link, session_id: str) -> None:
        self.name = offer.name
        self.description = offer.description.strip() or f"The tool {offer.name} of the connected editor."
        self.parameters = offer.schema_
        self.effect = Effect(offer.effect)
        self._limit = offer.timeout
        self._link = link
        self._session_id = session_id

    async def prepare(self, arguments: Any) -> Ask:
        self._check(arguments)
        return Ask(summary=f"Use {self.name} of this client", scope=Scope("tool", ""))

    async def run(self, /, *args: Any, **arguments: Any) -> ToolResult:
        """Ask the client to do it. Every way that this can fail is an error of the tool, in words for the model."""
        self._check(list(args) if args else arguments)
        call = current_call.get()
        params = {
            "sessionId": self._session_id,
            "callId": call.id if call else "",
            "name": self.name,
            "arguments": arguments,
        }
        try:
            async with asyncio.timeout(self._limit):
                answer: object = await self._link.call(METHOD, params)
        except TimeoutError:
            return failure(
                ErrorClass.TIMEOUT, f"The client did not answer the call of {self.name} within {self._limit:g} s."
            )
        except Refused as error:
            return failure(ErrorClass.TOOL_ERROR, f"The client refused the call of {self.name}: {error.message}")
        except ConnectionError:
            return failure(ErrorClass.TOOL_ERROR, f"The client of {self.name} is gone: the connection was closed.")
        try:
            given = Answered.model_validate(answer)
        except ValidationError as error:
            return failure(
                ErrorClass.TOOL_ERROR, f"The client's answer to {self.name} cannot be read: {_reason(error)}"
            )
        return ToolResult(
            given.output,
            given.message,
            ErrorClass.TOOL_ERROR if given.is_error else None,
            (TextDisplay(given.display),) if given.display else (),
        )

    def _check(self, arguments: Any) -> None:
        from jsonschema import Draft202012Validator

        checker: Any = Draft202012Validator(self.parameters)  # its stubs leave types open
        faults: Iterable[Any] = checker.iter_errors(arguments)
        if told := "; ".join(f"{fault.json_path}: {fault.message[:200]}" for fault in list(faults)[:5]):
            raise ToolFailure(f"These arguments do not fit {self.name}: {told}", error=ErrorClass.INVALID_INPUT)


def _check(offer: Offer) -> None:
    """Raises ValueError with the reason why ``offer`` cannot be taken."""
    from jsonschema import Draft202012Validator, SchemaError

    if offer.name in BUILT_IN:
        raise ValueError(f"the name {offer.name} is taken by a tool of the agent")
    if not _NAME.fullmatch(offer.name):
        raise ValueError("a name has 1 to 64 letters, digits, `_` and `-`")
    try:
        Draft202012Validator.check_schema(offer.schema_)
    except SchemaError as error:
        raise ValueError(f"invalid schema: {error.message[:200]}") from error
    if offer.schema_.get("type") != "object":
        raise ValueError('invalid schema: its type has to be "object"')


def _reason(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        return "; ".join(f"{'.'.join(map(str, e['loc'])) or 'it'}: {e['msg']}" for e in error.errors()[:5])
    return str(error)
