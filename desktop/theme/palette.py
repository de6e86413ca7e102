"""A QPalette with every role set, for platforms where the desktop's own scheme does not reach Qt."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette

from desktop.theme.colors import Scheme

_Role = QPalette.ColorRole


def palette(scheme: Scheme) -> QPalette:
    """All 21 colour roles in the active, inactive and disabled group."""
    roles = {
        _Role.Window: scheme.window,
        _Role.WindowText: scheme.text,
        _Role.Base: scheme.base,
        _Role.AlternateBase: scheme.sunken,
        _Role.Text: scheme.text,
        _Role.PlaceholderText: scheme.muted,
        _Role.Button: scheme.raised,
        _Role.ButtonText: scheme.text,
        _Role.BrightText: scheme.danger,
        _Role.Highlight: scheme.accent,
        _Role.HighlightedText: scheme.on_accent,
        _Role.Accent: scheme.accent,
        _Role.Link: scheme.link,
        _Role.LinkVisited: scheme.link_visited,
        _Role.ToolTipBase: scheme.raised,
        _Role.ToolTipText: scheme.text,
        _Role.Light: scheme.hover,
        _Role.Midlight: scheme.raised,
        _Role.Mid: scheme.border,
        _Role.Dark: scheme.outline,
        _Role.Shadow: scheme.shadow,
    }
    result = QPalette()
    for role, color in roles.items():
        result.setColor(role, QColor(color))
    disabled = QColor(scheme.disabled)
    for role in (_Role.WindowText, _Role.Text, _Role.ButtonText, _Role.HighlightedText, _Role.PlaceholderText):
        result.setColor(QPalette.ColorGroup.Disabled, role, disabled)
    result.setColor(QPalette.ColorGroup.Disabled, _Role.Highlight, QColor(scheme.hover))
    result.setColor(QPalette.ColorGroup.Disabled, _Role.Base, QColor(scheme.sunken))
    return result
