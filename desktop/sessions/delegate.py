"""How a row of the session list is drawn."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QCoreApplication, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from actions.catalog.views import SessionState, SessionView
from desktop.sessions.grouping import Group
from desktop.sessions.model import ROW, SessionListModel
from desktop.theme.spacing import SMALL_RADIUS
from desktop.theme.theme import Theme

_ROLES = {
    SessionState.STARTING: "accent_text",
    SessionState.WORKING: "accent_text",
    SessionState.WAITING: "warning",
    SessionState.FAILED: "danger",
    SessionState.INTERRUPTED: "warning",
    SessionState.IDLE: "outline",
    SessionState.STOPPED: "outline",
}


def age(then: int, now: int) -> str:
    """How long ago, in the shortest form: ``now``, ``5m``, ``3h``, ``2d``. Milliseconds in."""
    minutes = max(0, now - then) // 60_000
    if minutes < 1:
        return QCoreApplication.translate("age", "now")
    if minutes < 60:
        return QCoreApplication.translate("age", "{0}m").format(minutes)
    if minutes < 1440:
        return QCoreApplication.translate("age", "{0}h").format(minutes // 60)
    return QCoreApplication.translate("age", "{0}d").format(minutes // 1440)


class SessionDelegate(QStyledItemDelegate):
    """Two lines a session: title and age, then state and provider, with a dot in the state's colour."""

    def __init__(self, theme: Theme, model: SessionListModel) -> None:
        super().__init__()
        self._theme = theme
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        line = option.fontMetrics.height()
        return QSize(0, line + 20 if isinstance(index.data(ROW), Group) else 2 * line + 16)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(row, Group):
            self._paint_group(painter, option, row)
        elif isinstance(row, SessionView):
            self._paint_session(painter, option, row)
        painter.restore()

    def _color(self, role: str) -> QColor:
        return QColor(getattr(self._theme.scheme, role))

    def _paint_group(self, painter: QPainter, option: QStyleOptionViewItem, group: Group) -> None:
        font = QFont(option.font)
        font.setPointSizeF(font.pointSizeF() - 1)
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(self._color("muted"))
        where = option.rect.adjusted(12, 8, -12, 0)
        painter.drawText(where, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), group.name)

    def _paint_session(self, painter: QPainter, option: QStyleOptionViewItem, session: SessionView) -> None:
        box = QRectF(option.rect).adjusted(4.5, 1.5, -4.5, -1.5)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._color("selected" if selected else "hover"))
            painter.drawRoundedRect(box, SMALL_RADIUS, SMALL_RADIUS)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self._color("accent_text"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, SMALL_RADIUS, SMALL_RADIUS)
        role = "warning" if session.waiting_for else _ROLES[session.state]
        line = option.fontMetrics.height()
        top = option.rect.top() + 8
        self._paint_dot(painter, option.rect.left() + 18, top + line / 2, role, hollow=role == "outline")
        left, right = option.rect.left() + 32, option.rect.right() - 12
        font = QFont(option.font)
        font.setWeight(QFont.Weight.DemiBold if session.unread or selected else QFont.Weight.Normal)
        small = QFont(option.font)
        small.setPointSizeF(small.pointSizeF() - 1)
        now = int(datetime.now(UTC).timestamp() * 1000)
        first = QRect(left, top, right - left, line)
        used = self._text(painter, small, "muted", first, age(session.last_activity, now), right=True)
        self._text(painter, font, "text", QRect(left, top, right - left - used - 8, line), session.title)
        second = QRect(left, top + line, right - left, line)
        if session.unread:
            self._paint_dot(painter, right - 3, top + 1.5 * line, "accent_text", hollow=False)
            second.setRight(right - 14)
        state_role = "muted" if role == "outline" else role
        used = self._text(painter, small, state_role, second, self._model.state_text(session))
        rest = second.adjusted(used, 0, 0, 0)
        target = self._model.target_text(session)
        self._text(painter, small, "muted", rest, f" · {session.provider_name}" + (f" · {target}" if target else ""))

    def _paint_dot(self, painter: QPainter, x: float, y: float, role: str, *, hollow: bool) -> None:
        painter.setPen(self._color(role))
        painter.setBrush(Qt.BrushStyle.NoBrush if hollow else self._color(role))
        painter.drawEllipse(QRectF(x - 3.5, y - 3.5, 7, 7))

    def _text(self, painter: QPainter, font: QFont, role: str, where: QRect, text: str, *, right: bool = False) -> int:
        painter.setFont(font)
        painter.setPen(self._color(role))
        metrics = painter.fontMetrics()
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0, where.width()))
        painter.drawText(where, int(side | Qt.AlignmentFlag.AlignVCenter), shown)
        return metrics.horizontalAdvance(shown)
