"""How is it offered? Registered by name, found by search, on the hot path of voice, or at its placements in the
window.
"""

from __future__ import annotations

from dataclasses import dataclass

from actions.catalog.registry import Catalog
from actions.catalog.spec import ActionSpec, Exposure, Placement, Surface
from actions.policy.availability import availability
from actions.policy.settings import PolicySettings, Scope


@dataclass(frozen=True, slots=True)
class Exposed:
    """Direct or discoverable, with the reason."""

    exposure: Exposure
    reason: str
    scope: Scope | None = None


def default_exposure(spec: ActionSpec, surface: Surface) -> Exposure:
    """The spec's own, else the surface's: agents discover, everyone else is given it by name."""
    if (own := spec.exposure.get(surface)) is not None:
        return own
    return Exposure.DISCOVERABLE if surface is Surface.SESSION_AGENT else Exposure.DIRECT


def exposed(spec: ActionSpec, surface: Surface, settings: PolicySettings, *, workspace: str | None = None) -> Exposed:
    """How an action that is available on a surface is offered there."""
    for scope, override in settings.layers(spec.id, workspace):
        if (chosen := override.exposure.get(surface)) is not None:
            return Exposed(chosen, f"The {scope.value} says {chosen.value}.", scope)
    default = default_exposure(spec, surface)
    own = surface in spec.exposure
    return Exposed(default, f"{default.value} by the {'action itself' if own else 'surface'}.")


def hot_path(
    catalog: Catalog, surface: Surface, settings: PolicySettings, *, workspace: str | None = None
) -> tuple[ActionSpec, ...]:
    """The hot actions of a surface: ``hot``, available there, and not discoverable only. Derived anew at each call."""
    return tuple(
        spec
        for spec in catalog
        if spec.hot
        and availability(spec, surface, settings, workspace=workspace).available
        and exposed(spec, surface, settings, workspace=workspace).exposure is Exposure.DIRECT
    )


def placed(spec: ActionSpec, settings: PolicySettings, *, workspace: str | None = None) -> frozenset[Placement]:
    """Where the window offers an action: its placements less those that are switched off."""
    if not availability(spec, Surface.UI, settings, workspace=workspace).available:
        return frozenset()
    off: set[Placement] = set()
    for _, override in settings.layers(spec.id, workspace):
        off |= override.placements_off
    return spec.placements - off
