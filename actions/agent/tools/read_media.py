"""ReadMediaFile: an image, a sound or a video for a model that takes it."""

from __future__ import annotations

import asyncio
import base64
import os
from pathlib import Path

from pydantic import BaseModel, Field

from actions.agent.tools.media import HEAD, MOST_PICTURE, mime_of, taken
from actions.agent.tools.needs import ModelSenses, Workspace
from actions.agent.tools.paths import locate, open_regular, shown
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.results import Location, MediaPart, ToolFailure, ToolResult
from actions.agent.toolset.tool import SkipThisTool, TypedTool
from actions.catalog.spec import Effect

MOST_BYTES = {"image": MOST_PICTURE, "audio": 15_000_000, "video": 15_000_000}
"""An image of 5 MB in base64 is what every vendor takes."""


class ReadMediaParams(BaseModel):
    path: str = Field(description="Image, sound or video file: relative to the workspace, absolute, or with ~.")


class ReadMediaFile(TypedTool[ReadMediaParams]):
    """Hands a media file to the model. Its kind is told by its content, never by its name."""

    name = "ReadMediaFile"
    params = ReadMediaParams
    effect = Effect.READ
    kind = "read"
    key_argument = "path"

    def __init__(self, workspace: Workspace, senses: ModelSenses) -> None:
        self._senses = {kind for kind in MOST_BYTES if getattr(senses, kind)}
        if not self._senses:
            raise SkipThisTool("the model takes text only")
        self._workspace = workspace

    async def prepare(self, arguments: ReadMediaParams) -> Ask:
        path = locate(self._workspace, arguments.path)
        return Ask(
            summary=f"Read {shown(self._workspace, path)}",
            scope=Scope("path", str(path), outside=not self._workspace.holds(path)),
            locations=(Location(str(path)),),
        )

    async def run(self, params: ReadMediaParams) -> ToolResult:
        return await asyncio.to_thread(self._read, locate(self._workspace, params.path))

    def _read(self, path: Path) -> ToolResult:
        name = shown(self._workspace, path)
        with os.fdopen(open_regular(self._workspace, path), "rb") as file:
            head = file.read(HEAD)
            mime = mime_of(head)
            if mime is None:
                raise ToolFailure(f"{name} is no image, sound or video that is known here; for text use ReadFile.")
            sense = mime.partition("/")[0]
            if sense not in self._senses:
                raise ToolFailure(f"{name} is {mime}; this model takes {' and '.join(sorted(self._senses))} only.")
            if not taken(mime):
                raise ToolFailure(f"{name} is {mime}, which models do not take; convert it to PNG or JPEG with Shell.")
            size = os.fstat(file.fileno()).st_size
            limit = MOST_BYTES[sense]
            data = head + file.read(limit + 1 - len(head))
            if len(data) > limit:
                raise ToolFailure(
                    f"{name} has {size:,} bytes; at most {limit:,} are sent. Make a smaller copy with Shell."
                )
        return ToolResult(
            output=(MediaPart(base64.b64encode(data).decode(), mime),),
            message=f"{name}: {mime}, {len(data):,} bytes.",
            locations=(Location(str(path)),),
        )
