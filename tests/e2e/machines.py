"""Machines that lack something: a library, the speech model, a writable or a roomy disk."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.running_host import eventually

_SITE = """
import importlib.machinery, sys

class Hidden:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise {error}

sys.meta_path.insert(0, Hidden)
"""
_NOT_ON_PATH = """
import importlib.machinery, sys
from tests.running_host import eventually

class Hidden(importlib.machinery.PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in {names!r} else super().find_spec(name, path, target)

sys.meta_path[:] = [Hidden if f is importlib.machinery.PathFinder else f for f in sys.meta_path]
"""


def without_portaudio(folder: Path) -> dict[str, str]:
    """Variables of a machine without the library: what ``import sounddevice`` does there is raise OSError."""
    return _site(folder, _SITE.format(names=["sounddevice"], error='OSError("PortAudio library not found")'))


def without_packages(folder: Path, *names: str) -> dict[str, str]:
    """Variables of a machine where these packages are not installed."""
    return _site(folder, _NOT_ON_PATH.format(names=list(names)))


def _site(folder: Path, text: str) -> dict[str, str]:
    folder.mkdir(parents=True)
    (folder / "sitecustomize.py").write_text(text)
    return {"PYTHONPATH": str(folder)}


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[Path]:
    """A file system of its own of this size at ``folder``; the test is skipped where none may be mounted."""
    folder.mkdir(parents=True)
    mount = shutil.which("mount")
    if mount is None or os.geteuid() != 0:
        pytest.skip("mounting a small disk needs root")
    asked = [mount, "-t", "tmpfs", "-o", f"size={kilobytes}k,mode=0700", "none", str(folder)]
    if subprocess.run(asked, capture_output=True, check=False).returncode != 0:
        pytest.skip("nothing may be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path, leave: int = 0) -> Path:
    """Fill the disk up to ``leave`` bytes; remove the file to make room again."""
    file = folder / "ballast"
    with file.open("wb") as ballast:
        free = os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize
        ballast.write(b"x" * max(0, free - leave))
    return file


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """``folder`` cannot be written meanwhile; for root, whom modes do not stop, it must be a ``small_disk``."""
    if os.geteuid() == 0:
        # The last process of the home may still be letting go of its files.
        eventually(lambda: subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=False).returncode == 0)
        yield
        return
    places = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
    for path in places:
        path.chmod(0o500)
    try:
        yield
    finally:
        for path in places:
            path.chmod(0o700)
