"""When two calls differ in nothing that matters: white space, the way a path is written, and what no tool heeds."""

from __future__ import annotations

import posixpath
from typing import Any, cast

from actions.agent.toolset.keys import LONG_STRING, CallKey, canonical, raw_key, read
from actions.agent.toolset.results import ToolResult

Like = tuple[str, str, int | None]
"""A call as the search for progress sees it: tool, arguments, and what came back (None while that is not known)."""


def similar_text(key: CallKey, raw: str, root: str = "", heeds: frozenset[str] | None = None) -> str:
    """The text of ``key`` with white space collapsed and paths normalised (relative to ``root`` below it); ``raw`` are
    the arguments as they were written. Of an object only the fields in ``heeds`` count (None: all).
    """
    text = key[1]
    if heeds is None and not (" " in text or "/" in text or "\\" in text):
        return text
    arguments, problem = read(raw)
    if problem is not None:
        return " ".join(text.split())
    if heeds is not None and isinstance(arguments, dict):
        arguments = {name: value for name, value in cast("dict[str, Any]", arguments).items() if name in heeds}
    try:
        return raw_key(key[0], canonical(_normal(arguments, root)))[1]
    except RecursionError:
        return text


def result_mark(result: ToolResult) -> int:
    """Equal for results that say the same."""
    return hash((result.error, result.message, result.output))


def _normal(value: Any, root: str) -> Any:
    if isinstance(value, str):
        return _squeezed(value) if len(value) > LONG_STRING else _tidy(value, root)
    if isinstance(value, dict):
        return {key: _normal(item, root) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_normal(item, root) for item in cast("list[Any]", value)]
    return value


def _tidy(text: str, root: str) -> str:
    if "/" not in text:
        return " ".join(text.split())
    return " ".join(_path(word, root) if "/" in word and "://" not in word else word for word in text.split())


def _path(word: str, root: str) -> str:
    normal = posixpath.normpath(word)
    if root and (normal == root or normal.startswith(f"{root}/")):
        return normal[len(root) + 1 :] or "."
    return normal


def _squeezed(text: str) -> str:
    """For long text: without white space, as a hash that holds in this process. Splitting it would cost more than the
    rest of a call.
    """
    for space in " \n\t\r":
        if space in text:
            text = text.replace(space, "")
    return f"\0{hash(text)}"
