"""The inbox as a Qt list model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from actions.catalog.views import InboxKind, InboxRow

ROW = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex


_STRENGTH = {InboxKind.FAILED_RUN: 1}
"""What holds an agent up comes before what has failed and waits for nobody."""


class InboxModel(QAbstractListModel):
    """Requests, what holds somebody up first; among these the newest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[InboxRow] = []

    def show_rows(self, rows: Iterable[InboxRow]) -> None:
        wanted = sorted(rows, key=lambda row: (_STRENGTH.get(row.kind, 0), -row.created))
        if wanted and [row.id for row in wanted] == [row.id for row in self._rows]:
            for at, row in enumerate(wanted):
                if row != self._rows[at]:
                    self._rows[at] = row
                    self.dataChanged.emit(self.index(at), self.index(at))
            return
        self.beginResetModel()
        self._rows = wanted
        self.endResetModel()

    def row(self, request_id: str) -> InboxRow | None:
        return next((row for row in self._rows if row.id == request_id), None)

    def at(self, position: int) -> InboxRow | None:
        return self._rows[position] if 0 <= position < len(self._rows) else None

    def position(self, request_id: str) -> int | None:
        return next((at for at, row in enumerate(self._rows) if row.id == request_id), None)

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return self.headline(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            by = row.session_title or row.asked_by
            return self.tr("{0}: {1}, asked by {2}").format(self.kind_text(row.kind), self.headline(row), by)
        return None

    def headline(self, row: InboxRow) -> str:
        """What is asked. The title of what an agent asks names only its kind; its summary says what it is about."""
        own = row.kind in (InboxKind.PERMISSION, InboxKind.QUESTION, InboxKind.EXIT_PLAN)
        return next((part for part in row.summary.splitlines() if part.strip()), row.title) if own else row.title

    def kind_text(self, kind: InboxKind) -> str:
        """An approval is of an action of ours, a permission is a provider's: different words."""
        return {
            InboxKind.APPROVAL: self.tr("Approval"),
            InboxKind.PERMISSION: self.tr("Permission"),
            InboxKind.QUESTION: self.tr("Question"),
            InboxKind.EXIT_PLAN: self.tr("Plan to review"),
            InboxKind.FAILED_RUN: self.tr("Failed run"),
        }[kind]
