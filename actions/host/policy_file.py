"""The policy overrides in force, read from ``settings.toml``: edits by hand are seen at the next call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from actions.catalog.spec import Exposure, Placement, Surface
from actions.policy.settings import Ask, Override, PolicySettings
from actions.storage.overrides import ActionOverride
from actions.storage.settings import Settings, SettingsFile


class PolicyFile:
    """Implements the directory's policy source over the settings file of a home."""

    def __init__(self, file: SettingsFile, changed: Callable[[], None]) -> None:
        self._file = file
        self._changed = changed
        self._stamp: tuple[int, int] | None = None
        self._settings: Settings | None = None
        self._policy = PolicySettings()

    @property
    def settings(self) -> Settings:
        """The settings as the file has them now."""
        self._refresh()
        assert self._settings is not None
        return self._settings

    def current(self) -> PolicySettings:
        """The overrides in force now."""
        self._refresh()
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
            if surface is None:
                value = {"on": True, "off": False}.get(enabled)
                self._file.set_override(action_id, ("enabled",), value, workspace=workspace)
            else:
                value = {"on": True, "off": False}.get(enabled)
                self._file.set_override(action_id, ("surfaces", surface), value, workspace=workspace)
        for kind, choice in (("approval", approval), ("exposure", exposure)):
            if choice is not None and surface is not None:
                self._file.set_override(action_id, (kind, surface), choice, workspace=workspace)
        self._stamp = None
        self._changed()

    def _refresh(self) -> None:
        stamp = _stamp(self._file.file)
        if self._settings is None or stamp != self._stamp:
            self._settings = self._file.load()
            self._policy = policy_of(self._settings)
            self._stamp = stamp


def policy_of(settings: Settings) -> PolicySettings:
    """The overrides of a settings file in the policy's own terms."""
    return PolicySettings(
        device=_overrides(settings.device),
        workspaces={root: _overrides(entries) for root, entries in settings.workspaces.items()},
    )


def _overrides(entries: Mapping[str, ActionOverride]) -> dict[str, Override]:
    return {action_id: _override(entry) for action_id, entry in entries.items()}


def _override(entry: ActionOverride) -> Override:
    return Override(
        enabled=entry.enabled,
        surfaces_off=frozenset(Surface(name) for name, on in entry.surfaces.items() if not on and name in set(Surface)),
        placements_off=frozenset(
            Placement(name) for name, on in entry.placements.items() if not on and name in set(Placement)
        ),
        approval={Surface(s): Ask(a) for s, a in entry.approval.items() if s in set(Surface) and a in set(Ask)},
        exposure={
            Surface(s): Exposure(e) for s, e in entry.exposure.items() if s in set(Surface) and e in set(Exposure)
        },
    )


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        info = file.stat()
    except OSError:
        return None
    return info.st_mtime_ns, info.st_size
