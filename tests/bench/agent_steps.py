"""Twenty steps of the built-in agent over ACP, against as many bare requests to the same scripted model server."""

from __future__ import annotations

import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.actions.agent.loop.stage import Server, call, script, serve, step
from tests.bench.harness import Figure

STEPS = 20
ROUNDS = 7
STEPS_LIMIT = 20.0
"""Times bare requests. In milliseconds the goal is 350 on a quiet machine of two cores: 0.7 of the peer's."""
MEMORY_LIMIT = 107.0
"""Megabytes resident, after these turns."""


def steps_figures() -> Iterator[Figure]:
    """``agent.twenty_steps``: ms from the prompt to its answer. ``agent.memory``: MB resident after that."""
    reads = [step(call("ReadFile", path="a.txt", offset=1, count=n + 1)) for n in range(STEPS)]
    with tempfile.TemporaryDirectory() as folder:
        server = serve(Path(folder) / "llm", script(steps=[*reads, {"text": "done"}]))
        try:
            with Agent(Path(folder), server) as agent:
                agent.turn()  # loads the model's library
                ours, bare = [], []
                for _ in range(ROUNDS):
                    ours.append(agent.turn())
                    bare.append(_bare(server))
                memory = agent.memory()
        finally:
            server.process.terminate()
            server.process.wait()
    yield Figure("agent.twenty_steps", statistics.median(ours), "ms", STEPS_LIMIT, statistics.median(bare))
    yield Figure("agent.memory", memory, "MB", MEMORY_LIMIT)


class Agent:
    """The agent's process with a client that only counts."""

    def __init__(self, folder: Path, server: Server) -> None:
        self._root = folder / "workspace"
        self._root.mkdir()
        (self._root / "a.txt").write_text("hello\n" * 30)
        self._id = 0
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "actions.agent"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={
                **os.environ,
                "SAYSO_HOME": str(folder / "home"),
                "SAYSO_AGENT_MODEL": "openai-chat:fake-model",
                "OPENAI_BASE_URL": f"{server.url}/v1",
                "OPENAI_API_KEY": "none",
            },
        )

    def __enter__(self) -> Agent:
        self._ask("initialize", protocolVersion=1, clientCapabilities={})
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def turn(self) -> float:
        """A turn of a fresh session, in milliseconds."""
        session = self._ask("session/new", cwd=str(self._root), mcpServers=[])["sessionId"]
        begun = time.perf_counter()
        end = self._ask("session/prompt", sessionId=session, prompt=[{"type": "text", "text": "[[steps]]"}])
        took = (time.perf_counter() - begun) * 1000
        if end["stopReason"] != "end_turn":
            raise RuntimeError(f"the turn ended with {end}")
        return took

    def memory(self) -> float:
        import psutil

        return psutil.Process(self._process.pid).memory_info().rss / 1e6

    def _ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._id += 1
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        while True:
            message = json.loads(self._process.stdout.readline())
            if message.get("id") == self._id and "method" not in message:
                if "error" in message:
                    raise RuntimeError(f"{method} failed: {message['error']}")
                return message["result"]


def _bare(server: Server) -> float:
    """The same number of streamed requests, a connection each, read to their end; in milliseconds."""
    where = urlsplit(server.url)
    body = json.dumps({"model": "m", "stream": True, "messages": [{"role": "user", "content": "hi"}], "tools": []})
    begun = time.perf_counter()
    for _ in range(STEPS + 1):
        connection = http.client.HTTPConnection(where.hostname or "", where.port)
        connection.request("POST", "/v1/chat/completions", body, {"Content-Type": "application/json"})
        connection.getresponse().read()
        connection.close()
    return (time.perf_counter() - begun) * 1000
