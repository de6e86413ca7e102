"""How large a message is, where the model has not counted it yet."""

from __future__ import annotations

from typing import Any

from pydantic_ai.messages import BinaryContent, ModelMessage

_CHARS_A_TOKEN = 3.5
_MEDIA_TOKENS = 1500
_FRAME = 6


def tokens_of(message: ModelMessage) -> int:
    """An estimate in tokens, rather too high than too low for prose and code."""
    return _FRAME + int(sum(_part(part) for part in message.parts))


def _part(part: Any) -> float:
    args = getattr(part, "args", None)
    size = len(str(args)) / _CHARS_A_TOKEN if args else 0.0
    return size + _content(getattr(part, "content", None))


def _content(content: object) -> float:
    match content:
        case None:
            return 0
        case str():
            return len(content) / _CHARS_A_TOKEN
        case BinaryContent():
            return _MEDIA_TOKENS
        case list() | tuple():
            return sum(_content(item) for item in content)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case _:
            return len(str(content)) / _CHARS_A_TOKEN
