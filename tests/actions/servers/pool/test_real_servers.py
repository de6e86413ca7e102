"""Real servers from npm and PyPI through the pool: listed, called once, and closed without an orphan (``make agents``).

No browser and no network is needed: what a server says without them is an answer as well.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

from actions.servers.pool.definition import Limits, ServerDefinition, Stdio
from actions.servers.pool.pool import Pool
from actions.servers.pool.states import State
from actions.servers.pool.surroundings import Surroundings
from tests.running_host import gone

INSTALLED = Path(__file__).parents[4] / ".agents"
NPM = INSTALLED / "mcp-servers" / "node_modules" / ".bin"
PYPI = INSTALLED / "mcp-servers-python" / "bin"

pytestmark = [pytest.mark.agents, pytest.mark.timeout(180)]


@dataclass(frozen=True)
class Real:
    """A server: its command, one tool with its input, what the answer says, and the version of MCP that it speaks."""

    command: Path
    args: Callable[[Path], tuple[str, ...]]
    tool: str
    input: Callable[[Path], dict[str, Any]]
    says: str
    protocol: str
    tools: int


def nothing(folder: Path) -> tuple[str, ...]:
    return ()


HANDSHAKE, MODERN = "2025-11-25", "2026-07-28"
SERVERS = {
    "everything": Real(
        NPM / "mcp-server-everything", nothing, "echo", lambda f: {"message": "hello"}, "hello", HANDSHAKE, 13
    ),
    "filesystem": Real(
        NPM / "mcp-server-filesystem", lambda f: (str(f),), "list_directory", lambda f: {"path": str(f)},
        "read me.txt", HANDSHAKE, 14,
    ),
    "memory": Real(NPM / "mcp-server-memory", nothing, "read_graph", lambda f: {}, "entities", HANDSHAKE, 9),
    "sequential-thinking": Real(
        NPM / "mcp-server-sequential-thinking", nothing, "sequentialthinking",
        lambda f: {"thought": "one", "thoughtNumber": 1, "totalThoughts": 2, "nextThoughtNeeded": True},
        "totalThoughts", HANDSHAKE, 1,
    ),
    "playwright": Real(
        NPM / "playwright-mcp", lambda f: ("--headless", "--isolated"), "browser_close", lambda f: {},
        "", HANDSHAKE, 25,
    ),
    "context7": Real(
        NPM / "context7-mcp", nothing, "resolve-library-id", lambda f: {"libraryName": "react", "query": "hooks"},
        "", MODERN, 2,
    ),
    "chrome-devtools": Real(
        NPM / "chrome-devtools-mcp", lambda f: ("--headless", "--isolated", "--no-usage-statistics"), "list_pages",
        lambda f: {}, "", HANDSHAKE, 32,
    ),
    "git": Real(
        PYPI / "mcp-server-git", lambda f: ("--repository", str(f)), "git_status", lambda f: {"repo_path": str(f)},
        "read me.txt", MODERN, 12,
    ),
    "fetch": Real(
        PYPI / "mcp-server-fetch", nothing, "fetch", lambda f: {"url": "http://127.0.0.1:9/"},
        "127.0.0.1:9", MODERN, 1,
    ),
    "time": Real(
        PYPI / "mcp-server-time", nothing, "get_current_time", lambda f: {"timezone": "UTC"}, "UTC", MODERN, 2
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SERVERS)
async def test_it_is_listed_called_and_closed_without_an_orphan(name: str, tmp_path: Path) -> None:
    real = SERVERS[name]
    if not real.command.exists():
        pytest.skip("make agents installs it")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "read me.txt").write_text("hello")
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)  # noqa: ASYNC221 - there is nothing beside it
    environ = {**os.environ, "PATH": f"{NPM}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    pool = Pool(Surroundings(environ, cwd=folder, roots=(folder,), logs=tmp_path / "logs"))
    definition = ServerDefinition(
        name, Stdio(str(real.command), real.args(folder), {"MEMORY_FILE_PATH": str(tmp_path / "memory.json")}),
        Limits(connect=90.0, idle=60.0),
    )  # fmt: skip
    try:
        pool.start([definition])
        snapshot = await pool.wait_ready(120.0)
        assert snapshot is not None
        row = snapshot.servers[0]
        assert row.state is State.CONNECTED, row.failure
        # One that takes longer than four seconds to start is asked in the old way, which the modern ones know as well
        assert row.protocol in (real.protocol, HANDSHAKE)
        assert (row.skipped, row.warnings) == ((), ())
        assert len(row.tools) >= real.tools, "one has more for a client with roots"
        result = await pool.call(name, real.tool, real.input(folder))
        assert real.says in str(result.content)
        assert result.content
        family = [psutil.Process(row.pid), *psutil.Process(row.pid).children(recursive=True)]
    finally:
        await pool.close()
    assert [process for process in family if not gone(process)] == []


def test_all_of_them_are_here_where_npm_is() -> None:
    if shutil.which("npm") is None or not NPM.exists():
        pytest.skip("make agents installs them")
    assert [name for name, real in SERVERS.items() if not real.command.exists()] == []
