"""What an agent may print on stdout, and what of it is protocol.

Agents print log lines, colour codes and bare JSON values between their messages. One line that is JSON but no object
ends a JSON-RPC receive loop for good, so nothing but objects may pass.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, cast

_ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of stdout: the ``message`` in it, if it holds one, and the ``noise`` around or instead of it."""

    message: dict[str, Any] | None
    noise: str


def read_line(raw: bytes) -> Line:
    """Split one line into its JSON object and its noise.

    Escape codes and anything before the first ``{`` are noise; a line that then is no JSON object is noise as a whole.
    """
    text = raw.strip()
    if not text:
        return Line(None, "")
    if (message := _as_object(text)) is not None:
        return Line(message, "")
    clean = _ESCAPES.sub(b"", text).strip()
    start = clean.find(b"{")
    if start >= 0 and (message := _as_object(clean[start:])) is not None:
        return Line(message, _as_text(clean[:start]))
    return Line(None, _as_text(clean))


def _as_object(text: bytes) -> dict[str, Any] | None:
    if not text.startswith(b"{"):
        return None
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _as_text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").strip()
