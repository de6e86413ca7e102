"""Running git: never longer than its limit, never past a stop, never asking anybody anything."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

_LOOK_EVERY = 0.02
# Variables of an outer git command (a hook, an alias) would point this one at another repository.
_OUTER = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"})
_QUIET = ("-c", "core.quotepath=off", "-c", "core.fsmonitor=false", "-c", "log.showSignature=false")
# What Sayso looks at or changes on its own account runs no hook of the repository.
_NO_HOOKS = ("-c", f"core.hooksPath={os.devnull}")


class GitFailed(Exception):
    """git is missing, took too long, or ended with an error; the text is for a person.

    ``returncode`` and ``output`` are what git ended with, None and empty where it did not end by itself.
    """

    def __init__(self, message: str, returncode: int | None = None, output: bytes = b"") -> None:
        super().__init__(message)
        self.returncode = returncode
        self.output = output


class GitStopped(Exception):
    """Whoever started git wants it no more."""


def never() -> bool:
    """Nobody stops it."""
    return False


def run_git(
    root: Path,
    args: Sequence[str],
    *,
    seconds: float = 5.0,
    env: Mapping[str, str] | None = None,
    stopped: Callable[[], bool] = never,
) -> bytes:
    """Standard output of ``git -C root args``. Blocks; call it in a thread.

    ``env`` is added to the environment; ``stopped`` is asked every 20 ms. Optional locks are off, so that looking never
    gets in the way of a git command of the user. Raises GitFailed, and GitStopped after a stop.
    """
    variables = {name: value for name, value in os.environ.items() if name not in _OUTER} | dict(env or {})
    variables |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    command = ["git", "--no-pager", *_QUIET, *_NO_HOOKS, "-C", str(root), *args]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=variables,
            # What git itself started (a filter, a helper) ends with it, or it would hold the pipes open.
            process_group=0,
        )
    except OSError as error:
        raise GitFailed(f"git could not be started: {error.strerror}") from error
    deadline = time.monotonic() + seconds
    with process:
        while True:
            try:
                out, err = process.communicate(timeout=_LOOK_EVERY)
                break
            except subprocess.TimeoutExpired:
                late = time.monotonic() > deadline
                if late or stopped():
                    os.killpg(process.pid, signal.SIGKILL)
                    process.communicate()
                    if not late:
                        raise GitStopped from None
                    raise GitFailed(f"git {_verb(args)} took longer than {seconds:g} s") from None
    if process.returncode != 0:
        said = err.decode(errors="replace").strip().splitlines()
        raise GitFailed(said[0] if said else f"git {_verb(args)} failed", process.returncode, out)
    return out


def _verb(args: Sequence[str]) -> str:
    """The command's name, past the options of git itself (``-c name=value``)."""
    rest = list(args)
    while rest[:1] == ["-c"]:
        rest = rest[2:]
    return rest[0] if rest else ""
