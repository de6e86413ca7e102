"""What became of a tool call, as an MCP result: text to read, and the same as structured content.

Source: MCP 2025-11-25, tools, ``CallToolResult``. A result is at most :data:`INLINE_BYTES` of JSON; a larger one goes
to a file, which the answer names, with its beginning.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from actions.errors import ErrorCode, SaysoError
from actions.execution.request import Completed, Failed, Outcome, Pending, Rejected
from actions.storage.ids import Prefix, new_id

INLINE_BYTES = 480 * 1024
"""Bytes of JSON that are sent. It is sent twice, as text and as data, and clients take 1 MiB in one event."""
SERVER_CHARACTERS = 900 * 1024
"""What of a server's result is handed on; that is sent once, as it came."""
_BEGINNING = 4_000
_KEEP_FILES = 50


class ResultFiles:
    """Keeps the newest large results in a folder that only the user can read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, content: str) -> Path:
        """Write one; the oldest above fifty go. Raises OSError."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = self._folder / f"{new_id(Prefix.CALL)}.json"
        with open(file, "x", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as out:
            out.write(content)
        for old in sorted(self._folder.glob("*.json"))[:-_KEEP_FILES]:
            old.unlink(missing_ok=True)
        return file


def structured(action_id: str, outcome: Outcome) -> dict[str, Any]:
    """The data of an outcome; of one that failed its code, message and details."""
    match outcome:
        case Completed(data):
            return dict(data)
        case Pending(approval_id, action, _):
            return {"kind": "approval_pending", "approval_id": approval_id, "action": action}
        case Rejected(feedback):
            return rejection(action_id, feedback).as_json()
        case Failed(code, message, details):
            return SaysoError(message, code=code, details=details).as_json()


def rejection(action_id: str, feedback: str) -> SaysoError:
    """A person's no, as an error."""
    said = f": {feedback}" if feedback else ". Do not ask for it again unless the user brings it up."
    return SaysoError(
        f"{action_id} was rejected by a person{said}", code=ErrorCode.REJECTED, details={"feedback": feedback}
    )


def is_error(outcome: Outcome) -> bool:
    """Whether the call did not do what it was asked to; one that waits for a person is no error."""
    return isinstance(outcome, (Rejected, Failed))


def tool_result(action_id: str, outcome: Outcome, files: ResultFiles) -> dict[str, Any]:
    """The result on the wire. Writes a file for a large one: call it off the event loop when :func:`is_large`."""
    data = structured(action_id, outcome)
    if isinstance(outcome, Completed):
        text = json.dumps(data, ensure_ascii=False)
        if len(text.encode(errors="replace")) > INLINE_BYTES:
            return _in_file(text, files)
    elif isinstance(outcome, Pending):
        text = (
            f"{outcome.action} waits for a person's approval (request {outcome.approval_id}). Go on with other work; "
            "do not call it again."
        )
    else:
        text = _refusal(data)
    return {"content": [{"type": "text", "text": text}], "structuredContent": data, "isError": is_error(outcome)}


def server_result(outcome: Outcome) -> dict[str, Any] | None:
    """What a tool of a server returned, as it came; None where it did not, or where it is too large to be sent."""
    if not isinstance(outcome, Completed) or _weight(outcome.data, SERVER_CHARACTERS) <= 0:
        return None
    data = outcome.data
    result = {"content": data["content"], "isError": data["is_error"]}
    return result if data["structured"] is None else {**result, "structuredContent": data["structured"]}


def is_large(outcome: Outcome) -> bool:
    """Whether a result may have to go to a file; quick, and right on the safe side."""
    return isinstance(outcome, Completed) and _weight(outcome.data, INLINE_BYTES // 8) <= 0


def _weight(value: Any, left: int) -> int:
    """What is left of ``left`` characters after ``value``; stops at zero, so that a large one is not walked."""
    if isinstance(value, str):
        return left - len(value)
    if isinstance(value, Mapping):
        for key, inner in value.items():  # pyright: ignore[reportUnknownVariableType]  # JSON values
            if (left := _weight(inner, left - len(str(key)))) <= 0:  # pyright: ignore[reportUnknownArgumentType]
                return left
        return left
    if isinstance(value, list):
        for inner in value:  # pyright: ignore[reportUnknownVariableType]
            if (left := _weight(inner, left)) <= 0:
                return left
        return left
    return left - 4


def _in_file(text: str, files: ResultFiles) -> dict[str, Any]:
    size = len(text.encode(errors="replace"))
    try:
        file = files.keep(text)
    except OSError as error:
        failure = SaysoError(f"The result has {size} bytes and cannot be put into a file: {error.strerror or error}.")
        data = failure.as_json()
        return {"content": [{"type": "text", "text": _refusal(data)}], "structuredContent": data, "isError": True}
    said = f"The result has {size} bytes, too many to be sent; all of it is in {file}. It begins:\n{text[:_BEGINNING]}"
    link = {
        "type": "resource_link", "name": file.name, "uri": file.as_uri(), "mimeType": "application/json", "size": size,
    }  # fmt: skip
    return {
        "content": [{"type": "text", "text": said}, link],
        "structuredContent": {"kind": "result_in_file", "path": str(file), "bytes": size},
        "isError": False,
    }


def _refusal(error: Mapping[str, Any]) -> str:
    details: Mapping[str, Any] = error.get("details") or {}
    lines = [f"{error['code']}: {error['message']}"]
    fields: list[dict[str, Any]] = details.get("fields") or []
    lines += [
        f"- {field.get('field')}: {field.get('message')}"
        for field in fields
        if str(field.get("message")) not in str(error["message"])
    ]
    if candidates := details.get("candidates"):
        lines.append("Candidates: " + json.dumps(candidates, ensure_ascii=False))
    return "\n".join(lines)
