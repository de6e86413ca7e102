"""Start a host for this home when none answers: detached, once, however many ask at the same time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from actions.client.connection import open_socket
from actions.errors import HostUnavailable

if TYPE_CHECKING:
    from actions.storage.paths import Paths

PATIENCE_S = 45.0  # a start takes two seconds, on a machine that is busy much longer
_LOOK_AGAIN_S = 0.02
_TRY_AGAIN_S = 0.2
_TAIL_BYTES = 4000
AGENT_VARIABLES = ("SAYSO_TOKEN", "SAYSO_SESSION_ID", "SAYSO_ENDPOINT")
"""What the host sets for the agents that it starts."""


class HostStarter:
    """Starts the host of ``paths`` with this interpreter. ``environ`` is the environment that it gets."""

    def __init__(self, paths: Paths, environ: Mapping[str, str], *, patience_s: float = PATIENCE_S) -> None:
        self._paths = paths
        self._environ = environ
        self._patience_s = patience_s

    def start(self) -> None:
        """Return as soon as a host answers; start one when none does. Many may call this at the same time.

        Raises:
            HostUnavailable: it did not come up; the message carries the end of its log.
            SaysoError: the home cannot be written.
        """
        if any(name in self._environ for name in AGENT_VARIABLES):
            # A host that an agent starts would not know the agent for one.
            raise HostUnavailable("The host that started this agent has ended; an agent starts no other one.")
        self._paths.ensure()
        deadline = time.monotonic() + self._patience_s
        with _alone(str(self._paths.state / "launch.lock"), deadline):
            if not self._answers():
                self._launch(deadline)

    def _launch(self, deadline: float) -> None:
        log_file = str(self._paths.logs / "host.log")
        while True:
            with open(log_file, "ab", opener=_private) as log:
                before = log.tell()
                child = self._spawn(log)
            # Whoever starts a host may outlive it, as the window does: without a waiter it would stay as a zombie.
            threading.Thread(target=child.wait, name="host-waiter", daemon=True).start()
            while child.returncode is None and time.monotonic() < deadline:
                if self._answers():
                    return
                time.sleep(_LOOK_AGAIN_S)
            if self._answers():
                return
            lines = _tail(log_file, before)
            if time.monotonic() > deadline or not (lines and _error(lines[-1]).get("reason") == "home_in_use"):
                raise _not_up(log_file, lines, child.returncode, self._patience_s)
            # A host that is ending still holds the home, or one that someone else started does not answer yet.
            time.sleep(_TRY_AGAIN_S)

    def _spawn(self, log: IO[bytes]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            # -P and cwd: the directory that the command was called in must not provide the host's modules.
            [sys.executable, "-P", "-m", "actions.host", "--detached"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=self._environment(),
            cwd="/",
            start_new_session=True,
        )

    def _answers(self) -> bool:
        try:
            open_socket(str(self._paths.socket_file)).close()
        except OSError:
            return False
        return True

    def _environment(self) -> dict[str, str]:
        environment = dict(self._environ)
        if home := environment.get("SAYSO_HOME"):
            environment["SAYSO_HOME"] = os.path.abspath(os.path.expanduser(home))
        return environment


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


@contextmanager
def _alone(lock_file: str, deadline: float) -> Generator[None]:
    """Hold the lock of launching. Raises HostUnavailable when whoever holds it does not come to an end."""
    import fcntl

    descriptor = os.open(lock_file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise HostUnavailable(
                        f"Another command has been starting the host for a long time (it holds {lock_file}). Try again."
                    ) from None
                time.sleep(_LOOK_AGAIN_S)
        yield
    finally:
        os.close(descriptor)


def _tail(log_file: str, offset: int) -> list[str]:
    """The last lines that were written to the log after ``offset``."""
    with open(log_file, "rb") as log:
        log.seek(max(offset, log.seek(0, os.SEEK_END) - _TAIL_BYTES))
        text = log.read().decode(errors="replace")
    return [line for line in text.splitlines() if line.strip()]


def _not_up(log_file: str, lines: list[str], status: int | None, patience_s: float) -> HostUnavailable:
    what = f"ended with status {status}" if status is not None else f"did not answer within {patience_s:g} s"
    why = "It left nothing in its log."
    if lines:
        why = _error(lines[-1]).get("message") or lines[-1]
    return HostUnavailable(
        f"Sayso's host {what}. {why} Its log is {log_file}.",
        details={"log": log_file, "status": status, "tail": lines[-20:]},
    )


def _error(line: str) -> dict[str, str]:
    """``message`` and ``reason`` of an error that the host printed as an envelope; empty for any other line."""
    try:
        error = json.loads(line)["error"]
        return {"message": str(error["message"]), "reason": str(error["details"].get("reason", ""))}
    except (ValueError, KeyError, TypeError):
        return {}
