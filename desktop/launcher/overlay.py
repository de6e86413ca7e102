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

from desktop.launcher.form_page import FormPage
from desktop.launcher.model import HitDelegate, HitModel
from desktop.launcher.shadow import SPREAD, shadow
from desktop.launcher.spec import ActionForm, ActionSummary, CallPreview
from desktop.theme.theme import Theme
from desktop.widgets.basics import IconLabel, column, frame, key, label, line, row

_WIDTH, _TOP, _SEARCH_HEIGHT = 640, 72, 480


class Launcher(QWidget):
    """Says what the user types, picks and wants to run; a presenter answers."""

    query_changed = Signal(str)
    picked = Signal(str)
    options_wanted = Signal(str)
    run_asked = Signal(str, dict)
    preview_wanted = Signal(str, dict)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._over = parent
        self._before: QWidget | None = None
        self._searched = False
        self.panel = frame("overlay")
        self.panel.setParent(self)
        self.hits = HitModel(self)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._search_page())
        self.page = self._form_page()
        self.form, self.run = self.page.form, self.page.run
        self._pages.addWidget(self.page)
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
            self.page.show_problem(message)
        self._cover()

    def show_form(self, form: ActionForm, values: Mapping[str, Any] | None = None) -> None:
        """Fill in an action."""
        self._searched = self.isVisible() and self._pages.currentIndex() == 0
        if not self.isVisible():
            self.open()
        self._pages.setCurrentIndex(1)
        self.page.show_form(form, values)
        self._cover()

    def show_preview(self, action_id: str, preview: CallPreview) -> None:
        self.page.show_preview(action_id, preview)
        self._cover()

    def show_errors(self, errors: list[Mapping[str, str]], message: str) -> None:
        """The action refused the input: each message beside its field, the rest below."""
        self.page.show_errors(errors, message)

    def show_found(self, data: Any) -> None:
        """What an action that only reads has found."""
        self.page.show_found(data)
        self._cover()

    def summary(self) -> ActionSummary | None:
        """The action whose form is, or was last, shown."""
        return None if self.page.shown is None else self.page.shown.summary

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

    def _form_page(self) -> FormPage:
        page = FormPage(self._theme)
        page.back_asked.connect(self._back)
        page.cancelled.connect(self.close_launcher)
        page.run_asked.connect(self.run_asked)
        page.preview_wanted.connect(self.preview_wanted)
        page.options_wanted.connect(self.options_wanted)
        page.resized.connect(self._cover)
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat()
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        elif enter and self._pages.currentIndex() == 1:
            self._enter(run=bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))
        else:
            super().keyPressEvent(event)

    def _leave(self) -> None:
        """One step back: from a form to the search that it was found by, else away."""
        if self._pages.currentIndex() == 1 and self._searched:
            self._back()
        else:
            self.close_launcher()

    def focusNextPrevChild(self, next: bool) -> bool:
        """Tab goes round inside: what lies under the panel is not to be reached."""
        before = self._over.window().focusWidget()
        for _ in range(300):  # as many steps as a window may have controls
            if not super().focusNextPrevChild(next):
                return False
            focused = self._over.window().focusWidget()
            if focused is None or focused is before or self.panel.isAncestorOf(focused):
                return True
        return True

    def _enter(self, *, run: bool) -> None:
        """Enter presses the button that has the focus; in a field, and with Ctrl everywhere, it runs the action."""
        focused = self._over.window().focusWidget()
        if isinstance(focused, QAbstractButton) and not isinstance(focused, QCheckBox) and not run:
            focused.click()
        elif self.run.isEnabled():
            self.page.start()

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
            wanted = self.page.wanted_height()
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
