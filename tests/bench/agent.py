"""agent.*: the built-in agent from its start to its first answer, against a Python process that only reads a line."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator

from tests.bench.agent_steps import steps_figures
from tests.bench.harness import Figure, in_turns

INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1}}
INITIALIZE_LIMIT = 12.0
"""Times a bare interpreter that echoes a line. The agent answers before it has loaded the protocol's models."""
_ECHO = "import sys; sys.stdout.write(sys.stdin.readline()); sys.stdout.flush()"


def figures() -> Iterator[Figure]:
    """``agent.initialize``: ms from the start of the process to its answer; then those of a whole turn."""
    with tempfile.TemporaryDirectory() as folder:
        pair = in_turns(
            _answer([sys.executable, "-P", "-m", "actions.agent"], folder),
            _answer([sys.executable, "-c", _ECHO], folder),
        )
    yield Figure("agent.initialize", pair.subject_ms, "ms", INITIALIZE_LIMIT, pair.floor_ms)
    yield from steps_figures()


def _answer(argv: list[str], home: str) -> Callable[[], None]:
    def run() -> None:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"SAYSO_HOME": home, "PATH": "/usr/bin:/bin"},
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(INITIALIZE) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        process.kill()
        process.communicate()
        if answer["id"] != 1:
            raise RuntimeError(f"not an answer: {answer}")

    return run
