"""The servers as a Qt list model: what is configured, with what is known of each connection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from actions.catalog.server_use_views import ServerState
from actions.catalog.server_views import ServerView
from desktop.settings.server_words import state_text
from desktop.theme.spacing import SMALL_RADIUS
from desktop.theme.theme import Theme

ROW = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex
_ROLES = {"connected": "success", "failed": "danger", "unauthorized": "warning", "connecting": "accent_text"}


class ServerListModel(QAbstractListModel):
    """Servers by name."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[ServerView] = []
        self._states: dict[str, ServerState] = {}

    def show_servers(self, servers: Iterable[ServerView]) -> None:
        wanted = sorted(servers, key=lambda server: server.name)
        if wanted and [row.name for row in wanted] == [row.name for row in self._rows]:
            self._rows = wanted
            self.dataChanged.emit(self.index(0), self.index(len(wanted) - 1))
            return
        self.beginResetModel()
        self._rows = wanted
        self.endResetModel()

    def show_states(self, states: Mapping[str, ServerState]) -> None:
        """How the connections stand; empty where nothing was asked."""
        self._states = dict(states)
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

    def server(self, name: str | None) -> ServerView | None:
        return next((row for row in self._rows if row.name == name), None)

    def state(self, name: str) -> ServerState | None:
        return self._states.get(name)

    def position(self, name: str | None) -> int | None:
        return next((at for at, row in enumerate(self._rows) if row.name == name), None)

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title or row.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.title or row.name}, {self.word(row)}"
        return None

    def word(self, row: ServerView) -> str:
        """The state in a word: the connection's where it is known, else whether the server is on."""
        state = self.state(row.name)
        if row.problem:
            return self.tr("Needs attention")
        if state is not None and state.trust not in (None, "own", "trusted"):
            return self.tr("Not trusted yet")
        if state is not None:
            return state_text(state.state)
        return self.tr("On") if row.enabled else self.tr("Off")

    def role(self, row: ServerView) -> str:
        """The colour role of that word."""
        state = self.state(row.name)
        if row.problem or (state is not None and state.trust not in (None, "own", "trusted")):
            return "warning"
        return "muted" if state is None else _ROLES.get(state.state, "muted")


class ServerDelegate(QStyledItemDelegate):
    """Name above, state with a dot below."""

    def __init__(self, theme: Theme, model: ServerListModel) -> None:
        super().__init__()
        self._theme = theme
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(0, 2 * option.fontMetrics.height() + 14)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        server = index.data(ROW)
        if not isinstance(server, ServerView):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            selected = bool(option.state & QStyle.StateFlag.State_Selected)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._color("selected" if selected else "hover"))
            painter.drawRoundedRect(QRectF(option.rect).adjusted(4, 1, -4, -1), SMALL_RADIUS, SMALL_RADIUS)
        line = option.fontMetrics.height()
        left, width, top = option.rect.left() + 14, option.rect.width() - 28, option.rect.top() + 7
        self._text(painter, option.font, "text", QRect(left, top, width, line), server.title or server.name)
        small = QFont(option.font)
        small.setPointSizeF(small.pointSizeF() - 1)
        role = self._model.role(server)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._color(role))
        painter.drawEllipse(QRectF(left, top + line + line / 2 - 3, 6, 6))
        where = QRect(left + 12, top + line, width - 12, line)
        self._text(painter, small, "muted" if role == "success" else role, where, self._model.word(server))
        painter.restore()

    def _color(self, role: str) -> QColor:
        return QColor(getattr(self._theme.scheme, role))

    def _text(self, painter: QPainter, font: QFont, role: str, where: QRect, text: str) -> None:
        painter.setFont(font)
        painter.setPen(self._color(role))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, max(0, where.width()))
        painter.drawText(where, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)
