"""Fewer words of a large result, where nothing else makes room. The whole stays in a file, which the mark names."""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from pydantic_ai.messages import ModelRequest, ToolReturnPart

from actions.agent.tools.needs import Spool
from actions.agent.toolset.budget import keep_whole

_ENDS = 600
"""So far from either end of a result stands the name of the file that has its whole, if it was cut before."""
_MARK = 200
"""Room for the mark: what is shortened once is not shortened again for the same limit."""
_MADE_ROOM = r"left out to make room\. The whole is in "
_log = logging.getLogger(__name__)


async def shorter(message: ModelRequest, most: int, spool: Spool | None) -> ModelRequest | None:
    """``message`` with the text of each result cut to ``most`` characters, its beginning and its end; None when no
    result is longer. ``spool`` None: nothing is kept."""
    if not any(isinstance(part, ToolReturnPart) and _long(part.content, most) for part in message.parts):
        return None
    parts = [
        await _part(cast("ToolReturnPart[Any]", part), most, spool) if isinstance(part, ToolReturnPart) else part
        for part in message.parts
    ]
    return replace(message, parts=parts)


async def _part(part: ToolReturnPart[Any], most: int, spool: Spool | None) -> ToolReturnPart[Any]:
    content: Any = part.content
    if not _long(content, most):
        return part
    items: list[Any] = [content] if isinstance(content, str) else list(cast("list[Any]", content))
    cut: list[Any] = [
        _cut(item, most, await _whole(item, part.tool_call_id, spool)) if _long(item, most) else item for item in items
    ]
    return replace(part, content=cut[0] if isinstance(content, str) else cut)


def _long(content: object, most: int) -> bool:
    match content:
        case str():
            return len(content) > most + 2 * _MARK
        case list() | tuple():
            return any(_long(item, most) for item in content)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case _:
            return False


def _cut(text: str, most: int, whole: Path | None) -> str:
    head, tail = text[: most // 2], text[-(most // 2) :]
    where = "" if whole is None else f" The whole is in {whole}."
    return f"{head}\n[{len(text) - len(head) - len(tail)} characters left out to make room.{where}]\n{tail}"


async def _whole(text: str, call_id: str, spool: Spool | None) -> Path | None:
    """The file that has all of the result: the one that it names where it was cut before, else one made now."""
    if spool is None:
        return None
    name = rf"(?P<file>{re.escape(str(spool.folder / 'x')[:-1])}[\w.-]*\w)"
    places = ((_MADE_ROOM + name, text), (name, text[:_ENDS]), (name, text[-_ENDS:]))
    for pattern, place in places:
        if (found := re.search(pattern, place)) is not None and (file := Path(found["file"])).is_file():
            return file
    try:
        return await asyncio.to_thread(keep_whole, spool, call_id, text)
    except (OSError, RuntimeError) as error:  # a full disk, no thread: room is needed all the same
        _log.warning("the whole result of %s could not be kept: %s", call_id, error)
        return None
