"""Stand-in until the toolset has the key argument."""

from __future__ import annotations

import json
from pathlib import Path

from actions.agent.toolset.tool import Tool


def key_argument(tool: Tool | None, name: str, arguments: str, cwd: Path) -> str | None:
    if tool is None or tool.key_argument is None:
        return None
    try:
        found = json.loads(arguments).get(tool.key_argument)
    except (ValueError, AttributeError):
        return None
    return found[:50] if isinstance(found, str) else None
