"""May it run here at all? Denials are ANDed: nothing that comes later switches an action back on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from actions.catalog.context import Caller
from actions.catalog.spec import ActionSpec, Surface
from actions.errors import ErrorCode
from actions.policy.settings import PolicySettings, Scope


class Status(StrEnum):
    AVAILABLE = "available"
    UNKNOWN_ACTION = "unknown_action"
    UNSUPPORTED_SURFACE = "unsupported_surface"
    DISABLED_BY_SETTINGS = "disabled_by_settings"
    DISABLED_BY_POLICY = "disabled_by_policy"


@dataclass(frozen=True, slots=True)
class Availability:
    """The verdict with its reason and what would change it. ``code`` is the outcome's code when it is refused."""

    status: Status
    reason: str
    remedy: str = ""
    code: ErrorCode | None = None
    scope: Scope | None = None
    surfaces: tuple[Surface, ...] = ()

    @property
    def available(self) -> bool:
        return self.status is Status.AVAILABLE


def availability(
    spec: ActionSpec | None,
    surface: Surface,
    settings: PolicySettings,
    *,
    workspace: str | None = None,
    caller: Caller | None = None,
) -> Availability:
    """Whether an action may run on a surface; with a ``caller``, whether this one may run it there."""
    if spec is None:
        return Availability(
            Status.UNKNOWN_ACTION,
            "There is no such action.",
            "Search the catalog for it: sayso actions search WORDS",
            ErrorCode.UNKNOWN_ACTION,
        )
    on = open_surfaces(spec, settings, workspace)
    if surface not in spec.surfaces:
        if spec.decides:
            return _needs_person(on)
        declared = ", ".join(sorted(s.value for s in spec.surfaces))
        return Availability(
            Status.UNSUPPORTED_SURFACE,
            f"{spec.id} does not exist on {surface.value}.",
            f"Use it on: {declared}.",
            ErrorCode.UNSUPPORTED_SURFACE,
            surfaces=on,
        )
    for scope, override in settings.layers(spec.id, workspace):
        off = (
            "everywhere"
            if override.enabled is False
            else f"on {surface.value}"
            if surface in override.surfaces_off
            else None
        )
        if off is not None:
            return Availability(
                Status.DISABLED_BY_SETTINGS,
                f"{spec.id} is switched off {off} for this {scope.value}.",
                "Switch it on in Settings, Actions.",
                ErrorCode.ACTION_DISABLED,
                scope,
                on,
            )
    if spec.decides and surface is Surface.CLI and caller is not None and not caller.present:
        return _needs_person(on)
    return Availability(Status.AVAILABLE, "It may run here.", surfaces=on)


def open_surfaces(spec: ActionSpec, settings: PolicySettings, workspace: str | None) -> tuple[Surface, ...]:
    """The surfaces on which settings leave an action on, in the order of the enumeration."""
    off: set[Surface] = set()
    for _, override in settings.layers(spec.id, workspace):
        off |= set(Surface) if override.enabled is False else override.surfaces_off
    return tuple(s for s in Surface if s in spec.surfaces and s not in off)


def _needs_person(on: tuple[Surface, ...]) -> Availability:
    return Availability(
        Status.DISABLED_BY_POLICY,
        "Only a person may decide this.",
        "Decide it in the window, by voice, or with sayso in a terminal that no agent started.",
        ErrorCode.PRESENT_USER_REQUIRED,
        surfaces=on,
    )
