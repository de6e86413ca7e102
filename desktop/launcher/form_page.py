"""The second page of the launcher: the form of one action, what will happen, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from desktop.forms.draft import Draft
from desktop.forms.form import FormView
from desktop.launcher.result import Words, readable
from desktop.launcher.spec import ActionForm, CallPreview
from desktop.safety import SafeAnswer
from desktop.theme.theme import Theme
from desktop.transcript.cards.tool import as_text
from desktop.transcript.markdown import MarkdownBody
from desktop.widgets.basics import IconButton, IconLabel, button, column, label, line, restyle, row

_RESULT_HEIGHT = 320
_AGENTS = frozenset({"session", "provider", "run"})
_AROUND = 40
"""What the margins between the parts take."""
_PAUSE_MS = 150
"""How long a draft has to rest before the host is asked what it would do."""


class FormPage(QWidget):
    """Says what the user entered and wants to run; shows what it is told."""

    back_asked = Signal()
    cancelled = Signal()
    run_asked = Signal(str, dict)
    preview_wanted = Signal(str, dict)
    options_wanted = Signal(str)
    resized = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.shown: ActionForm | None = None
        self._preview = CallPreview("")
        self._guard = SafeAnswer()
        self._confirming = False
        self._running = False
        self._found: Any = None
        self._rest = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._rest.timeout.connect(self._want_preview)
        self.form = FormView(theme)
        self.form.changed.connect(self._on_changed)
        self.form.resized.connect(self.resized)
        self.form.options_wanted.connect(self.options_wanted)
        self._build()

    # what it is told

    def show_form(self, form: ActionForm, values: Mapping[str, Any] | None) -> None:
        self.shown = form
        self._preview = CallPreview(
            form.summary.effect,
            form.summary.available,
            form.summary.reason,
            form.asks,
            "inbox" if form.asks else None,
        )
        self._title.setText(form.summary.title)
        self._about.setText(form.summary.description)
        self._about.setVisible(bool(form.summary.description))
        self.problem.hide()
        self._answer.hide()
        self.form.show_draft(Draft(form.fields, values))
        self.form.setVisible(bool(form.fields))
        self.idle()
        self._rest.stop()
        self._want_preview()
        if form.fields:
            self.form.focus_first()
        else:
            self.run.setFocus()

    def show_preview(self, action_id: str, preview: CallPreview) -> None:
        """What will happen, as the host says of the draft; while a confirmation is asked for it is not changed."""
        if self.shown is None or self.shown.summary.id != action_id:
            return
        self._preview = preview
        if not self._confirming and not self._running:
            self.idle()

    def show_errors(self, errors: list[Mapping[str, str]], message: str) -> None:
        """The action refused the input: each message beside its field, the rest below."""
        others = self.form.take_errors(errors)
        bad = self.form.draft.first_error()
        self.show_problem("\n".join(others) or ("" if bad else message))
        if bad is not None:
            self.form.focus_field(bad)

    def show_problem(self, message: str) -> None:
        self.problem.setText(message)
        self.problem.setVisible(bool(message))
        self.idle()

    def show_found(self, data: Any) -> None:
        """What an action that only reads has found; it may be run again."""
        self._found = data
        text = data if isinstance(data, str) else readable(data, self._words())
        height = self._result.show_markdown(text, max(self._scroll.viewport().width() - 8, 240))
        self._scroll.setFixedHeight(min(height + 12, _RESULT_HEIGHT))
        self._answer.show()
        self._answer.setFixedHeight(self._scroll.height() + 36)
        self.idle()

    def show_running(self) -> None:
        self._running = True
        self.run.setEnabled(False)
        self.run.setText(self.tr("Running…"))

    def wanted_height(self) -> int:
        """The height at which nothing has to scroll."""
        content = self.form.content_height() if self.form.draft.fields else 0
        extra = [w for w in (self._answer, self.problem) if not w.isHidden()]
        around = self._head.sizeHint().height() + self._foot.sizeHint().height() + _AROUND
        return content + around + sum(w.sizeHint().height() + 8 for w in extra)

    def idle(self) -> None:
        """Ready to run: say what will happen."""
        self._confirming = self._running = False
        if self.shown is None:
            return
        preview = self._preview
        danger = preview.effect == "danger"
        restyle(self.run, kind="primary")
        self.run.setText(self.tr("Run"))
        self.run.setEnabled(preview.available)
        self._will_icon.set_icon("alert" if danger else "runs", "danger" if danger else "muted")
        reaches = self._targets(preview) if preview.available else ""
        self.reaches.setText(reaches)
        self.reaches.setVisible(bool(reaches))
        self.will.setText(self._what(preview) if preview.available else preview.reason)
        self.run.setAccessibleDescription(f"{reaches} {self.will.text()}".strip())

    def start(self) -> None:
        """Run it, if it can be run as it stands."""
        form = self.shown
        if form is None or not self.form.check():
            return
        # Where the host asks anyway, the window does not ask a second time.
        if self._preview.effect == "danger" and not self._preview.asks and not self._confirming:
            self._confirming = True
            self._guard = SafeAnswer()
            self._guard.show(form.summary.id)
            restyle(self.run, kind="danger")
            self.run.setText(self.tr("Yes, do it"))
            self.will.setText(self.tr("This may not be undone. Press again to confirm."))
            return
        if self._confirming and not self._guard.take(form.summary.id):
            return
        self.show_running()
        self.run_asked.emit(form.summary.id, self.form.draft.input())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._answer.isHidden() and self._found is not None:
            self.show_found(self._found)

    # how it is made

    def _build(self) -> None:
        back = IconButton(self._theme, "arrow-left", self.tr("Back to the search"))
        back.clicked.connect(self.back_asked)
        self._title = label(tone="heading", wrap=True)
        self._about = label(tone="muted", wrap=True)
        self.problem = label(tone="danger", wrap=True)
        self.problem.hide()
        self.reaches = label(tone="strong", wrap=True)
        self.will = label(tone="muted", wrap=True)
        self._will_icon = IconLabel(self._theme, "runs")
        self.run = button(self.tr("Run"), kind="primary")
        self.run.clicked.connect(self.start)
        cancel = button(self.tr("Cancel"))
        cancel.clicked.connect(self.cancelled)
        self._head = head = row(margin=(12, 12, 20, 0), gap=8)
        head.addWidget(back, 0, Qt.AlignmentFlag.AlignTop)
        texts = column(gap=2, margin=(0, 2, 0, 0))
        texts.addWidget(self._title)
        texts.addWidget(self._about)
        head.addLayout(texts, 1)
        body = column(margin=(48, 12, 16, 8), gap=8)
        body.addWidget(self.form, 1)
        body.addWidget(self.problem)
        body.addWidget(self._answer_box())
        self._foot = foot = row(margin=(20, 10, 20, 12), gap=10)
        says = column(gap=2)
        says.addWidget(self.reaches)
        says.addWidget(self.will)
        foot.addWidget(self._will_icon)
        foot.addLayout(says, 1)
        foot.addWidget(cancel)
        foot.addWidget(self.run)
        inside = column(self, gap=0)
        inside.addLayout(head)
        inside.addLayout(body, 1)
        inside.addWidget(line())
        inside.addLayout(foot)

    def _answer_box(self) -> QWidget:
        self._answer = QWidget()
        self._result = MarkdownBody(self._theme)
        self._result.setAccessibleName(self.tr("What was found"))
        self._scroll = QScrollArea()
        self._scroll.setProperty("kind", "plain")
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._scroll.setAccessibleName(self.tr("What was found"))
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        canvas = QWidget()
        canvas.setProperty("kind", "canvas")
        holder = column(canvas)
        holder.addWidget(self._result)
        holder.addStretch()
        self._scroll.setWidget(canvas)
        copy = IconButton(self._theme, "copy", self.tr("Copy what was found as JSON"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(as_text(self._found)))
        head = row(gap=8)
        head.addWidget(label(self.tr("Found"), tone="group"), 1)
        head.addWidget(copy)
        inside = column(self._answer, gap=2)
        inside.addLayout(head)
        inside.addWidget(self._scroll)
        self._answer.hide()
        return self._answer

    def _words(self) -> Words:
        return Words(
            language=self.tr("en", "the language of this translation"),
            yes=self.tr("yes"),
            no=self.tr("no"),
            none=self.tr("none"),
            nothing=self.tr("Nothing was found."),
            more=self.tr("… and {0} more"),
        )

    def _targets(self, preview: CallPreview) -> str:
        kinds = {
            "session": self.tr("Session: {0}"),
            "workspace": self.tr("Workspace: {0}"),
            "provider": self.tr("With {0}"),
            "run": self.tr("Run: {0}"),
            "approval": self.tr("Request: {0}"),
            "server": self.tr("Server: {0}"),
        }
        named: dict[str, list[str]] = {}
        for target in preview.targets:
            name = target.label if target.known else self.tr("{0} (not known)").format(target.label)
            named.setdefault(target.kind, []).append(name)
        return " · ".join(kinds.get(kind, "{0}").format(", ".join(names)) for kind, names in named.items())

    def _what(self, preview: CallPreview) -> str:
        does = {
            "none": self.tr("Changes nothing outside this window."),
            "read": self.tr("Only reads; nothing is changed."),
            "write": self.tr("Changes something in Sayso."),
            "external": self.tr("An agent starts to work on your behalf.")
            if _AGENTS & {target.kind for target in preview.targets}
            else self.tr("Something outside of Sayso is done on your behalf."),
            "danger": self.tr("Changes what may be lost."),
        }.get(preview.effect, "")
        asks = ""
        if preview.asks:
            asks = self.tr("Asks for approval first, in the inbox; nothing happens before that.")
        elif preview.effect == "danger":
            asks = self.tr("Asks you to confirm.")
        return f"{does} {asks}".strip()

    # what the user does

    def _on_changed(self) -> None:
        self.problem.hide()
        self.idle()
        self._rest.start()

    def _want_preview(self) -> None:
        if self.shown is not None and self.isVisible():
            self.preview_wanted.emit(self.shown.summary.id, self.form.draft.input())
