"""WriteFile: a whole new text for a file, or more text at its end."""

from __future__ import annotations

import asyncio
from typing import Literal

from pydantic import Field

from actions.agent.tools.edits import Change, EditParams, Taken, ask_for, encoded, take, write
from actions.agent.tools.needs import PlanMode, Workspace
from actions.agent.tools.paths import locate, shown
from actions.agent.tools.text_files import UTF8, NotText, decode, same_style, without_mark
from actions.agent.toolset.asking import Ask
from actions.agent.toolset.results import DiffDisplay, Location, ToolFailure, ToolResult
from actions.agent.toolset.tool import TypedTool
from actions.catalog.spec import Effect


class WriteFileParams(EditParams):
    path: str = Field(description="File to write: relative to the workspace, absolute, or with ~. Folders are made.")
    content: str = Field(description="The text to write.")
    mode: Literal["overwrite", "append"] = Field(
        default="overwrite", description="Replace the whole file, or add at its end."
    )


class WriteFile(TypedTool[WriteFileParams]):
    """Writes text. A file that is there keeps its encoding, byte order mark, line endings and mode."""

    name = "WriteFile"
    params = WriteFileParams
    effect = Effect.WRITE
    kind = "edit"
    key_argument = "path"

    def __init__(self, workspace: Workspace, plan: PlanMode | None = None) -> None:
        self._workspace = workspace
        self._plan = plan

    async def prepare(self, arguments: WriteFileParams) -> Ask:
        path = locate(self._workspace, arguments.path)
        taken = await asyncio.to_thread(take, self._workspace, path)
        arguments.remember(taken)
        change = self._change(taken, arguments)
        words = "Create" if taken.data is None else "Add to" if arguments.mode == "append" else "Write"
        return ask_for(self._workspace, change, words, self._plan)

    async def run(self, params: WriteFileParams) -> ToolResult:
        path = locate(self._workspace, params.path)
        change = await asyncio.to_thread(write, self._workspace, path, params.seen, lambda t: self._change(t, params))
        done = "created" if change.old is None else "added to" if params.mode == "append" else "written"
        return ToolResult(
            message=f"{shown(self._workspace, path)} {done}: {len(change.data):,} bytes.",
            display=(DiffDisplay(str(path), change.old, change.new),),
            locations=(Location(str(path), change.line),),
        )

    def _change(self, taken: Taken, params: WriteFileParams) -> Change:
        path = taken.path
        old, encoding = None, UTF8
        try:
            if taken.data is not None:
                old, encoding = decode(taken.data)
        except NotText as error:
            if params.mode == "append":
                raise ToolFailure(f"{shown(self._workspace, path)} is not text; nothing is added to it.") from error
            old = f"({len(taken.data or b''):,} bytes that are no text)"
        text = same_style(params.content, old or "")
        if params.mode == "overwrite":
            return Change(taken, old, text, encoded(self._workspace, path, text, encoding))
        more = encoded(self._workspace, path, text, without_mark(encoding) if taken.data else encoding)
        return Change(taken, old, (old or "") + text, (taken.data or b"") + more, (old or "").count("\n") + 1)
