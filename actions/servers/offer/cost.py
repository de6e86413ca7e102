"""What a tool costs a model: an estimate of the tokens of its definition, the same for every model.

A model's own count differs by its tokenizer; names, English and JSON come to about four characters a token with the
common ones, and other scripts to about one a character.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_CHARACTERS = 4
_FRAME = 8
"""Tokens that a model's template puts around each tool."""


def tokens_of(text: str) -> int:
    """The estimate for a text."""
    plain = sum(char < "\u0300" for char in text)
    return -(-plain // _CHARACTERS) + len(text) - plain


def tool_tokens(name: str, description: str, schema: Mapping[str, Any]) -> int:
    """The estimate for a tool as a model is given it: name, description, schema of its input."""
    return _FRAME + tokens_of(name) + tokens_of(description) + tokens_of(json.dumps(schema, ensure_ascii=False))
