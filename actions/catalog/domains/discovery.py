"""Finding actions: search, definition, options, and the policy in force."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from actions.catalog.context import ActionContext
from actions.catalog.hints import Hint, Widget
from actions.catalog.options import Option
from actions.catalog.spec import ActionInput, ActionOutput, Effect, Exposure, Placement, Surface, action
from actions.catalog.text import Text

_DIRECT = {Surface.SESSION_AGENT: Exposure.DIRECT}


class SearchActions(ActionInput):
    query: Annotated[str, Hint(ask=Text("What are you looking for?", "要找什么?"))] = ""
    limit: Annotated[int, Field(ge=1, le=100)] = 20
    surface: Annotated[Surface | None, Hint(description="Search as this surface sees the catalog")] = None


class ActionSummaries(ActionOutput):
    actions: list[dict[str, Any]]


@action(
    "action.spec.search",
    title=Text("Search actions", "搜索操作"),
    effect=Effect.READ,
    hot=True,
    exposure=_DIRECT,
    say=[
        "(find|search for) [the] action {query}",
        "查找操作{query}",
    ],
    cli="actions search {query}",
    examples=[{"query": "review"}],
)
async def search_actions(inp: SearchActions, ctx: ActionContext) -> ActionSummaries:
    """Find what can be done, by words in English or Chinese.

    Finding an action is not a licence to use it: policy decides when it is run.
    """
    seen_from = ctx if inp.surface is None else replace(ctx, surface=inp.surface)
    return ActionSummaries(actions=ctx.ports.directory.search(inp.query, inp.limit, seen_from))


class GetAction(ActionInput):
    id: Annotated[str, Hint(ask=Text("Which action?", "哪个操作?"))]


class ActionDefinition(ActionOutput):
    """The spec: JSON Schemas, hints, form, availability and exposure on the caller's surface."""

    model_config = ConfigDict(extra="allow", frozen=True)

    id: str


@action(
    "action.spec.get",
    title=Text("Show an action's definition", "查看操作定义"),
    effect=Effect.READ,
    hot=True,
    exposure=_DIRECT,
    cli="actions get {id}",
    examples=[{"id": "review.start"}],
)
async def get_action(inp: GetAction, ctx: ActionContext) -> ActionDefinition:
    """Show one action in full: its inputs, hints and examples, and whether it may be run here."""
    return ActionDefinition.model_validate(ctx.ports.directory.get(inp.id, ctx))


class PreviewCall(ActionInput):
    action_id: Annotated[str, Hint(ask=Text("Which action?", "哪个操作?"))]
    input: Annotated[dict[str, Any], Hint(widget=Widget.JSON, description="As far as it is filled in")] = Field(
        default_factory=dict[str, Any]
    )


class CallTarget(ActionOutput):
    """One thing that a call is about: ``kind`` session, workspace, provider, run or server, called ``label``."""

    field: str
    kind: str
    value: str
    label: str
    known: bool = True


class CallPreview(ActionOutput):
    """What a call would do: its ``effect`` with this very input, whom it reaches, and whether somebody is asked first:
    ``asked_in`` the ``inbox``, or by ``read_back``.
    """

    action_id: str
    effect: str
    available: bool
    reason: str = ""
    asks: bool
    asks_reason: str = ""
    asked_in: str | None = None
    targets: list[CallTarget] = Field(default_factory=list[CallTarget])


@action(
    "action.call.preview",
    title=Text("Say what a call would do", "说明调用会做什么"),
    effect=Effect.READ,
    cli="actions preview {action_id}",
    synonyms=["dry run", "what would happen"],
    examples=[{"action_id": "review.start", "input": {"providers": ["builtin"]}}],
)
async def preview_call(inp: PreviewCall, ctx: ActionContext) -> CallPreview:
    """Say what an action would do with an input, before it is run: what it reaches, its effect, who is asked first."""
    return CallPreview.model_validate(await ctx.ports.directory.preview(inp.action_id, inp.input, ctx))


class ResolveOptions(ActionInput):
    action_id: str | None = None
    field_path: str | None = None
    source: str | None = None
    draft: Annotated[dict[str, Any], Hint(widget=Widget.JSON)] = Field(default_factory=dict[str, Any])
    session_id: str | None = None
    query: str = ""
    limit: Annotated[int, Field(ge=1, le=200)] = 200
    include_disabled: bool = True

    @model_validator(mode="after")
    def _one_target(self) -> ResolveOptions:
        if self.source is None and (self.action_id is None or self.field_path is None):
            raise ValueError("give action_id and field_path, or source")
        return self


class ResolvedOptions(ActionOutput):
    options: list[Option]
    action_id: str | None = None
    field_path: str | None = None
    source: str | None = None
    warnings: list[str] = Field(default_factory=list[str])


@action(
    "action.options.resolve",
    title=Text("List the options of a field", "列出字段选项"),
    effect=Effect.READ,
    hot=True,
    exposure=_DIRECT,
    cli="actions options {action_id} {field_path}",
    examples=[{"action_id": "review.start", "field_path": "providers"}],
)
async def resolve_options(inp: ResolveOptions, ctx: ActionContext) -> ResolvedOptions:
    """List the choices for a field, given what the draft says so far."""
    draft = dict(inp.draft)
    if inp.session_id is not None:
        draft.setdefault("session_id", inp.session_id)
    found = await ctx.ports.directory.options(
        action_id=inp.action_id,
        field_path=inp.field_path,
        source=inp.source,
        draft=draft,
        query=inp.query,
        limit=inp.limit,
        include_disabled=inp.include_disabled,
        ctx=ctx,
    )
    return ResolvedOptions.model_validate(found)


class GetPolicy(ActionInput):
    id: str | None = None
    surface: Surface | None = None
    workspace: Annotated[str | None, Hint(widget=Widget.PATH, description="As it holds in this folder")] = None


class EffectivePolicy(ActionOutput):
    """For each action and surface: availability, whether it asks, how it is exposed, each with its reason."""

    actions: list[dict[str, Any]]


@action(
    "settings.actions.get",
    title=Text("Show the policy in force", "查看生效的策略"),
    effect=Effect.READ,
    cli="actions policy {id}",
    synonyms=["policy", "permissions", "exposure", "approval rules"],
)
async def get_policy(inp: GetPolicy, ctx: ActionContext) -> EffectivePolicy:
    """Show which actions may run where, which ask first and how they are exposed, with the reasons."""
    seen_from = ctx if inp.workspace is None else replace(ctx, workspace=inp.workspace)
    return EffectivePolicy(**ctx.ports.directory.policy(inp.id, inp.surface, seen_from))


class Switch(StrEnum):
    ON = "on"
    OFF = "off"
    DEFAULT = "default"


class SetPolicy(ActionInput):
    action_id: Annotated[str, Hint(explicit=True, ask=Text("Which action?", "哪个操作?"))]
    surface: Annotated[Surface | None, Hint(ask=Text("On which surface?", "在哪个界面?"))] = None
    enabled: Switch | None = None
    approval: Literal["default", "always", "never"] | None = None
    exposure: Literal["default", "direct", "discoverable"] | None = None
    placements: list[Placement] | None = None
    scope: Literal["device", "workspace"] = "device"
    workspace: Annotated[str | None, Hint(widget=Widget.PATH)] = None


@action(
    "settings.actions.set",
    title=Text("Change an action's policy", "更改操作策略"),
    effect=Effect.DANGER,
    surfaces=[Surface.UI, Surface.CLI],
    decides=True,
    cli="actions set {action_id}",
    examples=[{"action_id": "review.start", "surface": "cli", "enabled": "off"}],
)
async def set_policy(inp: SetPolicy, ctx: ActionContext) -> EffectivePolicy:
    """Switch an action off or on for a surface, or change whether it asks and how it is exposed."""
    found = await ctx.ports.directory.set_policy(
        inp.action_id,
        surface=inp.surface,
        enabled=inp.enabled,
        approval=inp.approval,
        exposure=inp.exposure,
        workspace=(inp.workspace or ctx.workspace) if inp.scope == "workspace" else None,
    )
    return EffectivePolicy(**found)
