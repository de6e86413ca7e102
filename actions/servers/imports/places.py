"""Where each program keeps its servers: the files of a user, and those of a project."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from actions.servers.imports.found import Scope

_PROJECT = (
    ("codex", ".codex/config.toml"),
    ("gemini", ".gemini/settings.json"),
    ("opencode", "opencode.json"),
    ("opencode", "opencode.jsonc"),
    ("vscode", ".vscode/mcp.json"),
    ("cursor", ".cursor/mcp.json"),
    ("kimi", ".kimi-code/mcp.json"),
    ("kiro", ".kiro/settings/mcp.json"),
    ("zed", ".zed/settings.json"),
)
"""A workspace's ``.mcp.json`` is not among them: it is in force without an import."""


@dataclass(frozen=True, slots=True)
class Place:
    """A file that a program may have."""

    client: str
    file: Path
    scope: Scope = "user"
    project: Path | None = None


def places(environ: Mapping[str, str], workspace: Path | None = None, platform: str = sys.platform) -> Iterator[Place]:
    """Every file to look at, whether it is there or not. ``environ`` says where the user's folders are."""
    home = Path(environ.get("HOME") or environ.get("USERPROFILE") or Path.home())
    config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    roaming = Path(environ.get("APPDATA") or home / "AppData" / "Roaming")
    support = home / "Library" / "Application Support"
    apps = {"darwin": support, "win32": roaming}.get(platform, config)
    goose = roaming / "Block" / "goose" / "config" if platform == "win32" else config / "goose"
    user: list[tuple[str, Path]] = [
        ("claude-desktop", apps / "Claude" / "claude_desktop_config.json"),
        ("claude-code", home / ".claude.json"),
        ("codex", Path(environ.get("CODEX_HOME") or home / ".codex") / "config.toml"),
        ("gemini", home / ".gemini" / "settings.json"),
        ("opencode", config / "opencode" / "opencode.json"),
        ("opencode", config / "opencode" / "opencode.jsonc"),
        ("vscode", apps / "Code" / "User" / "mcp.json"),
        ("cursor", home / ".cursor" / "mcp.json"),
        ("kimi", home / ".kimi" / "mcp.json"),
        ("kiro", home / ".kiro" / "settings" / "mcp.json"),
        ("zed", (roaming / "Zed" if platform == "win32" else config / "zed") / "settings.json"),
        ("goose", goose / "config.yaml"),
        ("windsurf", home / ".codeium" / "windsurf" / "mcp_config.json"),
    ]
    yield from (Place(client, file) for client, file in user)
    if workspace is not None and workspace != home:
        yield from (Place(client, workspace / file, "project", workspace) for client, file in _PROJECT)


def client_of(file: Path) -> str | None:
    """Whose file this is, by its name and its folder."""
    folder, name = file.parent.name.lower(), file.name.lower()
    named = {
        "claude_desktop_config.json": "claude-desktop", ".claude.json": "claude-code", ".mcp.json": "claude-code",
        "mcp_config.json": "windsurf", "opencode.json": "opencode", "opencode.jsonc": "opencode",
    }  # fmt: skip
    folders = {
        ".cursor": "cursor", ".vscode": "vscode", ".kimi": "kimi", ".kimi-code": "kimi", ".gemini": "gemini",
        ".codex": "codex", ".zed": "zed", "zed": "zed", "goose": "goose", "windsurf": "windsurf",
    }  # fmt: skip
    if folder == "settings" and file.parent.parent.name == ".kiro":
        return "kiro"
    if folder == "user" and file.parent.parent.name == "Code":
        return "vscode"
    return named.get(name) or folders.get(folder)
