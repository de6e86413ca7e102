"""Cards that are mostly text: what the user wrote, what the agent answered and thought, errors and notices."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel

from desktop.theme.theme import Theme
from desktop.transcript.cards.base import Card
from desktop.transcript.markdown import MarkdownBody, settled_length
from desktop.transcript.model import Item
from desktop.widgets.basics import IconLabel, button, label, row


def _selectable(text: QLabel) -> QLabel:
    text.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    text.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # the card has the menu
    return text


class UserCard(Card):
    """The user's own words, as they were typed."""

    ground = "accent_tint"
    margins = (14, 10, 14, 10)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._text = _selectable(label(wrap=True))
        self.content.addWidget(self._text)

    def fill(self, item: Item, expanded: bool, width: int) -> None:
        self._text.setText(item.text)
        self._text.setAccessibleName(self.tr("You wrote: {0}").format(item.text))
        self.setAccessibleName(self.tr("Your message"))

    def is_held(self) -> bool:
        return super().is_held() or self._text.hasSelectedText()


class AgentCard(Card):
    """The agent's answer. While it streams, finished blocks stay parsed and only the tail is parsed again."""

    margins = (2, 2, 2, 6)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.content.setSpacing(0)
        self._settled = MarkdownBody(theme)
        self._tail = MarkdownBody(theme)
        for body in (self._settled, self._tail):
            body.link_asked.connect(self.link_asked)
            self.content.addWidget(body)

    def fill(self, item: Item, expanded: bool, width: int) -> None:
        at = settled_length(item.text) if item.streaming else len(item.text)
        self._show(self._settled, item.text[:at], width)
        self._show(self._tail, item.text[at:], width)
        self.setAccessibleName(self.tr("Agent's answer"))
        for body in (self._settled, self._tail):
            body.setAccessibleName(self.tr("Agent's answer"))

    def release(self) -> None:
        self._settled.forget()
        self._tail.forget()

    def is_held(self) -> bool:
        return super().is_held() or self._settled.has_selection() or self._tail.has_selection()

    @staticmethod
    def _show(body: MarkdownBody, text: str, width: int) -> None:
        body.setVisible(bool(text.strip()))
        if text.strip():
            body.show_markdown(text, width)


class ThoughtCard(Card):
    """What the agent thought: one quiet line, folded until it is asked for."""

    margins = (0, 0, 0, 0)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._fold = button("", kind="quiet")
        self._fold.clicked.connect(self._toggle)
        self._body = MarkdownBody(theme)
        self._body.link_asked.connect(self.link_asked)
        self._expanded = False
        top = row()
        top.addWidget(self._fold)
        top.addStretch()
        self.content.addLayout(top)
        inside = row(margin=(28, 0, 0, 4))
        inside.addWidget(self._body)
        self.content.addLayout(inside)

    def fill(self, item: Item, expanded: bool, width: int) -> None:
        self._expanded = expanded
        self._fold.setIcon(self.theme.icon("chevron-down" if expanded else "chevron-right"))
        self._fold.setText(self.tr("Thinking…") if item.streaming else self.tr("Thought"))
        self._fold.setAccessibleName(self.tr("Hide the thought") if expanded else self.tr("Show the thought"))
        self._body.setVisible(expanded)
        self._body.setAccessibleName(self.tr("Thought"))
        if expanded:
            self._body.show_markdown(item.text, width - 28)

    def _toggle(self) -> None:
        if self.item is not None:
            self.toggled.emit(self.item.id, not self._expanded)

    def release(self) -> None:
        self._body.forget()

    def is_held(self) -> bool:
        return super().is_held() or self._body.has_selection()


class ErrorCard(Card):
    """Something failed; the whole message, never cut off."""

    ground = "danger_tint"
    margins = (12, 10, 12, 10)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._icon = IconLabel(theme, "alert", "danger")
        self._text = _selectable(label(wrap=True))
        line = row(gap=10)
        line.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self._text, 1)
        self.content.addLayout(line)

    def fill(self, item: Item, expanded: bool, width: int) -> None:
        self._text.setText(item.text)
        self._text.setAccessibleName(self.tr("Error: {0}").format(item.text))
        self.setAccessibleName(self.tr("Error"))


class NoticeCard(Card):
    """A quiet line between the others: the mode changed, the agent was stopped."""

    margins = (0, 4, 0, 4)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._text = label(tone="small", wrap=True)
        self._text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.content.addWidget(self._text)
        self.run = button(self.tr("Show the run"))
        self.run.clicked.connect(lambda: self.item and self.run_asked.emit(self.item.data["run_id"]))
        self.content.addWidget(self.run, 0, Qt.AlignmentFlag.AlignHCenter)

    def fill(self, item: Item, expanded: bool, width: int) -> None:
        self._text.setText(item.text)
        self.run.setVisible("run_id" in item.data)
        self.setAccessibleName(item.text)

    def paintEvent(self, event: QPaintEvent) -> None:
        wide = self._text.fontMetrics().horizontalAdvance(self._text.text()) + 24
        side = (self.width() - wide) / 2
        if side < 16 or not self.run.isHidden():
            return
        painter = QPainter(self)
        middle = self.height() / 2
        for left in (0.0, self.width() - side):
            painter.fillRect(QRectF(left, middle, side, 1), self.color("border"))
