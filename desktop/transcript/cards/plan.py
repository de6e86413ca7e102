"""The agent's plan as a checklist."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from desktop.theme.theme import Theme
from desktop.transcript.cards.base import Card
from desktop.transcript.model import Item
from desktop.widgets.basics import IconLabel, column, label, restyle, row

_ICONS = {"completed": ("check", "success"), "in_progress": ("runs", "accent_text"), "pending": ("clock", "muted")}


class _Entry(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.icon = IconLabel(theme, "clock")
        self.text: QLabel = label(wrap=True)
        inside = row(self, gap=10)
        inside.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignTop)
        inside.addWidget(self.text, 1)


class PlanCard(Card):
    """Entries with their state; the count of finished ones in the caption."""

    ground = "raised"
    edge = "border"
    margins = (12, 10, 12, 10)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._caption = label(tone="strong")
        self._count = label(tone="small")
        top = row()
        top.addWidget(IconLabel(theme, "plan"))
        top.addWidget(self._caption)
        top.addStretch()
        top.addWidget(self._count)
        self._list = column(gap=6)
        self._entries: list[_Entry] = []
        self.content.setSpacing(8)
        self.content.addLayout(top)
        self.content.addLayout(self._list)

    def fill(self, item: Item, expanded: bool, width: int) -> None:
        entries = list(item.data.get("entries") or ())
        while len(self._entries) < len(entries):
            self._entries.append(_Entry(self.theme))
            self._list.addWidget(self._entries[-1])
            self.nested.append(self._entries[-1])
        done = 0
        for number, widget in enumerate(self._entries):
            widget.setVisible(number < len(entries))
            if number < len(entries):
                status = str(entries[number].get("status") or "pending")
                done += status == "completed"
                widget.icon.set_icon(*_ICONS.get(status, _ICONS["pending"]))
                widget.text.setText(str(entries[number].get("content") or ""))
                restyle(widget.text, tone="muted" if status == "completed" else "body")
        self._caption.setText(self.tr("Plan"))
        self._count.setText(self.tr("{0} of {1} done").format(done, len(entries)))
        self.setAccessibleName(self.tr("Plan, {0} of {1} done").format(done, len(entries)))
