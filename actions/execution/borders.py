"""The border between sessions: an agent that acts on a session outside its own tree needs a person's yes, or a rule."""

from __future__ import annotations

from actions.catalog.context import ActionContext
from actions.catalog.form import ref_of
from actions.catalog.hints import RefKind
from actions.catalog.spec import ActionInput, ActionSpec, Effect, Surface
from actions.execution.approval import root_of


async def crosses_sessions(spec: ActionSpec, inp: ActionInput, ctx: ActionContext) -> bool:
    """Whether an agent's call changes a session that neither it nor its root session started. Raises NotFound."""
    if ctx.surface is not Surface.SESSION_AGENT or spec.effect_for(inp).rank < Effect.WRITE.rank:
        return False
    own = {ctx.caller.session_id, root_of(ctx.caller)}
    for name, info in spec.input.model_fields.items():
        ref = ref_of(info)
        target = getattr(inp, name)
        if ref is None or ref.kind is not RefKind.SESSION or not isinstance(target, str) or target in own:
            continue
        session = await ctx.ports.sessions.get(target)
        if (session.root_session_id or session.id) not in own:
            return True
    return False
