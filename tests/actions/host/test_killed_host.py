"""However a host ends, its agents and what those started end with it, without any further command."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.running_host import RunningHost, eventually, gone, running_host

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
            if word in process.cmdline() and not gone(process):
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


@pytest.fixture
def host(tmp_path: Path, word: str) -> Iterator[RunningHost]:
    with running_host(tmp_path / "home") as host:
        (tmp_path / "agent.py").write_text(AGENT)
        argv = f'["{sys.executable}", "{tmp_path / "agent.py"}", "{word}"]'
        (host.home / "config" / "providers.toml").write_text(f'[providers.big]\nname = "Big"\ncommand = {argv}\n')
        yield host


def _begin(host: RunningHost, word: str) -> list[psutil.Process]:
    work = host.home.parent / "work"
    work.mkdir(exist_ok=True)
    host.done("session.spawn_new", provider="big", workspace=str(work))
    return eventually(lambda: len(found := _with(word)) >= 4 and found)


def test_a_killed_host_takes_all_with_it_though_nobody_starts_another(host: RunningHost, word: str) -> None:
    running = _begin(host, word)
    [keeper] = _keepers(host.process.pid)
    begun = time.monotonic()
    host.end(signal.SIGKILL)
    eventually(lambda: all(gone(process) for process in running), 30)
    assert time.monotonic() - begun < 15, "five seconds is the promise, on a machine that has the time"
    eventually(lambda: gone(keeper))


def test_what_a_new_host_starts_is_not_touched(host: RunningHost, word: str) -> None:
    before = _begin(host, word)
    [keeper] = _keepers(host.process.pid)
    host.end(signal.SIGKILL)
    with running_host(host.home) as after:
        running = [process for process in _begin(after, word) if process not in before]
        eventually(lambda: gone(keeper))
        assert all(gone(process) for process in before)
        assert len(running) == 4
        assert not any(gone(process) for process in running)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, None])
def test_an_end_a_log_out_and_a_stop_leave_neither_agent_nor_keeper(
    host: RunningHost, word: str, number: signal.Signals | None
) -> None:
    assert not _keepers(host.process.pid), "a host without agents needs none"
    running = _begin(host, word)
    [keeper] = _keepers(host.process.pid)
    if number is None:
        assert host.call("host.stop", surface="ui")["ok"]
        host.process.wait(timeout=50)
    else:
        host.end(number)
    assert gone(keeper)
    assert all(gone(process) for process in running)
