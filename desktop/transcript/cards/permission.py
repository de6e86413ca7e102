"""The agent asks whether it may do something. One answer settles one request."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QPushButton

from desktop.safety import SafeAnswer
from desktop.theme.theme import Theme
from desktop.transcript.cards.base import Card
from desktop.transcript.cards.tool import CodeBlock, as_text, shorten
from desktop.transcript.markdown import MarkdownBody
from desktop.transcript.model import Item
from desktop.widgets.basics import IconLabel, button, label, restyle, row


class PermissionCard(Card):
    """What is asked, in full, and the options that the agent offers. An option is answered by its id."""

    ground = "warning_tint"
    margins = (14, 10, 12, 10)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._title = label(tone="strong", wrap=True)
        self._input = CodeBlock(theme)
        self._plan = MarkdownBody(theme)
        self._plan.setAccessibleName(self.tr("The plan"))
        self._plan.link_asked.connect(self.link_asked)
        self._state = label(tone="muted", wrap=True)
        self._buttons: list[QPushButton] = []
        self._guard = SafeAnswer()
        self._row = row()
        self._row.addStretch()
        top = row(gap=10)
        top.addWidget(IconLabel(theme, "shield", "warning"))
        top.addWidget(self._title, 1)
        self.content.setSpacing(8)
        self.content.addLayout(top)
        self.content.addWidget(self._input)
        self.content.addWidget(self._plan)
        self.content.addWidget(self._state)
        self.content.addLayout(self._row)

    def fill(self, item: Item, expanded: bool, width: int) -> None:
        options = list(item.data.get("options") or ())
        answer = item.data.get("answer")
        plan = str(item.data.get("plan") or "")
        asked, _ = ("", False) if plan else shorten(as_text(item.data.get("input")), 10, 4)
        self._plan.setVisible(bool(plan))
        if plan:
            self._plan.show_markdown(plan, width)
        self._guard.show(item.id)
        self._title.setText(item.text)
        self._input.setVisible(bool(asked))
        self._input.setAccessibleName(self.tr("What is asked"))
        if asked:
            self._input.show_text(asked)
        names = {str(option["id"]): str(option["name"]) for option in options}
        self._state.setVisible(answer is not None)
        self._state.setText(self.tr("Answered: {0}").format(names.get(str(answer), str(answer))))
        while len(self._buttons) < len(options):
            added = button("")
            added.clicked.connect(partial(self._answer, len(self._buttons)))
            self._buttons.append(added)
            self._row.insertWidget(len(self._buttons) - 1, added)
        for number, widget in enumerate(self._buttons):
            widget.setVisible(answer is None and number < len(options))
            if number < len(options):
                widget.setText(str(options[number]["name"]))
                widget.setAccessibleName(f"{options[number]['name']}: {item.text}")
                restyle(widget, kind="primary" if options[number].get("kind") == "allow_once" else "normal")
        self.setAccessibleName(self.tr("Permission asked: {0}").format(item.text))

    def release(self) -> None:
        self._plan.forget()

    def is_held(self) -> bool:
        return super().is_held() or self._plan.has_selection()

    def _answer(self, number: int) -> None:
        if self.item is None or self.item.data.get("answer") is not None:
            return
        options = list(self.item.data.get("options") or ())
        if number < len(options) and self._guard.take(self.item.id):
            self.answered.emit(self.item.id, str(options[number]["id"]))
