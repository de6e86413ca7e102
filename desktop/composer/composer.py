"""The composer: several lines, Enter sends, Shift+Enter breaks the line, an input method keeps its Enter."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from actions.catalog.views import QueuedMessage
from desktop.composer.completion import Offer, Offers, Typed, typed_at
from desktop.composer.drafts import Drafts
from desktop.composer.history import History
from desktop.composer.queue import QueuePanel
from desktop.theme.theme import Theme
from desktop.widgets.basics import IconButton, column, label, restyle, row

_LINES = (2, 10)
_OFFER_KEYS = (
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Tab,
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
    Qt.Key.Key_Escape,
)


class MessageEdit(QPlainTextEdit):
    """The text field itself; it grows with its text."""

    submitted = Signal()
    stop_asked = Signal()
    mode_asked = Signal()
    offer_key = Signal(int)
    """A key that the list of suggestions takes while it is open: an arrow, Tab, Enter or Esc."""
    step_asked = Signal(bool)
    """Up at the very start of the text (True) or Down at its very end: the message before, or after."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "composer")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.can_stop = False
        self._offering = False
        self.document().setDocumentMargin(2)
        self.document().documentLayout().documentSizeChanged.connect(self.fit)
        self.fit()

    def suggest(self, shown: bool) -> None:
        """Whether suggestions are shown: then Tab takes one instead of leaving the field."""
        self._offering = shown
        self.setTabChangesFocus(not shown)

    def is_composing(self) -> bool:
        """True while an input method shows text that is not yet chosen."""
        return bool(self.textCursor().block().layout().preeditAreaText())

    def fit(self, *_: object) -> None:
        spacing = self.fontMetrics().lineSpacing()
        lines = max(_LINES[0], min(self._lines(), _LINES[1]))
        self.setFixedHeight(lines * spacing + 10)

    def _lines(self) -> int:
        return round(self.document().size().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if self.is_composing():
            super().keyPressEvent(event)
        elif self._offering and event.key() in _OFFER_KEYS and not shift:
            self.offer_key.emit(event.key())
        elif enter and not shift:
            self.submitted.emit()
        elif event.key() == Qt.Key.Key_Escape and self.can_stop:
            self.stop_asked.emit()
        elif event.key() == Qt.Key.Key_Backtab:
            self.mode_asked.emit()
        elif (older := self._step(event)) is not None:
            self.step_asked.emit(older)
        else:
            super().keyPressEvent(event)

    def _step(self, event: QKeyEvent) -> bool | None:
        """An arrow that would leave the text; elsewhere arrows move the cursor as ever."""
        if event.modifiers() not in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier):
            return None
        cursor = self.textCursor()
        if event.key() == Qt.Key.Key_Up and cursor.atStart():
            return True
        return False if event.key() == Qt.Key.Key_Down and cursor.atEnd() else None


class Composer(QFrame):
    """The field, what it will reach, and the button. ``sent`` carries session id and text."""

    sent = Signal(str, str)
    offers_asked = Signal(str, str, str)
    """Session, ``@`` or ``/``, and what follows it: suggestions are wanted."""
    action_asked = Signal(str)
    """A command of the app was chosen: its form is to be opened."""
    stop_asked = Signal(str)
    mode_asked = Signal(str)

    def __init__(self, theme: Theme, drafts: Drafts) -> None:
        super().__init__()
        self.setProperty("kind", "composer-box")
        self._drafts = drafts
        self._history = History()
        self._session: str | None = None
        self._working = False
        self.edit = MessageEdit()
        self.edit.setAccessibleName(self.tr("Message"))
        self.edit.setAccessibleDescription(self.tr("Enter sends, Shift+Enter starts a new line."))
        self.edit.submitted.connect(self._send)
        self.edit.stop_asked.connect(self._stop)
        self.edit.mode_asked.connect(lambda: self._session and self.mode_asked.emit(self._session))
        self.edit.step_asked.connect(self._step)
        self.edit.textChanged.connect(self._update)
        self._resting = QTimer(self, singleShot=True, interval=1000)
        self._resting.timeout.connect(self.keep_draft)
        self.edit.textChanged.connect(self._resting.start)
        self.edit.installEventFilter(self)
        self.queue = QueuePanel(theme)
        self.offers = Offers()
        self.offers.chosen.connect(self._take)
        self.edit.offer_key.connect(self._on_offer_key)
        self.edit.cursorPositionChanged.connect(self._look)
        self._typed: Typed | None = None
        self._refused = -1
        self._hint = label(tone="small")
        self.send = IconButton(theme, "send", self.tr("Send message"), kind="round", role="on_accent")
        self.send.clicked.connect(self._pressed)
        foot = row(gap=8)
        foot.addWidget(self._hint, 1)
        foot.addWidget(self.send)
        inside = column(self, margin=(12, 8, 8, 8), gap=4)
        inside.addWidget(self.queue)
        inside.addWidget(self.offers)
        inside.addWidget(self.edit)
        inside.addLayout(foot)
        self._update()

    def show_session(self, session_id: str | None, provider: str = "", *, working: bool = False) -> None:
        """Write to another session; what was typed for the one before is kept."""
        if session_id != self._session:
            self.keep_draft()
            self._session = session_id
            self.edit.setPlainText("" if session_id is None else self._drafts.of(session_id))
            self.edit.moveCursor(self.edit.textCursor().MoveOperation.End)
        self._working = self.edit.can_stop = working
        self.setEnabled(session_id is not None)
        to_agent = self.tr("Message to {0}…").format(provider)
        self.edit.setPlaceholderText(to_agent if session_id else self.tr("Start a session to write to an agent."))
        self._update()

    def show_queue(self, messages: Sequence[QueuedMessage], *, steerable: bool = False) -> None:
        """The messages that wait for the end of the turn, the next one first; what was sent must not seem lost."""
        self.queue.show_messages(messages, steerable=steerable)

    def show_offers(self, kind: str, query: str, offers: Sequence[Offer]) -> None:
        """The suggestions for what was typed, if it still is."""
        wanted = self._typed is not None and (self._typed.kind, self._typed.query) == (kind, query)
        if wanted:
            self.offers.show_offers(offers)
            self.edit.suggest(bool(offers))

    def _look(self) -> None:
        """Whether a file or a command is being typed."""
        text, at = self.edit.toPlainText(), self.edit.textCursor().position()
        typed = None if self.edit.is_composing() or self._session is None else typed_at(text, at)
        if typed is None or typed.start != self._refused:
            self._refused = -1
        if typed is None or self._refused >= 0:
            self._typed = None
            self._close_offers()
        elif typed != self._typed and self._session is not None:
            self._typed = typed
            self.offers_asked.emit(self._session, typed.kind, typed.query)

    def _on_offer_key(self, key: int) -> None:
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.offers.step(key == Qt.Key.Key_Down)
        elif key == Qt.Key.Key_Escape:
            self._refused = -1 if self._typed is None else self._typed.start
            self._close_offers()
        elif (offer := self.offers.current()) is not None:
            self._take(offer)

    def _take(self, offer: Offer) -> None:
        """Put it in the place of what was typed, or open its form."""
        if self._typed is None:
            return
        cursor = self.edit.textCursor()
        cursor.setPosition(self._typed.start, cursor.MoveMode.KeepAnchor)
        cursor.insertText("" if offer.action else offer.text)
        self.edit.setFocus()
        self._close_offers()
        if offer.action:
            self.action_asked.emit(offer.action)

    def _close_offers(self) -> None:
        self.offers.show_offers(())
        self.edit.suggest(False)

    def keep_draft(self) -> None:
        if self._session is not None:
            self._drafts.keep(self._session, self.edit.toPlainText())

    def give_back(self, session_id: str, text: str) -> None:
        """The message was not taken: put it back, unless something new was typed meanwhile."""
        if session_id == self._session and not self.edit.toPlainText():
            self.edit.setPlainText(text)
        elif not self._drafts.of(session_id):
            self._drafts.keep(session_id, text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            restyle(self, focused="true" if event.type() == QEvent.Type.FocusIn else "false")
        return super().eventFilter(watched, event)

    def _update(self) -> None:
        text = bool(self.edit.toPlainText().strip())
        stops = self._working and not text
        self.send.set_icon("stop" if stops else "send", "on_accent")
        self.send.rename(self.tr("Stop the turn") if stops else self.tr("Send message"))
        self.send.setEnabled(self._session is not None and (text or stops))
        if self._working:
            self._hint.setText(self.tr("Working. Enter queues a message, Esc stops."))
        else:
            self._hint.setText(self.tr("Enter sends, Shift+Enter for a new line"))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        # The box looks like one field, so all of it is.
        self.edit.setFocus(Qt.FocusReason.MouseFocusReason)

    def _pressed(self) -> None:
        if self.edit.toPlainText().strip():
            self._send()
        else:
            self._stop()

    def _send(self) -> None:
        text = self.edit.toPlainText().strip()
        if self._session is not None and text:
            self.edit.clear()
            self._drafts.keep(self._session, "")
            self._history.sent(self._session, text)
            self.sent.emit(self._session, text)

    def _step(self, older: bool) -> None:
        if self._session is None:
            return
        here = self.edit.toPlainText()
        if not self._history.shows(self._session, here):
            self._history.leave()
        text = self._history.older(self._session, here) if older else self._history.newer(self._session)
        if text is not None:
            self.edit.setPlainText(text)
            # The cursor stays where the same arrow goes on to the next.
            operation = self.edit.textCursor().MoveOperation
            self.edit.moveCursor(operation.Start if older else operation.End)

    def _stop(self) -> None:
        if self._session is not None and self._working:
            self.stop_asked.emit(self._session)
