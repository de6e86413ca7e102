"""Does it ask first? And who may decide what was asked.

Defaults: ui and cli ask for nothing but danger on ui (a confirm dialog); voice reads back what writes; agents and
editors ask for external and danger. Floors: danger always asks on session_agent and mcp, and on voice a write is always
read back. An override moves the answer only above the floor.
"""

from __future__ import annotations

from dataclasses import dataclass

from actions.catalog.context import Caller
from actions.catalog.spec import ActionSpec, Effect, Surface
from actions.policy.settings import Ask, PolicySettings, Scope

_AGENT_SURFACES = frozenset({Surface.SESSION_AGENT, Surface.MCP})


@dataclass(frozen=True, slots=True)
class AskFirst:
    """Whether a call asks a person first, and why. Under a ``floor`` no setting can change it."""

    asks: bool
    reason: str
    floor: bool = False
    scope: Scope | None = None


@dataclass(frozen=True, slots=True)
class MayDecide:
    allowed: bool
    reason: str


def asks_by_default(surface: Surface, effect: Effect) -> bool:
    """The table of defaults."""
    match surface:
        case Surface.UI:
            return effect is Effect.DANGER
        case Surface.VOICE:
            return effect.rank >= Effect.WRITE.rank
        case Surface.CLI:
            return False
        case Surface.SESSION_AGENT | Surface.MCP:
            return effect.rank >= Effect.EXTERNAL.rank


def floor(surface: Surface, effect: Effect) -> bool:
    """Whether this always asks, whatever the settings say."""
    if surface in _AGENT_SURFACES:
        return effect is Effect.DANGER
    if surface is Surface.VOICE:
        return effect.rank >= Effect.WRITE.rank
    return False


def never_asks(spec: ActionSpec) -> bool:
    """Deciding, deferring and listing requests never asks: it would ask about itself for ever."""
    return spec.id.startswith("approval.request.") or (spec.decides and spec.effect is not Effect.DANGER)


def asks_first(
    spec: ActionSpec,
    surface: Surface,
    settings: PolicySettings,
    *,
    workspace: str | None = None,
    effect: Effect | None = None,
) -> AskFirst:
    """Whether a call asks first. ``effect`` is that of the very call, where its input raises the declared one."""
    effect = max(spec.effect, effect or spec.effect, key=lambda e: e.rank)
    if never_asks(spec):
        return AskFirst(False, "Decisions are never asked for a second time.", floor=True)
    if floor(surface, effect):
        return AskFirst(True, f"{effect.value} always asks on {surface.value}.", floor=True)
    for scope, override in settings.layers(spec.id, workspace):
        if (ask := override.approval.get(surface)) is not None:
            return AskFirst(ask is Ask.ALWAYS, f"The {scope.value} says {ask.value}.", scope=scope)
    asks = asks_by_default(surface, effect)
    return AskFirst(asks, f"{effect.value} {'asks' if asks else 'does not ask'} on {surface.value} by default.")


def may_decide(
    decider: Surface,
    caller: Caller,
    *,
    asked_on: Surface | None = None,
    effect: Effect = Effect.WRITE,
    read_back: bool = False,
    by_voice: bool = True,
) -> MayDecide:
    """Whether a caller on a surface may decide a request that was asked on ``asked_on`` for an action of ``effect``.

    By voice only after that very request was read back with its action named, and never danger; without ``by_voice``
    nothing but what was asked by voice itself, whose read-back belongs to the command. On the command line
    only a present user, and not what an editor asked.
    """
    match decider:
        case Surface.UI:
            return MayDecide(True, "A person decides in the window.")
        case Surface.VOICE:
            if effect is Effect.DANGER:
                return MayDecide(False, "This is too dangerous to decide by voice. Decide it in the window.")
            if not by_voice and asked_on is not Surface.VOICE:
                return MayDecide(False, "Approvals by voice are switched off (voice.approvals). Use the window.")
            if not read_back:
                return MayDecide(False, "It must be read back, with its action named, before a yes counts.")
            return MayDecide(True, "It was read back and confirmed.")
        case Surface.CLI:
            if not caller.present:
                return MayDecide(False, "Only a person at a terminal that no agent started may decide.")
            if asked_on is Surface.MCP:
                return MayDecide(False, "What an editor asked is decided in the window or by voice.")
            return MayDecide(True, "A present user decides at a terminal.")
        case Surface.SESSION_AGENT | Surface.MCP:
            return MayDecide(False, "An agent never decides an approval.")
