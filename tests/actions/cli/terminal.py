"""A terminal of its own for a command, with somebody who types."""

from __future__ import annotations

import os
import pty
import select
import time
from collections.abc import Mapping, Sequence


def at_terminal(
    argv: Sequence[str], env: Mapping[str, str], typed: Sequence[tuple[str, str]] = (), *, seconds: float = 40
) -> tuple[int, str]:
    """Run a command whose controlling terminal is a new one; gives its exit code and what the terminal showed.

    ``typed`` are pairs: what must have been shown, and what is typed then.
    """
    pid, terminal = pty.fork()
    if pid == 0:
        try:
            os.execve(argv[0], list(argv), dict(env))
        finally:
            os._exit(127)
    shown = b""
    waiting = list(typed)
    deadline = time.monotonic() + seconds
    try:
        while time.monotonic() < deadline:
            ready, _, _ = select.select([terminal], [], [], 0.1)
            if ready:
                try:
                    piece = os.read(terminal, 4096)
                except OSError:  # how Linux says that the other end is closed
                    piece = b""
                if not piece:
                    break
                shown += piece
            if waiting and waiting[0][0].encode() in shown:
                os.write(terminal, waiting.pop(0)[1].encode())
        else:
            os.kill(pid, 9)
    finally:
        os.close(terminal)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), shown.decode(errors="replace")
