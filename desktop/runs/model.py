"""The runs as a Qt list model."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from actions.catalog.views import RunKind, RunState, RunView

ROW = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex


def _place(run: RunView) -> tuple[bool, int, str]:
    return run.state.ended, -run.created, run.id


class RunListModel(QAbstractListModel):
    """Runs at work first, then the newest."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs: list[RunView] = []

    def show_runs(self, runs: Iterable[RunView]) -> None:
        self.beginResetModel()
        self._runs = sorted(runs, key=_place)
        self.endResetModel()

    def upsert(self, run: RunView) -> None:
        """Put a run in, or change it where it is; it moves to its place without the others losing theirs."""
        at = self.position(run.id)
        if at is None:
            to = bisect_left(self._runs, _place(run), key=_place)
            self.beginInsertRows(QModelIndex(), to, to)
            self._runs.insert(to, run)
            self.endInsertRows()
            return
        others = [known for known in self._runs if known.id != run.id]
        to = bisect_left(others, _place(run), key=_place)
        if to != at:
            self.beginMoveRows(QModelIndex(), at, at, QModelIndex(), to + (to > at))
            self._runs = [*others[:to], run, *others[to:]]
            self.endMoveRows()
        self._runs[to] = run
        self.dataChanged.emit(self.index(to), self.index(to))

    def extend(self, runs: Iterable[RunView]) -> None:
        """Put older ones in, where they are not there yet."""
        known = {run.id for run in self._runs}
        for run in runs:
            if run.id not in known:
                self.upsert(run)

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
            stale = f", {self.stale_text()}" if run.stale else ""
            what = f": {run.instructions.splitlines()[0]}" if run.instructions.strip() else ""
            return f"{self.kind_text(run.kind)}, {run.provider}, {self.state_text(run.state)}{stale}{what}"
        return None

    def stale_text(self) -> str:
        """That HEAD has moved on since a review."""
        return self.tr("stale")

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
