"""The real agent process with the SDK's client on the other end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from acp import connect_to_agent
from acp.helpers import text_block
from acp.schema import AllowedOutcome, DeniedOutcome, PermissionOption, RequestPermissionResponse, ToolCallUpdate

LIMIT = 32_000_000


@dataclass
class Client:
    """Keeps what it is told. ``answer`` decides on permission: an option's kind, "cancelled", or None for silence."""

    answer: str | None = "allow_once"
    feedback: str | None = None
    updates: list[Any] = field(default_factory=list)
    asked: list[tuple[ToolCallUpdate, list[PermissionOption]]] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def session_update(self, session_id: str, update: Any, **kwargs: Any) -> None:
        self.updates.append(update)
        self.changed.set()

    async def request_permission(
        self, session_id: str, tool_call: ToolCallUpdate, options: list[PermissionOption], **kwargs: Any
    ) -> RequestPermissionResponse:
        self.asked.append((tool_call, options))
        self.changed.set()
        if self.answer is None:
            await asyncio.Event().wait()
        if self.answer == "cancelled":
            return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
        chosen = next(option.option_id for option in options if option.kind == self.answer)
        meta = {"sayso": {"feedback": self.feedback}} if self.feedback else None
        return RequestPermissionResponse(outcome=AllowedOutcome(outcome="selected", option_id=chosen, field_meta=meta))

    def of(self, kind: str) -> list[Any]:
        return [update for update in self.updates if update.session_update == kind]

    @property
    def text(self) -> str:
        return "".join(update.content.text for update in self.of("agent_message_chunk"))

    async def until(self, seen: Any, seconds: float = 40) -> None:
        """Wait until ``seen()`` is true."""
        async with asyncio.timeout(seconds):
            while not seen():
                self.changed.clear()
                await self.changed.wait()


@dataclass
class Agent:
    """A running agent: ``connection`` speaks ACP to it, ``stderr`` is all that it has said there."""

    process: asyncio.subprocess.Process
    client: Client
    stderr: bytearray
    connection: Any = None

    async def open(self, cwd: os.PathLike[str] | str, mode: str | None = None) -> str:
        """Initialize and start a session; its id."""
        await self.connection.initialize(protocol_version=1)
        session = await self.connection.new_session(cwd=os.fspath(cwd), mcp_servers=[])
        if mode:
            await self.connection.set_session_mode(session_id=session.session_id, mode_id=mode)
        return session.session_id

    async def prompt(self, session_id: str, text: str, **meta: Any) -> Any:
        return await self.connection.prompt(session_id=session_id, prompt=[text_block(text)], **meta)

    async def line(self, raw: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(raw + b"\n")
        await self.process.stdin.drain()

    async def answer(self) -> dict[str, Any]:
        """The next raw message."""
        assert self.process.stdout
        return json.loads(await asyncio.wait_for(self.process.stdout.readline(), 40))

    async def ends(self, seconds: float = 40) -> int:
        return await asyncio.wait_for(self.process.wait(), seconds)


@asynccontextmanager
async def agent(
    *args: str, env: Mapping[str, str] | None = None, raw: bool = False, answer: str | None = "allow_once"
) -> AsyncGenerator[Agent]:
    """Run the agent in a process group of its own. At the end the group is gone and stderr showed no traceback."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "actions.agent", *args,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        start_new_session=True, limit=LIMIT, env={**os.environ, **(env or {})},
    )  # fmt: skip
    running = Agent(process, Client(answer=answer), bytearray())
    drain = asyncio.create_task(_drain(process, running.stderr))
    try:
        if not raw:
            running.connection = connect_to_agent(
                running.client,  # type: ignore[arg-type]  # duck-typed: only what the scout calls
                process.stdin,
                process.stdout,
                use_unstable_protocol=True,
            )
        yield running
        assert b"Traceback" not in running.stderr, running.stderr.decode()
    finally:
        if running.connection is not None:
            with suppress(ConnectionError):
                await running.connection.close()
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        await drain


async def _drain(process: asyncio.subprocess.Process, into: bytearray) -> None:
    assert process.stderr
    while chunk := await process.stderr.read(65536):
        into += chunk
