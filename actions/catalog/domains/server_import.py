"""Taking over MCP servers: from another program's configuration, from a file or text, from the known ones."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_serializer

from actions.catalog.context import ActionContext
from actions.catalog.domains.server import SECRETS, WORKSPACE, place_of
from actions.catalog.hints import Hint, Widget
from actions.catalog.secrecy import HIDDEN
from actions.catalog.server_views import FoundServers, PresetList
from actions.catalog.spec import ActionInput, Effect, NoInput, Placement, Surface, action
from actions.catalog.text import Text

_PERSON = [Surface.UI, Surface.CLI]
_CLIENTS = Literal[
    "claude-desktop", "claude-code", "codex", "gemini", "opencode", "vscode",
    "cursor", "kimi", "kiro", "zed", "goose", "windsurf",
]  # fmt: skip


class DetectServers(ActionInput):
    workspace: Annotated[str | None, WORKSPACE] = None


@action(
    "mcp.servers.detect",
    title=Text("Find MCP servers of other programs", "查找其他程序的 MCP 服务器"),
    effect=Effect.READ,
    surfaces=_PERSON,
    cli="mcp detect",
)
async def detect_servers(inp: DetectServers, ctx: ActionContext) -> FoundServers:
    """Find the MCP servers that other programs on this machine are set up with; nothing is changed."""
    return await ctx.ports.servers.detect(workspace=await place_of(inp.workspace, ctx))


class ImportServers(ActionInput):
    source: Annotated[
        str,
        Hint(
            explicit=True,
            widget=Widget.TEXTAREA,
            ask=Text("From where?", "从哪里导入?"),
            description=Text(
                "A program's name (such as cursor), a file, pasted JSON, TOML or YAML, or a command line",
                "程序名(例如 cursor)、文件、粘贴的 JSON/TOML/YAML,或命令行",
            ),
        ),
    ]
    client: Annotated[
        _CLIENTS | None, Hint(description=Text("Whose format it is, where that is not clear", "所用格式"))
    ] = None
    selection: Annotated[
        list[str], Hint(widget=Widget.TEXT_LIST, separator=",", description=Text("These only, by name", "仅限这些名称"))
    ] = Field(default_factory=list[str])
    on_conflict: Annotated[
        Literal["skip", "rename", "replace"],
        Hint(description=Text("What to do with a name that is taken", "名称已被占用时的处理方式")),
    ] = "skip"
    conflicts: Annotated[
        dict[str, Literal["skip", "rename", "replace"]],
        Hint(widget=Widget.JSON, description=Text("The same for single names", "针对单个名称的处理方式")),
    ] = Field(default_factory=dict[str, Literal["skip", "rename", "replace"]])
    workspace: Annotated[str | None, WORKSPACE] = None
    secrets: Annotated[Literal["keyring", "literal"], SECRETS] = "keyring"
    values: Annotated[
        dict[str, str],
        Hint(widget=Widget.JSON, description=Text("What is missing in it, by name", "缺少的值(按名称)")),
    ] = Field(default_factory=dict[str, str])
    dry_run: Annotated[bool, Hint(description=Text("Only show what would be taken over", "仅显示将导入的内容"))] = False

    def carries_secret(self) -> bool:
        return _is_text(self.source) or bool(self.values)

    @field_serializer("values")
    def _names(self, values: dict[str, str]) -> dict[str, str]:
        return dict.fromkeys(values, HIDDEN)

    @field_serializer("source")
    def _shown(self, source: str) -> str:
        return f"(pasted text, {len(source)} characters)" if _is_text(source) else source


def _is_text(source: str) -> bool:
    return any(mark in source for mark in "\n{=") or " " in source.strip()


@action(
    "mcp.servers.import",
    title=Text("Import MCP servers", "导入 MCP 服务器"),
    effect=Effect.DANGER,
    surfaces=_PERSON,
    placements=[Placement.PALETTE],
    examples=[{"source": "cursor"}],
    cli="mcp import {source}",
)
async def import_servers(inp: ImportServers, ctx: ActionContext) -> FoundServers:
    """Take over MCP servers from another client's configuration."""
    conflicts: dict[str, Any] = dict(inp.conflicts)
    return await ctx.ports.servers.take_over(
        inp.source,
        client=inp.client,
        selection=inp.selection,
        on_conflict=inp.on_conflict,
        conflicts=conflicts,
        workspace=await place_of(inp.workspace, ctx) if inp.workspace else None,
        secrets=inp.secrets,
        values=inp.values,
        dry_run=inp.dry_run,
    )


@action(
    "mcp.presets.list",
    title=Text("List known MCP servers", "列出常用 MCP 服务器"),
    effect=Effect.READ,
    cli="mcp presets",
)
async def list_presets(inp: NoInput, ctx: ActionContext) -> PresetList:
    """List well-known MCP servers that can be added as they are."""
    return await ctx.ports.servers.presets(ctx.language)
