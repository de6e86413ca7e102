"""The built-in agent over ACP with a scripted model: beside kimi-cli 1.50.0 in the same run where that can be had, else
against as many bare requests to the same model server.
"""

from __future__ import annotations

import http.client
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from tests.actions.agent.loop.stage import Server, call, script, serve, step
from tests.bench.acp_driver import Driven
from tests.bench.harness import Figure
from tests.bench.peers.environment import PEER, PEER_NEEDS, peer_python
from tests.bench.peers.kimi_acp import KimiAcp

STEPS = 20
ROUNDS = 5
PROMPT = "[[steps]]"
PEER_LIMIT = 0.7
START_LIMIT = 0.6
STEPS_LIMIT = 20.0
"""Times bare requests, where there is no peer."""
MEMORY_LIMIT = 107.0
"""Megabytes resident after these turns, where there is no peer: 0.7 of the 153 that it was seen with."""


def steps_figures() -> Iterator[Figure]:
    """``agent.twenty_steps``: ms from the prompt to its answer. ``agent.memory``: MB resident after that.
    ``agent.start``, only beside the peer: ms from the start of the process to its first answer.
    """
    peer_home = peer_python(PEER, PEER_NEEDS)
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        workspace = folder / "workspace"
        workspace.mkdir()
        read = workspace / "a.txt"
        read.write_text("hello\n" * 30)
        server = _serve(
            stack, folder / "ours", [{"path": str(read), "offset": 1, "count": n + 1} for n in range(STEPS)]
        )
        agent = stack.enter_context(
            Driven([sys.executable, "-P", "-m", "actions.agent"], _env(folder, server), workspace)
        )
        peer = None
        if peer_home is not None:
            asked = [{"path": str(read), "line_offset": 1, "n_lines": n + 1} for n in range(STEPS)]
            scripted = _serve(stack, folder / "theirs", asked)
            peer = KimiAcp(peer_home, folder / "kimi", workspace, scripted.url)
            peer.begin()  # compiles its modules: no part of its start
            stack.enter_context(peer)
        ours, theirs = [], []
        for _ in range(ROUNDS + 1):
            session = agent.ask("session/new", cwd=str(workspace), mcpServers=[])["sessionId"]
            ours.append(agent.turn(session, PROMPT, STEPS))
            if peer is None:
                theirs.append(_bare(server))
            else:
                session = peer.begin()
                peer.resume(session)
                theirs.append(peer.turn(session, PROMPT, STEPS))
        # The first turn of each loads what its model needs.
        steps, floor = statistics.median(ours[1:]), statistics.median(theirs[1:])
        yield Figure("agent.twenty_steps", steps, "ms", STEPS_LIMIT if peer is None else PEER_LIMIT, floor)
        if peer is None:
            yield Figure("agent.memory", agent.memory(), "MB", MEMORY_LIMIT)
        else:
            yield Figure("agent.memory", agent.memory(), "MB", PEER_LIMIT, peer.memory())
            yield Figure("agent.start", agent.started_ms, "ms", START_LIMIT, peer.started_ms)


def _serve(stack: ExitStack, folder: Path, asked: list[dict[str, object]]) -> Server:
    """A model server that asks for one ReadFile a step, then answers."""
    server = serve(
        folder, script(steps=[*(step(call("ReadFile", **arguments)) for arguments in asked), {"text": "done"}])
    )

    def end() -> None:
        server.process.terminate()
        server.process.wait()

    stack.callback(end)
    return server


def _env(folder: Path, server: Server) -> dict[str, str]:
    return {
        **os.environ,
        "SAYSO_HOME": str(folder / "home"),
        "SAYSO_AGENT_MODEL": "openai-chat:fake-model",
        "OPENAI_BASE_URL": f"{server.url}/v1",
        "OPENAI_API_KEY": "none",
    }


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
