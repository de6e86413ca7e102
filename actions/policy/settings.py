"""The user's sparse overrides of an action's policy, for the device and for workspaces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePath

from actions.catalog.spec import Exposure, Placement, Surface


class Ask(StrEnum):
    """An override of whether an action asks first; no override is the default."""

    ALWAYS = "always"
    NEVER = "never"


class Scope(StrEnum):
    DEVICE = "device"
    WORKSPACE = "workspace"


@dataclass(frozen=True)
class Override:
    """What one scope says of one action. Absent means untouched, never a default."""

    enabled: bool | None = None
    surfaces_off: frozenset[Surface] = frozenset()
    placements_off: frozenset[Placement] = frozenset()
    approval: Mapping[Surface, Ask] = field(default_factory=dict[Surface, Ask])
    exposure: Mapping[Surface, Exposure] = field(default_factory=dict[Surface, Exposure])

    @property
    def empty(self) -> bool:
        return self == Override()


@dataclass(frozen=True)
class PolicySettings:
    """Overrides by action id, for the device and by workspace root. Unknown ids are kept and have no effect."""

    device: Mapping[str, Override] = field(default_factory=dict[str, Override])
    workspaces: Mapping[str, Mapping[str, Override]] = field(default_factory=dict[str, Mapping[str, Override]])

    def layers(self, action_id: str, workspace: str | None) -> Iterator[tuple[Scope, Override]]:
        """The overrides that apply in a directory: workspaces first, the longest root before the others, then the
        device.
        """
        if workspace is not None:
            inside = [root for root in self.workspaces if PurePath(workspace).is_relative_to(root)]
            for root in sorted(inside, key=lambda r: len(PurePath(r).parts), reverse=True):
                if (found := self.workspaces[root].get(action_id)) is not None:
                    yield Scope.WORKSPACE, found
        if (found := self.device.get(action_id)) is not None:
            yield Scope.DEVICE, found
