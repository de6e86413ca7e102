"""A kept session shown once more, as ``session/load`` demands. Reads the record as JSON: the model's library is not
needed to look at an old conversation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, cast

from actions.agent.loop.screen import Screen
from actions.agent.session.store import Record
from actions.agent.toolset.call import ToolCall
from actions.agent.toolset.dispatch import Toolset
from actions.agent.toolset.messages import EMPTY, NOT_TEXT
from actions.agent.toolset.results import ErrorClass, MediaPart, TextPart, ToolResult

Json = dict[str, Any]

_MARK = re.compile(r"\n*<system>checkpoint \d+</system>\Z")
_MESSAGE = re.compile(r"<(?P<tag>system|error)>(?P<text>.*?)</(?P=tag)>\n?", re.DOTALL)


def replay(records: Iterable[Record], toolset: Toolset, screen: Screen) -> None:
    """Show everything that was said and done, also what has left the context since; each message once."""
    show = _Replay(toolset, screen)
    for record in records:
        match record:
            case {"kind": "turn", "prompt": str(prompt), "answer": str(answer)}:
                screen.user(prompt)
                screen.text(answer)
            case {"kind": "message"}:
                show.message(_object(record.get("message")))
            case _:
                continue
    show.end()


class _Replay:
    def __init__(self, toolset: Toolset, screen: Screen) -> None:
        self._toolset, self._screen = toolset, screen
        self._open: dict[str, ToolCall] = {}

    def message(self, message: Json) -> None:
        for part in _list(message.get("parts")):
            match _object(part):
                case {"part_kind": "user-prompt", "content": content}:
                    self._user(content)
                case {"part_kind": "text", "content": str(text)}:
                    self._screen.text(text)
                case {"part_kind": "thinking", "content": str(text)} if text:
                    self._screen.thought(text)
                case {"part_kind": "tool-call", "tool_name": str(name), "tool_call_id": str(call_id), **rest}:
                    self._call(ToolCall(call_id, name, _arguments(rest.get("args"))))
                case {"part_kind": "tool-return", "tool_call_id": str(call_id), "content": content, **rest}:
                    self._result(call_id, content, _object(rest.get("metadata")).get("error"))
                case _:
                    continue

    def end(self) -> None:
        """Calls that never got a result are shown as such."""
        for call in list(self._open.values()):
            self._ended(call, ToolResult(message="Interrupted.", error=ErrorClass.OUTCOME_UNKNOWN))

    def _user(self, content: object) -> None:
        items = [content] if isinstance(content, str) else _list(content)
        texts = [item for item in items if isinstance(item, str) and not item.startswith("<system>")]
        media = [
            MediaPart(str(item.get("data", "")), str(item.get("media_type", "")))
            for item in map(_object, items)
            if item.get("kind") == "binary"
        ]
        if texts or media:
            self._screen.user("\n\n".join(texts), media)

    def _call(self, call: ToolCall) -> None:
        tool = self._toolset.find(call.name)
        self._screen.call_started(call.id, call.name, tool)
        self._screen.call_made(call, tool)
        self._open[call.id] = call

    def _result(self, call_id: str, content: object, error: object) -> None:
        call = self._open.get(call_id)
        if call is None:
            return
        parts = [_part(item) for item in ([content] if isinstance(content, str) else _list(content))]
        why = ErrorClass(error) if error in [*ErrorClass] else None
        message = _without_frame(parts)
        text_only = [part.text for part in parts if isinstance(part, TextPart)]
        output = "\n".join(text_only) if len(text_only) == len(parts) else tuple(parts)
        self._ended(call, ToolResult(output=output, message=message, error=why))

    def _ended(self, call: ToolCall, result: ToolResult) -> None:
        self._open.pop(call.id, None)
        self._screen.call_ended(call.id, result)


def _without_frame(parts: list[TextPart | MediaPart]) -> str:
    """Take out of ``parts`` what only the model was told: the mark, the tags of the message. Returns the message."""
    if parts and isinstance(last := parts[-1], TextPart):
        parts[-1] = TextPart(_MARK.sub("", last.text))
    message = ""
    if parts and isinstance(first := parts[0], TextPart) and (head := _MESSAGE.match(first.text)) is not None:
        filler = head[0].strip() in (EMPTY, NOT_TEXT)
        message, rest = ("" if filler else head["text"]), first.text[head.end() :]
        parts[0] = TextPart("" if rest.strip() in (EMPTY, NOT_TEXT) else rest)
    parts[:] = [part for part in parts if isinstance(part, MediaPart) or part.text]
    return message


def _part(item: object) -> TextPart | MediaPart:
    match _object(item):
        case {"kind": "binary", "data": str(data), "media_type": str(mime)}:
            return MediaPart(data, mime)
        case _:
            return TextPart(item if isinstance(item, str) else str(item))


def _arguments(args: object) -> str:
    if isinstance(args, str) or args is None:
        return args or ""
    import json

    return json.dumps(args, ensure_ascii=False)


def _object(value: object) -> Json:
    return cast("Json", value) if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []
