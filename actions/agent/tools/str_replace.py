"""StrReplaceFile: replace exact pieces of text in a file."""

from __future__ import annotations

import asyncio
import difflib
from typing import Any

from pydantic import BaseModel, Field, field_validator

from actions.agent.tools.edits import Change, EditParams, Taken, ask_for, encoded, take, write
from actions.agent.tools.needs import PlanMode, Workspace
from actions.agent.tools.paths import locate, shown, stat_of
from actions.agent.tools.text_files import NotText, Plain, decode
from actions.agent.toolset.asking import Ask
from actions.agent.toolset.results import DiffDisplay, ErrorClass, Location, ToolFailure, ToolResult
from actions.agent.toolset.tool import TypedTool
from actions.catalog.spec import Effect

_SEARCHED = 20_000
"""Lines of a file up to which the nearest ones are looked for."""


class Edit(BaseModel):
    old: str = Field(description="The exact text to replace, without line numbers; must occur once.")
    new: str = Field(description="The text to put in its place; empty to delete.")
    replace_all: bool = Field(default=False, description="Replace every occurrence.")


class StrReplaceParams(EditParams):
    path: str = Field(description="File to change: relative to the workspace, absolute, or with ~.")
    edits: list[Edit] = Field(min_length=1, description="The edits, made one after another; all or none.")

    @field_validator("edits", mode="before")
    @classmethod
    def _one_or_more(cls, value: Any) -> Any:
        return [value] if isinstance(value, dict) else value


class StrReplaceFile(TypedTool[StrReplaceParams]):
    """Replaces text that occurs exactly once, or everywhere on request. Everything else keeps every byte."""

    name = "StrReplaceFile"
    params = StrReplaceParams
    effect = Effect.WRITE
    kind = "edit"
    key_argument = "path"

    def __init__(self, workspace: Workspace, plan: PlanMode | None = None) -> None:
        self._workspace = workspace
        self._plan = plan

    async def prepare(self, arguments: StrReplaceParams) -> Ask:
        path = locate(self._workspace, arguments.path)
        stat_of(self._workspace, path)
        change = await asyncio.to_thread(lambda: self._change(take(self._workspace, path), arguments))
        arguments.remember(change.taken)
        return ask_for(self._workspace, change, "Edit", self._plan)

    async def run(self, params: StrReplaceParams) -> ToolResult:
        path = locate(self._workspace, params.path)
        stat_of(self._workspace, path)
        change = await asyncio.to_thread(write, self._workspace, path, params.seen, lambda t: self._change(t, params))
        many = f"{len(params.edits)} edits" if len(params.edits) > 1 else "1 edit"
        return ToolResult(
            message=f"{shown(self._workspace, path)}: {many} made.",
            display=(DiffDisplay(str(path), change.old, change.new),),
            locations=(Location(str(path), change.line),),
        )

    def _change(self, taken: Taken, params: StrReplaceParams) -> Change:
        name = shown(self._workspace, taken.path)
        if taken.data is None:
            raise ToolFailure(f"{name} does not exist; make it with WriteFile.")
        try:
            old, encoding = decode(taken.data)
        except NotText as error:
            raise ToolFailure(f"{name} is not text ({error}); it is not edited.") from error
        new = old
        for number, edit in enumerate(params.edits, 1):
            which = f"Edit {number} of {len(params.edits)}: " if len(params.edits) > 1 else ""
            new = _edited(new, edit, f"{which}{name}")
        if new == old:
            raise ToolFailure(f"{name}: the edits change nothing.", error=ErrorClass.INVALID_INPUT)
        line = next((n for n, (a, b) in enumerate(zip(_lines(old), _lines(new), strict=False), 1) if a != b), None)
        return Change(taken, old, new, encoded(self._workspace, taken.path, new, encoding), line)


def _edited(text: str, edit: Edit, where: str) -> str:
    old, new = edit.old.replace("\r\n", "\n"), edit.new.replace("\r\n", "\n")
    if not old:
        raise ToolFailure(f"{where}: `old` is empty. Use WriteFile to fill a file.", error=ErrorClass.INVALID_INPUT)
    plain = Plain.of(text)
    places = _places(plain.text, old)
    if not places:
        raise ToolFailure(f"{where}: `old` was not found; nothing was written.{_hint(plain.text, old)}")
    if len(places) > 1 and not edit.replace_all:
        lines = [plain.text.count("\n", 0, place) + 1 for place in places[:10]]
        more = f" and {len(places) - 10} more" if len(places) > 10 else ""
        raise ToolFailure(
            f"{where}: `old` occurs {len(places)} times, at lines {', '.join(map(str, lines))}{more}; nothing was "
            "written. Add lines around it until it is unique, or set replace_all."
        )
    return plain.spliced([(place, place + len(old)) for place in places], new)


def _places(text: str, old: str) -> list[int]:
    """Where ``old`` begins, from left to right, without overlaps."""
    found: list[int] = []
    at = text.find(old)
    while at >= 0:
        found.append(at)
        at = text.find(old, at + len(old))
    return found


def _lines(text: str) -> list[str]:
    return text.split("\n")


def _hint(text: str, old: str) -> str:
    """The lines that are most like ``old``, with their numbers, and what keeps them from being the same."""
    lines, wanted = _lines(text)[:_SEARCHED], _lines(old)
    stripped = [line.strip() for line in wanted]
    for start in range(len(lines) - len(wanted) + 1):
        if stripped == [line.strip() for line in lines[start : start + len(wanted)]]:
            return " Only the white space differs here:" + _quote(lines, start, len(wanted))
    anchor = max(range(len(wanted)), key=lambda i: len(stripped[i]))
    close = difflib.get_close_matches(wanted[anchor], lines, n=1, cutoff=0.5)
    if not close:
        return " Nothing in the file is like it; read the file again."
    start = max(lines.index(close[0]) - anchor, 0)
    return " The nearest lines are:" + _quote(lines, start, len(wanted))


def _quote(lines: list[str], start: int, count: int) -> str:
    shown_lines = lines[start : start + min(count, 20)]
    return "".join(f"\n{number:>6}\t{line[:400]}" for number, line in enumerate(shown_lines, start + 1))
