"""The messages that wait, by mouse and by keyboard."""

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from actions.catalog.views import QueuedMessage
from desktop.composer.queue import QueuePanel
from desktop.theme.theme import Theme
from desktop.widgets.basics import Elided
from tests.desktop.accessibility import unnamed

Asked = list[tuple[str, tuple[Any, ...]]]


def messages(*texts: str) -> list[QueuedMessage]:
    return [QueuedMessage(id=text, text=text) for text in texts]


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> QueuePanel:
    panel = QueuePanel(theme)
    qtbot.addWidget(panel)
    panel.resize(600, 200)
    panel.show_messages(messages("one", "two", "three"))
    panel.show()
    return panel


@pytest.fixture
def asked(panel: QueuePanel) -> Asked:
    asked: Asked = []

    def note(name: str) -> Callable[..., None]:
        return lambda *given: asked.append((name, given))

    panel.edited.connect(note("edit"))
    panel.moved.connect(note("move"))
    panel.dropped.connect(note("drop"))
    panel.sent_now.connect(note("now"))
    return asked


def press(panel: QueuePanel, name: str) -> None:
    found = [b for b in panel.findChildren(QToolButton) if b.accessibleName() == name and b.isVisible()]
    assert len(found) == 1, name
    QTest.mouseClick(found[0], Qt.MouseButton.LeftButton)


def test_each_button_says_what_and_which(panel: QueuePanel, asked: Asked) -> None:
    press(panel, "Send now: two")
    press(panel, "Move up: two")
    press(panel, "Move down: two")
    press(panel, "Drop: three")
    assert asked == [("now", ("two",)), ("move", ("two", 0)), ("move", ("two", 2)), ("drop", ("three",))]
    assert unnamed(panel) == []
    ends = {b.accessibleName(): b.isEnabled() for b in panel.findChildren(QToolButton)}
    assert (ends["Move up: one"], ends["Move down: three"]) == (False, False)


def test_a_message_is_edited_by_keyboard_alone(panel: QueuePanel, asked: Asked, qtbot: QtBot) -> None:
    button = next(b for b in panel.findChildren(QToolButton) if b.accessibleName() == "Send now: two")
    QTest.keyClick(button, Qt.Key.Key_F2)
    field = next(f for f in panel.findChildren(QPlainTextEdit) if f.isVisible())
    assert field.toPlainText() == "two"
    QTest.keyClicks(field, "deux")
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(field, "lignes")
    # What comes meanwhile takes nothing from what is being typed.
    panel.show_messages(messages("two", "three", "four"))
    assert field.isVisible()
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert asked == [("edit", ("two", "deux\nlignes"))]
    assert not field.isVisible()


def test_escape_and_leave_change_nothing(panel: QueuePanel, asked: Asked) -> None:
    press(panel, "Edit: one")
    field = next(f for f in panel.findChildren(QPlainTextEdit) if f.isVisible())
    QTest.keyClicks(field, "x")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    press(panel, "Edit: one")
    leave = next(b for b in panel.findChildren(QPushButton) if b.text() == "Leave as it is" and b.isVisible())
    leave.click()
    assert asked == []


def test_rows_move_by_keyboard_and_keep_the_focus(panel: QueuePanel, asked: Asked, qtbot: QtBot) -> None:
    button = next(b for b in panel.findChildren(QToolButton) if b.accessibleName() == "Send now: two")
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(button, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert asked == [("move", ("two", 0)), ("move", ("two", 2))]
    panel.show_messages(messages("two", "one", "three"))
    layout = panel.layout()
    assert layout is not None
    layout.activate()
    places = {text.full(): text.mapTo(panel, text.rect().topLeft()).y() for text in panel.findChildren(Elided)}
    assert sorted(places, key=lambda text: places[text]) == ["two", "one", "three"]
    assert button.hasFocus()
