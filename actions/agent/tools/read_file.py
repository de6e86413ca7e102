"""ReadFile: a part of a text file, with line numbers."""

from __future__ import annotations

import asyncio
import codecs
import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from pydantic import BaseModel, Field

from actions.agent.tools.needs import Workspace
from actions.agent.tools.paths import locate, open_regular, shown
from actions.agent.tools.text_files import SAMPLE, UTF8, Encoding, NotText, detect
from actions.agent.toolset.asking import Ask, Scope
from actions.agent.toolset.results import Location, ToolFailure, ToolResult
from actions.agent.toolset.tool import TypedTool
from actions.catalog.spec import Effect

MOST_CHARACTERS = 50_000
MOST_IN_A_LINE = 1_950
"""Characters of a line; with its number and the cut mark it stays under the 2,000 of any tool's output."""
_CHUNK = 1 << 18
_COUNTED = 256
"""Chunks (64 MB) up to which the lines after the wanted part are still counted."""


class ReadFileParams(BaseModel):
    path: str = Field(description="File to read: relative to the workspace, absolute, or with ~.")
    offset: int = Field(default=1, description="First line to read, counted from 1; negative counts from the end.")
    count: int = Field(default=1_000, ge=1, le=10_000, description="How many lines to read.")
    column: int = Field(
        default=1, ge=1, description="First character to show of each line, to read on in a very long line."
    )


@dataclass(frozen=True, slots=True)
class _Line:
    """``rest`` counts the characters after ``text`` in the same line."""

    number: int
    text: str
    rest: int


class ReadFile(TypedTool[ReadFileParams]):
    """Reads text, at most 50,000 characters of it; the file is streamed, never held as a whole."""

    name = "ReadFile"
    params = ReadFileParams
    effect = Effect.READ
    kind = "read"
    key_argument = "path"

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    async def prepare(self, arguments: ReadFileParams) -> Ask:
        path = locate(self._workspace, arguments.path)
        return Ask(
            summary=f"Read {shown(self._workspace, path)}",
            scope=Scope("path", str(path), outside=not self._workspace.holds(path)),
            locations=(Location(str(path), max(arguments.offset, 1)),),
        )

    async def run(self, params: ReadFileParams) -> ToolResult:
        path = locate(self._workspace, params.path)
        return await asyncio.to_thread(self._read, path, params)

    def _read(self, path: Path, params: ReadFileParams) -> ToolResult:
        name = shown(self._workspace, path)
        with os.fdopen(open_regular(self._workspace, path), "rb") as file:
            sample = file.read(SAMPLE)
            try:
                encoding = detect(sample, whole=len(sample) < SAMPLE)
            except NotText as error:
                raise ToolFailure(
                    f"{name} is not text: {error}. Images, sound and video: ReadMediaFile where the model takes them; "
                    "anything else: Shell with a program for that format (`file`, `xxd`, `unzip -l`)."
                ) from error
            only_cr = b"\r" in sample and b"\n" not in sample
            lines = _part(_texts(file, encoding, only_cr), params)
            total = _total(_texts(file, encoding, only_cr))
        return ToolResult(
            output="\n".join(map(_numbered, lines)),
            message=_message(name, lines, total, encoding, params),
            locations=(Location(str(path), lines[0].number if lines else None),),
        )


def _texts(file: BinaryIO, encoding: Encoding, only_cr: bool) -> Iterator[str]:
    """The text of ``file`` from its begin, in pieces."""
    file.seek(len(encoding.mark))
    decoder = codecs.getincrementaldecoder(encoding.name)("replace")
    for chunk in iter(lambda: file.read(_CHUNK), b""):
        text = decoder.decode(chunk)
        yield text.replace("\r", "\n") if only_cr else text
    yield decoder.decode(b"", final=True)


def _part(texts: Iterator[str], params: ReadFileParams) -> tuple[_Line, ...]:
    """The wanted lines, as many as fit."""
    lines = _lines(texts, params.column)
    if params.offset < 0:
        found = islice(deque(lines, maxlen=-params.offset), params.count)
    else:
        found = islice(lines, max(params.offset - 1, 0), max(params.offset - 1, 0) + params.count)
    fitting: list[_Line] = []
    room = MOST_CHARACTERS
    for line in found:
        room -= len(_numbered(line)) + 1
        if room < 0:
            break
        fitting.append(line)
    return tuple(fitting)


def _total(texts: Iterator[str]) -> int | None:
    """How many lines there are; None when it would take too long to tell."""
    total, last = 0, "\n"
    for number, text in enumerate(texts):
        if number == _COUNTED:
            return None
        total += text.count("\n")
        last = text[-1:] or last
    return total + (last != "\n")


def _lines(texts: Iterable[str], column: int) -> Iterator[_Line]:
    """Every line, of which no more than a reader gets to see is held in memory."""
    number, length, held = 1, 0, ""
    for text in texts:
        for index, piece in enumerate(text.split("\n")):
            if index:
                yield _line(number, held, length, column)
                number, length, held = number + 1, 0, ""
            if len(held) < MOST_IN_A_LINE:
                held += piece[max(column - 1 - length, 0) :][: MOST_IN_A_LINE - len(held)]
            length += len(piece)
    if length:
        yield _line(number, held, length, column)


def _line(number: int, held: str, length: int, column: int) -> _Line:
    rest = max(length - (column - 1) - len(held), 0)
    return _Line(number, held if rest else held.removesuffix("\r"), rest)


def _numbered(line: _Line) -> str:
    mark = f" … [cut, {line.rest} more]" if line.rest else ""
    return f"{line.number:>6}\t{line.text}{mark}"


def _message(name: str, lines: tuple[_Line, ...], total: int | None, encoding: Encoding, params: ReadFileParams) -> str:
    if lines:
        first, last = lines[0].number, lines[-1].number
        of = "more than that" if total is None else str(total)
        words = [f"{name}: lines {first} to {last} of {of}."]
        if total is None or last < total:
            words.append(f"Read on with offset {last + 1}.")
    else:
        words = [
            f"{name} is empty."
            if not total
            else f"{name} has only {total} lines; line {params.offset} is past its end."
        ]
    if long := next((line for line in lines if line.rest), None):
        column = params.column + len(long.text)
        words.append(f"Line {long.number} is cut; read on in it with offset {long.number}, count 1, column {column}.")
    if encoding != UTF8:
        words.append(f"Encoding: {encoding}.")
    return " ".join(words)
