"""The findings of a review: one row each, with its gravity, its place and its words."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel

from desktop.runs.facts import Finding
from desktop.theme.theme import Theme
from desktop.widgets.basics import FittingButton, IconLabel, button, column, label, line, row

_MOST = 40
"""Rows that a person reads here; the page of changes has a list for any number."""
_LOOKS = {"error": ("alert", "danger"), "warning": ("alert", "warning"), "note": ("question", "muted")}


class FindingList(QFrame):
    """All in one panel; words can be selected and copied. Its place leads to the line in the change."""

    place_asked = Signal(object)
    """The :class:`Finding` whose line is to be shown in the change; None for all of them."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "panel")
        self._theme = theme
        self._shown: list[Finding] = []
        self._inside = column(self, margin=(0, 4, 0, 4), gap=0)

    def show_findings(self, findings: Sequence[Finding]) -> None:
        if list(findings) == self._shown:
            return
        self._shown = list(findings)
        while (item := self._inside.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for at, finding in enumerate(self._shown[:_MOST]):
            if at:
                self._inside.addWidget(line())
            self._inside.addWidget(self._row(finding))
        if (more := len(self._shown) - _MOST) > 0:
            rest = button(self.tr("{0} more, in the change").format(more), kind="inline")
            rest.clicked.connect(lambda: self.place_asked.emit(None))
            self._inside.addWidget(rest, 0, Qt.AlignmentFlag.AlignLeft)

    def _row(self, finding: Finding) -> QFrame:
        result = QFrame()
        icon, role = _LOOKS.get(finding.severity, _LOOKS["note"])
        words = label(finding.text, wrap=True, selectable=True)
        place = FittingButton()
        place.setProperty("kind", "inline")
        place.setProperty("align", "left")
        place.setFont(self._theme.code_font)
        place.show_words(finding.place, self.tr("Show it in the change"))
        place.setAccessibleName(self.tr("Show in the change: {0}").format(finding.place))
        place.clicked.connect(lambda: self.place_asked.emit(finding))
        texts = column(gap=2)
        texts.addWidget(words)
        texts.addWidget(place, 0, Qt.AlignmentFlag.AlignLeft)
        inside = row(result, margin=(12, 8, 12, 8), gap=10)
        mark = IconLabel(self._theme, icon, role)
        mark.setToolTip(self._word(finding.severity))
        inside.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        inside.addLayout(texts, 1)
        gravity: QLabel = label(self._word(finding.severity), tone=f"chip-{role}" if role != "muted" else "chip")
        inside.addWidget(gravity, 0, Qt.AlignmentFlag.AlignTop)
        result.setAccessibleName(f"{self._word(finding.severity)}, {finding.place}: {finding.text}")
        return result

    def _word(self, severity: str) -> str:
        return {"error": self.tr("error"), "warning": self.tr("warning")}.get(severity, self.tr("note"))
