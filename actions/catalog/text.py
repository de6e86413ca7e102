"""Text in the languages of the app: English is the source, Chinese is maintained beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "zh"]


@dataclass(frozen=True, slots=True)
class Text:
    """One text in English and, where it is maintained, Chinese."""

    en: str
    zh: str = ""

    def in_language(self, language: str) -> str:
        """The text for a language tag such as ``zh_CN``; English where there is no other."""
        return self.zh if self.zh and language.lower().startswith("zh") else self.en

    def __bool__(self) -> bool:
        return bool(self.en)


def as_text(value: Text | str) -> Text:
    """A plain string is English only."""
    return value if isinstance(value, Text) else Text(value)


def is_chinese(text: str) -> bool:
    """Whether the text holds a CJK ideograph."""
    return any("一" <= char <= "鿿" for char in text)
