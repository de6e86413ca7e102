"""The real command at a real terminal: what a present user has."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import subprocess
import termios
import time
from collections.abc import Mapping
from pathlib import Path


class Terminal:
    """A process whose controlling terminal this is. Type with ``type``, read with ``wait_for``."""

    def __init__(self, *argv: str, env: Mapping[str, str], cwd: Path | None = None) -> None:
        self._ours, theirs = os.openpty()
        self.seen = ""
        try:
            self.process = subprocess.Popen(
                argv,
                env=dict(env),
                cwd=cwd,
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                start_new_session=True,
                preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            )
        finally:
            os.close(theirs)

    def wait_for(self, text: str, seconds: float = 40) -> str:
        """Read until ``text`` has been shown; fails after ``seconds`` or at the end of the output."""
        deadline = time.monotonic() + seconds
        while text not in self.seen:
            assert time.monotonic() < deadline, f"{text!r} was not shown, but: {self.seen}"
            assert self._read(0.2) or text in self.seen, f"it ended without {text!r}: {self.seen}"
        return self.seen

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def end(self, seconds: float = 60) -> int:
        """Read to the end; the exit code."""
        deadline = time.monotonic() + seconds
        while self._read(0.2):
            assert time.monotonic() < deadline, f"it does not end: {self.seen}"
        return self.process.wait(timeout=seconds)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._ours)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, seconds: float) -> bool:
        """Take what there is; false at the end."""
        if not select.select([self._ours], [], [], seconds)[0]:
            return True
        data = b""
        with contextlib.suppress(OSError):  # the other side was closed
            data = os.read(self._ours, 65536)
        self.seen += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)
