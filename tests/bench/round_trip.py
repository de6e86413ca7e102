"""A prompt and its answer through a host process, against the same agent driven by a bare client in the same rounds."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from acp import PROTOCOL_VERSION, connect_to_agent, text_block

from tests.actions.agent.acp.wired import environment
from tests.actions.agent.loop.stage import serve
from tests.bench.harness import Pair, in_turns
from tests.running_host import running_host

_ANSWER = {"default": {"text": "The answer has a few words. " * 10, "delay": 0.3, "chunk": 28, "chunk_delay": 0.02}}
"""A model that begins to answer after 0.3 s and takes 0.2 s more: quicker than any that a person would talk to."""


class _Silent:
    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        """A client that keeps nothing."""

    async def request_permission(self, session_id: str, tool_call: Any, options: Any, **_: Any) -> Any:
        raise AssertionError("nothing is asked here")

    def on_connect(self, conn: Any) -> None:
        """Nothing to keep."""


def round_trip(rounds: int = 20) -> Pair:
    """Milliseconds from the prompt to the end of its turn."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = serve(folder / "llm", _ANSWER)
        (folder / "repo").mkdir()
        env = environment(server)
        runner = asyncio.Runner()
        try:
            with running_host(folder / "home", env=env) as host:
                session = host.done("session.spawn_new", provider="builtin", workspace=str(folder / "repo"))["id"]
                process, agent, theirs = runner.run(_bare(folder, env))

                def through_the_host() -> None:
                    end = host.done("session.message.send", session_id=session, message="go", wait=True, timeout_s=60)
                    assert end["stop_reason"] == "end_turn"

                def bare() -> None:
                    runner.run(agent.prompt(session_id=theirs, prompt=[text_block("go")]))

                pair = in_turns(through_the_host, bare, rounds=rounds, warmup=3)
                process.kill()
                runner.run(process.wait())
                runner.run(agent.close())
        finally:
            runner.close()
            server.process.terminate()
            server.process.wait()
    return pair


async def _bare(folder: Path, env: dict[str, str]) -> tuple[asyncio.subprocess.Process, Any, str]:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "actions.agent", stdin=pipe, stdout=pipe,
        env={**os.environ, **env, "SAYSO_HOME": str(folder / "bare")},
    )  # fmt: skip
    agent: Any = connect_to_agent(_Silent(), process.stdin, process.stdout)  # pyright: ignore[reportArgumentType]
    await agent.initialize(protocol_version=PROTOCOL_VERSION)
    session = await agent.new_session(cwd=str(folder / "repo"), mcp_servers=[])
    return process, agent, session.session_id
