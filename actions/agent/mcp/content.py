"""What an MCP call returned, as parts of a tool result (MCP, "Tools": ``ContentBlock``)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from actions.agent.toolset.results import MediaPart, Part, TextPart
from actions.servers.pool.states import CallResult

_MEDIA = ("image/", "audio/", "video/")


def parts_of(result: CallResult) -> tuple[Part, ...]:
    """All blocks in order; a block that cannot be shown becomes one line that names its type.

    Structured content is added where the text does not say it already.
    """
    parts = [_part(block) for block in result.content]
    if result.structured is not None:
        texts = [part.text for part in parts if isinstance(part, TextPart)]
        if not any(_says(text, result.structured) for text in texts):
            parts.append(TextPart(json.dumps(result.structured, ensure_ascii=False)))
    return tuple(parts)


def _part(block: Mapping[str, Any]) -> Part:
    kind = block.get("type")
    if kind == "text":
        return TextPart(str(block.get("text", "")))
    if kind in ("image", "audio"):
        return _media(block.get("data"), block.get("mimeType")) or TextPart(f"[{kind} without data]")
    if kind == "resource_link":
        return TextPart(_link(block))
    if kind == "resource" and isinstance(inner := block.get("resource"), dict):
        return _resource(cast("dict[str, Any]", inner))
    return TextPart(f"[content of type {str(kind)[:80]!r}, which is not supported]")


def _resource(resource: Mapping[str, Any]) -> Part:
    if isinstance(text := resource.get("text"), str):
        return TextPart(text)
    mime = str(resource.get("mimeType") or "application/octet-stream")
    if mime.startswith(_MEDIA) and (media := _media(resource.get("blob"), mime)) is not None:
        return media
    return TextPart(f"[resource {resource.get('uri', '?')} of type {mime}, which is not supported]")


def _media(data: object, mime: object) -> MediaPart | None:
    return MediaPart(data, mime) if isinstance(data, str) and data and isinstance(mime, str) and mime else None


def _link(block: Mapping[str, Any]) -> str:
    about = ", ".join(str(block[key]) for key in ("mimeType", "description") if block.get(key))
    return f"[resource {block.get('name') or '?'}: {block.get('uri', '?')}{f' ({about})' if about else ''}]"


def _says(text: str, structured: object) -> bool:
    """Whether ``text`` is the structured content as JSON, or the one plain value in it (``{"result": ...}``)."""
    if isinstance(structured, dict) and len(content := cast("dict[str, Any]", structured)) == 1:
        (only,) = content.values()
        if text == (only if isinstance(only, str) else json.dumps(only)):
            return True
    try:
        return bool(json.loads(text) == structured)
    except (ValueError, RecursionError):
        return False
