"""From the path that a model wrote to a file that may be opened: nothing here blocks and nothing is followed twice."""

from __future__ import annotations

import difflib
import os
import stat
from itertools import islice
from pathlib import Path

from actions.agent.tools.needs import Workspace
from actions.agent.toolset.results import ErrorClass, ToolFailure

_NOT_DISKS = tuple(Path(folder) for folder in ("/proc", "/sys", "/dev"))


def locate(workspace: Workspace, said: str) -> Path:
    """The real absolute path of ``said``. Raises ToolFailure for what can be no path."""
    if not said.strip():
        raise ToolFailure("The path is empty.", error=ErrorClass.INVALID_INPUT)
    if "\0" in said:
        raise ToolFailure("A path cannot hold a NUL character.", error=ErrorClass.INVALID_INPUT)
    try:
        os.fsencode(said)
        path = workspace.resolve(said)
    except UnicodeEncodeError:
        raise ToolFailure("The path holds half a character.", error=ErrorClass.INVALID_INPUT) from None
    except (RuntimeError, OSError) as error:  # No such user, a loop of links
        raise ToolFailure(f"{said} leads nowhere: {error}", error=ErrorClass.INVALID_INPUT) from error
    if any(path.is_relative_to(folder) for folder in _NOT_DISKS):
        raise ToolFailure(
            f"{said} is not a file on a disk but a door into the system; use Shell if it must be read.",
            error=ErrorClass.INVALID_INPUT,
        )
    return path


def printable(name: str) -> str:
    """A name on one line: control characters and bytes that are no text are escaped."""
    if name.isprintable():
        return name
    raw = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in raw)


def shown(workspace: Workspace, path: Path) -> str:
    """``path`` for a reader, relative to the workspace where it is inside."""
    return printable(workspace.shown(path))


def stat_of(workspace: Workspace, path: Path) -> os.stat_result:
    """What is at ``path``. Raises ToolFailure with the nearest names when nothing is."""
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise ToolFailure(f"{shown(workspace, path)} does not exist.{_nearest(path)}") from None
    except OSError as error:
        raise ToolFailure(f"{shown(workspace, path)}: {error.strerror}.") from error


def open_regular(workspace: Workspace, path: Path) -> int:
    """A descriptor for reading the regular file at the resolved ``path``.

    The file is judged after it was opened, without waiting and without following a link that came in between.

    Raises:
        ToolFailure: it is not there, not a regular file, or not readable.
    """
    info = stat_of(workspace, path)
    name = shown(workspace, path)
    if stat.S_ISDIR(info.st_mode):
        raise ToolFailure(f"{name} is a folder; list it with Glob (pattern `*`, path `{name}`).")
    if not stat.S_ISREG(info.st_mode):
        raise ToolFailure(f"{name} is {_kind(info.st_mode)}, not a regular file; it is not read.")
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise ToolFailure(f"{name} cannot be read: {error.strerror}.") from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise ToolFailure(f"{name} changed into something else while it was opened; nothing was read.")
    return handle


def _kind(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "a pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"


def _nearest(path: Path) -> str:
    parent = path.parent
    try:
        names = [entry.name for entry in islice(parent.iterdir(), 5_000)]
    except OSError:
        return f" Its folder {printable(str(parent))} does not exist either." if not parent.exists() else ""
    folded = {name.casefold(): name for name in names}
    close = [folded[n] for n in difflib.get_close_matches(path.name.casefold(), folded, n=3, cutoff=0.6)]
    return f" Near it: {', '.join(printable(name) for name in close)}." if close else ""
