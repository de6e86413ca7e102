"""How the tests of the file tools call a tool: as the dispatcher does, prepared, asked and run."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from actions.agent.tools.needs import Workspace
from actions.agent.toolset.results import ToolFailure, ToolResult
from actions.agent.toolset.tool import TypedTool


async def call(tool: TypedTool[Any], **arguments: Any) -> ToolResult:
    """The result of one call that was approved."""
    params = tool.params.model_validate(arguments)
    try:
        ask = await tool.prepare(params)
        assert ask.still_true is None or await ask.still_true()
        return await tool.run(params)
    except ToolFailure as error:
        return error.result


def workspace(folder: Path) -> Workspace:
    root = folder / "work"
    root.mkdir(exist_ok=True)
    return Workspace(root)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mount_small(folder: Path) -> bool:
    """Put a disk of 64 KB at ``folder``; False where that is not allowed."""
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]
    return subprocess.run(command, capture_output=True).returncode == 0


def unmount(folder: Path) -> None:
    subprocess.run(["umount", folder], check=True)
