"""The policy overrides in force, read from ``settings.toml``: edits by hand are seen at the next call.

While the file cannot be read, what it said last stays in force. A host that starts on such a file knows nothing of what
was switched off; then everything that an agent or an editor does is asked about, until the file is mended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from actions.catalog.spec import Surface
from actions.execution.judge import policy_settings
from actions.policy.settings import Ask, Override, PolicySettings
from actions.storage.settings import Settings, SettingsFile

_SWITCH = {"on": True, "off": False, "default": None}


class PolicyFile:
    """Implements the directory's policy source over the settings file of a home."""

    def __init__(self, file: SettingsFile, action_ids: Iterable[str], changed: Callable[[], None]) -> None:
        self._file = file
        self._changed = changed
        self._stamp = _stamp(file.file)
        self._settings = file.load()
        self._policy = policy_settings(self._settings) if self._settings.readable else _ask_about(action_ids)

    def settings(self) -> Settings:
        """The settings as the file has them now, or had them when it could be read; its problems are the newest."""
        stamp = _stamp(self._file.file)
        if stamp != self._stamp:
            self._stamp = stamp
            found = self._file.load()
            if found.readable:
                self._settings = found
                self._policy = policy_settings(found)
            else:
                self._settings = replace(self._settings, problems=found.problems, readable=False)
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


def _ask_about(action_ids: Iterable[str]) -> PolicySettings:
    """Agents and editors ask for everything."""
    asking = Override(approval={Surface.SESSION_AGENT: Ask.ALWAYS, Surface.MCP: Ask.ALWAYS})
    return PolicySettings(device=dict.fromkeys(action_ids, asking))
