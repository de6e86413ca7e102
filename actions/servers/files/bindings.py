"""Where a server is on: the bindings of the device's file, and which of them decides in a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from actions.servers.definitions import DEVICE, Binding

PATCHED = ("env", "headers")
REPLACED = ("command", "args", "cwd", "url", "type")


def read_bindings(block: Mapping[str, Any]) -> dict[str, list[Binding]]:
    """By server: ``{server: {target: {"enabled": bool, "overrides": {...}}}}``, or a plain true or false.

    What does not read as that is off: nothing runs by a misprint.
    """
    found: dict[str, list[Binding]] = {}
    for server, targets in _members(block.get("bindings")):
        for target, says in _members(targets):
            enabled: Any = says
            overrides: Any = {}
            if isinstance(says, dict):
                fields = cast("dict[str, Any]", says)
                enabled, overrides = fields.get("enabled", True), fields.get("overrides") or {}
            fits = isinstance(enabled, bool) and isinstance(overrides, dict)
            changes = cast("dict[str, Any]", overrides) if fits else {}
            found.setdefault(server, []).append(Binding(server, target, enabled is True and fits, changes))
    return found


def written(binding: Binding) -> dict[str, Any]:
    """A binding as it stands in the file."""
    return {"enabled": binding.enabled, **({"overrides": dict(binding.overrides)} if binding.overrides else {})}


def winner(bindings: Iterable[Binding], folders: Sequence[Path]) -> Binding | None:
    """The one that decides in a folder, given by its real paths: workspace before device, the longest root, the latest.

    A folder has two paths where it is in a git worktree; no paths mean the device.
    """
    ranked = [(rank, place, b) for place, b in enumerate(bindings) if (rank := _rank(b, folders)) is not None]
    return max(ranked, key=lambda one: one[:2])[2] if ranked else None


def overridden(entry: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """An entry with a binding's changes: a command instead of a url, or the other way round, replaces it."""
    changed = dict(entry)
    if overrides.get("command") is not None:
        _drop(changed, "url", "httpUrl", "serverUrl", "type", "transport", "headers", "oauth")
    elif overrides.get("url") is not None:
        _drop(changed, "command", "args", "cwd", "env", "type", "transport", "httpUrl", "serverUrl")
    for name in REPLACED:
        if name in overrides:
            if overrides[name] is None:
                changed.pop(name, None)
            else:
                changed[name] = overrides[name]
    for name in PATCHED:
        patch = overrides.get(name)
        if isinstance(patch, dict):
            old = changed.get(name)
            values = dict(cast("dict[str, Any]", old)) if isinstance(old, dict) else {}
            for key, value in cast("dict[str, Any]", patch).items():
                if value is None:
                    values.pop(key, None)
                else:
                    values[key] = value
            changed[name] = values
    return changed


def _rank(binding: Binding, folders: Sequence[Path]) -> tuple[int, int] | None:
    """None where it does not apply."""
    if binding.target == DEVICE:
        return (0, 0)
    root = os.path.expanduser(binding.target)  # noqa: PTH111 - no error for an unknown user
    if not folders or "\0" in root or not os.path.isabs(root):  # noqa: PTH117
        return None
    real = Path(os.path.realpath(root))
    inside = [len(folder.parts) - len(real.parts) for folder in folders if folder.is_relative_to(real)]
    return (1, -min(inside)) if inside else None


def _members(value: object) -> list[tuple[str, Any]]:
    return list(cast("dict[str, Any]", value).items()) if isinstance(value, dict) else []


def _drop(entry: dict[str, Any], *names: str) -> None:
    for name in names:
        entry.pop(name, None)
