"""The user's overrides of actions, as ``settings.toml`` holds them: sparse, per device and per workspace.

    [actions."review.start"]
    enabled = false
    approval.cli = "always"
    exposure.mcp = "direct"
    surfaces.voice = false
    placements.composer_chip = true

    [workspaces."/home/me/project".actions."session.stop"]
    enabled = false

Unknown action ids are kept and ignored. A value that does not fit is reported and read as the strictest one, so that a
slip of the pen never gives more than was meant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, cast

_APPROVALS = ("default", "always", "never")
_EXPOSURES = ("default", "discoverable", "direct")


@dataclass(frozen=True)
class ActionOverride:
    """What the user set for one action; what is absent is as the action and its surface have it."""

    enabled: bool | None = None
    approval: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    exposure: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    surfaces: Mapping[str, bool] = field(default_factory=lambda: MappingProxyType({}))
    placements: Mapping[str, bool] = field(default_factory=lambda: MappingProxyType({}))


Overrides = Mapping[str, ActionOverride]
"""By action id."""


def parse_overrides(table: object, where: str, report: Callable[[str], None]) -> dict[str, ActionOverride]:
    """Read the table ``actions``; ``report`` gets one sentence for each value that does not fit."""
    if not isinstance(table, Mapping):
        report(f"{where} must be a table of actions")
        return {}
    return {
        str(action_id): _parse_one(entry, f'{where}."{action_id}"', report)
        for action_id, entry in cast("Mapping[Any, Any]", table).items()
    }


def _parse_one(entry: object, where: str, report: Callable[[str], None]) -> ActionOverride:
    if not isinstance(entry, Mapping):
        report(f"{where} must be a table; the action is off until that is mended")
        return ActionOverride(enabled=False)
    values = cast("Mapping[str, Any]", entry)
    enabled = values.get("enabled")
    if enabled is not None and not isinstance(enabled, bool):
        report(f"{where}.enabled must be true or false; the action is off until that is mended")
        enabled = False
    return ActionOverride(
        enabled=enabled,
        approval=_choices(values, "approval", _APPROVALS, "always", where, report),
        exposure=_choices(values, "exposure", _EXPOSURES, "discoverable", where, report),
        surfaces=_switches(values, "surfaces", where, report),
        placements=_switches(values, "placements", where, report),
    )


def _choices(
    values: Mapping[str, Any],
    name: str,
    allowed: tuple[str, ...],
    strictest: str,
    where: str,
    report: Callable[[str], None],
) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for key, value in _table(values, name, where, report).items():
        if value not in allowed:
            report(f'{where}.{name}.{key} must be one of {", ".join(allowed)}; "{strictest}" holds until then')
            value = strictest
        if value != "default":
            found[key] = value
    return MappingProxyType(found)


def _switches(values: Mapping[str, Any], name: str, where: str, report: Callable[[str], None]) -> Mapping[str, bool]:
    found: dict[str, bool] = {}
    for key, value in _table(values, name, where, report).items():
        if not isinstance(value, bool):
            report(f"{where}.{name}.{key} must be true or false; false holds until then")
            value = False
        found[key] = value
    return MappingProxyType(found)


def _table(values: Mapping[str, Any], name: str, where: str, report: Callable[[str], None]) -> Mapping[str, Any]:
    table = values.get(name, {})
    if isinstance(table, Mapping):
        return cast("Mapping[str, Any]", table)
    report(f"{where}.{name} must be a table, e.g. {name}.cli")
    return {}
