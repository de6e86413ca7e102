"""Files that are either the old or the new one, never half of it."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from actions.errors import SaysoError


def write_atomic(file: Path, content: bytes, *, mode: int = 0o600) -> None:
    """Replace ``file`` by ``content``: written beside it, flushed to the disk, then renamed over it.

    A symbolic link stays one: the file that it points to is replaced.

    Raises:
        SaysoError: the folder is read-only or the disk is full; the old file is as it was.
    """
    target = Path(os.path.realpath(file))
    temporary: Path | None = None
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        temporary.chmod(mode)
        temporary.replace(target)
        sync_folder(target.parent)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
        raise SaysoError(
            f"{file} could not be written: {error.strerror or error}. Nothing was changed; "
            "make room on the disk or make the folder writable, then try again.",
            details={"path": str(file)},
        ) from error


def sync_folder(folder: Path) -> None:
    """Make a rename in ``folder`` survive a power cut. Does nothing where folders cannot be opened (Windows)."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
