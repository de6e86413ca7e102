"""What the model sees of a result: the message first, in a tag of its own, then the output."""

from __future__ import annotations

from actions.agent.toolset.results import MediaPart, Part, TextPart, ToolResult

EMPTY = "<system>The tool gave no output.</system>"
NOT_TEXT = "<system>The result is not text.</system>"


def for_model(result: ToolResult) -> list[Part]:
    """The parts that go into the context, at least one. An error's message is tagged as an error; a result without
    any output says so, and one of media only says that it is not text.
    """
    message = _message(result)
    output = _parts(result)
    if not message and not output:
        return [TextPart(EMPTY)]
    if output and all(isinstance(part, MediaPart) for part in output):
        return [TextPart(f"{message}\n{NOT_TEXT}" if message else NOT_TEXT), *output]
    if not output and not result.is_error:
        return [TextPart(f"{message}\n{EMPTY}")]
    if not message:
        return output
    first = output[0] if output else None
    if isinstance(first, TextPart):
        return [TextPart(f"{message}\n{first.text}"), *output[1:]]
    return [TextPart(message), *output]


def text_for_model(result: ToolResult) -> str:
    """The same as text alone; media is named by its type."""
    return "\n".join(part.text if isinstance(part, TextPart) else f"[{part.mime}]" for part in for_model(result))


def _message(result: ToolResult) -> str:
    if result.error is not None:
        return f"<error>{result.message or result.error.value}</error>"
    return f"<system>{result.message}</system>" if result.message else ""


def _parts(result: ToolResult) -> list[Part]:
    if isinstance(result.output, str):
        return [TextPart(result.output)] if result.output.strip() else []
    return [part for part in result.output if isinstance(part, MediaPart) or part.text.strip()]
