"""Fonts: the desktop's own where it has one, else the best that is installed; Chinese always has a fallback."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QFont, QFontDatabase

USUAL_SIZE = 10.0
"""Points."""
_TEXT = ("Inter", "Cantarell", "Ubuntu", "Noto Sans", "Segoe UI", "Helvetica Neue", "Noto Sans CJK SC", "DejaVu Sans")
_CHINESE = ("Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei", "WenQuanYi Micro Hei")
_CODE = ("JetBrains Mono", "Cascadia Code", "SF Mono", "Consolas", "Noto Sans Mono", "DejaVu Sans Mono")
_BARE = frozenset({"DejaVu Sans", "Sans", "Sans Serif", "MS Shell Dlg 2"})  # what a desktop without a choice reports


def _installed(wanted: Iterable[str]) -> list[str]:
    known = set(QFontDatabase.families())
    return [family for family in wanted if family in known]


def text_font(*, chinese: bool = False) -> QFont:
    """The font of the window; ``chinese`` is its language."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    own = [] if font.family() in _BARE else [font.family()]
    families = [*own, *_installed(_TEXT)[:1], *_installed(_CHINESE)[:1]]
    if families:
        font.setFamilies(list(dict.fromkeys(families)))
    if families and "CJK" in families[0] and not chinese:
        font.setFeature(QFont.Tag("pwid"), 1)  # its quotation marks are full-width otherwise
    font.setPointSizeF(USUAL_SIZE)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def code_font() -> QFont:
    """The font of code, paths and diffs; Chinese inside code falls back as in text."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    families = [*_installed(_CODE)[:1], *_installed(_CHINESE)[:1]]
    if families:
        font.setFamilies(families)
    font.setPointSizeF(9)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def has_chinese() -> bool:
    """False where Chinese text would be drawn as boxes."""
    return bool(QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese))
