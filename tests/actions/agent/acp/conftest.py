"""The agent's end of a connection over real pipes, with the test as the client."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio

from actions.agent.acp.link import Link
from actions.agent.wire import Wire
from tests.actions.agent.acp.client import Pipes


@pytest_asyncio.fixture
async def silent() -> AsyncIterator[Pipes]:
    """A link that nobody reads from yet."""
    to_agent, from_client = os.pipe()
    to_client, from_agent = os.pipe()
    link = Link(Wire(to_agent, from_agent))
    reader = asyncio.StreamReader(limit=1 << 24)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(to_client, "rb", 0)
    )
    made = Pipes(link, reader, from_client)
    yield made
    made.hang_up()
    transport.close()
    os.close(from_agent)


@pytest_asyncio.fixture
async def pipes(silent: Pipes) -> AsyncIterator[Pipes]:
    """A link whose incoming messages are read; requests of the client are collected."""
    listening = asyncio.create_task(_listen(silent.link, silent.requests))
    yield silent
    silent.hang_up()
    await listening


async def _listen(link: Link, into: list[dict[str, Any]]) -> None:
    while (message := await link.receive()) is not None:
        into.append(json.loads(json.dumps(message)))
