"""The launcher's window: a panel over everything, first the search, then the form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QFrame,
    QLineEdit,
    QListView,
    QStackedWidget,
    QWidget,
)

from desktop.forms.draft import Draft
from desktop.forms.form import FormView
from desktop.launcher.model import HitDelegate, HitModel
from desktop.launcher.shadow import SPREAD, shadow
from desktop.launcher.spec import ActionForm, ActionSummary
from desktop.safety import SafeAnswer
from desktop.theme.theme import Theme
from desktop.transcript.cards.tool import CodeBlock
from desktop.widgets.basics import IconButton, IconLabel, button, column, frame, key, label, line, restyle, row

_WIDTH, _TOP, _SEARCH_HEIGHT, _RESULT_HEIGHT = 640, 72, 480, 320


class Launcher(QWidget):
    """Says what the user types, picks and wants to run; a presenter answers."""

    query_changed = Signal(str)
    picked = Signal(str)
    options_wanted = Signal(str)
    run_asked = Signal(str, dict)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._over = parent
        self._before: QWidget | None = None
        self._form_of: ActionForm | None = None
        self._guard = SafeAnswer()
        self._confirming = False
        self.panel = frame("overlay")
        self.panel.setParent(self)
        self.hits = HitModel(self)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._search_page())
        self._pages.addWidget(self._form_page())
        column(self.panel).addWidget(self._pages)
        theme.changed.connect(self._draw)
        parent.installEventFilter(self)
        self.hide()

    # what a presenter tells it

    def open(self) -> None:
        """Show the search, empty, with the focus in it."""
        self._before = self._over.window().focusWidget()
        self._pages.setCurrentIndex(0)
        self.search.clear()
        self._cover()
        self.show()
        self.raise_()
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if not self.hits.rowCount():
            self._list.hide()
            self._nothing.setText(self.tr("Searching…"))
            self._nothing.show()
        self.query_changed.emit("")

    def show_hits(self, hits: Iterable[ActionSummary]) -> None:
        self.hits.show_hits(hits)
        self._list.setCurrentIndex(self.hits.index(0))
        self._nothing.setVisible(not self.hits.rowCount())
        self._nothing.setText(self.tr("No action fits. Try other words."))
        self._list.setVisible(self.hits.rowCount() > 0)

    def show_problem(self, message: str) -> None:
        """The search or the action failed."""
        if self._pages.currentIndex() == 0:
            self.hits.show_hits([])
            self._list.hide()
            self._nothing.setText(message)
            self._nothing.show()
        else:
            self._problem.setText(message)
            self._problem.show()
            self._idle()
        self._cover()

    def show_form(self, form: ActionForm, values: Mapping[str, Any] | None = None) -> None:
        """Fill in an action."""
        if not self.isVisible():
            self.open()
        self._form_of = form
        self._title.setText(form.summary.title)
        self._about.setText(form.summary.description)
        self._about.setVisible(bool(form.summary.description))
        self._problem.hide()
        self._result.hide()
        self.form.show_draft(Draft(form.fields, values))
        self.form.setVisible(bool(form.fields))
        self._pages.setCurrentIndex(1)
        self._idle()
        self._cover()
        if form.fields:
            self.form.focus_first()
        else:
            self.run.setFocus()

    def show_errors(self, errors: list[Mapping[str, str]], message: str) -> None:
        """The action refused the input: each message beside its field, the rest below."""
        others = self.form.take_errors(errors)
        bad = self.form.draft.first_error()
        self._problem.setText("\n".join(others) or ("" if bad else message))
        self._problem.setVisible(bool(self._problem.text()))
        self._idle()
        if bad is not None:
            self.form.focus_field(bad)

    def show_result(self, text: str) -> None:
        """What an action that only reads has found; it may be run again."""
        self._result.show_text(text)
        self._result.setFixedHeight(min(self._result.height(), _RESULT_HEIGHT))
        self._result.show()
        self._idle()
        self._cover()

    def summary(self) -> ActionSummary | None:
        """The action whose form is, or was last, shown."""
        return None if self._form_of is None else self._form_of.summary

    def show_running(self) -> None:
        self.run.setEnabled(False)
        self.run.setText(self.tr("Running…"))

    def close_launcher(self) -> None:
        if not self.isVisible():
            return
        self.hide()
        if self._before is not None:
            self._before.setFocus()
        self.closed.emit()

    # pages

    def _search_page(self) -> QWidget:
        page = QWidget()
        self.search = QLineEdit()
        self.search.setProperty("kind", "search")
        self.search.setPlaceholderText(self.tr("What should be done?"))
        self.search.setAccessibleName(self.tr("Search actions"))
        self.search.textChanged.connect(self.query_changed)
        self.search.returnPressed.connect(self._pick_current)
        self.search.installEventFilter(self)
        self._list = QListView()
        self._list.setProperty("kind", "plain")
        self._list.setAccessibleName(self.tr("Actions found"))
        self._list.setModel(self.hits)
        self._delegate = HitDelegate(self._theme)
        self._list.setItemDelegate(self._delegate)
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setMouseTracking(True)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.clicked.connect(self._pick_current)
        self._list.activated.connect(self._pick_current)
        self._nothing = label(tone="muted", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setMargin(24)
        self._nothing.hide()
        head = row(margin=(18, 6, 12, 6), gap=10)
        head.addWidget(IconLabel(self._theme, "search"))
        head.addWidget(self.search, 1)
        keys = row(margin=(18, 6, 18, 8), gap=6)
        for cap, meaning in (("↑↓", self.tr("choose")), ("↵", self.tr("open")), ("Esc", self.tr("close"))):
            keys.addWidget(key(cap))
            keys.addWidget(label(meaning, tone="small"))
            keys.addSpacing(8)
        keys.addStretch()
        inside = column(page, gap=0)
        inside.addLayout(head)
        inside.addWidget(line())
        inside.addSpacing(6)
        inside.addWidget(self._list, 1)
        inside.addWidget(self._nothing, 1)
        inside.addWidget(line())
        inside.addLayout(keys)
        return page

    def _form_page(self) -> QWidget:
        page = QWidget()
        back = IconButton(self._theme, "arrow-left", self.tr("Back to the search"))
        back.clicked.connect(self._back)
        self._title = label(tone="heading", wrap=True)
        self._about = label(tone="muted", wrap=True)
        self.form = FormView(self._theme)
        self.form.changed.connect(self._on_changed)
        self.form.resized.connect(self._cover)
        self.form.options_wanted.connect(self.options_wanted)
        self._problem = label(tone="danger", wrap=True)
        self._problem.hide()
        self._result = CodeBlock(self._theme)
        self._result.setAccessibleName(self.tr("What was found"))
        self._result.hide()
        self._will = label(tone="muted", wrap=True)
        self._will_icon = IconLabel(self._theme, "runs")
        self.run = button(self.tr("Run"), kind="primary")
        self.run.clicked.connect(self._run)
        cancel = button(self.tr("Cancel"))
        cancel.clicked.connect(self.close_launcher)
        head = row(margin=(12, 12, 20, 0), gap=8)
        head.addWidget(back, 0, Qt.AlignmentFlag.AlignTop)
        texts = column(gap=2, margin=(0, 2, 0, 0))
        texts.addWidget(self._title)
        texts.addWidget(self._about)
        head.addLayout(texts, 1)
        body = column(margin=(48, 12, 16, 8), gap=8)
        body.addWidget(self.form, 1)
        body.addWidget(self._problem)
        body.addWidget(self._result)
        foot = row(margin=(20, 10, 20, 12), gap=10)
        foot.addWidget(self._will_icon)
        foot.addWidget(self._will, 1)
        foot.addWidget(cancel)
        foot.addWidget(self.run)
        inside = column(page, gap=0)
        inside.addLayout(head)
        inside.addLayout(body, 1)
        inside.addWidget(line())
        inside.addLayout(foot)
        return page

    # what the user does

    def _pick_current(self, *_: object) -> None:
        hit = self.hits.hit(self._list.currentIndex().row())
        if hit is not None and hit.available:
            self.picked.emit(hit.id)

    def _back(self) -> None:
        self._pages.setCurrentIndex(0)
        self._cover()
        self.search.setFocus()

    def _on_changed(self) -> None:
        self._problem.hide()
        self._idle()

    def _run(self) -> None:
        form = self._form_of
        if form is None or not self.form.check():
            return
        if form.summary.effect == "danger" and not self._confirming:
            self._confirming = True
            self._guard = SafeAnswer()
            self._guard.show(form.summary.id)
            restyle(self.run, kind="danger")
            self.run.setText(self.tr("Yes, do it"))
            self._will.setText(self.tr("This may not be undone. Press again to confirm."))
            return
        if self._confirming and not self._guard.take(form.summary.id):
            return
        self.show_running()
        self.run_asked.emit(form.summary.id, self.form.draft.input())

    def _idle(self) -> None:
        """Ready to run: say what will happen."""
        self._confirming = False
        form = self._form_of
        if form is None:
            return
        danger = form.summary.effect == "danger"
        restyle(self.run, kind="primary")
        self.run.setText(self.tr("Run"))
        self.run.setEnabled(form.summary.available)
        self._will_icon.set_icon("alert" if danger else "runs", "danger" if danger else "muted")
        self._will.setText(form.summary.reason if not form.summary.available else self._what(form))

    def _what(self, form: ActionForm) -> str:
        if form.asks:
            return self.tr("Asks for approval first; nothing happens before that.")
        return {
            "none": self.tr("Changes nothing outside this window."),
            "read": self.tr("Only reads; nothing is changed."),
            "write": self.tr("Changes something in Sayso."),
            "external": self.tr("An agent starts to work on your behalf."),
            "danger": self.tr("Changes what may be lost; asks you to confirm."),
        }.get(form.summary.effect, "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat()
        if event.key() == Qt.Key.Key_Escape:
            self.close_launcher()
        elif enter and self._pages.currentIndex() == 1:
            self._enter(run=bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))
        else:
            super().keyPressEvent(event)

    def _enter(self, *, run: bool) -> None:
        """Enter presses the button that has the focus; in a field, and with Ctrl everywhere, it runs the action."""
        focused = self._over.window().focusWidget()
        if isinstance(focused, QAbstractButton) and not isinstance(focused, QCheckBox) and not run:
            focused.click()
        elif self.run.isEnabled():
            self._run()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.panel.geometry().contains(event.position().toPoint()):
            self.close_launcher()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 6, Qt.Key.Key_PageUp: -6}.get(
                Qt.Key(event.key())
            )
            if step is not None:
                at = max(0, min(self._list.currentIndex().row() + step, self.hits.rowCount() - 1))
                self._list.setCurrentIndex(self.hits.index(at))
                return True
        elif watched is self._over and event.type() == QEvent.Type.Resize and self.isVisible():
            self._cover()
        return super().eventFilter(watched, event)

    def _cover(self) -> None:
        self.setGeometry(self._over.rect())
        room = self.height() - _TOP - 40
        wanted = _SEARCH_HEIGHT
        if self._pages.currentIndex() == 1:
            content = self.form.content_height() if self.form.draft.fields else 0
            wanted = content + 190 + (self._result.height() if not self._result.isHidden() else 0)
        width = min(_WIDTH, self.width() - 48)
        self.panel.setGeometry((self.width() - width) // 2, _TOP, width, max(200, min(wanted, room)))

    def _draw(self) -> None:
        self._list.viewport().update()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        veil = QColor(self._theme.scheme.shadow)
        veil.setAlpha(110 if self._theme.scheme.name == "dark" else 60)
        painter = QPainter(self)
        painter.fillRect(event.rect(), veil)
        panel = self.panel.geometry()
        under = shadow(panel.width(), panel.height(), self.devicePixelRatioF())
        painter.drawPixmap(panel.topLeft() - QPoint(SPREAD, SPREAD), under)
