"""The form card: what was heard, what it means, and a yes or no."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame

from desktop.safety import SafeAnswer
from desktop.theme.theme import Theme
from desktop.voicebar.state import VoiceCard
from desktop.widgets.basics import IconLabel, button, chip, column, label, restyle, row
from desktop.widgets.rows import FormRows

SURE, LIKELY = 0.85, 0.6


class CardView(QFrame):
    """Confirm, cancel, or open the same action in the launcher to change it."""

    confirmed = Signal()
    cancelled = Signal()
    edit_asked = Signal(str, dict)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "panel")
        self._guard = SafeAnswer()
        self._card: VoiceCard | None = None
        self._heard = label(tone="muted", wrap=True)
        self._title = label(tone="heading", wrap=True)
        self._sure = chip()
        self._fields = FormRows(6)
        self._question = label(tone="warning", wrap=True)
        self.confirm = button("", kind="primary")
        self.edit = button(self.tr("Edit…"))
        self.cancel = button(self.tr("Cancel"))
        self.confirm.clicked.connect(self._confirm)
        self.edit.clicked.connect(self._edit)
        self.cancel.clicked.connect(self.cancelled)
        heard = row(gap=8)
        heard.addWidget(IconLabel(theme, "mic", "accent_text"), 0, Qt.AlignmentFlag.AlignTop)
        heard.addWidget(self._heard, 1)
        top = row()
        top.addWidget(self._title, 1)
        top.addWidget(self._sure, 0, Qt.AlignmentFlag.AlignTop)
        foot = row()
        foot.addWidget(self.confirm)
        foot.addWidget(self.edit)
        foot.addWidget(self.cancel)
        foot.addStretch()
        inside = column(self, margin=(16, 14, 16, 14), gap=10)
        inside.addLayout(heard)
        inside.addLayout(top)
        inside.addWidget(self._fields)
        inside.addWidget(self._question)
        inside.addLayout(foot)

    def show_card(self, card: VoiceCard, *, running: bool = False) -> None:
        self._card = card
        self._guard.show(f"{card.heard}\0{card.action}\0{card.readback}")
        self._heard.setText(f"“{card.heard}”")
        self._title.setText(card.title)
        percent = round(card.confidence * 100)
        tone = "success" if card.confidence >= SURE else "warning" if card.confidence >= LIKELY else "danger"
        self._sure.setText(self.tr("{0} % sure").format(percent))
        restyle(self._sure, tone=f"chip-{tone}")
        rows = self._fields.begin()
        for entry in card.fields:
            title = label(entry.title, tone="muted")
            title.setMinimumWidth(112)
            value = label(entry.value or self.tr("still missing"), wrap=True)
            if entry.missing:
                value.setProperty("tone", "warning")
            rows.addRow(title, value)
        self._question.setText(card.question)
        self._question.setVisible(bool(card.question))
        self.confirm.setText(self.tr("Running…") if running else self.tr("Confirm"))
        self.confirm.setAccessibleName(self.tr("Confirm: {0}").format(card.readback or card.title))
        self.confirm.setEnabled(card.confirmable and not running)
        self.confirm.setVisible(card.confirmable)
        restyle(self.edit, kind="normal" if card.confirmable else "primary")
        self.edit.setText(self.tr("Edit…") if card.confirmable else self.tr("Fill in…"))
        self.edit.setAccessibleName(self.tr("Open {0} in the form").format(card.title))
        self.edit.setEnabled(not running)
        restyle(self.confirm, kind="danger" if card.danger else "primary")
        self.setAccessibleName(self.tr("Heard: {0}. {1}").format(card.heard, card.readback or card.title))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def _confirm(self) -> None:
        card = self._card
        if card is not None and self._guard.take(f"{card.heard}\0{card.action}\0{card.readback}"):
            self.confirmed.emit()

    def _edit(self) -> None:
        if self._card is not None:
            self.edit_asked.emit(self._card.action, dict(self._card.input))
