"""A scripted model server on loopback, and a model that is pointed at it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from actions.agent.model.ref import ModelRef
from actions.agent.model.requests import Model, open_model

FAKE = Path(__file__).parents[3] / "fixtures" / "llm" / "fake_llm.py"
WIRES = ("openai-chat", "openai-responses", "anthropic", "google")


@dataclass(frozen=True)
class Server:
    """A running server and the log of what it was asked."""

    url: str
    log: Path

    def ref(self, provider: str) -> ModelRef:
        base = f"{self.url}/v1" if provider.startswith("openai") else self.url
        return ModelRef(provider, "fake-model", base, "environment")

    def requests(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[dict[str, Any]], Server]]:
    """Start a server that plays the given script; it ends with the test."""
    running: list[subprocess.Popen[bytes]] = []

    def start(script: dict[str, Any]) -> Server:
        folder = tmp_path / f"llm{len(running)}"
        folder.mkdir()
        (folder / "script.json").write_text(json.dumps(script))
        port = folder / "port"
        command = [sys.executable, str(FAKE), "--script", str(folder / "script.json"), "--portfile", str(port)]
        running.append(
            subprocess.Popen([*command, "--log", str(folder / "log")], stdout=subprocess.DEVNULL, cwd=folder)
        )
        limit = time.monotonic() + 10
        while not port.exists():
            assert time.monotonic() < limit, "the model server did not start"
            time.sleep(0.01)
        return Server(f"http://127.0.0.1:{port.read_text()}", folder / "log")

    yield start
    for process in running:
        process.terminate()
        process.wait(5)


@pytest_asyncio.fixture
async def models() -> AsyncIterator[Callable[[ModelRef], Model]]:
    """Open models that are closed with the test."""
    opened: list[Model] = []

    def open_one(ref: ModelRef) -> Model:
        opened.append(open_model(ref))
        return opened[-1]

    yield open_one
    for model in opened:
        await model.aclose()
