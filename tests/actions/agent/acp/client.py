"""The client's end of a pair of pipes, message by message."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import dataclass, field
from typing import Any

from actions.agent.acp.link import Link


@dataclass
class Pipes:
    """``requests`` are what the agent's side would hand to the SDK."""

    link: Link
    reader: asyncio.StreamReader
    writer: int
    requests: list[dict[str, Any]] = field(default_factory=list)
    open: bool = True

    async def next(self, seconds: float = 30) -> dict[str, Any]:
        """The next message of the agent."""
        return json.loads(await asyncio.wait_for(self.reader.readline(), seconds))

    async def next_of(self, method: str) -> dict[str, Any]:
        """The next message with this method; others are passed over."""
        while (message := await self.next()).get("method") != method:
            pass
        return message

    def send(self, **message: Any) -> None:
        os.write(self.writer, json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def answer(self, request: dict[str, Any], result: Any) -> None:
        self.send(id=request["id"], result=result)

    def hang_up(self) -> None:
        if self.open:
            self.open = False
            os.close(self.writer)
