"""The talk key as X11 sends it, and what a press means while the microphone opens."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop.theme.theme import Theme
from desktop.voicebar.bar import HOLD_SECONDS, REPEAT_SECONDS, VoiceBar
from desktop.voicebar.state import VoiceCard, VoiceState, VoiceView
from desktop.voicebar.trial import Trial


class Recorded:
    """A voice service that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def subscribe(self, listener: Callable[[VoiceView], None]) -> AbstractContextManager[None]:
        listener(VoiceView(VoiceState.READY))
        return nullcontext()

    def start_listening(self) -> None:
        self.told.append("start")

    def tapped(self) -> None:
        self.told.append("tapped")

    def dictate(self, take: Callable[[str], None]) -> None:
        self.told.append("dictate")
        take("two words")

    def switch_hands_free(self) -> None:
        self.told.append("hands free")

    def trial(self, on_level: Callable[[float, bool], None]) -> Trial:
        raise AssertionError("nothing is tried here")

    def stop_listening(self, *, discard: bool = False) -> None:
        self.told.append("stop")

    def confirm(self) -> None:
        self.told.append("confirm")

    def cancel(self) -> None:
        self.told.append("cancel")

    def request_settled(self, approval_id: str) -> None:
        self.told.append("settled")


@pytest.fixture
def service() -> Recorded:
    return Recorded()


@pytest.fixture
def bar(qtbot: QtBot, theme: Theme, service: Recorded) -> VoiceBar:
    result = VoiceBar(theme)
    qtbot.addWidget(result)
    result.attach(service)
    return result


def _event(key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier, *, down: bool = True) -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress if down else QEvent.Type.KeyRelease, key, held)


def _key(bar: VoiceBar, *, down: bool) -> None:
    kind = QEvent.Type.KeyPress if down else QEvent.Type.KeyRelease
    bar.takes_key(QKeyEvent(kind, Qt.Key.Key_F8, Qt.KeyboardModifier.NoModifier), down=down)


def _listening(bar: VoiceBar) -> None:
    bar.show_view(VoiceView(VoiceState.LISTENING, 0.5))


def test_a_repeat_that_looks_like_a_release_does_not_cut_the_speaker_off(
    qtbot: QtBot, bar: VoiceBar, service: Recorded
) -> None:
    _key(bar, down=True)
    _listening(bar)
    qtbot.wait(round(HOLD_SECONDS * 1000) + 100)
    for _ in range(3):
        _key(bar, down=False)
        _key(bar, down=True)
    qtbot.wait(round(REPEAT_SECONDS * 1000) + 60)
    assert service.told == ["start"]
    _key(bar, down=False)
    qtbot.waitUntil(lambda: service.told == ["start", "stop"], timeout=30_000)


def test_a_click_keeps_the_microphone_open_until_the_next(qtbot: QtBot, bar: VoiceBar, service: Recorded) -> None:
    _key(bar, down=True)
    _listening(bar)
    _key(bar, down=False)
    qtbot.wait(round((HOLD_SECONDS + REPEAT_SECONDS) * 1000) + 100)
    assert service.told == ["start", "tapped"], "from now on quiet ends it"
    _key(bar, down=True)
    _key(bar, down=False)
    qtbot.wait(round(REPEAT_SECONDS * 1000) + 60)
    assert service.told == ["start", "tapped", "stop"]


def test_the_talk_key_is_the_one_of_the_settings(qtbot: QtBot, bar: VoiceBar, service: Recorded) -> None:
    bar.set_talk_key("Ctrl+Space")
    assert not bar.takes_key(_event(Qt.Key.Key_F8), down=True)
    assert not bar.takes_key(_event(Qt.Key.Key_Space), down=True)
    assert bar.takes_key(_event(Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier), down=True)
    assert service.told == ["start"]
    _listening(bar)
    qtbot.wait(round(HOLD_SECONDS * 1000) + 100)
    assert bar.takes_key(_event(Qt.Key.Key_Space, down=False), down=False), "Ctrl went up first"
    qtbot.waitUntil(lambda: service.told == ["start", "stop"], timeout=30_000)
    bar.set_talk_key("")
    assert not bar.takes_key(_event(Qt.Key.Key_Space), down=True)


def test_hands_free_is_a_switch_that_shows_what_holds(bar: VoiceBar, service: Recorded) -> None:
    bar.hands_free.click()
    assert service.told == ["hands free"]
    assert not bar.hands_free.isChecked(), "the service says whether it listens"
    bar.show_view(VoiceView(VoiceState.LISTENING, hands_free=True))
    assert bar.hands_free.isChecked()
    bar.press()
    assert service.told == ["hands free"], "the talk key has nothing to open"


def test_what_is_heard_is_shown_while_it_is_said_and_the_card_stays(bar: VoiceBar) -> None:
    card = VoiceCard("stop it", "session.stop", "Stop a session")
    bar.show_view(VoiceView(VoiceState.CARD, card=card))
    bar.show_view(VoiceView(VoiceState.HEARING, level=0.5, message="yes stop", card=card))
    assert not bar._over.isHidden()
    assert bar.state_text(bar._view) == "yes stop…"


def test_a_release_counts_while_the_microphone_still_opens(qtbot: QtBot, bar: VoiceBar, service: Recorded) -> None:
    bar.press()
    qtbot.wait(round(HOLD_SECONDS * 1000) + 100)
    bar.release()
    assert service.told == ["start", "stop"]


def test_escape_cancels_the_card_and_only_the_card(bar: VoiceBar, service: Recorded) -> None:
    assert not bar.takes_escape()
    card = VoiceCard("stop it", "session.stop", "Stop a session")
    bar.show_view(VoiceView(VoiceState.CARD, card=card))
    assert bar.takes_escape()
    assert service.told == ["cancel"]


def test_what_is_dictated_is_written_where_the_cursor_is(qtbot: QtBot, bar: VoiceBar, service: Recorded) -> None:
    field, note, other = QLineEdit("say done"), QPlainTextEdit(), QPushButton()
    window = QWidget()
    inside = QVBoxLayout(window)
    for widget in (other, field, note):
        inside.addWidget(widget)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    other.setFocus()
    qtbot.waitUntil(other.hasFocus, timeout=30_000)
    bar.dictate()
    assert service.told == [], "there is no field to write into"
    field.setFocus()
    field.setCursorPosition(3)
    qtbot.waitUntil(field.hasFocus, timeout=30_000)
    bar.dictation.click()
    assert field.text() == "say two words done"
    note.setPlainText("你好")
    note.setFocus()
    note.moveCursor(note.textCursor().MoveOperation.End)
    bar.dictate()
    assert note.toPlainText() == "你好two words", "no gap where the script has none"
