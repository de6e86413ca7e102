"""What npm puts on the PATH on Windows: a ``.cmd`` that calls Node with a script.

Started as it is, ``cmd.exe`` would stand between the agent and its end, and read quotes and percent signs in arguments
its own way. So what it calls is started instead. Source: the files that npm's `cmd-shim` writes.
"""

from __future__ import annotations

import re
from pathlib import Path

_SCRIPT = re.compile(r'"(?:%~?dp0%?|%~dp0)\\?([^"%]+?\.[cm]?js)"', re.IGNORECASE)
_PROGRAM = re.compile(r'"(?:%~?dp0%?|%~dp0)\\?([^"%]+?\.exe)"\s+(?:%\*|$)', re.IGNORECASE)


def resolved(program: str, node: str | None) -> list[str]:
    """The command line that a program stands for: itself, but for a ``.cmd`` of npm its Node and script.

    ``node`` is the Node on the agent's PATH; one that lies beside the ``.cmd`` is taken first, as npm does.
    """
    path = Path(program)
    if path.suffix.casefold() not in (".cmd", ".bat"):
        return [program]
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return [program]
    if found := _SCRIPT.search(text):
        own = path.with_name("node.exe")
        runner = str(own) if own.is_file() else node
        script = _beside(path, found.group(1))
        return [runner, str(script)] if runner and script.is_file() else [program]
    if found := _PROGRAM.search(text):
        called = _beside(path, found.group(1))
        return [str(called)] if called.is_file() else [program]
    return [program]


def _beside(path: Path, relative: str) -> Path:
    return path.parent.joinpath(*re.split(r"[\\/]", relative)).resolve()
