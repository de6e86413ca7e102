"""A run's result as markdown, whatever its kind. Pure Python."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_TEXTS = ("markdown", "text", "plan", "summary")
_LAST_BLOCK = re.compile(r"^(`{3,}|~{3,})[ \t]*(?:json)?[ \t]*\r?\n\s*[{\[](?:(?!^\1).)*^\1[ \t]*\s*\Z", re.M | re.S)


def result_markdown(result: Mapping[str, Any] | None) -> str:
    """The readable part of a result; what has none is shown as JSON in a code block.

    A review ends with its findings as JSON; where they were read they are shown as a list, not once more as that.
    """
    if not result:
        return ""
    for key in _TEXTS:
        if isinstance(text := result.get(key), str) and text.strip():
            return _LAST_BLOCK.sub("", text).rstrip() if isinstance(result.get("findings"), list) else text
    return f"```json\n{json.dumps(result, indent=2, ensure_ascii=False)}\n```"
