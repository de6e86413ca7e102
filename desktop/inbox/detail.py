"""One request in full, and its answers."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFormLayout, QLabel, QPlainTextEdit, QPushButton, QScrollArea, QWidget

from actions.catalog.views import InboxKind, InboxRow
from desktop.inbox.choices import Answer, Choice, choices, takes_text
from desktop.inbox.delegate import ICONS
from desktop.inbox.model import InboxModel
from desktop.safety import SETTLE_SECONDS, SafeAnswer
from desktop.theme.theme import Theme
from desktop.transcript.cards.tool import CodeBlock, as_text
from desktop.widgets.basics import IconLabel, button, chip, column, label, restyle, row


class InboxDetail(QScrollArea):
    """Fields are shown in full before anything can be answered. ``chosen`` carries request id, choice and the input."""

    chosen = Signal(str, object, dict)

    def __init__(self, theme: Theme, model: InboxModel, guard: SafeAnswer | None = None) -> None:
        super().__init__()
        self._theme = theme
        self._model = model
        self._guard = guard or SafeAnswer()
        self._row: InboxRow | None = None
        self._choices: list[Choice] = []
        self._buttons: list[QPushButton] = []
        self.setProperty("kind", "plain")
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = event.key() - Qt.Key.Key_1
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if plain and 0 <= number < 9 and not self.feedback.hasFocus():
            self.answer(number)
        else:
            super().keyPressEvent(event)

    def _build(self) -> None:
        canvas = QWidget()
        canvas.setProperty("kind", "canvas")
        inside = column(canvas, margin=(32, 24, 32, 24), gap=12)
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
        for widget in (self._detail, self._releases, self._feedback_title, self.feedback, self._problem):
            inside.addWidget(widget)
        inside.addLayout(self._row_of_buttons)
        inside.addStretch()
        self.setWidget(canvas)

    def _fill(self, request: InboxRow) -> None:
        self._icon.set_icon(*ICONS[request.kind])
        self._kind.setText(self._model.kind_text(request.kind))
        self._title.setText(request.title)
        asked = self.tr("Asked by {0}").format(request.asked_by)
        self._who.setText(f"{asked} · {request.session_title}" if request.session_title else asked)
        self._summary.setText(request.summary)
        self._summary.setVisible(bool(request.summary) and request.summary != request.title)
        while self._fields.rowCount():
            self._fields.removeRow(0)
        for entry in request.fields:
            value = label(entry.value or self.tr("not set"), wrap=True, selectable=True)
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
