"""Content of ACP 1: what comes in with a prompt, what goes out with a tool call."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from actions.agent.acp.requests import Block, LinkBlock, MediaBlock, ResourceBlock, TextBlock
from actions.agent.loop.talk import PromptPart, ResourcePart
from actions.agent.toolset.asking import Ask
from actions.agent.toolset.results import (
    DiffDisplay,
    Display,
    Location,
    MediaPart,
    Output,
    TextDisplay,
    TextPart,
    TodoDisplay,
    ToolResult,
)

_MARKS = {"pending": "[ ]", "in_progress": "[~]", "done": "[x]"}


def parts_of(blocks: Sequence[Block]) -> tuple[PromptPart, ...]:
    """The blocks of a prompt, in their order. ACP 1, "Content"."""
    return tuple(_part(block) for block in blocks)


def _part(block: Block) -> PromptPart:
    match block:
        case TextBlock():
            return TextPart(block.text)
        case MediaBlock():
            return MediaPart(block.data, block.mime_type)
        case LinkBlock():
            return ResourcePart(block.uri)
        case ResourceBlock(resource=resource):
            kind = (resource.mime_type or "").split("/")[0]
            if resource.text is None and resource.blob and kind in ("image", "audio", "video"):
                return MediaPart(resource.blob, resource.mime_type or "")
            return ResourcePart(resource.uri, resource.text)


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def media(part: MediaPart) -> dict[str, Any]:
    """An image or a sound as a block; for any other kind ACP has no block, so its type is named."""
    kind = part.mime.split("/")[0]
    if kind in ("image", "audio"):
        return {"type": kind, "data": part.data, "mimeType": part.mime}
    return text(f"[{part.mime}, {len(part.data) * 3 // 4} bytes]")


def contents_of(result: ToolResult) -> list[dict[str, Any]]:
    """What a person sees of a call's end: the tool's own display, else its output; and an error in its words."""
    shown = displays(result.display) if result.display else _outputs(result.output)
    if result.is_error and result.message:
        shown.append(_block(text(result.message)))
    return shown


def preview(ask: Ask) -> dict[str, Any]:
    """``content`` and ``locations`` of what a call is about to do; what there is none of is left out."""
    told = {"content": displays(ask.preview), "locations": locations_of(ask.locations)}
    return {field: value for field, value in told.items() if value}


def displays(shown: Iterable[Display]) -> list[dict[str, Any]]:
    return [_display(one) for one in shown]


def locations_of(places: Iterable[Location]) -> list[dict[str, Any]]:
    return [{"path": p.path} if p.line is None else {"path": p.path, "line": p.line} for p in places]


def raw_output(result: ToolResult) -> dict[str, Any]:
    """The result as data; media by type and size, their bytes are in the content."""
    if isinstance(result.output, str):
        output: Any = result.output
    else:
        output = [
            part.text if isinstance(part, TextPart) else {"mime": part.mime, "bytes": len(part.data) * 3 // 4}
            for part in result.output
        ]
    raw: dict[str, Any] = {"output": output}
    if result.message:
        raw["message"] = result.message
    if result.error is not None:
        raw["error"] = result.error.value
    return raw


def parsed(arguments: str) -> Any:
    """A call's arguments as data; the raw text where they are no JSON."""
    try:
        return json.loads(arguments) if arguments.strip() else {}
    except (ValueError, RecursionError):
        return arguments


def fenced(words: str) -> str:
    """``words`` as a code block that nothing in them can end."""
    fence = "```"
    while fence in words:
        fence += "`"
    return f"{fence}\n{words.rstrip()}\n{fence}"


def as_content(words: str) -> dict[str, Any]:
    return _block(text(words))


def _outputs(output: Output) -> list[dict[str, Any]]:
    if isinstance(output, str):
        return [_block(text(fenced(output)))] if output.strip() else []
    return [
        _block(text(fenced(part.text)) if isinstance(part, TextPart) else media(part))
        for part in output
        if isinstance(part, MediaPart) or part.text.strip()
    ]


def _display(shown: Display) -> dict[str, Any]:
    match shown:
        case DiffDisplay(path, old, new):
            diff: dict[str, Any] = {"type": "diff", "path": path, "newText": new}
            return diff if old is None else {**diff, "oldText": old}
        case TextDisplay(words, kind):
            return _block(text(words if kind == "markdown" else fenced(words)))
        case TodoDisplay(items):
            return _block(text("\n".join(f"- {_MARKS.get(status, '[ ]')} {title}" for title, status in items)))


def _block(content: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content", "content": content}
