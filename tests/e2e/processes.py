"""Which processes belong to a home: everything that a command, a window, a host or an agent of it started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil

from tests.running_host import eventually, gone


def processes_of(folder: Path) -> list[psutil.Process]:
    """The living processes whose environment names this home."""
    wanted = f"SAYSO_HOME={folder}".encode()
    found: list[psutil.Process] = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, psutil.Error, ValueError):
            if entry.name.isdigit() and wanted in (entry / "environ").read_bytes().split(b"\0"):
                found.append(psutil.Process(int(entry.name)))
    return [process for process in found if process.pid != os.getpid() and not gone(process)]


def hosts_of(folder: Path) -> list[psutil.Process]:
    """The hosts among them."""
    found: list[psutil.Process] = []
    for process in processes_of(folder):
        with contextlib.suppress(psutil.Error):
            if "actions.host" in process.cmdline():
                found.append(process)
    return found


def end_all(folder: Path) -> None:
    """End what is left of a home, the host first: it ends its agents itself."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        for process in hosts_of(folder) or processes_of(folder):
            with contextlib.suppress(psutil.Error):
                process.send_signal(number)
        with contextlib.suppress(AssertionError):
            eventually(lambda: not processes_of(folder), 10)
            return
    for process in processes_of(folder):
        with contextlib.suppress(psutil.Error):
            process.kill()


@contextlib.contextmanager
def started(
    *argv: str, env: dict[str, str], cwd: Path | None = None, stdin: int = subprocess.DEVNULL
) -> Iterator[subprocess.Popen[str]]:
    """A process with its output piped; killed at the end when it still runs."""
    with subprocess.Popen(
        argv, env=env, cwd=cwd, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
