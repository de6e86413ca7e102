"""A run's result as markdown, whatever its kind. Pure Python."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_TEXTS = ("markdown", "text", "plan", "summary")


def result_markdown(result: Mapping[str, Any] | None) -> str:
    """The readable part of a result; what has none is shown as JSON in a code block."""
    if not result:
        return ""
    for key in _TEXTS:
        if isinstance(text := result.get(key), str) and text.strip():
            return text
    return f"```json\n{json.dumps(result, indent=2, ensure_ascii=False)}\n```"
