"""Utterance templates: the words that mean an action.

A template is written in the syntax of the hassil grammar: literal words, ``{field}`` for a value, ``[optional
words]`` and ``(one|another)``, which nest. Its language follows from its letters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from actions.catalog.text import Language, is_chinese

_SLOT = re.compile(r"\{([a-z_][a-z0-9_.]*)\}")
_PAIRS = {"]": "[", ")": "(", "}": "{"}


@dataclass(frozen=True)
class Say:
    """A template and the field values that saying it fixes, such as ``{"decision": "approve"}``."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def language(self) -> Language:
        return "zh" if is_chinese(self.template) else "en"

    @property
    def slots(self) -> tuple[str, ...]:
        """The fields that the template fills, in order, each once."""
        return tuple(dict.fromkeys(_SLOT.findall(self.template)))

    def problem(self) -> str | None:
        """What is wrong with the template's brackets, or None."""
        stack: list[str] = []
        for char in self.template:
            if char in "[({":
                stack.append(char)
            elif char in _PAIRS and (not stack or stack.pop() != _PAIRS[char]):
                return f"unbalanced {char!r}"
        if stack:
            return f"unclosed {stack[-1]!r}"
        return None if self.template.strip() else "empty template"


def says(template: str, **values: Any) -> Say:
    """A template with fixed values: ``says("deny the {approval_id} request", decision="reject")``."""
    return Say(template, values)
