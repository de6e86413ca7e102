"""Making a request: everything a person will see and everything that will run, frozen before it is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from actions.catalog.context import ActionContext, CallerKind
from actions.catalog.registry import Catalog
from actions.catalog.spec import ActionInput, ActionSpec, Effect, Surface
from actions.errors import InvalidInput, NotImplementedYet
from actions.execution import inputs, proofs
from actions.execution.approval import Approval, Status, root_of
from actions.storage.ids import Prefix, new_id, now_ms


async def compose(
    catalog: Catalog,
    spec: ActionSpec,
    inp: ActionInput,
    ctx: ActionContext,
    *,
    origin: Mapping[str, Any],
    idempotency_key: str | None = None,
    expires_at: int | None = None,
    note: str | None = None,
) -> Approval:
    """The request to run ``spec`` with ``inp``, not stored yet.

    Surface and caller come from the context, never from the caller's words; ``note`` is what the caller says about it
    and is shown as a quotation. Raises InvalidInput for a target that cannot be asked for or an input that is too
    long.
    """
    refuse_target(spec, ctx)
    form = catalog.form(spec, ctx.language)
    live_only = inputs.has_secret(form, inp)
    rows = inputs.shown_fields(form, inp, await inputs.labels_of(spec, inp, ctx))
    now = now_ms()
    own = ctx.caller.session_id
    target = getattr(inp, "session_id", None)
    facts = {
        "workspace": ctx.workspace,
        "language": ctx.language,
        "note": note,
        "live_only": live_only,
        "unshown": inputs.unshown_required(form, inp),
    }
    return Approval(
        id=new_id(Prefix.APPROVAL),
        status=Status.OPEN,
        action_id=spec.id,
        spec_hash=spec.hash,
        input="{}" if live_only else inputs.frozen(inp),
        summary=inputs.summary_of(spec, rows, ctx.language),
        fields=rows,
        surface=ctx.surface,
        caller=ctx.caller,
        origin={**origin, **{name: fact for name, fact in facts.items() if fact}},
        staleness=await proofs.observe(await spec.proof(inp, ctx)) if spec.proof else {},
        session_id=own or (target if isinstance(target, str) else None),
        root_session_id=root_of(ctx.caller) or (target if isinstance(target, str) else None),
        created_at=now,
        updated_at=now,
        expires_at=expires_at,
        idempotency_key=idempotency_key,
    )


def refuse_target(spec: ActionSpec, ctx: ActionContext) -> None:
    """Raise InvalidInput for actions that handle requests, NotImplementedYet for those that can do nothing yet.

    A dangerous one that only a person may call, such as a change of the policy, is asked about in the window when the
    window called it: its dialog is the request. Nobody else can make a request of it.
    """
    if not spec.implemented:
        raise NotImplementedYet(f"{spec.title.en} is not in this version yet.")
    if spec.decides and asks_the_window(spec, ctx):
        return
    if spec.decides or spec.id.startswith("approval."):
        raise InvalidInput(
            f"{spec.id} decides or handles requests, so it cannot be one itself.",
            [{"field": "action_id", "message": "cannot be the target of an approval"}],
        )


def asks_the_window(spec: ActionSpec, ctx: ActionContext) -> bool:
    """Whether a person in the window called this themselves, and it is asked about before it is done."""
    return spec.effect is Effect.DANGER and ctx.surface is Surface.UI and ctx.caller.kind is CallerKind.WINDOW
