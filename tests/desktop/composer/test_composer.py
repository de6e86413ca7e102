import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from actions.catalog.views import QueuedMessage
from desktop.composer.composer import Composer
from desktop.composer.drafts import Drafts
from desktop.theme.theme import Theme
from desktop.widgets.basics import Elided


@pytest.fixture
def composer(qtbot: QtBot, theme: Theme) -> Composer:
    widget = Composer(theme, Drafts())
    qtbot.addWidget(widget)
    widget.show_session("s1", "Claude")
    widget.show()
    return widget


def _sent(composer: Composer) -> list[tuple[str, str]]:
    sent: list[tuple[str, str]] = []
    composer.sent.connect(lambda session_id, text: sent.append((session_id, text)))
    return sent


def test_enter_sends_and_shift_enter_breaks_the_line(composer: Composer) -> None:
    sent = _sent(composer)
    QTest.keyClicks(composer.edit, "one")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(composer.edit, "two")
    assert sent == []
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == [("s1", "one\ntwo")]
    assert composer.edit.toPlainText() == ""


def test_enter_in_an_input_method_does_not_send(composer: Composer) -> None:
    sent = _sent(composer)
    composer.edit.setFocus()
    QApplication.sendEvent(composer.edit, QInputMethodEvent("nihao", []))
    assert composer.edit.is_composing()
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []
    chosen = QInputMethodEvent("", [])
    chosen.setCommitString("你好")
    QApplication.sendEvent(composer.edit, chosen)
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert [text.strip() for _, text in sent] == ["你好"]


def test_nothing_but_blanks_is_not_sent(composer: Composer) -> None:
    sent = _sent(composer)
    QTest.keyClicks(composer.edit, "  ")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []
    assert not composer.send.isEnabled()


def test_each_session_keeps_its_draft(composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "for one")
    composer.show_session("s2", "Codex")
    assert composer.edit.toPlainText() == ""
    QTest.keyClicks(composer.edit, "for two")
    composer.show_session("s1", "Claude")
    assert composer.edit.toPlainText() == "for one"


def test_a_message_that_was_not_taken_comes_back(composer: Composer) -> None:
    _sent(composer)
    QTest.keyClicks(composer.edit, "hello")
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    composer.give_back("s1", "hello")
    assert composer.edit.toPlainText() == "hello"
    composer.show_session("s2", "Codex")
    composer.edit.setPlainText("")
    composer.give_back("s1", "lost")  # another session is open: it waits there, without losing the newer text
    composer.show_session("s1", "Claude")
    assert composer.edit.toPlainText() == "hello"


def test_the_button_stops_while_the_agent_works(composer: Composer) -> None:
    stopped: list[str] = []
    composer.stop_asked.connect(stopped.append)
    composer.show_session("s1", "Claude", working=True)
    assert composer.send.accessibleName() == "Stop the turn"
    QTest.mouseClick(composer.send, Qt.MouseButton.LeftButton)
    QTest.keyClick(composer.edit, Qt.Key.Key_Escape)
    assert stopped == ["s1", "s1"]


def test_without_a_session_nothing_can_be_written(composer: Composer) -> None:
    composer.show_session(None)
    assert not composer.isEnabled()


def test_it_grows_with_the_text_up_to_a_limit(composer: Composer) -> None:
    low = composer.edit.height()
    composer.edit.setPlainText("\n" * 5)
    middle = composer.edit.height()
    composer.edit.setPlainText("\n" * 50)
    assert low < middle < composer.edit.height() < 300


def test_messages_that_wait_are_shown(composer: Composer) -> None:
    composer.show_session("s1", "Scout", working=True)
    composer.show_queue([QueuedMessage(id=f"m{n}", text=f"{n}\nline") for n in range(7)])
    shown = [label.full() for label in composer.queue.findChildren(Elided)]
    assert shown == ["0 line", "1 line", "2 line", "3 line", "4 line"]
    assert "and 2 more" in [label.text() for label in composer.findChildren(QLabel) if not label.isHidden()]
    composer.show_queue([])
    assert composer.queue.isHidden()


def _send(composer: Composer, text: str) -> None:
    QTest.keyClicks(composer.edit, text)
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)


def test_up_brings_back_what_was_sent_and_down_what_was_typed(composer: Composer) -> None:
    for text in ("first", "second", "second"):
        _send(composer, text)
    seen: list[str] = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up):
        QTest.keyClick(composer.edit, key)
        seen.append(composer.edit.toPlainText())
    assert seen == ["second", "first", "first"]
    QTest.keyClick(composer.edit, Qt.Key.Key_End)
    for _ in range(2):
        QTest.keyClick(composer.edit, Qt.Key.Key_Down)
    assert composer.edit.toPlainText() == ""


def test_an_arrow_inside_the_text_moves_the_cursor_only(composer: Composer) -> None:
    _send(composer, "before")
    QTest.keyClicks(composer.edit, "draft")
    QTest.keyClick(composer.edit, Qt.Key.Key_Down)
    assert composer.edit.toPlainText() == "draft"
    QTest.keyClick(composer.edit, Qt.Key.Key_Home)
    QTest.keyClick(composer.edit, Qt.Key.Key_Up)
    assert composer.edit.toPlainText() == "before"
    QTest.keyClick(composer.edit, Qt.Key.Key_End)
    QTest.keyClick(composer.edit, Qt.Key.Key_Down)
    assert composer.edit.toPlainText() == "draft"


def test_what_was_sent_is_kept_apart_by_session(composer: Composer) -> None:
    _send(composer, "to the first")
    composer.show_session("s2", "Claude")
    QTest.keyClick(composer.edit, Qt.Key.Key_Up)
    assert composer.edit.toPlainText() == ""
    composer.show_session("s1", "Claude")
    QTest.keyClick(composer.edit, Qt.Key.Key_Up)
    assert composer.edit.toPlainText() == "to the first"
