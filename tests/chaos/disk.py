"""A disk that can be full without filling anybody's: a small tmpfs where one may mount, else a limit on file sizes."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import psutil

_SIZE = 192 * 1024 * 1024


class Disk(Protocol):
    name: str

    def fill(self, host: int) -> None:
        """No more bytes for the host with this pid."""
        ...

    def free(self, host: int) -> None:
        """Room again."""
        ...


class MountedDisk:
    """A tmpfs of 192 MB over ``folder``; a ballast file takes what is left of it."""

    name = "a tmpfs"

    def __init__(self, folder: Path) -> None:
        self._ballast = folder / "ballast"

    def fill(self, host: int) -> None:
        with self._ballast.open("wb") as file:
            while left := os.statvfs(self._ballast.parent).f_bavail:
                file.write(b"\0" * min(left * 4096, 1 << 20))
                file.flush()

    def free(self, host: int) -> None:
        self._ballast.unlink(missing_ok=True)


class LimitedDisk:
    """``RLIMIT_FSIZE`` of the running host set to nothing: no file takes a byte, pipes do (Linux)."""

    name = "a limit on file sizes"

    def fill(self, host: int) -> None:
        self._limit(host, 0)

    def free(self, host: int) -> None:
        for process in psutil.Process(host).children(recursive=True):
            with contextlib.suppress(ProcessLookupError):  # what was started meanwhile inherited it
                self._limit(process.pid, resource.RLIM_INFINITY)
        self._limit(host, resource.RLIM_INFINITY)

    def _limit(self, pid: int, soft: int) -> None:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, resource.RLIM_INFINITY))


@contextlib.contextmanager
def small_disk(folder: Path, *, mount: bool) -> Iterator[Disk]:
    """``folder`` on a disk of its own where ``mount`` is wanted and allowed."""
    folder.mkdir(parents=True, exist_ok=True)
    argv = ["mount", "-t", "tmpfs", "-o", f"size={_SIZE},mode=700", "sayso-chaos", str(folder)]
    if not mount or subprocess.run(argv, capture_output=True, check=False).returncode:
        yield LimitedDisk()
        return
    try:
        yield MountedDisk(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
