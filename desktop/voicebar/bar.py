"""The bar at the foot of the window: hold to talk, what the microphone hears, and the card over it."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QPlainTextEdit, QTextEdit, QWidget
from shiboken6 import isValid

from desktop.theme.spacing import COLUMN_WIDTH, SCROLL_BAR
from desktop.theme.theme import Theme
from desktop.voicebar.card import CardView
from desktop.voicebar.meter import LevelMeter
from desktop.voicebar.state import VoiceService, VoiceState, VoiceView
from desktop.widgets.basics import Elided, IconButton, button, column, key, line, restyle, row

TALK_KEY = "F8"
HOLD_SECONDS = 0.35  # a shorter press is a click: the microphone stays open until the next one
REPEAT_SECONDS = 0.08  # X11 repeats a held key as up and down, and Qt takes a late pair for a real release
_LISTENS = frozenset({VoiceState.LISTENING, VoiceState.HEARING})
_CAN_TALK = frozenset({VoiceState.READY, VoiceState.CARD, VoiceState.DONE, VoiceState.FAILED}) | _LISTENS
_SAY_ONLY = frozenset({VoiceState.DONE, VoiceState.FAILED})
_WITH_CARD = frozenset({VoiceState.CARD, VoiceState.RUNNING, VoiceState.RECOGNISING}) | _LISTENS


class VoiceBar(QFrame):
    """Draws a :class:`VoiceView` and tells the service what the user does."""

    edit_asked = Signal(str, dict)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "foot")
        self._service: VoiceService | None = None
        self._handles = ExitStack()
        self._view = VoiceView()
        self._held = QTimer(self, singleShot=True, interval=round(HOLD_SECONDS * 1000))
        self._up = QTimer(self, singleShot=True, interval=round(REPEAT_SECONDS * 1000))
        self._up.timeout.connect(self._key_is_up)
        self._clicked = False
        self._opened = False  # this press opened the microphone, so its release may close it
        self.talk = IconButton(theme, "mic", self.tr("Hold to talk"))
        self.talk.pressed.connect(self.press)
        self.talk.released.connect(self.release)
        self._meter = LevelMeter(theme)
        self._text = Elided(tone="muted")
        self._key = key(TALK_KEY)
        self._talk_key = QKeySequence(TALK_KEY)
        self.hands_free = button(self.tr("Hands-free"), kind="quiet")
        self.hands_free.setCheckable(True)
        self.hands_free.setToolTip(self.tr("Listen without a key, until you say “stop listening” or press this again"))
        self.hands_free.clicked.connect(self.switch_hands_free)
        self.dictation = button(self.tr("Dictate"), kind="quiet")
        self.dictation.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the field keeps the cursor
        self.dictation.setToolTip(self.tr("Write what you say into the field where the cursor is; nothing is sent"))
        self.dictation.clicked.connect(self.dictate)
        self.setup = IconButton(theme, "settings", self.tr("Voice settings"))
        self.card = CardView(theme)
        self.card.confirmed.connect(self._confirm)
        self.card.cancelled.connect(self._cancel)
        self.card.edit_asked.connect(self._edit)
        self._over = QWidget()
        holder = row(self._over, margin=(16, 8, 16 + SCROLL_BAR, 8))
        holder.addStretch(1)
        holder.addWidget(self.card, 100)
        holder.addStretch(1)
        self.card.setMaximumWidth(COLUMN_WIDTH)
        strip = row(margin=(20, 4, 24, 6), gap=10)
        strip.addWidget(self.talk)
        strip.addWidget(self._meter)
        strip.addWidget(self._text, 1)
        strip.addWidget(self._key)
        strip.addWidget(self.dictation)
        strip.addWidget(self.hands_free)
        strip.addWidget(self.setup)
        inside = column(self, gap=0)
        inside.addWidget(self._over)
        inside.addWidget(line())
        inside.addLayout(strip)
        self.show_view(VoiceView())

    def attach(self, service: VoiceService) -> None:
        """Listen to a voice service until :meth:`close_bar`."""
        self._handles.close()
        self._service = service
        self._handles.enter_context(service.subscribe(self.show_view))

    def close_bar(self) -> None:
        self._handles.close()
        self._service = None

    def show_view(self, view: VoiceView) -> None:
        before, self._view = self._view, view
        listening = view.state in _LISTENS
        hearing = listening or view.hands_free
        self._meter.setVisible(hearing)
        if hearing:
            self._meter.add(view.level)
            if replace(before, level=view.level) == view:
                return
        else:
            self._meter.clear()
        tone = "danger" if view.state is VoiceState.FAILED else "accent" if listening else "muted"
        restyle(self._text, tone=tone)
        self._text.set_full(self.state_text(view))
        can_talk = view.state in _CAN_TALK
        self.talk.setEnabled(can_talk)
        self._key.setVisible(can_talk)
        self.talk.set_icon("mic" if can_talk else "mic-off", "accent_text" if can_talk else "muted")
        self.talk.setDown(listening)
        self.talk.rename(self.tr("Stop and take what was said") if listening else self.tr("Hold to talk"))
        self.hands_free.setEnabled(can_talk)
        self.dictation.setEnabled(can_talk)
        self.hands_free.setChecked(view.hands_free)
        shown = view.card is not None and view.state in _WITH_CARD
        self._over.setVisible(shown)
        if shown and view.card is not None and (before.card != view.card or before.state != view.state):
            self.card.show_card(view.card, running=view.state is VoiceState.RUNNING)

    def state_text(self, view: VoiceView) -> str:
        """What the bar says."""
        text = {
            VoiceState.OFF: self.tr("Voice is off"),
            VoiceState.NO_MICROPHONE: self.tr("No microphone. Plug one in and it is used at once."),
            VoiceState.NO_MODEL: self.tr("No speech model on this machine. `sayso doctor` says how to get one."),
            VoiceState.LOADING: self.tr("Loading the speech model…"),
            VoiceState.READY: self.tr("Hold {0} or the button and speak. Nothing leaves this machine.").format(
                self._talk_key.toString(QKeySequence.SequenceFormat.NativeText)
            ),
            VoiceState.LISTENING: self.tr("Listening…"),
            VoiceState.HEARING: f"{view.message}…" if view.message else self.tr("Hearing you…"),
            VoiceState.RECOGNISING: self.tr("Recognising…"),
            VoiceState.CARD: self.tr("Is that right?"),
            VoiceState.RUNNING: self.tr("Running…"),
            VoiceState.DONE: self.tr("Done."),
            VoiceState.FAILED: self.tr("That did not work."),
        }[view.state]
        if view.state is VoiceState.NO_MICROPHONE:
            needs = self.tr("Recording needs the PortAudio library: apt install libportaudio2, then start Sayso again.")
            return needs if view.message == "no_portaudio" else text
        if view.message and view.state not in (*_LISTENS, VoiceState.CARD):
            return view.message if view.state in _SAY_ONLY else f"{text} {view.message}"
        return text

    def press(self) -> None:
        """The button or key went down: open the microphone, or take what was said."""
        if self._service is None or self._view.state not in _CAN_TALK:
            return
        if self._view.hands_free:
            return
        if self._view.state in _LISTENS:
            self._held.stop()
            self._opened = False
            self._service.stop_listening()
            return
        self._held.start()
        self._opened = True
        self._service.start_listening()

    def release(self) -> None:
        """The button or key came up: after a hold, take what was said; after a click, go on listening."""
        # A microphone may take a second to open: a release before that counts as well.
        if self._service is None or not self._opened:
            return
        self._opened = False
        if self._held.isActive():
            self._service.tapped()
        else:
            self._service.stop_listening()

    def dictate(self) -> None:
        """Write what is said into the field that has the cursor."""
        field = QApplication.focusWidget()
        if self._service is None or self._view.state not in _CAN_TALK:
            return
        if not isinstance(field, QLineEdit | QPlainTextEdit | QTextEdit) or field.isReadOnly():
            self._text.set_full(self.tr("Put the cursor into a field first: what you say is written there."))
            return
        self._service.dictate(lambda text: _write(field, text))

    def switch_hands_free(self) -> None:
        """Listen without a key, or stop."""
        if self._service is not None and self._view.state in _CAN_TALK:
            self._service.switch_hands_free()
        self.hands_free.setChecked(self._view.hands_free)

    def set_talk_key(self, keys: str) -> None:
        """The key that is held to talk, as the settings name it; none where it is empty."""
        self._talk_key = QKeySequence(keys)
        self._key.setText(self._talk_key.toString(QKeySequence.SequenceFormat.NativeText))
        self.show_view(self._view)

    def takes_key(self, event: QKeyEvent, *, down: bool) -> bool:
        """Handle the talk key of the window; True when it was that key."""
        if not self._is_talk_key(event, down=down):
            return False
        if event.isAutoRepeat():
            return True
        if not down:
            self._clicked = self._held.isActive()
            self._up.start()
        elif self._up.isActive():
            self._up.stop()
        else:
            self.press()
        return True

    def _is_talk_key(self, event: QKeyEvent, *, down: bool) -> bool:
        """A key that goes up counts without its modifiers: those may have gone up first."""
        if self._talk_key.isEmpty():
            return False
        wanted = self._talk_key[0]  # pyright: ignore[reportIndexIssue]  # its stub has no __getitem__
        return event.key() == wanted.key() and (not down or event.modifiers() == wanted.keyboardModifiers())

    def _key_is_up(self) -> None:
        if self._clicked and self._service is not None and self._opened:
            self._opened = False
            self._service.tapped()
        elif not self._clicked:
            self.release()

    def takes_escape(self) -> bool:
        """Cancel the card that asks; True when there was one."""
        if self._view.state is not VoiceState.CARD:
            return False
        self._cancel()
        return True

    def _confirm(self) -> None:
        if self._service is not None:
            self._service.confirm()

    def _cancel(self) -> None:
        if self._service is not None:
            self._service.cancel()

    def _edit(self, action_id: str, input: dict[str, object]) -> None:
        self._cancel()
        self.edit_asked.emit(action_id, input)


def _write(field: QLineEdit | QPlainTextEdit | QTextEdit, text: str) -> None:
    """Put a text where the cursor is, apart from the word before it; a field that is gone takes nothing."""
    if not isValid(field):
        return
    if isinstance(field, QLineEdit):
        before = field.text()[: field.cursorPosition()]
    else:
        cursor = field.textCursor()
        before = cursor.block().text()[: cursor.positionInBlock()]
    gap = " " if before and before[-1].isascii() and not before[-1].isspace() else ""
    if isinstance(field, QLineEdit):
        field.insert(gap + text)
    else:
        field.insertPlainText(gap + text)
