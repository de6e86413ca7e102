"""An agent's process with an ACP client that only counts: the same one for ours and for a peer."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import psutil


class Driven:
    """An agent over stdio. ``started_ms``: from the start of its process to its answer to ``initialize``."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], workspace: Path) -> None:
        self.workspace = workspace
        self._argv = list(argv)
        self._env = dict(env)
        self._id = 0
        self._calls = 0
        self.started_ms = 0.0

    def __enter__(self) -> Self:
        begun = time.perf_counter()
        self._process = subprocess.Popen(
            self._argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=self._env,
            cwd=self.workspace,
        )
        self.ask("initialize", protocolVersion=1, clientCapabilities={})
        self.started_ms = (time.perf_counter() - begun) * 1000
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def turn(self, session: str, text: str, calls: int) -> float:
        """Milliseconds from the prompt to its end. Raises RuntimeError unless it made ``calls`` tool calls."""
        self._calls = 0
        begun = time.perf_counter()
        end = self.ask("session/prompt", sessionId=session, prompt=[{"type": "text", "text": text}])
        took = (time.perf_counter() - begun) * 1000
        if end["stopReason"] != "end_turn" or self._calls != calls:
            raise RuntimeError(f"the turn ended with {end} after {self._calls} calls instead of {calls}")
        return took

    def memory(self) -> float:
        """Megabytes resident, without children."""
        return psutil.Process(self._process.pid).memory_info().rss / 1e6

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of a request. Raises RuntimeError when the agent ends or answers with an error."""
        self._id += 1
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            message = json.loads(line)
            if message.get("method") == "session/update":
                self._calls += message["params"]["update"]["sessionUpdate"] == "tool_call"
            elif message.get("id") == self._id and "method" not in message:
                if "error" in message:
                    raise RuntimeError(f"{method} failed: {message['error']}")
                return message["result"]
        raise RuntimeError(f"{self._argv[0]} ended during {method}")
