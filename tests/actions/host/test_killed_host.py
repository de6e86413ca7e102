"""However a host ends, its agents and what those started end with it, without any further command."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import textwrap
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from tests.running_host import RunningHost, eventually, gone

SERVER = Path(__file__).parents[2] / "fixtures" / "mcp" / "bad_stdio.py"
EACH = 5
"""Processes: the agent, its three children, the server."""

# It ignores SIGTERM, and so do a child in its group, one that has left its session, and one without an environment.
AGENT = textwrap.dedent(
    """
    import json, signal, subprocess, sys, time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    CHILD = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    given = [sys.executable, "-c", CHILD, sys.argv[1]]
    subprocess.Popen(given)
    subprocess.Popen(given, start_new_session=True)
    subprocess.Popen(given, env={})
    def reply(message, result):
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("method") == "initialize":
            reply(message, {"protocolVersion": 1, "agentCapabilities": {}})
        elif message.get("method") == "session/new":
            reply(message, {"sessionId": "one"})
    time.sleep(600)
    """
)


def _with(word: str) -> list[psutil.Process]:
    found: list[psutil.Process] = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if word in " ".join(process.cmdline()) and not gone(process):
                found.append(process)
    return found


def _keepers(host: int) -> list[psutil.Process]:
    return [child for child in psutil.Process(host).children() if "sayso-keeper" in child.cmdline()]


@pytest.fixture
def word(tmp_path: Path) -> Iterator[str]:
    """What the agent and its children have in their command lines."""
    word = f"of-{os.getpid()}-{tmp_path.name}"
    yield word
    for process in _with(word):
        process.kill()


def _host(folder: Path, word: str) -> RunningHost:
    """A host with that agent and an MCP server of the user's, each of which has the word in its command line."""
    host = RunningHost(folder / "home")
    (folder / "work").mkdir(exist_ok=True)
    (folder / "agent.py").write_text(AGENT)
    argv = f'["{sys.executable}", "{folder / "agent.py"}", "{word}"]'
    (host.home / "config" / "providers.toml").write_text(f'[providers.big]\nname = "Big"\ncommand = {argv}\n')
    servers = {"good": {"command": sys.executable, "args": [str(SERVER), "ok", word]}}
    bindings = {"good": {"device": True}}
    mcp = {"mcpServers": servers, "sayso": {"bindings": bindings}}
    (host.home / "config" / "mcp.json").write_text(json.dumps(mcp))
    return host


def _begin(host: RunningHost, word: str, before: Collection[psutil.Process] = ()) -> list[psutil.Process]:
    """Start the agent, and the server in the host: all that then runs beside ``before``."""
    work = str(host.home.parent / "work")
    host.done("session.spawn_new", provider="big", workspace=work)
    [server] = host.done("mcp.preview", provider="big", workspace=work, wait_s=60)["servers"]
    assert server["name"] == "good"
    return eventually(lambda: len(found := [p for p in _with(word) if p not in before]) >= EACH and found)


def test_a_killed_host_takes_all_with_it_and_nothing_of_the_next_one(tmp_path: Path, word: str) -> None:
    first = _host(tmp_path, word)
    before = _begin(first, word)
    [keeper] = _keepers(first.process.pid)
    first.end(signal.SIGKILL)
    second = _host(tmp_path, word)
    running = _begin(second, word, before)
    eventually(lambda: gone(keeper))
    assert all(gone(process) for process in before)
    assert not any(gone(process) for process in running)
    # And now nobody starts another one.
    [keeper] = _keepers(second.process.pid)
    second.end(signal.SIGKILL)
    eventually(lambda: all(gone(process) for process in running))
    eventually(lambda: gone(keeper))


def test_an_end_a_log_out_and_a_stop_leave_neither_agent_nor_server_nor_keeper(tmp_path: Path, word: str) -> None:
    def ends(number: signal.Signals | None) -> None:
        own = f"{word}-{number.name if number else 'stop'}"
        (folder := tmp_path / str(number)).mkdir()
        host = _host(folder, own)
        assert not _keepers(host.process.pid), "a host without agents needs none"
        running = _begin(host, own)
        [keeper] = _keepers(host.process.pid)
        if number is None:
            assert host.call("host.stop", surface="ui")["ok"]
            host.process.wait(timeout=50)
        else:
            host.end(number)
        assert gone(keeper)
        assert all(gone(process) for process in running)

    with ThreadPoolExecutor(3) as three:  # most of it is waiting for what ignores SIGTERM
        list(three.map(ends, (signal.SIGTERM, signal.SIGHUP, None)))
