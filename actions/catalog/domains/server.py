"""The user's MCP servers: definitions and bindings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from actions.catalog.context import ActionContext
from actions.catalog.hints import Hint, Widget
from actions.catalog.later import later
from actions.catalog.options import Option, OptionRequest, option_source
from actions.catalog.spec import ActionInput, ActionOutput, Done, Effect, action
from actions.catalog.text import Text


@option_source("mcp.servers", needs=["workspace"])
async def server_options(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    later("The list of MCP servers")


_SERVER = Hint(
    widget=Widget.SELECT,
    options="mcp.servers",
    title=Text("Server", "服务器"),
    ask=Text("Which server?", "哪个服务器?"),
)


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
    connect_timeout_s: float | None = None
    call_timeout_s: float | None = None

    @model_validator(mode="after")
    def _one_transport(self) -> Definition:
        if (self.command is None) == (self.url is None):
            raise ValueError("give a command or a url, not both")
        if self.name == "sayso":
            raise ValueError("the name sayso is reserved")
        return self


class ServerRow(ActionOutput):
    name: str
    transport: str
    bindings: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])
    revision: str | None = None


class ServerList(ActionOutput):
    servers: list[ServerRow]
    revision: str


class ListServers(ActionInput):
    include_disabled: bool = True


@action(
    "mcp.servers.list",
    title=Text("List MCP servers", "列出 MCP 服务器"),
    effect=Effect.READ,
    cli="mcp servers",
    implemented=False,
)
async def list_servers(inp: ListServers, ctx: ActionContext) -> ServerList:
    """List the MCP servers and where each is bound; values that may be secret are left out."""
    later("MCP servers")


class OneServer(ActionInput):
    server: Annotated[str, _SERVER]


@action("mcp.servers.read", title=Text("Show an MCP server", "查看 MCP 服务器"), effect=Effect.READ, implemented=False)
async def read_server(inp: OneServer, ctx: ActionContext) -> ServerRow:
    """Show one MCP server's definition."""
    later("MCP servers")


class CreateServer(ActionInput):
    definition: Annotated[Definition, Hint(widget=Widget.JSON)]
    bindings: Annotated[list[dict[str, Any]], Hint(widget=Widget.JSON)] = Field(default_factory=list[dict[str, Any]])
    expected_revision: str | None = None


@action(
    "mcp.servers.create",
    title=Text("Add an MCP server", "添加 MCP 服务器"),
    effect=Effect.DANGER,
    examples=[{"definition": {"name": "files", "command": "npx", "args": ["-y", "some-server", "{path}"]}}],
    implemented=False,
)
async def create_server(inp: CreateServer, ctx: ActionContext) -> ServerRow:
    """Add an MCP server and bind it."""
    later("MCP servers")


class UpdateServer(OneServer):
    changes: Annotated[dict[str, Any], Hint(widget=Widget.JSON)]
    expected_revision: str | None = None


@action(
    "mcp.servers.update", title=Text("Change an MCP server", "更改 MCP 服务器"), effect=Effect.DANGER, implemented=False
)
async def update_server(inp: UpdateServer, ctx: ActionContext) -> ServerRow:
    """Change an MCP server's definition."""
    later("MCP servers")


class DeleteServer(ActionInput):
    server: Annotated[str, Hint(widget=Widget.SELECT, options="mcp.servers", explicit=True)]
    remove_bindings: bool
    expected_revision: str | None = None


@action(
    "mcp.servers.delete", title=Text("Remove an MCP server", "删除 MCP 服务器"), effect=Effect.DANGER, implemented=False
)
async def delete_server(inp: DeleteServer, ctx: ActionContext) -> Done:
    """Remove an MCP server's definition."""
    later("MCP servers")


class TestServer(ActionInput):
    server: Annotated[str | None, _SERVER] = None
    draft: Annotated[Definition | None, Hint(widget=Widget.JSON)] = None
    workspace: Annotated[str | None, Hint(widget=Widget.SELECT, options="workspaces.recent")] = None

    @model_validator(mode="after")
    def _one(self) -> TestServer:
        if (self.server is None) == (self.draft is None):
            raise ValueError("name a server or give a draft")
        return self


class ServerTest(ActionOutput):
    ok: bool
    tool_count: int = 0
    tools: list[str] = Field(default_factory=list[str])
    ms: int = 0
    code: str | None = None
    stderr: str | None = None


@action(
    "mcp.servers.test", title=Text("Test an MCP server", "测试 MCP 服务器"), effect=Effect.EXTERNAL, implemented=False
)
async def test_server(inp: TestServer, ctx: ActionContext) -> ServerTest:
    """Start an MCP server, list its tools, and end it again."""
    later("MCP servers")


class ImportServers(ActionInput):
    source: Annotated[str, Hint(explicit=True, description="A client's name, a file or pasted text")]
    client: str | None = None
    selection: Annotated[list[str], Hint(separator=",")] = Field(default_factory=list[str])
    on_conflict: Literal["skip", "rename", "replace"] = "skip"
    workspace: Annotated[str | None, Hint(widget=Widget.SELECT, options="workspaces.recent")] = None
    dry_run: bool = False


class ImportedServers(ActionOutput):
    servers: list[dict[str, Any]]


@action(
    "mcp.servers.import", title=Text("Import MCP servers", "导入 MCP 服务器"), effect=Effect.DANGER, implemented=False
)
async def import_servers(inp: ImportServers, ctx: ActionContext) -> ImportedServers:
    """Take over MCP servers from another client's configuration."""
    later("Importing MCP servers")


class AddBinding(OneServer):
    target: Annotated[str, Hint(description="device, or a workspace's directory", widget=Widget.PATH)] = "device"
    enabled: bool = True
    overrides: Annotated[dict[str, Any] | None, Hint(widget=Widget.JSON)] = None
    expected_revision: str | None = None


class Binding(ActionOutput):
    id: str
    server: str
    target: str
    enabled: bool


@action(
    "mcp.bindings.add", title=Text("Bind an MCP server", "绑定 MCP 服务器"), effect=Effect.DANGER, implemented=False
)
async def add_binding(inp: AddBinding, ctx: ActionContext) -> Binding:
    """Switch an MCP server on or off for the device or a workspace."""
    later("MCP bindings")


class EditBinding(ActionInput):
    binding: str
    changes: Annotated[dict[str, Any], Hint(widget=Widget.JSON)]
    expected_revision: str | None = None


@action("mcp.bindings.edit", title=Text("Change a binding", "更改绑定"), effect=Effect.DANGER, implemented=False)
async def edit_binding(inp: EditBinding, ctx: ActionContext) -> Binding:
    """Change a binding of an MCP server."""
    later("MCP bindings")


class RemoveBinding(ActionInput):
    binding: Annotated[str, Hint(explicit=True)]
    expected_revision: str | None = None


@action("mcp.bindings.remove", title=Text("Remove a binding", "移除绑定"), effect=Effect.DANGER, implemented=False)
async def remove_binding(inp: RemoveBinding, ctx: ActionContext) -> Done:
    """Remove a binding of an MCP server."""
    later("MCP bindings")
