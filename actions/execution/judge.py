"""Policy as the door uses it: the pure functions of ``actions.policy`` over the settings in force at this moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from actions.catalog.context import Caller, CallerKind
from actions.catalog.spec import ActionInput, ActionSpec, Effect, Exposure, Placement, Surface
from actions.errors import ErrorCode, Refused
from actions.policy.approval import AskFirst, asks_first, may_decide
from actions.policy.availability import availability
from actions.policy.settings import Ask, Override, PolicySettings
from actions.storage.overrides import ActionOverride
from actions.storage.settings import Settings

E = TypeVar("E", Surface, Placement)
_ANSWERS = frozenset({"session.permission.respond", "session.user_action.answer"})
"""What decides for an agent without a request of ours."""


class Judge:
    """Answers for one home. ``settings`` gives the overrides in force, ``by_voice`` whether requests of others may be
    decided by voice; both are read anew at each question.
    """

    def __init__(self, settings: Callable[[], PolicySettings], by_voice: Callable[[], bool] = lambda: True) -> None:
        self._settings = settings
        self._by_voice = by_voice

    def surface_of(self, surface: Surface, caller: Caller) -> Surface:
        """The surface whose rules hold: nobody that is unknown gets more than an agent."""
        return Surface.SESSION_AGENT if caller.kind is CallerKind.UNKNOWN else surface

    def denial(
        self, spec: ActionSpec, surface: Surface, workspace: str | None, caller: Caller | None = None
    ) -> Refused | None:
        """Why the action is not available here, with its code and remedy, or None when it is."""
        found = availability(spec, surface, self._settings(), workspace=workspace, caller=caller)
        if found.available and surface is Surface.VOICE and spec.id in _ANSWERS and not self._by_voice():
            off = "Answering agents by voice is switched off (voice.approvals). Answer in the window."
            return Refused(off, code=ErrorCode.ACTION_DISABLED, details={"action": spec.id, "surface": surface.value})
        if found.available:
            return None
        return Refused(
            f"{found.reason} {found.remedy}".strip(),
            code=found.code or ErrorCode.ACTION_DISABLED,
            details={
                "action": spec.id,
                "surface": surface.value,
                "status": found.status.value,
                "scope": found.scope.value if found.scope else None,
                "available_on": [s.value for s in found.surfaces],
                "remedy": found.remedy,
            },
        )

    def asking(self, spec: ActionSpec, inp: ActionInput, surface: Surface, workspace: str | None) -> AskFirst:
        """Whether this very call asks first, and whether anything may lift that."""
        return asks_first(spec, surface, self._settings(), workspace=workspace, effect=spec.effect_for(inp))

    def refusal_to_decide(
        self,
        caller: Caller,
        surface: Surface,
        *,
        asked_on: Surface | None = None,
        effect: Effect = Effect.WRITE,
        read_back: bool = False,
    ) -> Refused | None:
        """Why this caller may not decide such a request, or None when it may."""
        decider = self.surface_of(surface, caller)
        found = may_decide(
            decider, caller, asked_on=asked_on, effect=effect, read_back=read_back, by_voice=self._by_voice()
        )
        if found.allowed:
            return None
        return Refused(found.reason, code=ErrorCode.PRESENT_USER_REQUIRED, details={"surface": surface.value})


def policy_settings(settings: Settings) -> PolicySettings:
    """The overrides of ``settings.toml`` as policy reads them; what names no surface or placement has no effect."""
    return PolicySettings(
        _overrides(settings.device), {root: _overrides(entries) for root, entries in settings.workspaces.items()}
    )


def _overrides(entries: Mapping[str, ActionOverride]) -> dict[str, Override]:
    return {action_id: _override(entry) for action_id, entry in entries.items()}


def _override(entry: ActionOverride) -> Override:
    known = {s.value for s in Surface}
    return Override(
        enabled=entry.enabled,
        surfaces_off=_switched_off(Surface, entry.surfaces),
        placements_off=_switched_off(Placement, entry.placements),
        approval={Surface(s): Ask(value) for s, value in entry.approval.items() if s in known},
        exposure={Surface(s): Exposure(value) for s, value in entry.exposure.items() if s in known},
    )


def _switched_off(kind: type[E], switches: Mapping[str, bool]) -> frozenset[E]:
    known = {member.value: member for member in kind}
    return frozenset(known[name] for name, on in switches.items() if name in known and not on)
