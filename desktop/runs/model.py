"""The runs as a Qt list model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from actions.catalog.views import RunKind, RunState, RunView

ROW = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex


class RunListModel(QAbstractListModel):
    """Runs at work first, then the newest."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs: list[RunView] = []

    def show_runs(self, runs: Iterable[RunView]) -> None:
        self.beginResetModel()
        self._runs = sorted(runs, key=lambda run: (run.state.ended, -run.created))
        self.endResetModel()

    def upsert(self, run: RunView) -> None:
        at = self.position(run.id)
        if at is not None and self._runs[at].state.ended == run.state.ended:
            self._runs[at] = run
            self.dataChanged.emit(self.index(at), self.index(at))
        else:
            self.show_runs([*(known for known in self._runs if known.id != run.id), run])

    def all(self) -> list[RunView]:
        return list(self._runs)

    def run(self, run_id: str) -> RunView | None:
        return next((run for run in self._runs if run.id == run_id), None)

    def position(self, run_id: str) -> int | None:
        return next((at for at, run in enumerate(self._runs) if run.id == run_id), None)

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._runs)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._runs):
            return None
        run = self._runs[index.row()]
        if role == ROW:
            return run
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{self.kind_text(run.kind)}, {run.provider}, {self.state_text(run.state)}"
        return None

    def kind_text(self, kind: RunKind) -> str:
        return {
            RunKind.REVIEW: self.tr("Review run"),
            RunKind.PLAN: self.tr("Plan run"),
            RunKind.DELEGATE: self.tr("Delegated run"),
        }[kind]

    def state_text(self, state: RunState) -> str:
        return {
            RunState.QUEUED: self.tr("queued"),
            RunState.RUNNING: self.tr("running"),
            RunState.SUCCEEDED: self.tr("succeeded"),
            RunState.FAILED: self.tr("failed"),
            RunState.CANCELLED: self.tr("cancelled"),
            RunState.INTERRUPTED: self.tr("interrupted"),
        }[state]
