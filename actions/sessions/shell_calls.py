"""A shell command that is a call of one of our tools: ``sayso tools call --source S --tool T --args-json '{...}'``.

Only a command that does this and nothing else counts, in whatever directory: with a pipe, a redirection, a second
command or anything that a shell would expand it stays the command that it is. What is recognised is shown under the
tool's name, with the command beside it; what may run is never judged by it.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

_PROGRAM = ("sayso", "tools", "call")
_VALUES = ("--source", "--tool", "--args-json", "--session-id", "--workspace", "--idempotency-key", "--language")
_FLAGS = ("--json", "--wait")
_SHELLS = re.compile(r"(?:.*/)?(?:ba|da|z|k)?sh")
_AROUND = re.compile(r"\Acd\s+[\w./-]+\s*&&\s*|\s+2>&1\Z")
"""What agents write around a command as a matter of course, and what changes nothing of what it does."""
_ACTIVE = frozenset("|&;<>()`$\n*?~#{}[]!")


@dataclass(frozen=True, slots=True)
class ToolCommand:
    """A call of a tool by a command. ``arguments`` is None where they are no JSON object."""

    source: str
    tool: str
    arguments: dict[str, Any] | None

    @property
    def title(self) -> str:
        """As a call over MCP is titled."""
        return f"{self.tool} ({self.source})"

    def as_json(self) -> dict[str, Any]:
        return {"source": self.source, "name": self.tool, "arguments": self.arguments, "via": "shell"}


def tool_command(call: Mapping[str, Any]) -> ToolCommand | None:
    """The call of our tools that a tool call, as folded so far, makes by its shell; None for any other."""
    given: Any = call.get("input")
    values = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    command: Any = values.get("command") or values.get("cmd") or str(call.get("title") or "").strip("` ")
    words = _plain_words(command)
    if words is None or tuple(words[:3]) != _PROGRAM:
        return None
    options: dict[str, str] = {}
    rest = iter(words[3:])
    for word in rest:
        name, joined, value = word.partition("=")
        if word in _FLAGS:
            continue
        if name not in _VALUES or name in options:
            return None
        options[name] = value if joined else next(rest, "")
    source, tool = options.get("--source"), options.get("--tool")
    return ToolCommand(source, tool, _object(options.get("--args-json", "{}"))) if source and tool else None


def _plain_words(command: Any) -> Sequence[str] | None:
    """The words of a command that a shell would take as they stand; None where it would do more than that."""
    if isinstance(command, list):
        parts = [str(part) for part in cast("list[Any]", command)]
        if len(parts) == 3 and _SHELLS.fullmatch(parts[0]) and parts[1] in ("-c", "-lc"):
            return _plain_words(parts[2])
        return parts
    if not isinstance(command, str):
        return None
    command = _AROUND.sub("", command.strip())
    try:
        return None if _active(command) else shlex.split(command)
    except ValueError:  # a quote that is not closed: it is still being written
        return None


def _active(command: str) -> bool:
    """Whether a shell would see anything but words: an operator, an expansion, a pattern, outside of quotes."""
    quote = ""
    skip = False
    for char in command:
        if skip:
            skip = False
        elif quote == "'":
            quote = "" if char == "'" else quote
        elif char == "\\":
            skip = True
        elif quote:
            if char == '"':
                quote = ""
            elif char in "$`":
                return True
        elif char in "'\"":
            quote = char
        elif char in _ACTIVE:
            return True
    return False


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None
