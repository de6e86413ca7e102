"""One tool of an MCP server as a tool of the agent."""

from __future__ import annotations

import asyncio
import json
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from actions.agent.mcp.content import parts_of
from actions.agent.mcp.schema import for_model
from actions.agent.mcp.whole import keep_whole
from actions.agent.tools.needs import Spool
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.budget import fit
from actions.agent.toolset.call import current_call
from actions.agent.toolset.results import ErrorClass, TextDisplay, ToolFailure, ToolResult
from actions.agent.toolset.tool import Tool
from actions.catalog.spec import Effect
from actions.errors import NotFound
from actions.servers.pool.description import described
from actions.servers.pool.hidden import visible
from actions.servers.pool.pool import Pool
from actions.servers.pool.states import CallResult, CallTimeout, Reason, ServerError, ToolInfo

if TYPE_CHECKING:
    from actions.servers.pool.schemas import Checker

_PREVIEW = 4000
_CLAIMS = {"readOnlyHint": "read-only", "destructiveHint": "destructive", "idempotentHint": "idempotent"}


class McpTool(Tool):
    """Sends each call to the server. Its effect is ``external`` whatever the server claims in its annotations: they are
    shown to the person who is asked, and decide nothing.
    """

    def __init__(
        self,
        name: str,
        server: str,
        info: ToolInfo,
        pool: Pool,
        *,
        spool: Spool | None = None,
        effect: Effect = Effect.EXTERNAL,
    ) -> None:
        self.name = name
        self.server = server
        self.info = info
        self.description = described(server, info.name, info.description)
        self.parameters = for_model(info.input_schema)
        self.effect = effect
        self._pool = pool
        self._spool = spool

    async def prepare(self, arguments: Any) -> Ask:
        self._check(arguments)
        shown = json.dumps(arguments, ensure_ascii=False, indent=2)
        if len(shown) > _PREVIEW:
            shown = f"{shown[:_PREVIEW]}\n[{len(shown)} characters in all]"
        claims = self._claims()
        return Ask(
            summary=f"Use {visible(self.info.name)} of the MCP server {visible(self.server)}",
            scope=Scope("mcp", f"{_segment(self.server)}/{self.info.name}"),
            preview=(TextDisplay(visible(shown)), *((TextDisplay(claims),) if claims else ())),
        )

    async def run(self, /, *args: Any, **kwargs: Any) -> ToolResult:
        """Call it; the result is cut to 100,000 characters, the whole is kept in the spool."""
        arguments: Any = (args[0] if len(args) == 1 else list(args)) if args else kwargs
        self._check(arguments)
        try:
            result = await self._pool.call(self.server, self.info.name, arguments)
        except CallTimeout as error:
            raise ToolFailure(error.message, error=ErrorClass.TIMEOUT) from error
        except NotFound as error:
            raise ToolFailure(error.message, error=ErrorClass.NOT_FOUND) from error
        except ServerError as error:
            raise ToolFailure(_for_model(error)) from error
        return await self._fitted(result)

    async def _fitted(self, result: CallResult) -> ToolResult:
        parts = parts_of(result)
        fitted = fit(parts)
        if fitted.cut and self._spool is not None:
            call = current_call.get()
            name = call.id if call is not None else self.name
            fitted = fit(parts, whole=await asyncio.to_thread(keep_whole, parts, self._spool, name))
        if result.is_error:
            return ToolResult(fitted.parts, "The tool reports an error.", ErrorClass.TOOL_ERROR)
        if faults := self._output_faults(result):
            message = f"The server broke its own promise about this result: {faults}."
            return ToolResult(fitted.parts, message, ErrorClass.TOOL_ERROR)
        return ToolResult(fitted.parts)

    # The library is loaded by then: the tool came from a server. Most tools of a server are never called.
    @cached_property
    def _input(self) -> Checker:
        from actions.servers.pool.schemas import Checker

        return Checker(self.info.input_schema)

    @cached_property
    def _output(self) -> Checker:
        from actions.servers.pool.schemas import Checker

        return Checker(self.info.output_schema or {})

    def _check(self, arguments: Any) -> None:
        """Raises ToolFailure for arguments that do not fit the server's schema."""
        if not isinstance(arguments, dict):
            raise ToolFailure(f"{self.name} takes an object of arguments.", error=ErrorClass.INVALID_INPUT)
        if faults := self._input.faults(cast("dict[str, Any]", arguments)):
            text = f"The arguments of {self.name} do not fit. {'; '.join(faults)}"
            raise ToolFailure(text, error=ErrorClass.INVALID_INPUT)

    def _output_faults(self, result: CallResult) -> str:
        if self.info.output_schema is None:
            return ""
        if result.structured is None:
            return "it declares an output schema and sent no structured content"
        return "; ".join(self._output.faults(result.structured))

    def _claims(self) -> str:
        said = self.info.annotations or {}
        claims = [
            word if said[key] else f"not {word}" for key, word in _CLAIMS.items() if isinstance(said.get(key), bool)
        ]
        return f"The server claims: {', '.join(claims)}." if claims else ""


def _for_model(error: ServerError) -> str:
    failure = error.failure
    if failure.reason is Reason.UNAUTHORIZED:
        return (
            f"{error.message} Only the user can log in to the server {error.server}; go on without it, or ask for that."
        )
    tail = f"\nThe end of its stderr:\n{failure.tail[-1000:]}" if failure.tail else ""
    return f"{error.message}{tail}"


def _segment(server: str) -> str:
    """A server's name before the ``/`` of a rule: a slash of its own would move the border."""
    return server.replace("%", "%25").replace("/", "%2F")
