"""Where the socket of a home is.

Every command loads this before it can say a word to the host, so it takes the lightest modules of the standard library
only; :mod:`actions.storage.paths` has everything else about a home.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping

from actions.errors import SaysoError

SOCKET_PATH_LIMIT = 100
"""Bytes. The kernel allows 107 on Linux and 103 on macOS (``sun_path``)."""

_RUNTIME_ROOT = "/tmp"  # not TMPDIR: a client with another TMPDIR must find the same socket


def state_folder(environ: Mapping[str, str]) -> str:
    """The folder of the state: in ``SAYSO_HOME``, else where the system keeps such things for the user."""
    if home := environ.get("SAYSO_HOME"):
        return os.path.join(os.path.abspath(os.path.expanduser(home)), "state")
    if sys.platform == "linux":
        # What platformdirs would say (XDG base directories), a hundredth of the time later.
        given = environ.get("XDG_STATE_HOME", "")
        root = given if os.path.isabs(given) else os.path.expanduser("~/.local/state")
        return os.path.join(root, "sayso")
    import platformdirs

    return platformdirs.user_state_dir("sayso", appauthor=False)


def socket_of(state: str) -> str:
    """The socket of the home with this state folder. A path too long for the kernel is replaced by a short one."""
    plain = os.path.join(state, "host.sock")
    if len(os.fsencode(plain)) < SOCKET_PATH_LIMIT:
        return plain
    import hashlib

    # The real path, so that every name of one home leads to the same socket.
    name = hashlib.sha256(os.fsencode(os.path.realpath(state))).hexdigest()[:24]
    return os.path.join(_RUNTIME_ROOT, f"sayso-{user()}", f"{name}.sock")


def trusted_socket(environ: Mapping[str, str]) -> str:
    """The host's socket, checked for a client: a runtime folder that another user made is refused.

    Raises:
        SaysoError: the folder of the socket belongs to someone else or others may write to it.
    """
    state = state_folder(environ)
    socket_file = socket_of(state)
    folder = os.path.dirname(socket_file)
    if folder != state and os.path.lexists(folder):
        check_owner(folder)
    return socket_file


def check_owner(folder: str) -> None:
    """Raises SaysoError for a folder that is not this user's alone."""
    info = os.lstat(folder)
    if not stat.S_ISDIR(info.st_mode) or info.st_uid != user() or stat.S_IMODE(info.st_mode) & 0o077:
        raise SaysoError(
            f"The folder {folder} is not yours alone, so the host's socket is not safe there. "
            "Remove it, or set SAYSO_HOME to a folder with a shorter path.",
            details={"path": folder},
        )


def user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0
