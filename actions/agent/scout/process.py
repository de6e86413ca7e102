"""Running git and linters: never longer than the limit, never past a cancel, never asking anybody anything."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from actions.agent.processes.environment import command_environment
from actions.agent.scout.cancel import Cancel, ScoutCancelled
from actions.git import command
from actions.git.command import GitFailed, GitStopped

__all__ = ["GitFailed", "Ran", "run_git", "run_quietly", "stoppable"]

_LOOK_EVERY = 0.02


@contextmanager
def stoppable(cancel: Cancel) -> Generator[None]:
    """Git that was stopped by ``cancel`` raises ``ScoutCancelled``, as all of the scout's work does."""
    try:
        yield
    except GitStopped:
        cancel.check()
        raise ScoutCancelled from None


def run_git(root: Path, args: Sequence[str], cancel: Cancel, *, seconds: float = 5.0) -> bytes:
    """Standard output of ``git -C root args``. Raises GitFailed, and ScoutCancelled on a cancel."""
    with stoppable(cancel):
        return command.run_git(root, args, seconds=seconds, stopped=lambda: cancel.is_set)


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended; what it wrote, as text."""

    code: int
    out: str
    err: str


def run_quietly(argv: Sequence[str], folder: Path, cancel: Cancel, *, seconds: float) -> Ran:
    """Run ``argv`` in ``folder`` without input, in a process group of its own that ends with it.

    Raises OSError when it cannot be started, subprocess.TimeoutExpired past ``seconds``, ScoutCancelled on a cancel.
    """
    process = subprocess.Popen(
        argv,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=command_environment(extra={"LC_ALL": "C.UTF-8", "NO_COLOR": "1"}),
        start_new_session=True,
    )
    deadline = time.monotonic() + seconds
    with process:
        while True:
            try:
                out, err = process.communicate(timeout=_LOOK_EVERY)
                return Ran(process.returncode, out.decode(errors="replace"), err.decode(errors="replace"))
            except subprocess.TimeoutExpired:
                if cancel.is_set or time.monotonic() > deadline:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.communicate()
                    cancel.check()
                    raise
