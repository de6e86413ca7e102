"""A real host process on a fresh home, for tests that need the whole thing."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil


class RunningHost:
    """A host process. ``call`` sends an RPC as a fresh connection of this very process."""

    def __init__(self, home: Path, *arguments: str, env: dict[str, str] | None = None) -> None:
        self.home = home
        self.process = subprocess.Popen(
            [sys.executable, "-m", "actions.host", *arguments],
            env={**os.environ, **(env or {}), "SAYSO_HOME": str(home)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=(home.parent / f"{home.name}-host.log").open("ab"),
            text=True,
        )
        assert self.process.stdout is not None
        self.ready: dict[str, Any] = json.loads(self.process.stdout.readline() or "null")
        self.socket_file = str((self.ready or {}).get("data", {}).get("endpoint", "")).removeprefix("unix:")

    def connect(self) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection("sayso", timeout=120)
        connection.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.sock.settimeout(120)
        connection.sock.connect(self.socket_file)
        return connection

    def call(self, method: str, *, token: str | None = None, **params: Any) -> dict[str, Any]:
        with contextlib.closing(self.connect()) as connection:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            connection.request("POST", "/rpc", json.dumps({"method": method, "params": params}), headers)
            return json.loads(connection.getresponse().read())

    def run(self, action: str, surface: str = "ui", **input: Any) -> dict[str, Any]:
        return self.call("execute", action=action, surface=surface, input=input)

    def done(self, action: str, surface: str = "ui", **input: Any) -> dict[str, Any]:
        answer = self.run(action, surface, **input)
        assert answer.get("outcome") == "completed", answer
        return answer["data"]

    def descendants(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def end(self, number: int = signal.SIGTERM) -> float:
        """Send a signal and wait; seconds until the process was gone."""
        start = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(timeout=50)
        return time.monotonic() - start


@contextlib.contextmanager
def running_host(home: Path, *arguments: str, env: dict[str, str] | None = None) -> Iterator[RunningHost]:
    host = RunningHost(home, *arguments, env=env)
    try:
        yield host
    finally:
        if host.process.poll() is None:
            host.end()
        if host.process.stdout is not None:
            host.process.stdout.close()


def gone(process: psutil.Process) -> bool:
    """Whether a process has ended; a zombie has."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def eventually(condition: Any, seconds: float = 45) -> Any:
    """The first true value of ``condition``; fails after ``seconds``."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.05)
    return value
