"""The whole agent side over real pipes in this process, with the SDK's client on the other end."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from acp import RequestError, connect_to_agent
from acp.helpers import text_block
from acp.schema import (
    AcceptElicitationResponse,
    AllowedOutcome,
    CancelElicitationResponse,
    ClientCapabilities,
    DeniedOutcome,
    ElicitationCapabilities,
    ElicitationFormCapabilities,
    PermissionOption,
    RequestPermissionResponse,
    ToolCallUpdate,
)

from actions.agent.acp.link import Link
from actions.agent.acp.server import AcpAgent
from actions.agent.loop.options import Flags
from actions.agent.opening import greet
from actions.agent.wire import Wire
from actions.storage.paths import Paths
from tests.actions.agent.loop.stage import Server


@dataclass
class Asked:
    """A permission request as the client got it; ``meta`` is its ``_meta.sayso``."""

    call: ToolCallUpdate
    options: list[PermissionOption]
    meta: dict[str, Any]
    answer: asyncio.Future[tuple[str, dict[str, Any]]]

    def choose(self, option: str, **sayso: Any) -> None:
        """Answer with an option's id, or ``cancelled``."""
        self.answer.set_result((option, sayso))


@dataclass
class Editor:
    """A client that keeps what it is told. ``answer`` is the option that it chooses at once; None leaves it open."""

    answer: str | None = "allow_once"
    form: Callable[[str, Any], dict[str, Any] | None] | None = None
    tool: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    updates: list[Any] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    connection: Any = None

    async def session_update(self, session_id: str, update: Any, **kwargs: Any) -> None:
        self.updates.append(update)
        self.changed.set()

    async def request_permission(
        self, session_id: str, tool_call: ToolCallUpdate, options: list[PermissionOption], **meta: Any
    ) -> RequestPermissionResponse:
        asked = Asked(tool_call, options, meta["sayso"], asyncio.get_running_loop().create_future())
        self.asked.append(asked)
        self.changed.set()
        if self.answer is not None:
            asked.choose(self.answer)
        option, said = await asked.answer
        about = {"sayso": said} if said else None
        if option == "cancelled":
            return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"), field_meta=about)
        return RequestPermissionResponse(outcome=AllowedOutcome(outcome="selected", option_id=option, field_meta=about))

    async def create_elicitation(self, message: str, mode: Any, **kwargs: Any) -> Any:
        if self.form is None:
            raise RequestError.internal_error()
        content = self.form(message, mode.requested_schema)
        if content is None:
            return CancelElicitationResponse(action="cancel")
        return AcceptElicitationResponse(action="accept", content=content)

    async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert (method, self.tool is not None) == ("sayso/client_tool/call", True)
        assert self.tool is not None
        return self.tool(params)

    def of(self, kind: str) -> list[Any]:
        return [update for update in self.updates if update.session_update == kind]

    def calls(self, call_id: str | None = None) -> list[Any]:
        """Everything that was told of tool calls, of one where an id is given."""
        told = [u for u in self.updates if u.session_update in ("tool_call", "tool_call_update")]
        return [u for u in told if call_id in (None, u.tool_call_id)]

    @property
    def text(self) -> str:
        return "".join(update.content.text for update in self.of("agent_message_chunk"))

    async def until(self, seen: Callable[[], Any], seconds: float = 40) -> None:
        """Wait until ``seen()`` is true."""
        async with asyncio.timeout(seconds):
            while not seen():
                self.changed.clear()
                await self.changed.wait()

    async def until_asked(self, count: int) -> list[Asked]:
        await self.until(lambda: len(self.asked) >= count)
        return self.asked

    async def open(self, cwd: Path, mode: str | None = None, **fields: Any) -> str:
        """A new session's id."""
        session = await self.connection.new_session(cwd=str(cwd), mcp_servers=[], **fields)
        if mode is not None:
            await self.connection.set_config_option(session_id=session.session_id, config_id="mode", value=mode)
        return session.session_id

    async def prompt(self, session: str, script: str, cwd: Path | str = ".", **meta: Any) -> Any:
        """Prompt with a script of the model server."""
        return await self.say(session, f"[[{script}]] cwd={cwd} please", **meta)

    async def say(self, session: str, text: str, **meta: Any) -> Any:
        return await self.connection.prompt(session_id=session, prompt=[text_block(text)], **meta)


def environment(server: Server | None) -> dict[str, str]:
    """What points the agent at the scripted model server; without one it is the scout."""
    if server is None:
        return {}
    address = {"OPENAI_BASE_URL": f"{server.url}/v1", "OPENAI_API_KEY": "key"}
    return {"SAYSO_AGENT_MODEL": "openai-chat:fake-model", **address}


@asynccontextmanager
async def wired(
    editor: Editor,
    variables: Mapping[str, str],
    *,
    flags: Flags = Flags(),  # noqa: B008 - frozen
    tools: object = None,
    forms: bool = True,
) -> AsyncGenerator[dict[str, Any]]:
    """Connect ``editor``. Gives the ``_meta.sayso`` of the answer to initialize. At the end the agent has ended."""
    to_agent, from_client = os.pipe()
    to_client, from_agent = os.pipe()
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=1 << 25)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(to_client, "rb", 0))
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.streams.FlowControlMixin(loop=loop), os.fdopen(from_client, "wb", 0)
    )
    writer = asyncio.StreamWriter(transport, protocol, reader, loop)

    async def serve() -> None:
        wire = Wire(to_agent, from_agent)
        greeting = await greet(wire)
        assert greeting is not None
        await AcpAgent(Link(wire), greeting, flags, Paths.from_environment(), variables).serve()

    serving = asyncio.create_task(serve())
    editor.connection = connect_to_agent(
        editor,  # type: ignore[arg-type]  # duck-typed: only what an agent of ours calls
        writer,
        reader,
        use_unstable_protocol=True,
    )
    shown = ElicitationCapabilities(form=ElicitationFormCapabilities()) if forms else None
    meta = {} if tools is None else {"sayso": {"client_tools": tools}}
    try:
        hello = await editor.connection.initialize(
            protocol_version=1, client_capabilities=ClientCapabilities(elicitation=shown), **meta
        )
        yield (hello.field_meta or {}).get("sayso", {})
    finally:
        transport.close()
        await asyncio.wait_for(serving, 40)
        await editor.connection.close()
        os.close(from_agent)
        os.close(to_agent)
