"""Where a home keeps its files.

This module is on the command's fast path: it imports the standard library only, and ``platformdirs`` only when no
``SAYSO_HOME`` is set. The layout is that of the XDG base directory specification; ``SAYSO_HOME`` moves everything under
one folder.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from actions.errors import SaysoError
from actions.storage.socket_file import check_owner, socket_of


class Paths(NamedTuple):
    """The folders of one home, and the names of the files in them. Nothing is made before :meth:`ensure`."""

    config: Path
    data: Path
    state: Path
    cache: Path
    socket_file: Path

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> Paths:
        """The home that ``environ`` (default: the process's) names: ``SAYSO_HOME``, else the user's own folders."""
        env = os.environ if environ is None else environ
        if home := env.get("SAYSO_HOME"):
            return cls.under(Path(home))
        import platformdirs

        dirs = platformdirs.PlatformDirs("sayso", appauthor=False)
        state = Path(dirs.user_state_dir)
        return cls(
            Path(dirs.user_config_dir), Path(dirs.user_data_dir), state, Path(dirs.user_cache_dir), _socket_for(state)
        )

    @classmethod
    def under(cls, home: Path) -> Paths:
        """Everything under one folder, as ``SAYSO_HOME`` asks for."""
        root = Path(os.path.abspath(os.path.expanduser(home)))
        state = root / "state"
        return cls(root / "config", root / "data", state, root / "cache", _socket_for(state))

    @property
    def settings_file(self) -> Path:
        return self.config / "settings.toml"

    @property
    def mcp_file(self) -> Path:
        return self.config / "mcp.json"

    @property
    def providers_file(self) -> Path:
        return self.config / "providers.toml"

    @property
    def agent_file(self) -> Path:
        return self.config / "agent.yaml"

    @property
    def database_file(self) -> Path:
        return self.data / "sayso.db"

    @property
    def backups(self) -> Path:
        return self.data / "backups"

    @property
    def secrets_file(self) -> Path:
        return self.data / "secrets.enc"

    @property
    def lock_file(self) -> Path:
        return self.state / "host.lock"

    @property
    def logs(self) -> Path:
        return self.state / "logs"

    @property
    def models(self) -> Path:
        return self.cache / "models"

    def ensure(self) -> None:
        """Make the folders, readable by their owner only.

        Raises:
            SaysoError: a folder cannot be made or written; the message names it and the way out.
        """
        for folder in (self.config, self.data, self.state, self.cache, self.backups, self.logs):
            _private_folder(folder)
        if self.socket_file.parent != self.state:
            _own_runtime_folder(self.socket_file.parent)

    def trusted_socket(self) -> Path:
        """The host's socket, checked for a client: a runtime folder that another user made is refused.

        Raises:
            SaysoError: the folder of the socket belongs to someone else or others may write to it.
        """
        folder = self.socket_file.parent
        if folder != self.state and os.path.lexists(folder):
            check_owner(str(folder))
        return self.socket_file


def _socket_for(state: Path) -> Path:
    return Path(socket_of(str(state)))


def _private_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if stat.S_IMODE(folder.stat().st_mode) & 0o077:
            folder.chmod(0o700)
    except OSError as error:
        raise _unusable(folder, error.strerror or str(error)) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _unusable(folder, "it is read-only")


def _own_runtime_folder(folder: Path) -> None:
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        pass
    except OSError as error:
        raise _unusable(folder, error.strerror or str(error)) from error
    check_owner(str(folder))


def _unusable(folder: Path, why: str) -> SaysoError:
    return SaysoError(
        f"Sayso cannot write to {folder}: {why}. Make it writable, or set SAYSO_HOME to one that you can write to.",
        details={"path": str(folder), "reason": why},
    )
