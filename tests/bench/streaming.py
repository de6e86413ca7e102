"""Twenty sessions of the built-in agent that stream together, with a window that watches one of them."""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.actions.agent.acp.wired import environment
from tests.actions.agent.loop.stage import serve
from tests.bench.harness import percentile
from tests.running_host import RunningHost, running_host

WORKER = Path(__file__).with_name("floors") / "window_worker.py"
STAMPED = Path(__file__).parents[1] / "fixtures" / "agents" / "scripted.py"
SESSIONS = 20
EACH_SECOND = 10
"""Updates of one session: 200 a second in all."""


@dataclass(frozen=True)
class Streamed:
    """``lost`` counts pieces that are missing or out of place; megabytes, cores and milliseconds."""

    pieces: int
    lost: int
    grown_mb: float
    cores: float
    to_disk_p95: float
    late_p99: float
    late_floor: float


def streamed(seconds: float) -> Streamed:
    """Stream for ``seconds``, then read everything back."""
    count = int(seconds * EACH_SECOND)
    # A paragraph every fifty words, as an answer has; each piece has seven characters.
    text = "".join(f"{number:05}\n\n" if number % 50 == 49 else f"{number:06} " for number in range(count))
    model = {"default": {"text": text, "chunk": 7, "chunk_delay": 1 / EACH_SECOND}}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = serve(folder / "llm", model)
        (folder / "repo").mkdir()
        try:
            with running_host(folder / "home", env=environment(server)) as host:
                _add_provider(host)
                workspace = str(folder / "repo")
                ids = [_spawn(host, "builtin", workspace) for _ in range(SESSIONS)]
                stamped = _spawn(host, "stamped", workspace)
                for session in ids:
                    host.done("session.message.send", session_id=session, message="go")
                process = psutil.Process(host.process.pid)
                begun = time.monotonic()
                time.sleep(min(5.0, seconds / 4))
                window = _watch(host, ids[0], seconds / 2)
                host.done("session.message.send", session_id=stamped, message=f"stamps {int(seconds * 5)}")
                memory = [_rss(process)]
                cpu, wall = sum(process.cpu_times()[:2]), time.monotonic()
                while time.monotonic() - begun < seconds * 0.9:
                    time.sleep(min(1.0, seconds / 20))
                    memory.append(_rss(process))
                cores = (sum(process.cpu_times()[:2]) - cpu) / (time.monotonic() - wall)
                late = json.loads(window.communicate(timeout=seconds + 120)[0].splitlines()[-1])
                for session in [*ids, stamped]:
                    host.done("session.wait", session_id=session, timeout_s=seconds + 120)
                said = [_said(host, session) for session in ids]
                delays = _delays(host, stamped)
        finally:
            server.process.terminate()
            server.process.wait()
    quarter = max(1, len(memory) // 4)
    grown = statistics.median(memory[-quarter:]) - statistics.median(memory[:quarter])
    lost = sum(_wrong(text, heard) for heard in said)
    return Streamed(count * SESSIONS, lost, grown, cores, percentile(delays, 0.95), late["p99"], late["floor"])


def window(host: RunningHost, what: str, *given: str) -> dict[str, Any]:
    """What a real window of its own process measures on a host."""
    process = _window(host, what, *given)
    out, _ = process.communicate(timeout=180)
    if process.returncode:
        raise RuntimeError(f"the window ended with {process.returncode}")
    return json.loads(out.splitlines()[-1])


def _watch(host: RunningHost, session: str, seconds: float) -> subprocess.Popen[str]:
    return _window(host, "watch", session, str(seconds))


def _window(host: RunningHost, *argv: str) -> subprocess.Popen[str]:
    env = {**os.environ, "SAYSO_HOME": str(host.home), "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.Popen([sys.executable, str(WORKER), *argv], stdout=subprocess.PIPE, text=True, env=env)


def _add_provider(host: RunningHost) -> None:
    row = f'[providers.stamped]\ncommand = ["{sys.executable}", "{STAMPED}"]\n'
    (host.home / "config" / "providers.toml").write_text(row)


def _spawn(host: RunningHost, provider: str, workspace: str) -> str:
    return host.done("session.spawn_new", provider=provider, workspace=workspace)["id"]


def _rss(process: psutil.Process) -> float:
    return process.memory_info().rss / 1e6


def _said(host: RunningHost, session: str) -> str:
    return "".join(event["data"]["text"] for event in _events(host, session))


def _events(host: RunningHost, session: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor: int | None = None
    while True:
        given = {"session_id": session, "limit": 5000, "kinds": ["agent"], "cursor": cursor}
        page = host.done("session.transcript.get", **given)
        found += page["events"]
        if (cursor := page["next_cursor"]) is None:
            return found


def _wrong(text: str, heard: str) -> int:
    """Pieces that are not where they belong."""
    pieces, got = text.split(), heard.split()
    return abs(len(pieces) - len(got)) + sum(a != b for a, b in zip(pieces, got, strict=False))


def _delays(host: RunningHost, session: str) -> Sequence[float]:
    """Milliseconds from the agent's word (its text is the time) to the commit that stored it."""
    return [
        event["at"] - int(stamp)
        for event in _events(host, session)
        for stamp in re.findall(r"\d{13}", event["data"]["text"])
    ]


__all__ = ["SESSIONS", "Streamed", "streamed", "window"]
