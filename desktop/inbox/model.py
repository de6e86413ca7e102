"""The inbox as a Qt list model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from actions.catalog.views import InboxKind, InboxRow

ROW = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex


_STRENGTH = {
    InboxKind.PERMISSION: 0,
    InboxKind.APPROVAL: 1,
    InboxKind.QUESTION: 2,
    InboxKind.EXIT_PLAN: 3,
    InboxKind.FAILED_RUN: 4,
}
"""An agent stands still, a call stands still, a question, a plan, something to look at; as the host orders them."""
_FAILED = _STRENGTH[InboxKind.FAILED_RUN]


class InboxModel(QAbstractListModel):
    """One row a session, with its strongest reason; the others follow it while the session is open.

    What holds somebody up comes before what has failed; among these the newest first. What no session asked is a row
    of its own.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._groups: list[list[InboxRow]] = []
        self._rows: list[InboxRow] = []
        self._opened: str | None = None

    def show_rows(self, rows: Iterable[InboxRow]) -> None:
        groups: dict[str, list[InboxRow]] = {}
        for row in sorted(rows, key=lambda row: (_STRENGTH[row.kind], -row.created)):
            groups.setdefault(_key(row), []).append(row)
        self._groups = sorted(
            groups.values(),
            key=lambda group: (_STRENGTH[group[0].kind] >= _FAILED, -max(row.created for row in group)),
        )
        self._show()

    def open(self, row: InboxRow) -> bool:
        """Show all that the session of a request asks; whether that changed the rows."""
        if self._opened == _key(row):
            return False
        self._opened = _key(row)
        before = [shown.id for shown in self._rows]
        self._show()
        return before != [shown.id for shown in self._rows]

    def more(self, row: InboxRow) -> int:
        """How many requests of its session stand behind a row, not shown."""
        group = self._group(row.id)
        leads = group is not None and group[0].id == row.id and self._opened != _key(row)
        return len(group) - 1 if leads and group is not None else 0

    def follows(self, row: InboxRow) -> bool:
        """Whether a row belongs below the one before it."""
        group = self._group(row.id)
        return group is not None and group[0].id != row.id

    def all(self) -> list[InboxRow]:
        """Every request, shown or behind another."""
        return [row for group in self._groups for row in group]

    def row(self, request_id: str) -> InboxRow | None:
        return next((row for row in self.all() if row.id == request_id), None)

    def at(self, position: int) -> InboxRow | None:
        return self._rows[position] if 0 <= position < len(self._rows) else None

    def position(self, request_id: str) -> int | None:
        """Where a request is shown; one that stands behind another is brought out."""
        if (row := self.row(request_id)) is not None and row not in self._rows:
            self.open(row)
        return next((at for at, row in enumerate(self._rows) if row.id == request_id), None)

    def opened_at(self) -> int | None:
        """Where the session that is open begins; None when nothing of it waits any more."""
        return next((at for at, row in enumerate(self._rows) if _key(row) == self._opened), None)

    def _group(self, request_id: str) -> list[InboxRow] | None:
        return next((group for group in self._groups if any(row.id == request_id for row in group)), None)

    def _show(self) -> None:
        wanted = [row for group in self._groups for row in (group if _key(group[0]) == self._opened else group[:1])]
        if wanted and [row.id for row in wanted] == [row.id for row in self._rows]:
            for at, row in enumerate(wanted):
                if row != self._rows[at]:
                    self._rows[at] = row
                    self.dataChanged.emit(self.index(at), self.index(at))
            return
        self.beginResetModel()
        self._rows = wanted
        self.endResetModel()

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
            said = self.tr("{0}: {1}, asked by {2}").format(self.kind_text(row.kind), self.headline(row), by)
            more = self.more(row)
            return self.tr("{0}, and {1} more of this session").format(said, more) if more else said
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


def _key(row: InboxRow) -> str:
    return row.session_id or row.id
