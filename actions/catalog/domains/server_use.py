"""What sessions get of the user's MCP servers: trust, pins, logins and the preview."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from actions.catalog.context import ActionContext
from actions.catalog.domains.server import OneServer
from actions.catalog.hints import Hint, Widget, WorkspaceRef
from actions.catalog.later import later
from actions.catalog.options import Option, OptionRequest, option_source
from actions.catalog.spec import ActionInput, ActionOutput, Done, Effect, Surface, action
from actions.catalog.text import Text

_PERSON = [Surface.UI, Surface.CLI]


@option_source("mcp.preview", needs=["provider", "workspace", "selection"])
async def preview_options(request: OptionRequest, ctx: ActionContext) -> Sequence[Option]:
    later("The preview of MCP tools")


@action(
    "mcp.servers.login",
    title=Text("Log in to an MCP server", "登录 MCP 服务器"),
    effect=Effect.EXTERNAL,
    surfaces=_PERSON,
    implemented=False,
)
async def login_server(inp: OneServer, ctx: ActionContext) -> Done:
    """Log in to an MCP server in the browser."""
    later("Logging in to an MCP server")


@action(
    "mcp.servers.logout",
    title=Text("Log out of an MCP server", "退出 MCP 服务器"),
    effect=Effect.DANGER,
    surfaces=_PERSON,
    implemented=False,
)
async def logout_server(inp: OneServer, ctx: ActionContext) -> Done:
    """Forget an MCP server's login."""
    later("Logging out of an MCP server")


class TrustWorkspace(ActionInput):
    workspace: WorkspaceRef
    content_hash: Annotated[str | None, Hint(explicit=True)] = None


@action(
    "mcp.trust",
    title=Text("Trust a workspace's servers", "信任工作区的服务器"),
    effect=Effect.DANGER,
    surfaces=_PERSON,
    decides=True,
    implemented=False,
)
async def trust_workspace(inp: TrustWorkspace, ctx: ActionContext) -> Done:
    """Let a workspace's own MCP servers run, as they are now."""
    later("Trusting a workspace's servers")


class PreviewTools(ActionInput):
    provider: Annotated[str, Hint(widget=Widget.SELECT, options="providers.available")]
    workspace: WorkspaceRef
    selection: Annotated[dict[str, Any] | None, Hint(widget=Widget.JSON)] = None


class ToolPreview(ActionOutput):
    tools: list[dict[str, Any]]
    servers: list[dict[str, Any]]
    totals: dict[str, int]
    collisions: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])


@action("mcp.preview", title=Text("Preview a session's tools", "预览会话的工具"), effect=Effect.READ, implemented=False)
async def preview_tools(inp: PreviewTools, ctx: ActionContext) -> ToolPreview:
    """Show exactly the tools that a session would get."""
    later("The preview of MCP tools")


class AcceptPin(OneServer):
    tool: str
    content_hash: Annotated[str, Hint(explicit=True)]


@action(
    "mcp.pin.accept",
    title=Text("Accept a changed tool", "接受已更改的工具"),
    effect=Effect.DANGER,
    surfaces=_PERSON,
    decides=True,
    implemented=False,
)
async def accept_pin(inp: AcceptPin, ctx: ActionContext) -> Done:
    """Accept a tool whose definition has changed."""
    later("Accepting a changed tool")
