"""However the agent's process ends, its commands end with it."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from tests.actions.agent.agent_process import agent
from tests.actions.agent.tools.desk import living, until_living


async def until_none(words: str, seconds: float = 30) -> None:
    for _ in range(int(seconds / 0.05)):
        if not living(words):
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"{words} still runs")


@pytest.mark.parametrize("how", ["end of input", "SIGTERM", "SIGINT", "SIGKILL"])
async def test_commands_end_with_the_agent(tmp_path: Path, how: str) -> None:
    words = f"sleep 302.{['end of input', 'SIGTERM', 'SIGINT', 'SIGKILL'].index(how)}"
    async with agent() as running:
        session = await running.open(tmp_path)
        turn = asyncio.ensure_future(running.prompt(session, f"/shell {words} & setsid {words}"))
        await until_living(words, 2)
        if how == "end of input":
            assert running.process.stdin is not None
            running.process.stdin.close()
        else:
            running.process.send_signal(signal.Signals[how])
        await running.ends()
        await until_none(words)
        await asyncio.gather(turn, return_exceptions=True)
