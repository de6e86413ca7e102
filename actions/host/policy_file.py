"""The policy overrides in force, read from ``settings.toml``: edits by hand are seen at the next call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from actions.execution.judge import policy_settings
from actions.policy.settings import PolicySettings
from actions.storage.settings import Settings, SettingsFile

_SWITCH = {"on": True, "off": False, "default": None}


class PolicyFile:
    """Implements the directory's policy source over the settings file of a home."""

    def __init__(self, file: SettingsFile, changed: Callable[[], None]) -> None:
        self._file = file
        self._changed = changed
        self._stamp = _stamp(file.file)
        self._settings = file.load()
        self._policy = policy_settings(self._settings)

    def settings(self) -> Settings:
        """The settings as the file has them now."""
        stamp = _stamp(self._file.file)
        if stamp != self._stamp:
            self._settings = self._file.load()
            self._policy = policy_settings(self._settings)
            self._stamp = stamp
        return self._settings

    def current(self) -> PolicySettings:
        """The overrides in force now."""
        self.settings()
        return self._policy

    def change(
        self,
        action_id: str,
        *,
        surface: str | None,
        enabled: str | None,
        approval: str | None,
        exposure: str | None,
        workspace: str | None,
    ) -> None:
        """Store a change. ``enabled`` is on, off or default, for one surface or for all of them."""
        if enabled is not None:
            path = ("enabled",) if surface is None else ("surfaces", surface)
            self._file.set_override(action_id, path, _SWITCH[enabled], workspace=workspace)
        for kind, choice in (("approval", approval), ("exposure", exposure)):
            if choice is not None and surface is not None:
                self._file.set_override(action_id, (kind, surface), choice, workspace=workspace)
        self._stamp = None
        self._changed()


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        info = file.stat()
    except OSError:
        return None
    return info.st_mtime_ns, info.st_size
