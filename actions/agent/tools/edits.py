"""What WriteFile and StrReplaceFile share: look at a file, show the change, write it if nothing came in between."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import stat
import tempfile
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, PrivateAttr

from actions.agent.tools.needs import PlanMode, Workspace
from actions.agent.tools.paths import open_regular, shown
from actions.agent.tools.text_files import Encoding, NotEncodable, encode
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.results import DiffDisplay, ErrorClass, Location, ToolFailure

MOST_BYTES = 16 << 20
"""Larger files are not edited: the whole file is shown before and after."""
_LOCK_WAIT = 5.0


@dataclass(frozen=True, slots=True)
class Taken:
    """A file as it was when it was looked at. ``data`` is None when there was none; ``digest`` says which bytes."""

    path: Path
    data: bytes | None = None
    digest: str = ""
    info: os.stat_result | None = None


class EditParams(BaseModel):
    """Arguments of an edit. They carry what the preview showed to the run of the same call."""

    _seen: Taken | None = PrivateAttr(None)

    @property
    def seen(self) -> Taken | None:
        return self._seen

    def remember(self, taken: Taken) -> None:
        self._seen = taken


@dataclass(frozen=True, slots=True)
class Change:
    """What a call would do: ``old`` and ``new`` are shown, ``data`` is written. ``line`` is the first changed one."""

    taken: Taken
    old: str | None
    new: str
    data: bytes
    line: int | None = None


def take(workspace: Workspace, path: Path) -> Taken:
    """Look at the file at the resolved ``path``. Raises ToolFailure when it is no regular file or too large."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return Taken(path)
    except OSError as error:
        raise ToolFailure(f"{shown(workspace, path)}: {error.strerror}.", error=ErrorClass.INVALID_INPUT) from error
    with os.fdopen(open_regular(workspace, path), "rb") as file:
        info = os.fstat(file.fileno())
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ToolFailure(
            f"{shown(workspace, path)} has {info.st_size:,} bytes; files over {MOST_BYTES:,} are not edited whole. "
            "Use Shell (`sed -i`, a script)."
        )
    return Taken(path, data, hashlib.sha256(data).hexdigest(), info)


def ask_for(workspace: Workspace, change: Change, words: str, plan: PlanMode | None) -> Ask:
    """The question before the change: the whole file before and after, and the proof that it is still that file."""
    path = change.taken.path
    outside = not workspace.holds(path)
    where = f"{shown(workspace, path)}{' (outside the workspace)' if outside else ''}"

    async def still_true() -> bool:
        return unchanged(workspace, change.taken)

    return Ask(
        summary=f"{words} {where}",
        scope=Scope("path", str(path), outside=outside),
        preview=(DiffDisplay(str(path), change.old, change.new),),
        locations=(Location(str(path), change.line),),
        still_true=still_true,
        plan_file=plan is not None and Path(os.path.realpath(plan.file)) == path,
    )


def unchanged(workspace: Workspace, taken: Taken) -> bool:
    """Whether the path still leads to the same place, and the same bytes are there."""
    if Path(os.path.realpath(taken.path)) != taken.path:
        return False
    try:
        return take(workspace, taken.path).digest == taken.digest
    except ToolFailure:
        return False


def write(workspace: Workspace, path: Path, seen: Taken | None, change_of: Callable[[Taken], Change]) -> Change:
    """Make the change to the file as it is now, and write it whole or not at all.

    One writer a folder at a time, so that two edits of a file cannot undo each other. ``seen`` is what the
    preview showed, None when there was none. Blocks; run it in a thread.

    Raises:
        ToolFailure: the file is not the seen one any more, or the disk refuses; nothing was written.
    """
    name = shown(workspace, path)
    if seen is not None and seen.path != path:
        raise ToolFailure(f"The path leads to another place than in its preview, to {name}; nothing was written.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _alone(path.parent):
            if Path(os.path.realpath(path)) != path:
                raise ToolFailure(f"{name} became a link to another place in between; nothing was written.")
            taken = take(workspace, path)
            if seen is not None and seen.digest != taken.digest:
                raise ToolFailure(f"{name} changed after its preview was made; nothing was written. Read it again.")
            if taken.info and not os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
                raise ToolFailure(f"{name} is read-only; nothing was written.")
            change = change_of(taken)
            _replace(path, change.data, taken.info)
            return change
    except OSError as error:
        raise ToolFailure(f"{name} could not be written: {error.strerror or error}. The file is as it was.") from error


def encoded(workspace: Workspace, path: Path, text: str, encoding: Encoding) -> bytes:
    """The bytes to write. Raises ToolFailure when the file's encoding cannot hold the text."""
    try:
        return encode(text, encoding)
    except NotEncodable as error:
        raise ToolFailure(
            f"{shown(workspace, path)} was not written: {error}.", error=ErrorClass.INVALID_INPUT
        ) from error


@contextlib.contextmanager
def _alone(folder: Path) -> Generator[None]:
    """The only writer in ``folder`` among all sessions. A file system without locks is written without."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        limit = time.monotonic() + _LOCK_WAIT
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > limit:
                    raise
                time.sleep(0.01)
            except OSError:
                break
        yield
    finally:
        os.close(handle)


def _replace(path: Path, data: bytes, info: os.stat_result | None) -> None:
    """Beside it, to the disk, then over it. Mode and owner stay; a new file gets the mode that the umask gives."""
    handle, name = tempfile.mkstemp(prefix=".sayso-", dir=path.parent)
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        if info is not None:
            with contextlib.suppress(PermissionError):
                os.chown(beside, info.st_uid, info.st_gid)
        beside.chmod(_new_file_mode() if info is None else stat.S_IMODE(info.st_mode))
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _new_file_mode() -> int:
    # The umask can only be read by setting it, which other threads would notice; the kernel also tells.
    with contextlib.suppress(OSError, StopIteration, ValueError), Path("/proc/self/status").open() as status:
        return 0o666 & ~int(next(line for line in status if line.startswith("Umask:")).split()[1], 8)
    return 0o644
