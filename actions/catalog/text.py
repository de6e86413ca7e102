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
        if not language.lower().startswith("zh"):
            return self.en
        from actions.catalog.chinese import CHINESE

        return self.zh or CHINESE.get(self.en, self.en)

    def __bool__(self) -> bool:
        return bool(self.en)


def as_text(value: Text | str) -> Text:
    """A plain string is English only."""
    return value if isinstance(value, Text) else Text(value)


def is_chinese(text: str) -> bool:
    """Whether the text holds a CJK ideograph."""
    return any("一" <= char <= "鿿" for char in text)
