"""A conversation without tool calls: each call and result becomes text.

Several providers refuse a request that holds calls but declares no tools; as text the same conversation can be sent
to any of them, to be summed up or to be ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)


def without_calls(messages: Sequence[ModelMessage], most: int = 20_000) -> list[ModelMessage]:
    """``messages`` with calls and results as text, each cut to ``most`` characters; thoughts are left out."""
    flat: list[ModelMessage] = []
    for message in messages:
        if isinstance(message, ModelResponse):
            texts = [_said(part, most) for part in message.parts if isinstance(part, TextPart | ToolCallPart)]
            if any(texts):
                flat.append(ModelResponse(parts=[TextPart(content="\n".join(text for text in texts if text))]))
        else:
            flat.append(ModelRequest(parts=[_asked(part, most) for part in message.parts]))
    return flat


def as_text(messages: Sequence[ModelMessage], most: int) -> str:
    """The whole conversation as one text, each part cut to ``most`` characters."""
    lines: list[str] = []
    for message in messages:
        for part in message.parts:
            match part:
                case TextPart(content=text) if text:
                    lines.append(f"[assistant]\n{_cut(text, most)}")
                case ToolCallPart():
                    lines.append(_said(part, most))
                case UserPromptPart():
                    lines.append(f"[user]\n{_cut(text_of(part.content), most)}")
                case ToolReturnPart():
                    lines.append(_returned(part, most))
                case _:
                    continue
    return "\n\n".join(lines)


def text_of(content: object) -> str:
    """The words of a part's content; media are named."""
    match content:
        case str():
            return content
        case BinaryContent():
            return f"[{content.media_type}]"
        case list() | tuple():
            return "\n".join(text_of(item) for item in content)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case _:
            return str(content)


def _said(part: TextPart | ToolCallPart, most: int) -> str:
    if isinstance(part, TextPart):
        return _cut(part.content, most)
    return f"[called {part.tool_name} {_cut(part.args_as_json_str(), most)}]"


def _asked(part: object, most: int) -> UserPromptPart:
    match part:
        case UserPromptPart():
            return part
        case ToolReturnPart():
            return UserPromptPart(content=_returned(cast("ToolReturnPart[Any]", part), most))
        case _:
            return UserPromptPart(content=_cut(text_of(getattr(part, "content", "")), most))


def _returned(part: ToolReturnPart[Any], most: int) -> str:
    return f"[result of {part.tool_name}]\n{_cut(text_of(part.content), most)}"


def _cut(text: str, most: int) -> str:
    return (
        text
        if len(text) <= most
        else f"{text[: most // 2]}\n[... {len(text) - most} characters left out ...]\n{text[-most // 2 :]}"
    )
