"""Between our own parts and the messages of the model's library."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Any

from pydantic_ai.messages import BinaryContent, ModelRequest, ToolReturnPart, UserContent, UserPromptPart

from actions.agent.loop.talk import PromptPart, ResourcePart
from actions.agent.tools.media import picture
from actions.agent.tools.needs import ModelSenses
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.messages import for_model
from actions.agent.toolset.results import MediaPart, Part, TextPart, ToolResult

_MOST_RESOURCE = 100_000
_NO_PICTURE = (
    "A picture was left out, the model was only told that you attached it: models take PNG, JPEG, GIF and WebP up to "
    "3.75 MB."
)


def request_of(parts: Sequence[PromptPart], senses: ModelSenses, extra: Sequence[str] = ()) -> ModelRequest:
    """A prompt as a message; ``extra`` are reminders that come behind it. Media of a kind that the model does not take
    are named instead."""
    content: list[UserContent] = [*(_prompt_part(part, senses) for part in parts), *extra]
    only = content[0] if len(content) == 1 else None
    return ModelRequest(parts=[UserPromptPart(content=only if isinstance(only, str) else content)])


def results_of(results: Sequence[tuple[ToolCall, ToolResult]], mark: str = "") -> ModelRequest:
    """The results of a step in call order; ``mark`` stands behind the last one."""
    last = len(results) - 1
    return ModelRequest(
        parts=[_return(call, result, mark if at == last else "") for at, (call, result) in enumerate(results)]
    )


def _return(call: ToolCall, result: ToolResult, mark: str) -> ToolReturnPart[Any]:
    parts = [*for_model(result), *([TextPart(mark)] if mark else [])]
    meta = {"error": result.error.value} if result.error else None
    if all(isinstance(part, TextPart) for part in parts):
        text = "\n".join(part.text for part in parts if isinstance(part, TextPart))
        return ToolReturnPart(call.name, text, call.id, metadata=meta)
    return ToolReturnPart(call.name, [_content(part) for part in parts], call.id, metadata=meta)


def _prompt_part(part: PromptPart, senses: ModelSenses) -> UserContent:
    match part:
        case TextPart():
            return part.text
        case ResourcePart(uri=uri, text=text):
            if text is None:
                return f"<resource uri={uri!r} />"
            cut = "" if len(text) <= _MOST_RESOURCE else "\n[cut here: read the file for the rest]"
            return f"<resource uri={uri!r}>\n{text[:_MOST_RESOURCE]}{cut}\n</resource>"
        case MediaPart(mime=mime):
            if taken(mime, senses):
                return _content(part)
            return f"[{mime}: the user attached it, but this model does not take this kind of input]"


def left_out(parts: Sequence[PromptPart], senses: ModelSenses) -> str | None:
    """What a person is told when the model does not get what they attached; None when it gets everything."""
    media = [part for part in parts if isinstance(part, MediaPart)]
    kinds = sorted({part.mime for part in media if not taken(part.mime, senses)})
    if not kinds:
        return _NO_PICTURE if any(part.mime.startswith("image/") and not _seen(part) for part in media) else None
    return (
        f"This model does not take {' or '.join(kinds)}: it was only told that you attached it. "
        "Choose a model that does and send it again."
    )


def _seen(part: MediaPart) -> bool:
    content = _content(part)
    return isinstance(content, BinaryContent) and picture(content.data) is not None


def taken(mime: str, senses: ModelSenses) -> bool:
    """Whether a model of these senses takes media of type ``mime``."""
    kind = mime.partition("/")[0]
    return {"image": senses.image, "audio": senses.audio, "video": senses.video}.get(kind, False)


def _content(part: Part) -> UserContent:
    if isinstance(part, TextPart):
        return part.text
    try:
        data = base64.b64decode(part.data, validate=False)
    except (binascii.Error, ValueError):
        return f"[{part.mime}: the data could not be read]"
    return BinaryContent(data=data, media_type=part.mime)
