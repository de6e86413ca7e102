"""The options of a field as a Qt list model: thousands of them cost nothing until they are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from actions.catalog.options import Option

VALUE = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex


class OptionsModel(QAbstractListModel):
    """Options in the order in which they are offered."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._options: list[Option] = []

    def show_options(self, options: Sequence[Option]) -> None:
        self.beginResetModel()
        self._options = list(options)
        self.endResetModel()

    def add(self, option: Option) -> None:
        """Offer one more, below the others."""
        at = len(self._options)
        self.beginInsertRows(QModelIndex(), at, at)
        self._options.append(option)
        self.endInsertRows()

    def position(self, value: Any) -> int:
        """Where ``value`` is offered; -1 where it is not."""
        return next((at for at, option in enumerate(self._options) if option.value == value), -1)

    def value(self, at: int) -> Any:
        return self._options[at].value if 0 <= at < len(self._options) else None

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._options)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid() and self._options[index.row()].disabled:
            flags &= ~(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        return flags

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._options):
            return None
        option = self._options[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return option.label
        if role == VALUE:
            return option.value
        if role == Qt.ItemDataRole.ToolTipRole:
            return option.reason or option.description or None
        return None
