"""What a call would do, said before it is made: what it reaches, how far its effect goes, and who is asked first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from actions.catalog.context import ActionContext
from actions.catalog.form import hint_of, ref_of
from actions.catalog.hints import RefKind
from actions.catalog.spec import ActionSpec, Effect, Surface
from actions.errors import SaysoError
from actions.policy.approval import asks_first
from actions.policy.availability import availability
from actions.policy.settings import PolicySettings

_SOURCES = {"providers.available": "provider", "workspaces.recent": "workspace", "mcp.servers": "server"}
_MOST = 12
"""So many targets are named; a person reads no more."""


async def preview(
    spec: ActionSpec, draft: Mapping[str, Any], settings: PolicySettings, ctx: ActionContext
) -> dict[str, Any]:
    """The call as it stands: ``draft`` may lack fields that the action needs. Nothing is changed by asking."""
    may = availability(spec, ctx.surface, settings, workspace=ctx.workspace, caller=ctx.caller)
    effect = _effect(spec, draft)
    ask = asks_first(spec, ctx.surface, settings, workspace=ctx.workspace, effect=effect)
    return {
        "action_id": spec.id,
        "effect": effect.value,
        "available": may.available,
        "reason": may.reason if not may.available else "",
        "asks": ask.asks,
        "asks_reason": ask.reason,
        "asked_in": ("read_back" if ctx.surface is Surface.VOICE else "inbox") if ask.asks else None,
        "targets": await _targets(spec, draft, ctx),
    }


def _effect(spec: ActionSpec, draft: Mapping[str, Any]) -> Effect:
    """The declared effect, or more where what is filled in makes it so; what is not there yet is no reason for more."""
    try:
        return spec.effect_for(spec.input.model_validate(draft))
    except ValidationError:
        pass  # not complete yet
    given = {name: value for name, value in draft.items() if name in spec.input.model_fields}
    if spec.effect_of is None:
        return spec.effect
    try:
        return spec.effect_for(spec.input.model_construct(**given))
    except (AttributeError, TypeError, ValueError):
        return spec.effect


async def _targets(spec: ActionSpec, draft: Mapping[str, Any], ctx: ActionContext) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for name, info in spec.input.model_fields.items():
        kind = _kind(info)
        if kind is None:
            continue
        given: Any = draft.get(name)
        if given in (None, "", []):
            given = await _own(info, ctx)
        several = cast("Sequence[Any]", given) if isinstance(given, list) else [given]
        for text in several:
            if isinstance(text, str) and text:
                label = await _label(kind, text, ctx)
                found.append({"field": name, "kind": kind, "value": text, "label": label or text, "known": bool(label)})
    return found[:_MOST]


def _kind(info: FieldInfo) -> str | None:
    if (ref := ref_of(info)) is not None:
        return ref.kind.value
    options = hint_of(info).options
    return _SOURCES.get(options) if isinstance(options, str) else None


async def _own(info: FieldInfo, ctx: ActionContext) -> str | None:
    """What a missing session will mean."""
    ref = ref_of(info)
    if ref is None or ref.kind is not RefKind.SESSION or ref.own is None:
        return None
    if ctx.caller.session_id is not None or ref.own != "required":
        return ctx.caller.session_id
    return await ctx.ports.references.usual_session()


async def _label(kind: str, text: str, ctx: ActionContext) -> str:
    """The name of what a value means; empty where nothing is called so. A directory is not registered by asking."""
    try:
        match kind:
            case "session":
                session_id = await ctx.ports.references.resolve(RefKind.SESSION, text)
                return (await ctx.ports.sessions.get(session_id)).title
            case "provider":
                return (await ctx.ports.providers.get(text)).name
            case "run":
                run = await ctx.ports.runs.get(await ctx.ports.references.resolve(RefKind.RUN, text))
                return f"{run.kind} · {run.provider}"
            case "workspace":
                known = (await ctx.ports.workspaces.list()).workspaces
                return next((w.name or w.path for w in known if text in (w.id, w.path, w.name)), "")
            case _:
                return text
    except SaysoError:
        return ""
