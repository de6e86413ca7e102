"""Running git and linters: never longer than the limit, never past a cancel, never asking anybody anything."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from actions.agent.scout.cancel import Cancel

_LOOK_EVERY = 0.02


class GitFailed(Exception):
    """git is missing, took too long, or ended with an error; the text is for a person."""


def run_git(
    root: Path,
    args: Sequence[str],
    cancel: Cancel,
    *,
    seconds: float = 5.0,
    env: Mapping[str, str] | None = None,
) -> bytes:
    """Standard output of ``git -C root args``. Raises :class:`GitFailed`, and ``ScoutCancelled`` on a cancel.

    ``env`` is added to the environment. Optional locks are off, so that looking never gets in the way of a git command
    of the user.
    """
    # Variables of an outer git command (a hook, an alias) would point this one at another repository.
    outer = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"}
    variables = {name: value for name, value in os.environ.items() if name not in outer} | dict(env or {})
    variables |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    quiet = ["-c", "core.quotepath=off", "-c", "core.fsmonitor=false", "-c", "log.showSignature=false"]
    command = ["git", "--no-pager", *quiet, "-C", str(root), *args]
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=variables
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
                if cancel.is_set or time.monotonic() > deadline:
                    process.kill()
                    process.communicate()
                    cancel.check()
                    raise GitFailed(f"git {args[0]} took longer than {seconds:g} s") from None
    if process.returncode != 0:
        raise GitFailed(
            err.decode(errors="replace").strip().splitlines()[0] if err.strip() else f"git {args[0]} failed"
        )
    return out


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
        env=os.environ | {"LC_ALL": "C.UTF-8", "NO_COLOR": "1"},
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
