"""Providers: the agents that can be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from actions.catalog.context import ActionContext
from actions.catalog.hints import Hint, Widget
from actions.catalog.options import Option, OptionRequest, option_source, select_options
from actions.catalog.spec import ActionInput, Effect, Placement, action
from actions.catalog.text import Text
from actions.catalog.views import ProviderCheck, ProviderList, ProviderView
from actions.errors import InvalidInput


@option_source("providers.available")
async def available_providers(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    found = await ctx.ports.providers.list()
    options = [
        Option(
            value=p.id,
            label=p.name,
            aliases=tuple(p.aliases),
            disabled=p.state == "missing",
            reason=None if p.state == "ready" else (p.reason or "It is not installed."),
        )
        for p in found.providers
    ]
    return select_options(options, request)


async def _provider(request: OptionRequest, ctx: ActionContext) -> ProviderView:
    """The provider that a draft chose, by itself, as the first of several or through its session."""
    chosen = request.draft.get("provider") or next(iter(request.draft.get("providers") or ()), None)
    session_id = request.draft.get("session_id") or ctx.caller.session_id
    if not chosen and session_id:
        chosen = (await ctx.ports.sessions.get(str(session_id))).provider
    if not chosen:
        raise InvalidInput(
            "Choose a provider first.", [{"field": "provider", "message": "It decides what can be chosen."}]
        )
    return await ctx.ports.providers.get(str(chosen))


def _reported(provider: ProviderView, what: str) -> list[Option]:
    """What the provider's agent reported under a name: entries of ``{id, name?}``."""
    entries: list[dict[str, str]] = provider.capabilities.get(what) or []
    return [Option(value=entry["id"], label=entry.get("name", entry["id"])) for entry in entries]


@option_source("modes.available", needs=["provider", "providers", "session_id"])
async def available_modes(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    provider = await _provider(request, ctx)
    return select_options(
        [Option(value=m.id, label=m.name, description=m.description) for m in provider.modes], request
    )


@option_source("models.available", needs=["provider", "providers", "session_id"])
async def available_models(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    provider = await _provider(request, ctx)
    return select_options(
        [Option(value=m.id, label=m.name, description=m.description) for m in provider.models], request
    )


@option_source("config.options", needs=["provider", "providers", "model_id"])
async def config_options(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    provider = await _provider(request, ctx)
    return select_options(_reported(provider, "config_options"), request)


@option_source("accounts.available", needs=["provider", "providers"])
async def available_accounts(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    provider = await _provider(request, ctx)
    return select_options(_reported(provider, "accounts"), request)


@option_source("services.connected", needs=["provider", "providers"])
async def connected_services(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    provider = await _provider(request, ctx)
    return select_options(_reported(provider, "services"), request)


class ListProviders(ActionInput):
    include_missing: bool = True


@action(
    "providers.list",
    title=Text("List providers", "列出智能体"),
    effect=Effect.READ,
    say=["(show|list) [all] [(my|the)] providers", "(显示|列出)[所有]智能体"],
    cli="providers list",
)
async def list_providers(inp: ListProviders, ctx: ActionContext) -> ProviderList:
    """List the agents that can be chosen, and whether each is installed."""
    return await ctx.ports.providers.list(include_missing=inp.include_missing)


class CheckProvider(ActionInput):
    provider: Annotated[
        str, Hint(widget=Widget.SELECT, options="providers.available", ask=Text("Which provider?", "哪个智能体?"))
    ]
    sign_in: Annotated[
        str | None,
        Hint(placeholder=Text("A way to sign in that the agent offers", "智能体提供的登录方式"), explicit=True),
    ] = None
    """Where the agent wants a sign-in: the method to call before one more try."""


@action(
    "providers.check",
    title=Text("Check a provider", "检查智能体"),
    effect=Effect.EXTERNAL,
    placements=[Placement.PALETTE],
    say=["check [the] provider {provider}", "检查智能体{provider}"],
    cli="providers check {provider}",
)
async def check_provider(inp: CheckProvider, ctx: ActionContext) -> ProviderCheck:
    """Start a provider's agent, ask what it can do, and end it again."""
    return await ctx.ports.providers.check(inp.provider, sign_in=inp.sign_in, told=ctx.progress)
