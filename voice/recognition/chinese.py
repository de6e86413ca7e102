"""Chinese text as Sayso keeps it: simplified characters."""

from __future__ import annotations

import importlib
from typing import Any


def to_simplified(text: str) -> str:
    """``text`` with traditional characters made simplified (OpenCC, t2s); other text is left as it is.

    Whisper writes either, depending on nothing the user sees; both sides of a match go through here.
    """
    if text.isascii():
        return text
    converter: Any = importlib.import_module("opencc").OpenCC("t2s")
    return str(converter.convert(text))
