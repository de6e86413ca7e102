"""The agent as a process of its own, with a scripted model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.actions.agent.acp.wired import environment
from tests.actions.agent.agent_process import agent
from tests.actions.agent.loop.stage import Server, serve

SCRIPTS: dict[str, list[dict[str, Any]]] = {
    "shell": [
        {"text": "Looking. ", "tool_calls": [{"tool": ["Shell"], "args": {"command": "echo hi | tee hi.txt"}}]},
        {"text": "It said hi."},
    ]
}


@pytest.fixture
def model(tmp_path: Path) -> Iterator[Server]:
    server = serve(tmp_path / "llm", {"scripts": SCRIPTS})
    yield server
    server.process.terminate()
    server.process.wait()


@pytest.mark.parametrize("flag", [None, "--yolo", "--afk"])
async def test_a_turn_and_an_end_without_a_trace(model: Server, tmp_path: Path, flag: str | None) -> None:
    async with agent(*([flag] if flag else []), env=environment(model)) as running:
        session = await running.open(tmp_path)
        ended = await running.prompt(session, "[[shell]] please")
        assert (ended.stop_reason, running.client.text) == ("end_turn", "Looking. It said hi.")
        assert len(running.client.asked) == (0 if flag else 1)
        assert (tmp_path / "hi.txt").read_text() == "hi\n"
        children = psutil.Process(running.process.pid).children(recursive=True)
        assert running.process.stdin
        running.process.stdin.close()
        assert await running.ends() == 0
        assert running.stderr.decode() == ""
        _, alive = psutil.wait_procs(children, timeout=30)
        assert alive == []


@pytest.mark.bench
async def test_with_a_model_it_stays_small(model: Server, tmp_path: Path) -> None:
    async with agent("--yolo", env=environment(model)) as running:
        session = await running.open(tmp_path)
        for _ in range(5):
            await running.prompt(session, "[[shell]] please")
        assert psutil.Process(running.process.pid).memory_info().rss < 107e6
