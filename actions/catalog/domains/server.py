"""The user's MCP servers: definitions and bindings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, cast

from pydantic import Field, field_serializer, model_validator

from actions.catalog.context import ActionContext
from actions.catalog.hints import Hint, Widget
from actions.catalog.options import Option, OptionRequest, option_source, select_options
from actions.catalog.secrecy import veiled, veiled_args, veiled_url, veiled_values
from actions.catalog.server_views import BindingView, ServerList, ServerTest, ServerView
from actions.catalog.spec import ActionInput, Done, Effect, Placement, Reply, action
from actions.catalog.text import Text

SERVER = Hint(
    widget=Widget.SELECT,
    options="mcp.servers",
    title=Text("Server", "服务器"),
    ask=Text("Which server?", "哪个服务器?"),
)
WORKSPACE = Hint(widget=Widget.SELECT, options="workspaces.recent", title=Text("Workspace", "工作区"))
SECRETS = Hint(
    description=Text(
        "Values that look like secrets: into the keyring, or into the file as they are",
        "看起来像机密的值:存入密钥环,或原样写入文件",
    )
)
REVISION = Hint(
    description=Text("The revision that was looked at; a change for another one is refused", "所查看的版本;不符则拒绝")
)


@option_source("mcp.servers", needs=["workspace"])
async def server_options(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    place = request.draft.get("workspace") or ctx.workspace
    found = await ctx.ports.servers.list(workspace=str(place) if place else None)
    options = [
        Option(value=row.name, label=row.title or row.name, description=row.url or row.command, reason=row.problem)
        for row in found.servers
    ]
    return select_options(options, request)


async def place_of(workspace: str | None, ctx: ActionContext) -> str | None:
    """The folder that a call is about: the named workspace's, else the caller's."""
    if workspace is None:
        return ctx.workspace
    return (await ctx.ports.workspaces.find(workspace)).path


class Definition(ActionInput):
    """A server: exactly one of a command (stdio) and a url."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9_-]+$", max_length=64)]
    title: str | None = None
    command: str | None = None
    args: list[str] = Field(default_factory=list[str])
    cwd: str | None = None
    url: str | None = None
    transport: Literal["http", "sse"] | None = None
    headers: dict[str, str] = Field(default_factory=dict[str, str])
    env: dict[str, str] = Field(default_factory=dict[str, str])
    connect_timeout_s: Annotated[float | None, Field(gt=0, le=86_400)] = None
    call_timeout_s: Annotated[float | None, Field(gt=0, le=86_400)] = None

    @model_validator(mode="after")
    def _one_transport(self) -> Definition:
        if (self.command is None) == (self.url is None):
            raise ValueError("give a command or a url, not both")
        if self.name == "sayso":
            raise ValueError("the name sayso is reserved")
        return self

    def given(self) -> dict[str, Any]:
        """What was given, in the clear: for the service that keeps it."""
        return {name: getattr(self, name) for name in type(self).model_fields if name in self.model_fields_set}

    def carries_secret(self) -> bool:
        shown = self._shown_values(self.env), self._shown_values(self.headers), self._shown_args(self.args)
        return shown != (self.env, self.headers, self.args) or self._shown_url(self.url) != self.url

    @field_serializer("env", "headers")
    def _shown_values(self, values: dict[str, str]) -> dict[str, str]:
        return veiled_values(values)

    @field_serializer("args")
    def _shown_args(self, args: list[str]) -> list[str]:
        return veiled_args(args)

    @field_serializer("url")
    def _shown_url(self, url: str | None) -> str | None:
        return None if url is None else veiled_url(url)


class Changing(ActionInput):
    """An input whose changes, overrides or bindings may hold a secret, which is shown and stored as dots."""

    def carries_secret(self) -> bool:
        held = [getattr(self, name, None) for name in ("changes", "overrides", "bindings")]
        return any(value != _veiled(value) for value in held)

    @field_serializer("changes", "overrides", "bindings", check_fields=False)
    def _shown(self, value: Any) -> Any:
        return _veiled(value)


def _veiled(value: Any) -> Any:
    return [veiled(one) for one in cast("list[Any]", value)] if isinstance(value, list) else veiled(value)


class OneServer(ActionInput):
    server: Annotated[str, SERVER]


class ServerHere(OneServer):
    workspace: Annotated[str | None, WORKSPACE] = None


async def _proof(inp: Any, ctx: ActionContext) -> Mapping[str, Any]:
    """The server that was shown must still be that server."""
    place = await place_of(getattr(inp, "workspace", None), ctx)
    return await ctx.ports.servers.proof(inp.server, workspace=place)


class ListServers(ActionInput):
    include_disabled: bool = True
    workspace: Annotated[str | None, WORKSPACE] = None


@action(
    "mcp.servers.list",
    title=Text("List MCP servers", "列出 MCP 服务器"),
    effect=Effect.READ,
    placements=[Placement.PALETTE],
    say=["(show|list) [all] [(my|the)] MCP servers", "(显示|列出)[所有][我的]MCP服务器"],
    cli="mcp servers",
)
async def list_servers(inp: ListServers, ctx: ActionContext) -> ServerList:
    """List the MCP servers and where each is bound; values that may be secret are left out."""
    place = await place_of(inp.workspace, ctx)
    return await ctx.ports.servers.list(include_disabled=inp.include_disabled, workspace=place)


@action(
    "mcp.servers.read",
    title=Text("Show an MCP server", "查看 MCP 服务器"),
    effect=Effect.READ,
    say=["show [me] [the] MCP server {server}", "(显示|查看)MCP服务器{server}"],
    cli="mcp show {server}",
)
async def read_server(inp: ServerHere, ctx: ActionContext) -> ServerView:
    """Show one MCP server's definition."""
    return await ctx.ports.servers.read(inp.server, workspace=await place_of(inp.workspace, ctx))


class CreateServer(Changing):
    definition: Annotated[Definition, Hint(widget=Widget.JSON)]
    bindings: Annotated[
        list[dict[str, Any]],
        Hint(widget=Widget.JSON, description="Where it is on: {target: device or a folder, enabled, overrides}"),
    ] = Field(default_factory=list[dict[str, Any]])
    where: Annotated[
        Literal["device", "workspace"],
        Hint(description="Into the file of the device, or of the workspace, where others see it"),
    ] = "device"
    workspace: Annotated[str | None, WORKSPACE] = None
    secrets: Annotated[Literal["keyring", "literal"], SECRETS] = "keyring"
    expected_revision: Annotated[str | None, REVISION] = None

    def carries_secret(self) -> bool:
        return self.definition.carries_secret() or super().carries_secret()


@action(
    "mcp.servers.create",
    title=Text("Add an MCP server", "添加 MCP 服务器"),
    effect=Effect.DANGER,
    examples=[{"definition": {"name": "files", "command": "npx", "args": ["-y", "some-server", "{path}"]}}],
)
async def create_server(inp: CreateServer, ctx: ActionContext) -> ServerView:
    """Add an MCP server and bind it."""
    return await ctx.ports.servers.create(
        inp.definition.given(),
        bindings=inp.bindings,
        where=inp.where,
        workspace=await place_of(inp.workspace, ctx),
        secrets=inp.secrets,
        expected_revision=inp.expected_revision,
    )


class UpdateServer(ServerHere, Changing):
    changes: Annotated[
        dict[str, Any],
        Hint(widget=Widget.JSON, description="Fields of the definition; null takes one out, also within env, headers"),
    ]
    secrets: Annotated[Literal["keyring", "literal"], SECRETS] = "keyring"
    expected_revision: Annotated[str | None, REVISION] = None


@action(
    "mcp.servers.update",
    title=Text("Change an MCP server", "更改 MCP 服务器"),
    effect=Effect.DANGER,
    examples=[{"server": "files", "changes": {"args": ["-y", "some-server@1.2.3"]}}],
    cli="mcp update {server}",
    proof=_proof,
)
async def update_server(inp: UpdateServer, ctx: ActionContext) -> ServerView:
    """Change an MCP server's definition."""
    return await ctx.ports.servers.update(
        inp.server,
        inp.changes,
        workspace=await place_of(inp.workspace, ctx),
        secrets=inp.secrets,
        expected_revision=inp.expected_revision,
    )


class DeleteServer(ActionInput):
    server: Annotated[str, Hint(widget=Widget.SELECT, options="mcp.servers", explicit=True)]
    remove_bindings: bool
    workspace: Annotated[str | None, WORKSPACE] = None
    expected_revision: Annotated[str | None, REVISION] = None


@action("mcp.servers.delete", title=Text("Remove an MCP server", "删除 MCP 服务器"), effect=Effect.DANGER, proof=_proof)
async def delete_server(inp: DeleteServer, ctx: ActionContext) -> Done:
    """Remove an MCP server's definition."""
    await ctx.ports.servers.delete(
        inp.server,
        remove_bindings=inp.remove_bindings,
        workspace=await place_of(inp.workspace, ctx),
        expected_revision=inp.expected_revision,
    )
    return Done()


class TestServer(ActionInput):
    server: Annotated[str | None, SERVER] = None
    draft: Annotated[Definition | None, Hint(widget=Widget.JSON)] = None
    workspace: Annotated[str | None, WORKSPACE] = None

    @model_validator(mode="after")
    def _one(self) -> TestServer:
        if (self.server is None) == (self.draft is None):
            raise ValueError("name a server or give a draft")
        return self

    def carries_secret(self) -> bool:
        return self.draft is not None and self.draft.carries_secret()


def _effect_of_test(inp: TestServer) -> Effect:
    """A draft is a command of the caller's own choice."""
    return Effect.DANGER if inp.draft is not None else Effect.EXTERNAL


@action(
    "mcp.servers.test",
    title=Text("Test an MCP server", "测试 MCP 服务器"),
    effect=Effect.EXTERNAL,
    effect_of=_effect_of_test,
    reply=Reply.WAIT,
    say=["test [the] MCP server {server}", "测试MCP服务器{server}"],
    examples=[{"server": "files"}],
    cli="mcp test {server}",
    ends_with_caller=True,
)
async def test_server(inp: TestServer, ctx: ActionContext) -> ServerTest:
    """Start an MCP server, list its tools, and end it again."""
    draft = inp.draft.given() if inp.draft is not None else None
    return await ctx.ports.servers.test(inp.server, draft, workspace=await place_of(inp.workspace, ctx))


class AddBinding(OneServer, Changing):
    target: Annotated[str, Hint(description="device, or a workspace's directory")] = "device"
    enabled: bool = True
    overrides: Annotated[
        dict[str, Any] | None,
        Hint(widget=Widget.JSON, description="command, args, cwd, url; env and headers name by name, null takes out"),
    ] = None
    expected_revision: Annotated[str | None, REVISION] = None


async def _target(target: str, ctx: ActionContext) -> str:
    return target if target == "device" else (await ctx.ports.workspaces.find(target)).path


async def _binding_proof(inp: AddBinding, ctx: ActionContext) -> Mapping[str, Any]:
    target = await _target(inp.target, ctx)
    return await ctx.ports.servers.proof(inp.server, workspace=ctx.workspace if target == "device" else target)


@action(
    "mcp.bindings.add",
    title=Text("Bind an MCP server", "绑定 MCP 服务器"),
    effect=Effect.DANGER,
    examples=[{"server": "files", "target": "device"}],
    proof=_binding_proof,
)
async def add_binding(inp: AddBinding, ctx: ActionContext) -> BindingView:
    """Switch an MCP server on or off for the device or a workspace."""
    return await ctx.ports.servers.add_binding(
        inp.server,
        await _target(inp.target, ctx),
        enabled=inp.enabled,
        overrides=inp.overrides,
        expected_revision=inp.expected_revision,
    )


class EditBinding(Changing):
    binding: Annotated[str, Hint(description="server@target, as the list shows it")]
    changes: Annotated[dict[str, Any], Hint(widget=Widget.JSON, description="enabled, overrides")]
    expected_revision: Annotated[str | None, REVISION] = None


@action("mcp.bindings.edit", title=Text("Change a binding", "更改绑定"), effect=Effect.DANGER)
async def edit_binding(inp: EditBinding, ctx: ActionContext) -> BindingView:
    """Change a binding of an MCP server."""
    return await ctx.ports.servers.edit_binding(inp.binding, inp.changes, expected_revision=inp.expected_revision)


class RemoveBinding(ActionInput):
    binding: Annotated[str, Hint(explicit=True, description="server@target, as the list shows it")]
    expected_revision: Annotated[str | None, REVISION] = None


@action("mcp.bindings.remove", title=Text("Remove a binding", "移除绑定"), effect=Effect.DANGER)
async def remove_binding(inp: RemoveBinding, ctx: ActionContext) -> Done:
    """Remove a binding of an MCP server."""
    await ctx.ports.servers.remove_binding(inp.binding, expected_revision=inp.expected_revision)
    return Done()
