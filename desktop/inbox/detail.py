"""One request in full, and its answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit, QScrollArea, QWidget

from actions.catalog.views import InboxKind, InboxRow
from desktop.inbox.asked import AskedBody
from desktop.inbox.choices import Answer, Choice, choices, picked, rules, takes_text
from desktop.inbox.delegate import ICONS
from desktop.inbox.model import InboxModel
from desktop.safety import SETTLE_SECONDS, SafeAnswer
from desktop.theme.theme import Theme
from desktop.transcript.cards.tool import CodeBlock, as_text
from desktop.transcript.markdown import open_target
from desktop.widgets.basics import FittingButton, IconLabel, chip, column, key, label, line, restyle, row
from desktop.widgets.flow import Flow
from desktop.widgets.rows import FormRows

_LONG = 100
_BESIDE = 56
"""Characters of options that stand beside each other; more stand below each other."""
_CONTROL = Qt.KeyboardModifier.ControlModifier


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
        self._buttons: list[FittingButton] = []
        self._beside: list[QWidget] = []
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
            self._asked.show_row(request)
            self._scroll.verticalScrollBar().setValue(0)
            self._settled.start()
        self._fill(request)
        self._enable()

    def failed(self, request_id: str, message: str, errors: Sequence[Mapping[str, str]] = ()) -> None:
        """The answer did not arrive, or did not fit: ``errors`` are ``{field, message}``. It may be given again."""
        self._guard.give_back(request_id)
        if self._row is not None and self._row.id == request_id:
            others = self._asked.take_errors(errors)
            self._problem.setText(message)
            self._problem.setVisible(not errors or bool(others))
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
        given = choice.filled(text)
        if choice.whole_form:
            answers = self._asked.answers()
            if answers is None:
                return
            given |= {"answers": answers} if answers else {"decision": "approve"}
        if self._guard.take(self._row.id):
            self._problem.hide()
            for widget in self._buttons:
                widget.setEnabled(False)
            self.chosen.emit(self._row.id, choice, given)

    def takes_key(self, event: QKeyEvent) -> bool:
        """Answer by the number of a button, or tick a choice by its number; True when the key was one."""
        number = event.key() - Qt.Key.Key_1
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and event.modifiers() == _CONTROL:
            return self._answer_main(again=event.isAutoRepeat())
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if not plain or not 0 <= number < 9 or self.feedback.hasFocus():
            return False
        if not event.isAutoRepeat() and not self._asked.flip(number):
            self.answer(number)
        return True

    def _answer_main(self, *, again: bool) -> bool:
        main = next((at for at, choice in enumerate(self._choices) if choice.main), None)
        if main is not None and not again:
            self.answer(main)
        return main is not None

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
        self._fields = FormRows(8)
        self._asked = AskedBody(self._theme)
        self._asked.link_asked.connect(_open)
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
        self._options = column(gap=6)
        self._row_of_buttons = Flow(right=True)
        inside.addLayout(top)
        for widget in (self._title, self._who, self._summary):
            inside.addWidget(widget)
        inside.addWidget(self._fields)
        for widget in (self._asked, self._detail, self._releases):
            inside.addWidget(widget)
        inside.addStretch()
        foot.addLayout(self._options)
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
        rows = self._fields.begin()
        # A question's fields are its form or its answers, a plan's is the plan itself.
        shown_else = bool((request.detail or {}).keys() & {"form", "plan"})
        for entry in () if shown_else else request.fields:
            value = label(entry.value or self.tr("not set"), wrap=True, selectable=True)
            if len(entry.value) > _LONG or "\n" in entry.value:
                rows.addRow(self._field_title(entry.title))
                rows.addRow(value)
            else:
                rows.addRow(self._field_title(entry.title), value)
        # The rows of an approval are complete; of a provider's request only the raw call is.
        call = (request.detail or {}).get("tool_call", request.detail)
        detail = "" if request.kind is InboxKind.APPROVAL or shown_else else as_text(call)
        self._detail.setVisible(bool(detail))
        self._detail.show_text(detail)
        self._releases.setText(self._released(request))
        self._releases.setVisible(bool(self._releases.text()))
        has_text = takes_text(request)
        self._feedback_title.setVisible(has_text)
        self._feedback_title.setText(self._text_title(request))
        self.feedback.setVisible(has_text)
        self.feedback.setAccessibleName(self._feedback_title.text())
        self._make_buttons(request)

    def _text_title(self, request: InboxRow) -> str:
        match request.kind:
            case InboxKind.QUESTION:
                return self.tr("Your answer") if picked(request) is None else self.tr("Or in your own words")
            case InboxKind.EXIT_PLAN:
                return self.tr("What should change")
            case _:
                return self.tr("Feedback, sent when you reject")

    def _released(self, request: InboxRow) -> str:
        """What a lasting answer releases: in words, what waits now, and where it is taken back."""
        lasting: dict[str, str] = (request.detail or {}).get("lasting") or {}
        kept = rules(request)
        lines = [
            self.tr("“{0}” is kept by Sayso: {1}.").format(option.name, kept[lasting[option.id]])
            if lasting[option.id] in kept
            else self.tr("“{0}” is the agent's own: what it releases cannot be told here.").format(option.name)
            for option in request.options
            if option.id in lasting
        ]
        if kept and not lasting:
            lines.append(self.tr("“{0}” is kept by Sayso: {1}.").format(self._word(Answer.ALWAYS), kept["always"]))
        if request.releases:
            lines.append(self.tr("This also releases: {0}").format(", ".join(request.releases)))
        if kept:
            lines.append(self.tr("It is taken back in Settings, Actions, Rules."))
        return "\n".join(lines)

    def _field_title(self, text: str) -> QLabel:
        result = label(text, tone="muted")
        result.setMinimumWidth(120)
        return result

    def _make_buttons(self, request: InboxRow) -> None:
        wanted = choices(request)
        if [_drawn(choice) for choice in self._choices] != [_drawn(choice) for choice in wanted]:
            self._clear_buttons()
            listed = picked(request) is not None or _long(wanted)
            for number, choice in enumerate(wanted):
                self._add_button(number, choice, listed=listed and choice.answer in (Answer.OPTION, Answer.ALWAYS))
        self._choices = wanted
        for number, widget in enumerate(self._buttons):
            choice = wanted[number]
            text = choice.label or self._word(choice.answer, request.kind)
            widget.setAccessibleName(f"{text}: {request.title}")
            widget.setAccessibleDescription(choice.about)
            widget.show_words(text, self.tr("Key {0}").format(number + 1))
            restyle(widget, kind="primary" if choice.main else "normal")

    def _clear_buttons(self) -> None:
        for widget in [*self._buttons, *self._beside]:
            widget.hide()
            widget.deleteLater()
        while self._options.count():
            item = self._options.takeAt(0)
            if item is not None and (row := item.layout()) is not None:
                row.deleteLater()
        self._buttons, self._beside = [], []

    def _add_button(self, number: int, choice: Choice, *, listed: bool) -> None:
        added = FittingButton()
        added.clicked.connect(partial(self.answer, number))
        self._buttons.append(added)
        if not listed:
            self._row_of_buttons.addWidget(added)
            return
        # Options of a question stand below each other, each with its key and what it means.
        mark = key(str(number + 1))
        about = label(choice.about, tone="muted", wrap=True)
        self._beside += [mark, about]
        option = row(gap=10)
        option.addWidget(mark)
        option.addWidget(added)
        about.setVisible(bool(choice.about))
        option.addWidget(about, 1)
        if not choice.about:
            option.addStretch(1)
        self._options.addLayout(option)

    def _word(self, answer: Answer, kind: InboxKind | None = None) -> str:
        return {
            Answer.APPROVE: self.tr("Carry it out") if kind is InboxKind.EXIT_PLAN else self.tr("Approve once"),
            Answer.REJECT: self.tr("Reject"),
            Answer.LATER: self.tr("Later"),
            Answer.SEND: self.tr("Send answer"),
            Answer.REQUEST_CHANGES: self.tr("Ask for changes"),
            Answer.OPEN_RUN: self.tr("Open the run"),
            Answer.DISMISS: self.tr("Dismiss"),
            Answer.DECLINE: self.tr("Decline"),
            Answer.ALWAYS: self.tr("Always allow"),
            Answer.OPTION: "",
        }[answer]

    def _enable(self) -> None:
        for number, widget in enumerate(self._buttons):
            widget.setEnabled(number < len(self._choices) and self._guard.ready())


def _drawn(choice: Choice) -> tuple[Answer, str, str]:
    """What a button looks like; what it does may change without drawing it anew."""
    return choice.answer, choice.label, choice.about


def _long(wanted: Sequence[Choice]) -> bool:
    """Whether the agent's own words for its options do not fit beside each other."""
    return sum(len(choice.label) + 4 for choice in wanted if choice.answer is Answer.OPTION) > _BESIDE


def _open(url: QUrl) -> None:
    if (target := open_target(url)) is not None:
        QDesktopServices.openUrl(target)
