"""Rows of a title and what stands beside it, made anew whenever they change."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QWidget

from desktop.widgets.basics import column


class FormRows(QWidget):
    """Each :meth:`begin` gives an empty form; the one before goes when Qt next has time.

    ``QFormLayout.removeRow`` ends a widget at once, also one that Qt still draws or reads out: the process was seen to
    end with it.
    """

    def __init__(self, spacing: int) -> None:
        super().__init__()
        self._spacing = spacing
        self._inside = column(self, gap=0)
        self._holder: QWidget | None = None

    def begin(self) -> QFormLayout:
        """A form without rows, in the place of the one before."""
        if self._holder is not None:
            self._inside.removeWidget(self._holder)
            self._holder.hide()
            self._holder.deleteLater()
        self._holder = QWidget()
        form = QFormLayout(self._holder)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(24)
        form.setVerticalSpacing(self._spacing)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._inside.addWidget(self._holder)
        return form
