"""The hits of a search as a Qt list model, and how one is drawn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.launcher.spec import ActionSummary
from desktop.theme.spacing import SMALL_RADIUS
from desktop.theme.theme import Theme

ROW = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex


class HitModel(QAbstractListModel):
    """Hits in the order of the catalog's search."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hits: list[ActionSummary] = []

    def show_hits(self, hits: Iterable[ActionSummary]) -> None:
        self.beginResetModel()
        self._hits = list(hits)
        self.endResetModel()

    def hit(self, position: int) -> ActionSummary | None:
        return self._hits[position] if 0 <= position < len(self._hits) else None

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._hits)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        hit = self.hit(index.row()) if index.isValid() else None
        if hit is None:
            return None
        if role == ROW:
            return hit
        if role == Qt.ItemDataRole.DisplayRole:
            return hit.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{hit.title}. {' '.join(hit.slash)} {hit.description} {hit.reason}".strip()
        return None


class HitDelegate(QStyledItemDelegate):
    """Title and description on the left, the id on the right."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, 2 * option.fontMetrics.height() + 14)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        hit = index.data(ROW)
        if not isinstance(hit, ActionSummary):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver)
        if chosen:
            selected = bool(option.state & QStyle.StateFlag.State_Selected)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._color("selected" if selected else "hover"))
            painter.drawRoundedRect(QRectF(option.rect).adjusted(6, 1, -6, -1), SMALL_RADIUS, SMALL_RADIUS)
        small = QFont(option.font)
        small.setPointSizeF(small.pointSizeF() - 1)
        code = QFont(self._theme.code_font)
        code.setPointSizeF(code.pointSizeF() - 0.5)
        line = option.fontMetrics.height()
        left, right, top = option.rect.left() + 18, option.rect.right() - 18, option.rect.top() + 7
        painter.setFont(code)
        names = "  ".join([*hit.slash, hit.id])
        wide = painter.fontMetrics().horizontalAdvance(names)
        self._text(painter, code, "muted", QRect(right - wide, top, wide + 2, line), names)
        title_role = "text" if hit.available else "disabled"
        self._text(painter, option.font, title_role, QRect(left, top, right - left - wide - 12, line), hit.title)
        about = hit.description if hit.available else hit.reason or hit.description
        self._text(painter, small, "muted", QRect(left, top + line, right - left, line), about)
        painter.restore()

    def _color(self, role: str) -> QColor:
        return QColor(getattr(self._theme.scheme, role))

    def _text(self, painter: QPainter, font: QFont, role: str, where: QRect, text: str) -> None:
        painter.setFont(font)
        painter.setPen(self._color(role))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, max(0, where.width()))
        painter.drawText(where, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)
