"""The one write of the scout: the last plan as a Markdown file, after a yes."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

from actions.agent.scout.request import Ended
from actions.agent.toolset.results import ErrorClass, ToolResult
from actions.errors import InvalidInput

Write = Callable[[Path, str], Awaitable[ToolResult]]
"""Writes a text to a path the way every tool does: shown, approved, run. Never raises for a refusal."""


def place_for_plan(cwd: Path, said: str) -> Path:
    """The real path that ``said`` names inside ``cwd``. Raises InvalidInput for one that may not be written."""
    root = Path(os.path.realpath(cwd))
    file = Path(os.path.realpath(root / Path(said).expanduser()))
    if not file.is_relative_to(root) or file == root:
        raise InvalidInput(f"`{said}` is outside the workspace. Name a file inside it, like `docs/plan.md`.")
    if ".git" in file.relative_to(root).parts:
        raise InvalidInput(f"`{said}` belongs to git itself. Name a file elsewhere, like `docs/plan.md`.")
    if file.suffix.lower() not in (".md", ".markdown"):
        raise InvalidInput(f"A plan is Markdown, so its file ends in `.md`; `{said}` does not.")
    if file.is_dir():
        raise InvalidInput(f"`{said}` is a folder. Name a file in it, like `{said.rstrip('/')}/plan.md`.")
    return file


async def save_plan(said: str, cwd: Path, plan: str | None, write: Write) -> Ended:
    """Write ``plan`` to ``said`` inside ``cwd`` and say how that went; nothing is written outside ``cwd``."""
    if plan is None:
        return Ended(
            "end_turn",
            "There is no plan in this session yet. Switch to mode Plan and ask for one, then back to mode Default and "
            "say this again.",
        )
    try:
        file = place_for_plan(cwd, said)
    except (InvalidInput, OSError, ValueError) as error:
        return Ended("end_turn", f"Nothing was written. {error}")
    result = await write(file, plan)
    if result.error is None:
        return Ended("end_turn", f"The plan is in `{said}`.")
    if result.error is ErrorClass.CANCELLED:
        return Ended("cancelled")
    if result.error is ErrorClass.REJECTED:
        why = f" You said: {result.feedback}" if result.feedback else ""
        return Ended("end_turn", f"You said no, so nothing was written to `{said}`.{why}")
    return Ended("end_turn", f"The plan could not be written to `{said}`: {result.message}")
