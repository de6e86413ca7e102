"""What the palette has no role for: corners, insets, and the kinds of button. Made from the scheme, applied once."""

from __future__ import annotations

import re
from string import Template

from desktop.theme.colors import Scheme

_POINTS = re.compile(r"\b([0-9.]+)pt\b")
# `kind` and `tone` are dynamic properties that desktop.widgets sets.
_SHEET = Template(
    """
QWidget { outline: none; }
QToolTip { background: $raised; color: $text; border: 1px solid $border; padding: 4px 6px; }

QPushButton { background: $raised; color: $text; border: 1px solid $border; border-radius: 6px;
  padding: 0 12px; min-height: 28px; }
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $selected; }
QPushButton:focus { border: 1px solid $accent_text; }
QPushButton:disabled { color: $disabled; background: $sunken; }
QPushButton[kind="primary"] { background: $accent; color: $on_accent; border: 1px solid $accent; font-weight: 600; }
QPushButton[kind="primary"]:hover { background: $accent_hover; }
QPushButton[kind="primary"]:focus { border: 2px solid $text; }
QPushButton[kind="primary"]:disabled { background: $hover; color: $disabled; border-color: $border; }
QPushButton[kind="danger"] { background: $danger_fill; color: $on_danger; border: 1px solid $danger_fill;
  font-weight: 600; }
QPushButton[kind="danger"]:focus { border: 2px solid $text; }
QPushButton[kind="danger"]:disabled { background: $hover; color: $disabled; border-color: $border; }
QPushButton[kind="quiet"], QToolButton[kind="quiet"] { background: transparent; border: 1px solid transparent;
  color: $muted; padding: 0 8px; min-height: 26px; border-radius: 6px; }
QPushButton[kind="quiet"]:hover, QToolButton[kind="quiet"]:hover { background: $hover; color: $text; }
QPushButton[kind="quiet"]:focus, QToolButton[kind="quiet"]:focus { border: 1px solid $accent_text; }
QToolButton[kind="quiet"] { padding: 0; min-width: 28px; min-height: 28px; }
QToolButton[kind="quiet"]:checked { background: $selected; color: $text; }
QToolButton[kind="round"] { background: $accent; border: 1px solid $accent; border-radius: 16px;
  min-width: 30px; max-width: 30px; min-height: 30px; max-height: 30px; }
QToolButton[kind="round"]:hover { background: $accent_hover; }
QToolButton[kind="round"]:focus { border: 2px solid $text; }
QToolButton[kind="round"]:disabled { background: $hover; border-color: $border; }
QPushButton[kind="inline"] { background: transparent; border: 1px solid transparent; color: $muted; padding: 0 4px;
  min-height: 18px; border-radius: 4px; font-size: 9pt; }
QPushButton[kind="inline"][align="left"] { text-align: left; padding: 0 2px; }
QPushButton[kind="inline"]:hover { background: $hover; color: $text; }
QPushButton[kind="inline"]:focus { border: 1px solid $accent_text; }
QPushButton[kind="inline"]:disabled { color: $disabled; background: transparent; }
QPushButton[kind="nav"] { background: transparent; border: 1px solid transparent; text-align: left; color: $text;
  padding: 0 8px; min-height: 30px; }
QPushButton[kind="nav"]:hover { background: $hover; }
QPushButton[kind="nav"]:checked { background: $selected; font-weight: 600; }
QPushButton[kind="nav"]:focus { border: 1px solid $accent_text; }
QPushButton[kind="search"] { background: $base; color: $muted; text-align: left; border: 1px solid $border;
  padding: 0 8px; min-height: 30px; }
QPushButton[kind="search"]:hover { border: 1px solid $outline; }
QPushButton[kind="search"]:focus { border: 1px solid $accent_text; }
QPushButton[kind="row"] { background: transparent; border: 1px solid transparent; text-align: left; color: $text;
  padding: 0 4px; min-height: 24px; }
QPushButton[kind="row"]:hover { background: $hover; }
QPushButton[kind="row"]:focus { border: 1px solid $accent_text; }

QLineEdit, QComboBox, QPlainTextEdit[kind="field"], QListWidget[kind="field"], QSpinBox {
  background: $base; color: $text;
  border: 1px solid $outline; border-radius: 6px; padding: 0 8px;
  selection-background-color: $accent; selection-color: $on_accent; }
QPlainTextEdit[kind="field"], QListWidget[kind="field"] { padding: 4px 6px; }
QLineEdit, QComboBox, QSpinBox { min-height: 28px; }
QLineEdit:focus, QComboBox:focus, QPlainTextEdit[kind="field"]:focus, QListWidget[kind="field"]:focus
  { border: 1px solid $accent_text; }
QLineEdit:disabled, QComboBox:disabled, QPlainTextEdit[kind="field"]:disabled { background: $sunken; color: $disabled;
  border-color: $border; }
QLineEdit[bad="true"], QComboBox[bad="true"], QPlainTextEdit[bad="true"], QListWidget[bad="true"]
  { border: 1px solid $danger; }
QKeySequenceEdit[bad="true"] QLineEdit { border: 1px solid $danger; }
QLineEdit[kind="search"] { border: none; background: transparent; font-size: 12pt; min-height: 40px; }
QPlainTextEdit[kind="composer"] { border: none; background: transparent; }
QPlainTextEdit[kind="diff"] { border: none; background: transparent; color: $text; }
QPlainTextEdit[kind="code"] { border: none; border-radius: 6px; background: $code; color: $text; padding: 4px; }
QComboBox::drop-down { border: none; width: 24px; }
QComboBox QAbstractItemView { background: $raised; color: $text; border: 1px solid $border;
  selection-background-color: $selected; selection-color: $text; }
QCheckBox { spacing: 8px; min-height: 28px; }
QCheckBox:focus { color: $accent_text; }
QCheckBox::indicator, QListWidget::indicator { width: 16px; height: 16px; border: 1px solid $outline;
  border-radius: 4px; background: $base; }
QCheckBox::indicator:checked, QListWidget::indicator:checked { background: $accent; border: 1px solid $accent;
  image: url(saysotheme:check.svg); }
QCheckBox::indicator:disabled, QListWidget::indicator:disabled { background: $sunken; border: 1px solid $border; }
QListWidget[kind="field"]::item { padding: 3px 2px; border-radius: 4px; color: $text; }
QListWidget[kind="field"]::item:disabled { color: $disabled; }
QListWidget[kind="field"]::item:selected { background: $selected; color: $text; }

QListWidget[kind="plain"]::item { padding: 6px 8px; border-radius: 6px; color: $text; }
QListWidget[kind="plain"]::item:hover { background: $hover; }
QListWidget[kind="plain"]::item:selected { background: $selected; color: $text; }
QListView[kind="plain"] { background: transparent; border: none; }
QListView[kind="plain"]:focus { border: none; }
QTableView[kind="plain"], QTreeWidget[kind="plain"] { background: transparent; border: none; }
QTableView[kind="plain"]::item, QTreeWidget[kind="plain"]::item { padding: 2px 6px; border: none; }
QTableView[kind="plain"]::item:selected, QTreeWidget[kind="plain"]::item:selected { background: $selected;
  color: $text; }
QTableView[kind="plain"]::item:selected:focus { border: 1px solid $accent_text; border-radius: 4px; }
QHeaderView { background: transparent; border: none; }
QHeaderView::section { background: transparent; color: $muted; border: none; border-bottom: 1px solid $border;
  padding: 5px 6px; font-size: 9pt; font-weight: 600; }
QTabBar { background: transparent; border: none; }
QTabBar::tab { background: transparent; color: $muted; border: none; border-bottom: 2px solid transparent;
  padding: 6px 10px; margin-right: 4px; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $text; border-bottom: 2px solid $accent; }
QTabBar:focus { border: none; }
QTabBar::tab:selected:focus { border-bottom: 2px solid $accent_text; color: $accent_text; }
QProgressBar { background: $hover; border: none; border-radius: 2px; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }
QScrollArea[kind="plain"], QScrollArea[kind="plain"] > QWidget > QWidget[kind="canvas"]
  { background: transparent; border: none; }

QLabel[tone="muted"] { color: $muted; }
QLabel[tone="danger"] { color: $danger; }
QLabel[tone="warning"] { color: $warning; }
QLabel[tone="success"] { color: $success; }
QLabel[tone="accent"] { color: $accent_text; }
QLabel[tone="heading"] { font-size: 13pt; font-weight: 600; }
QLabel[tone="strong"] { font-weight: 600; }
QLabel[tone="group"] { color: $muted; font-size: 9pt; font-weight: 600; }
QLabel[tone="small"] { color: $muted; font-size: 9pt; }
QLabel[tone^="chip"] { border-radius: 9px; padding: 1px 8px; font-size: 9pt; }
QLabel[tone="chip"] { color: $muted; background: $hover; }
QLabel[tone="chip-accent"] { color: $accent_text; background: $accent_tint; }
QLabel[tone="chip-success"] { color: $success; background: $success_tint; }
QLabel[tone="chip-warning"] { color: $warning; background: $warning_tint; }
QLabel[tone="chip-danger"] { color: $danger; background: $danger_tint; }
QLabel[tone="key"] { color: $muted; border: 1px solid $border; border-radius: 4px; padding: 0 5px; font-size: 8.5pt; }

QFrame[kind="sidebar"] { background: $window; border: none; border-right: 1px solid $border; }
QFrame[kind="side"] { background: $window; border: none; border-left: 1px solid $border; }
QFrame[kind="page"] { background: $base; border: none; }
QFrame[kind="bar"] { background: $base; border: none; border-bottom: 1px solid $border; }
QFrame[kind="foot"] { background: $base; border: none; }
QFrame[kind="panel"] { background: $raised; border: 1px solid $border; border-radius: 8px; }
QFrame[kind="composer-box"] { background: $raised; border: 1px solid $outline; border-radius: 10px; }
QFrame[kind="composer-box"][focused="true"] { border: 1px solid $accent_text; }
QFrame[kind="nested"] { background: transparent; border: none; border-left: 2px solid $border; }
QFrame[kind="overlay"] { background: $raised; border: 1px solid $border; border-radius: 12px; }
QFrame[kind="strip"] { background: $sunken; border: none; border-bottom: 1px solid $border; }
QFrame[kind="banner"] { border: none; background: $warning_tint; }
QFrame[kind="banner-success"] { border: none; background: $success_tint; }
QFrame[kind="banner-danger"] { border: none; background: $danger_tint; }
QFrame[kind="line"] { background: $border; border: none; max-height: 1px; min-height: 1px; }

QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar::handle:vertical { background: $border; border-radius: 3px; min-height: 32px; margin: 0 2px; }
QScrollBar::handle:vertical:hover { background: $outline; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle:horizontal { background: $border; border-radius: 3px; min-width: 32px; margin: 2px 0; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QSplitter::handle { background: transparent; }
QMenu { background: $raised; color: $text; border: 1px solid $border; padding: 4px; }
QMenu::item { padding: 5px 16px; border-radius: 4px; }
QMenu::item:selected { background: $selected; }
"""
)


def stylesheet(scheme: Scheme, ratio: float = 1.0) -> str:
    """The application's style sheet in the colours of ``scheme``, its text ``ratio`` times the usual size."""
    sheet = _SHEET.substitute(dict(scheme.colors()))
    return sheet if ratio == 1.0 else _POINTS.sub(lambda found: f"{float(found[1]) * ratio:g}pt", sheet)
