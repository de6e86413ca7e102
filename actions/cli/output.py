"""One document on standard output for programs, short text for people; errors of people go to standard error."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, cast

from actions.cli.answer import PENDING, Answer, exit_of
from actions.cli.arguments import Flags
from actions.cli.printable import printable
from actions.errors import SaysoError


def show(answer: Answer, flags: Flags, language: str = "en") -> int:
    """Print an answer as the flags ask for it; returns the exit code."""
    if answer.printed:
        return answer.exit
    if flags.as_json:
        document: dict[str, Any] = {"ok": answer.error is None, "kind": answer.kind, "data": answer.data}
        if answer.error is not None:
            document["error"] = answer.error
        write_json(document)
    else:
        if flags.quiet:
            text = "\n".join(_ids(answer.data))
        elif answer.text is not None:
            text = answer.text
        else:
            from actions.cli.render import rendered

            text = rendered(answer.kind, answer.data, language=language, colours=colours(sys.stdout))
        if text:
            write(text + "\n")
        if answer.error is not None:
            say(str(answer.error["message"]))
    return answer.exit


def show_error(error: SaysoError, *, as_json: bool) -> int:
    """Print a failure; returns its exit code."""
    if as_json:
        write_json({"ok": False, "error": error.as_json()})
    else:
        say(error.message)
        candidates: list[dict[str, Any]] = error.details.get("candidates") or []
        for candidate in candidates[:20]:
            say("  " + "  ".join(str(value) for value in candidate.values() if value not in (None, "")))
        fields: list[dict[str, str]] = error.details.get("fields") or []
        for field in fields:
            if field.get("message", "") not in error.message:
                say(f"  {field.get('field')}: {field.get('message')}")
    return exit_of(error)


def show_pending(data: dict[str, Any], *, as_json: bool) -> int:
    """Print that a call waits for an approval."""
    if as_json:
        write_json({"ok": True, "kind": "approval_pending", "data": data})
    else:
        write(f"{data.get('action')} waits for an approval: {data.get('approval_id')}\n")
    return PENDING


def write_json(document: dict[str, Any]) -> None:
    """One line of UTF-8 whatever the locale; what is no Unicode text stays a JSON escape."""
    _write_bytes(json.dumps(document, ensure_ascii=False).encode(errors="backslashreplace") + b"\n")


def write(text: str) -> None:
    """Text for a person, in the terminal's encoding."""
    _write_bytes(text.encode(sys.stdout.encoding if sys.stdout else "utf-8", errors="replace"))


def say(text: str) -> None:
    """A line on standard error."""
    if sys.stderr is not None:
        sys.stderr.write(printable(text).encode(errors="replace").decode() + "\n")
        sys.stderr.flush()


def colours(stream: Any) -> bool:
    """Whether to colour: on a terminal that can, unless NO_COLOR is set (https://no-color.org)."""
    return (
        stream is not None and stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )


def _write_bytes(content: bytes) -> None:
    if sys.stdout is None:  # closed by the caller, who wants none of it
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def _ids(data: Any) -> list[str]:
    """The ids in an answer, for ``--quiet``."""
    if not isinstance(data, dict):
        return []
    found = cast("dict[str, Any]", data)
    for name in ("id", "run_id", "approval_id", "session_id", "name"):
        if isinstance(found.get(name), str):
            return [found[name]]
    lists = [cast("list[Any]", value) for value in found.values() if isinstance(value, list)]
    return [id for item in (lists[0] if lists else []) for id in _ids(item)]
