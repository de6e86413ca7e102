"""The conversation as it is sent: what would make a provider refuse it is taken out of a copy, never of the context.

* Lone surrogates (file names, cut output) cannot be encoded: the replacement character stands for them.
* Empty text, and answers that have nothing else, are left out: Anthropic refuses them. So are thoughts that nothing
  follows, as an answer has that was cut at its limit: Anthropic and OpenAI refuse those.
* Tool names that a vendor does not allow go out, and come back, under another name.
* Images and other files go as a line of text to a model, or over a wire format, that does not take them. So do images
  that are none or too large, and an image goes out as what it is: providers look.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from actions.agent.text import scrub
from actions.agent.tools.media import picture

if TYPE_CHECKING:
    from pydantic_ai.messages import BinaryContent, ModelMessage, ModelRequestPart, ModelResponsePart

    from actions.agent.model.ref import Wire
    from actions.agent.tools.needs import ModelSenses


_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""What OpenAI, Anthropic and Gemini all take."""


Takes = frozenset[str]
"""The MIME types of files that can be sent; ``video/*`` stands for all of a kind."""


def takes_of(wire: Wire, senses: ModelSenses) -> Takes:
    """What the model senses, as far as the wire format has a place for it."""
    sent: set[str] = set(_IMAGES if senses.image else ())
    if senses.image and wire != "chat":
        sent.add("application/pdf")
    if senses.audio and wire in ("chat", "gemini"):
        sent |= {"audio/wav", "audio/mpeg"}
    if senses.video and wire == "gemini":
        sent.add("video/*")
    return frozenset(sent)


class Outgoing:
    """The conversation as it was sent last: a message that was in it is not cleaned again."""

    def __init__(self) -> None:
        self._under: tuple[Mapping[str, str], Takes] | None = None
        self._known: list[tuple[ModelMessage, ModelMessage | None]] = []

    def of(self, messages: Sequence[ModelMessage], names: Mapping[str, str], takes: Takes) -> list[ModelMessage]:
        """See :func:`outgoing`."""
        if self._under != (names, takes):
            self._under, self._known = (names, takes), []
        known = self._known
        same = 0
        while same < min(len(known), len(messages)) and known[same][0] is messages[same]:
            same += 1
        known[same:] = [(message, _clean(message, names, takes)) for message in messages[same:]]
        return [clean for _, clean in known if clean is not None]


def outgoing(messages: Sequence[ModelMessage], names: Mapping[str, str], takes: Takes) -> list[ModelMessage]:
    """A copy that every provider takes. ``names`` gives the name on the wire by the tool's own,
    ``takes`` the files that can be sent."""
    return Outgoing().of(messages, names, takes)


def _clean(message: ModelMessage, names: Mapping[str, str], takes: Takes) -> ModelMessage | None:
    """``message`` as it goes out; None when nothing is left of it."""
    from pydantic_ai.messages import ModelRequest, ThinkingPart

    if isinstance(message, ModelRequest):
        return replace(message, parts=[_request_part(part, names, takes) for part in message.parts])
    answered = [clean for part in message.parts if (clean := _response_part(part, names)) is not None]
    while answered and isinstance(answered[-1], ThinkingPart):
        answered.pop()
    return replace(message, parts=answered) if answered else None


def _request_part(part: ModelRequestPart, names: Mapping[str, str], takes: Takes) -> ModelRequestPart:
    from pydantic_ai import messages as m

    match part:
        case m.ToolReturnPart():
            name = scrub(names.get(part.tool_name, part.tool_name))
            return cast(
                "ModelRequestPart", replace(part, tool_name=name, content=_content(cast("Any", part.content), takes))
            )
        case m.UserPromptPart() | m.SystemPromptPart():
            return cast("ModelRequestPart", replace(part, content=_content(part.content, takes)))
        case _:
            return part


def _response_part(part: ModelResponsePart, names: Mapping[str, str]) -> ModelResponsePart | None:
    from pydantic_ai import messages as m

    match part:
        case m.TextPart():
            return replace(part, content=scrub(part.content)) if part.content.strip() else None
        case m.ThinkingPart():
            return replace(part, content=scrub(part.content)) if part.content.strip() or part.signature else None
        case m.ToolCallPart():
            arguments = cast("str | dict[str, Any] | None", part.args)
            return replace(part, tool_name=scrub(names.get(part.tool_name, part.tool_name)), args=_json(arguments))
        case _:
            return part


def _content(content: Any, takes: Takes) -> Any:
    from pydantic_ai.messages import BinaryContent

    if isinstance(content, str):
        return scrub(content)
    if isinstance(content, BinaryContent):
        kind = content.media_type.partition("/")[0]
        if kind == "image":
            real = picture(content.data)
            if real is None or real not in takes:
                return _in_words(content)
            return content if content.media_type == real else BinaryContent(content.data, media_type=real)
        return content if {content.media_type, f"{kind}/*"} & takes else _in_words(content)
    if isinstance(content, Sequence) and not isinstance(content, (bytes, bytearray)):
        return [_content(item, takes) for item in cast("Sequence[Any]", content)]
    return _json(content)


def _json(value: Any) -> Any:
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, list):
        return [_json(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {_json(key): _json(item) for key, item in cast("dict[Any, Any]", value).items()}
    return value


def _in_words(content: BinaryContent) -> str:
    if content.media_type.startswith("text/"):
        return content.data.decode(errors="replace")
    return f"[{content.media_type}, {len(content.data):,} bytes: left out, this model takes no such input]"
