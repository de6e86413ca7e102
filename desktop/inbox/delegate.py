"""How a request in the list is drawn."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from actions.catalog.views import InboxKind, InboxRow
from desktop.inbox.model import ROW, InboxModel
from desktop.sessions.delegate import age
from desktop.theme import icons
from desktop.theme.spacing import RADIUS
from desktop.theme.theme import Theme

ICONS = {
    InboxKind.APPROVAL: ("shield", "warning"),
    InboxKind.PERMISSION: ("shield", "warning"),
    InboxKind.QUESTION: ("question", "accent_text"),
    InboxKind.EXIT_PLAN: ("plan", "accent_text"),
    InboxKind.FAILED_RUN: ("alert", "danger"),
}

_INSET = 18  # pixels that a request of an open session stands in


class InboxDelegate(QStyledItemDelegate):
    """Icon, title and age; below, what it is and who asks."""

    def __init__(self, theme: Theme, model: InboxModel) -> None:
        super().__init__()
        self._theme = theme
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, 2 * option.fontMetrics.height() + 22)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ROW)
        if not isinstance(row, InboxRow):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(4.5, 2.5, -4.5, -2.5)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._color("selected" if selected else "hover"))
            painter.drawRoundedRect(box, RADIUS, RADIUS)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self._color("accent_text"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, RADIUS, RADIUS)
        line = option.fontMetrics.height()
        inset = _INSET if self._model.follows(row) else 0
        left, right, top = option.rect.left() + 42 + inset, option.rect.right() - 16, option.rect.top() + 11
        name, role = ICONS[row.kind]
        mark = QRectF(option.rect.left() + 16 + inset, top + (line - 16) / 2, 16, 16)
        icons.paint(painter, name, getattr(self._theme.scheme, role), mark)
        small = QFont(option.font)
        small.setPointSizeF(small.pointSizeF() - 1)
        strong = QFont(option.font)
        strong.setWeight(QFont.Weight.DemiBold)
        since = age(row.created, int(datetime.now(UTC).timestamp() * 1000))
        painter.setFont(small)
        wide = painter.fontMetrics().horizontalAdvance(since)
        self._text(painter, small, "muted", QRect(right - wide, top, wide + 2, line), since)
        self._text(painter, strong, "text", QRect(left, top, right - left - wide - 8, line), self._model.headline(row))
        about = f"{self._model.kind_text(row.kind)} · {row.session_title or row.asked_by}"
        if more := self._model.more(row):
            count = f"+{more}"
            room = painter.fontMetrics().horizontalAdvance(count) + 6
            self._text(painter, small, "accent_text", QRect(right - room, top + line, room, line), count)
            right -= room
        self._text(painter, small, "muted", QRect(left, top + line, right - left, line), about)
        painter.restore()

    def _color(self, role: str) -> QColor:
        return QColor(getattr(self._theme.scheme, role))

    def _text(self, painter: QPainter, font: QFont, role: str, where: QRect, text: str) -> None:
        painter.setFont(font)
        painter.setPen(self._color(role))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, max(0, where.width()))
        painter.drawText(where, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)
