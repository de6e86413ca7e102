"""The policy in force as data: for an action and a surface, the three answers with their reasons."""

from __future__ import annotations

from typing import Any

from actions.catalog.spec import ActionSpec, Surface
from actions.policy.approval import asks_by_default, asks_first, floor, never_asks
from actions.policy.availability import availability
from actions.policy.exposure import default_exposure, exposed, placed
from actions.policy.settings import PolicySettings


def effective(
    spec: ActionSpec,
    settings: PolicySettings,
    *,
    surface: Surface | None = None,
    workspace: str | None = None,
    language: str = "en",
) -> dict[str, Any]:
    """``{id, title, effect, implemented, placements, surfaces: {surface: {...}}}`` for one or all surfaces."""
    surfaces = [surface] if surface is not None else list(Surface)
    return {
        "id": spec.id,
        "title": spec.title.in_language(language),
        "effect": spec.effect.value,
        "implemented": spec.implemented,
        "placements": sorted(p.value for p in placed(spec, settings, workspace=workspace)),
        "surfaces": {s.value: on_surface(spec, s, settings, workspace) for s in surfaces},
    }


def on_surface(spec: ActionSpec, surface: Surface, settings: PolicySettings, workspace: str | None) -> dict[str, Any]:
    """The three answers for one surface."""
    may = availability(spec, surface, settings, workspace=workspace)
    ask = asks_first(spec, surface, settings, workspace=workspace)
    shown = exposed(spec, surface, settings, workspace=workspace)
    return {
        "available": may.available,
        "status": may.status.value,
        "reason": may.reason,
        "remedy": may.remedy,
        "asks": ask.asks,
        "asks_reason": ask.reason,
        "asks_default": False
        if never_asks(spec)
        else asks_by_default(surface, spec.effect) or floor(surface, spec.effect),
        "floor": ask.floor,
        "approval": _override(spec, surface, settings, workspace, "approval"),
        "exposure": shown.exposure.value if may.available else None,
        "exposure_reason": shown.reason,
        "exposure_default": default_exposure(spec, surface).value,
        "exposure_setting": _override(spec, surface, settings, workspace, "exposure"),
        "set_by": _set_by(spec, surface, settings, workspace),
    }


def _set_by(spec: ActionSpec, surface: Surface, settings: PolicySettings, workspace: str | None) -> dict[str, str]:
    """Which scope's setting holds, by what is set: ``enabled`` (off), ``approval``, ``exposure``."""
    found: dict[str, str] = {}
    for scope, override in settings.layers(spec.id, workspace):
        if override.enabled is False or surface in override.surfaces_off:
            found.setdefault("enabled", scope.value)
        if surface in override.approval:
            found.setdefault("approval", scope.value)
        if surface in override.exposure:
            found.setdefault("exposure", scope.value)
    return found


def _override(spec: ActionSpec, surface: Surface, settings: PolicySettings, workspace: str | None, kind: str) -> str:
    for _, override in settings.layers(spec.id, workspace):
        found = (override.approval if kind == "approval" else override.exposure).get(surface)
        if found is not None:
            return found.value
    return "default"
