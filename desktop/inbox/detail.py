"""One request in full, and its answers."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QFormLayout, QFrame, QLabel, QPlainTextEdit, QPushButton, QScrollArea, QWidget

from actions.catalog.views import InboxKind, InboxRow
from desktop.inbox.choices import Answer, Choice, choices, takes_text
from desktop.inbox.delegate import ICONS
from desktop.inbox.model import InboxModel
from desktop.safety import SETTLE_SECONDS, SafeAnswer
from desktop.theme.theme import Theme
from desktop.transcript.cards.tool import CodeBlock, as_text
from desktop.widgets.basics import IconLabel, button, chip, column, label, line, restyle, row

_LONG = 100


class InboxDetail(QFrame):
    """Fields are shown in full and scroll; the answers stay below them. ``chosen`` carries request id, choice and the
    input."""

    chosen = Signal(str, object, dict)

    def __init__(self, theme: Theme, model: InboxModel, guard: SafeAnswer | None = None) -> None:
        super().__init__()
        self._theme = theme
        self._model = model
        self._guard = guard or SafeAnswer()
        self._row: InboxRow | None = None
        self._choices: list[Choice] = []
        self._buttons: list[QPushButton] = []
        self.setProperty("kind", "page")
        # A coarse timer may fire early, and the guard would not be ready yet.
        self._settled = QTimer(self, singleShot=True, interval=round(SETTLE_SECONDS * 1000) + 20)
        self._settled.setTimerType(Qt.TimerType.PreciseTimer)
        self._settled.timeout.connect(self._enable)
        self._build()

    def show_row(self, request: InboxRow | None) -> None:
        """Show a request; one that has just come up cannot be answered for a moment."""
        fresh = request is not None and (self._row is None or request.id != self._row.id)
        self._row = request
        self._guard.show(None if request is None else request.id)
        self.setVisible(request is not None)
        if request is None:
            return
        if fresh:
            self.feedback.clear()
            self._problem.hide()
            self._scroll.verticalScrollBar().setValue(0)
            self._settled.start()
        self._fill(request)
        self._enable()

    def failed(self, request_id: str, message: str) -> None:
        """The answer did not arrive; it may be given again."""
        self._guard.give_back(request_id)
        if self._row is not None and self._row.id == request_id:
            self._problem.setText(message)
            self._problem.show()
            self._enable()

    def again(self, request_id: str) -> None:
        """What was chosen decided nothing; it may be chosen again."""
        self._guard.give_back(request_id)
        self._enable()

    def answer(self, number: int) -> None:
        """Give the answer of button ``number`` (from 0), if it may be given now."""
        if self._row is None or number >= len(self._choices):
            return
        choice = self._choices[number]
        text = self.feedback.toPlainText()
        if choice.needs_text and not text.strip():
            self._problem.setText(self.tr("Write it into the field first."))
            self._problem.show()
            self.feedback.setFocus()
            return
        if self._guard.take(self._row.id):
            self._problem.hide()
            for widget in self._buttons:
                widget.setEnabled(False)
            self.chosen.emit(self._row.id, choice, choice.filled(text))

    def takes_key(self, event: QKeyEvent) -> bool:
        """Answer by the number of a button; True when the key was one."""
        number = event.key() - Qt.Key.Key_1
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if not plain or not 0 <= number < 9 or self.feedback.hasFocus():
            return False
        if not event.isAutoRepeat():
            self.answer(number)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.takes_key(event):
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        # The time to read begins when the request is on the screen, not when it was loaded behind another page.
        super().showEvent(event)
        if self._row is not None:
            self._guard.show(None)
            self._guard.show(self._row.id)
            self._settled.start()
            self._enable()

    def _build(self) -> None:
        canvas = QWidget()
        canvas.setProperty("kind", "canvas")
        inside = column(canvas, margin=(32, 24, 32, 12), gap=12)
        self._scroll = scroll = QScrollArea()
        scroll.setProperty("kind", "plain")
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setAccessibleName(self.tr("The request"))
        foot = column(margin=(32, 12, 32, 16), gap=10)
        self._icon = IconLabel(self._theme, "shield")
        self._kind = chip()
        self._title = label(tone="heading", wrap=True, selectable=True)
        self._who = label(tone="muted", wrap=True)
        self._summary = label(wrap=True, selectable=True)
        top = row()
        top.addWidget(self._icon)
        top.addWidget(self._kind)
        top.addStretch()
        self._fields = QFormLayout()
        self._fields.setHorizontalSpacing(24)
        self._fields.setVerticalSpacing(8)
        self._fields.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._fields.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._detail = CodeBlock(self._theme)
        self._detail.setAccessibleName(self.tr("Details"))
        self._releases = label(tone="warning", wrap=True)
        self._feedback_title = label(tone="strong")
        self.feedback = QPlainTextEdit()
        self.feedback.setProperty("kind", "field")
        self.feedback.setTabChangesFocus(True)
        self.feedback.setFixedHeight(72)
        self._feedback_title.setBuddy(self.feedback)
        self._problem = label(tone="danger", wrap=True)
        self._problem.hide()
        self._row_of_buttons = row()
        self._row_of_buttons.addStretch()
        inside.addLayout(top)
        for widget in (self._title, self._who, self._summary):
            inside.addWidget(widget)
        inside.addLayout(self._fields)
        for widget in (self._detail, self._releases):
            inside.addWidget(widget)
        inside.addStretch()
        for widget in (self._feedback_title, self.feedback, self._problem):
            foot.addWidget(widget)
        foot.addLayout(self._row_of_buttons)
        scroll.setWidget(canvas)
        outside = column(self, gap=0)
        outside.addWidget(scroll, 1)
        outside.addWidget(line())
        outside.addLayout(foot)

    def _fill(self, request: InboxRow) -> None:
        self._icon.set_icon(*ICONS[request.kind])
        self._kind.setText(self._model.kind_text(request.kind))
        title = self._model.headline(request)
        self._title.setText(title)
        asked = self.tr("Asked by {0}").format(request.asked_by)
        if request.session_title and request.asked_by == request.session_id:
            asked = self.tr("Asked by the session {0}").format(request.session_title)
        elif request.session_title:
            asked = f"{asked} · {request.session_title}"
        self._who.setText(asked)
        self._summary.setText(request.summary)
        self._summary.setVisible(bool(request.summary) and request.summary != title)
        while self._fields.rowCount():
            self._fields.removeRow(0)
        for entry in request.fields:
            value = label(entry.value or self.tr("not set"), wrap=True, selectable=True)
            if len(entry.value) > _LONG or "\n" in entry.value:
                self._fields.addRow(self._field_title(entry.title))
                self._fields.addRow(value)
            else:
                self._fields.addRow(self._field_title(entry.title), value)
        # The rows of an approval are complete; of a provider's request only the raw call is.
        detail = "" if request.kind is InboxKind.APPROVAL else as_text(request.detail)
        self._detail.setVisible(bool(detail))
        self._detail.show_text(detail)
        self._releases.setVisible(bool(request.releases))
        self._releases.setText(self.tr("This also releases: {0}").format(", ".join(request.releases)))
        has_text = takes_text(request)
        question = request.kind.value == "question"
        self._feedback_title.setVisible(has_text)
        self._feedback_title.setText(self.tr("Your answer") if question else self.tr("Feedback, sent when you reject"))
        self.feedback.setVisible(has_text)
        self.feedback.setAccessibleName(self._feedback_title.text())
        self._make_buttons(request)

    def _field_title(self, text: str) -> QLabel:
        result = label(text, tone="muted")
        result.setMinimumWidth(120)
        return result

    def _make_buttons(self, request: InboxRow) -> None:
        self._choices = choices(request)
        while len(self._buttons) < len(self._choices):
            added = button("")
            added.clicked.connect(partial(self.answer, len(self._buttons)))
            self._buttons.append(added)
            self._row_of_buttons.insertWidget(len(self._buttons) - 1, added)
        for number, widget in enumerate(self._buttons):
            widget.setVisible(number < len(self._choices))
            if number < len(self._choices):
                choice = self._choices[number]
                text = choice.label or self._word(choice.answer)
                widget.setText(text)
                widget.setAccessibleName(f"{text}: {request.title}")
                widget.setToolTip(self.tr("Key {0}").format(number + 1))
                restyle(widget, kind="primary" if choice.main else "normal")

    def _word(self, answer: Answer) -> str:
        return {
            Answer.APPROVE: self.tr("Approve once"),
            Answer.REJECT: self.tr("Reject"),
            Answer.LATER: self.tr("Later"),
            Answer.SEND: self.tr("Send answer"),
            Answer.REQUEST_CHANGES: self.tr("Ask for changes"),
            Answer.OPEN_RUN: self.tr("Open the run"),
            Answer.OPTION: "",
        }[answer]

    def _enable(self) -> None:
        for number, widget in enumerate(self._buttons):
            widget.setEnabled(number < len(self._choices) and self._guard.ready())
