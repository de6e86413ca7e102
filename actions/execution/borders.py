"""Which session a call comes from, and the border between sessions.

An agent that acts on a session outside its own tree needs a person's yes, or a rule.
"""

from __future__ import annotations

from dataclasses import replace

from actions.catalog.context import ActionContext, Caller
from actions.catalog.form import ref_of
from actions.catalog.hints import RefKind
from actions.catalog.ports import Ports
from actions.catalog.spec import ActionInput, ActionSpec, Effect, Surface
from actions.errors import NotFound
from actions.execution.approval import root_of


class Chains:
    """Finds the whole chain of a caller; where a session comes from never changes, so each is looked up once."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, ...]] = {}

    async def placed(self, caller: Caller, ports: Ports) -> Caller:
        """The caller with its whole chain: root session, run, own session. A session that is gone stays as it is."""
        if caller.session_id is None or len(caller.chain) > 1:
            return caller
        if (chain := self._known.get(caller.session_id)) is None:
            try:
                session = await ports.sessions.get(caller.session_id)
            except NotFound:
                return caller
            root = session.root_session_id or session.id
            run = (session.run_id,) if session.run_id else ()
            chain = (session.id,) if root == session.id else (root, *run, session.id)
            self._known[caller.session_id] = chain
        return replace(caller, chain=chain)


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
