"""The session list as a Qt model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from actions.catalog.views import SessionState, SessionView, Targets
from desktop.sessions.grouping import Group, group_rows

ROW = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex


class SessionListModel(QAbstractListModel):
    """Rows are headings (not selectable) and sessions; ``ROW`` gives the :class:`Group` or :class:`SessionView`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sessions: dict[str, SessionView] = {}
        self._rows: list[Group | SessionView] = []
        self._query = ""
        self._archived = False
        self.targets = Targets()

    def show_targets(self, targets: Targets) -> None:
        """Which sessions are meant without being named."""
        self.targets = targets
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

    def show_sessions(self, sessions: Iterable[SessionView]) -> None:
        """All that are not archived; an archived one that is known stays until it is told of again."""
        kept = {id: session for id, session in self._sessions.items() if session.archived}
        self._sessions = kept | {session.id: session for session in sessions}
        self._regroup()

    def upsert(self, session: SessionView) -> None:
        self._sessions[session.id] = session
        self._regroup()

    def remove(self, session_id: str) -> None:
        if self._sessions.pop(session_id, None) is not None:
            self._regroup()

    def filter(self, query: str) -> None:
        self._query = query
        self._regroup()

    def show_archived(self, archived: bool) -> None:
        """List the archived sessions instead of the others."""
        self._archived = archived
        self._regroup()

    def size(self) -> int:
        """How many sessions there are, whatever is listed of them."""
        return len(self._sessions)

    def session(self, session_id: str) -> SessionView | None:
        return self._sessions.get(session_id)

    def all(self) -> list[SessionView]:
        return list(self._sessions.values())

    def listed(self) -> list[SessionView]:
        """The sessions of the list in its order."""
        return [row for row in self._rows if isinstance(row, SessionView)]

    def row_of(self, session_id: str) -> int | None:
        return next((at for at, r in enumerate(self._rows) if isinstance(r, SessionView) and r.id == session_id), None)

    def first_session(self) -> SessionView | None:
        return next((row for row in self._rows if isinstance(row, SessionView)), None)

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name if isinstance(row, Group) else row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(row)
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        if isinstance(self._rows[index.row()], Group):
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def state_text(self, session: SessionView) -> str:
        """What a person is told about a session; waiting for them comes before everything else."""
        if session.waiting_for:
            return self.tr("waiting for you")
        if session.state is SessionState.STARTING and session.reason:
            return self.tr("still starting")
        return {
            SessionState.STARTING: self.tr("starting"),
            SessionState.IDLE: self.tr("idle"),
            SessionState.WORKING: self.tr("working"),
            SessionState.WAITING: self.tr("waiting for you"),
            SessionState.STOPPED: self.tr("stopped"),
            SessionState.FAILED: self.tr("failed"),
            SessionState.INTERRUPTED: self.tr("interrupted"),
        }[session.state]

    def target_text(self, session: SessionView) -> str:
        """Whether it is meant without being named; empty for most."""
        if session.id == self.targets.primary:
            return self.tr("primary")
        return self.tr("followed") if session.id in self.targets.tracked else ""

    def _spoken(self, row: Group | SessionView) -> str:
        if isinstance(row, Group):
            return self.tr("Workspace {0}, {1} sessions").format(row.name, row.count)
        unread = self.tr(", unread") if row.unread else ""
        target = f", {text}" if (text := self.target_text(row)) else ""
        return f"{row.title}, {row.provider_name}, {self.state_text(row)}{target}{unread}"

    def _regroup(self) -> None:
        rows = group_rows(self._sessions.values(), self._query, archived=self._archived)
        if [_key(row) for row in rows] == [_key(row) for row in self._rows]:
            for at, (old, new) in enumerate(zip(self._rows, rows, strict=True)):
                if old != new:
                    self._rows[at] = new
                    self.dataChanged.emit(self.index(at), self.index(at))
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()


def _key(row: Group | SessionView) -> tuple[str, str]:
    return ("group", row.path) if isinstance(row, Group) else ("session", row.id)
