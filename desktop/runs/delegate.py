"""One run in the list: what it was asked, how long ago, how it stands, and what is to be known of it."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from actions.catalog.views import RunState, RunView
from desktop.runs.model import ROW, RunListModel
from desktop.sessions.delegate import age
from desktop.theme.spacing import RADIUS
from desktop.theme.theme import Theme

ROLES = {
    RunState.QUEUED: "muted",
    RunState.RUNNING: "accent_text",
    RunState.SUCCEEDED: "success",
    RunState.FAILED: "danger",
    RunState.CANCELLED: "muted",
    RunState.INTERRUPTED: "warning",
}


class RunDelegate(QStyledItemDelegate):
    """Kind and age; below, provider and state in its colour."""

    def __init__(self, theme: Theme, model: RunListModel) -> None:
        super().__init__()
        self._theme = theme
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, 2 * option.fontMetrics.height() + 22)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        run = index.data(ROW)
        if not isinstance(run, RunView):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._color("selected" if selected else "hover"))
            painter.drawRoundedRect(QRectF(option.rect).adjusted(4, 2, -4, -2), RADIUS, RADIUS)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self._color("accent_text"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(option.rect).adjusted(4.5, 2.5, -4.5, -2.5), RADIUS, RADIUS)
        small = QFont(option.font)
        small.setPointSizeF(small.pointSizeF() - 1)
        line = option.fontMetrics.height()
        left, right, top = option.rect.left() + 18, option.rect.right() - 16, option.rect.top() + 11
        since = age(run.created, int(datetime.now(UTC).timestamp() * 1000))
        painter.setFont(small)
        wide = painter.fontMetrics().horizontalAdvance(since)
        self._text(painter, small, "muted", QRect(right - wide, top, wide + 2, line), since)
        what = run.instructions.split("\n")[0] or self._model.kind_text(run.kind)
        self._text(painter, option.font, "text", QRect(left, top, right - left - wide - 8, line), what)
        state = self._model.state_text(run.state)
        painter.setFont(small)
        used = painter.fontMetrics().horizontalAdvance(state)
        self._text(painter, small, ROLES[run.state], QRect(left, top + line, used + 2, line), state)
        rest = QRect(left + used, top + line, right - left - used, line)
        if run.stale:
            stale = f" · {self._model.stale_text()}"
            self._text(painter, small, "warning", rest, stale)
            rest.setLeft(rest.left() + painter.fontMetrics().horizontalAdvance(stale))
        self._text(painter, small, "muted", rest, f" · {self._model.kind_text(run.kind)} · {run.provider}")
        painter.restore()

    def _color(self, role: str) -> QColor:
        return QColor(getattr(self._theme.scheme, role))

    def _text(self, painter: QPainter, font: QFont, role: str, where: QRect, text: str) -> None:
        painter.setFont(font)
        painter.setPen(self._color(role))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, max(0, where.width()))
        painter.drawText(where, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)
