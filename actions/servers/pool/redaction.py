"""Taking secrets out of text: the ones we know, and what looks like one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from actions.catalog.secrecy import HIDDEN, SHAPES

_LOOKS_LIKE_ONE = (
    re.compile(r"(?i)(\bauthorization[\"']?\s*[:=]\s*[\"']?)(?:(?:bearer|basic|token)\s+)?[^\s\"',]+"),
    re.compile(r"(?i)(\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{6,}"),
    re.compile(r"(?i)((?:api[_-]?key|token|secret|password|passwd)[\"']?\s*[:=]\s*[\"']?)[^\s\"',&]{4,}"),
    *(re.compile(f"(){shape.pattern}") for shape in SHAPES),
)
_SHORTEST = 4


class Redactor:
    """Replaces every known value, and what looks like a credential, by dots."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values: list[str] = []
        self.know(values)

    def know(self, values: Iterable[str]) -> None:
        """Take these out from now on too. Very short ones would blank half a log, so they stay."""
        known = {*self._values, *(value for value in values if len(value) >= _SHORTEST)}
        self._values = sorted(known, key=len, reverse=True)

    def __call__(self, text: str) -> str:
        for value in self._values:
            text = text.replace(value, HIDDEN)
        for pattern in _LOOKS_LIKE_ONE:
            text = pattern.sub(rf"\g<1>{HIDDEN}", text)
        return text
