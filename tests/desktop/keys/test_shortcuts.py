"""The keys of the window: every one does something, none does two things, and a change holds at once."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from actions.storage.declarations import SETTINGS
from desktop.app.application import Application
from desktop.keys.shortcuts import FIXED, PREFIX, conflict, named
from desktop.main_window import MainWindow
from desktop.settings.keys import KeysPage
from desktop.theme.theme import Theme
from tests.desktop.conftest import Eventually
from tests.desktop.host import InMemoryHost


def test_every_shortcut_does_something(qtbot: QtBot, theme: Theme) -> None:
    window = MainWindow(theme)
    qtbot.addWidget(window)
    assert window.shortcuts.unbound() == []


def test_the_settings_declare_the_same_keys() -> None:
    declared = {key: setting.default for key, setting in SETTINGS.items() if key.startswith(PREFIX)}
    assert {PREFIX + entry.name: entry.default for entry in named()} == declared


def test_the_usual_keys_are_all_different() -> None:
    keys = [QKeySequence(entry.default).toString() for entry in named()]
    assert len(set(keys)) == len(keys)
    assert not {QKeySequence(fixed).toString() for fixed in FIXED} & set(keys)


@pytest.mark.parametrize(
    ("wanted", "expected"), [("Ctrl+N", "new"), ("F1", ""), ("Ctrl+Y", None), ("", None), ("ctrl+k", None)]
)
def test_a_conflict_names_who_has_the_keys(wanted: str, expected: str | None) -> None:
    assert conflict(wanted, "launcher", {"launcher": "Ctrl+K", "new": "Ctrl+N"}) == expected


def test_keys_that_are_taken_are_refused_beside_their_row(qtbot: QtBot, theme: Theme) -> None:
    page = KeysPage(theme)
    qtbot.addWidget(page)
    changes: list[tuple[str, str]] = []
    page.changed.connect(lambda key, keys: changes.append((key, keys)))
    row = page.key_rows["inbox"]
    row.edit.setKeySequence(QKeySequence("Ctrl+N"))
    row.edit.editingFinished.emit()
    assert "New session" in row.edit.accessibleDescription()
    assert row.edit.keySequence() == QKeySequence("Ctrl+I")
    row.edit.setKeySequence(QKeySequence("Ctrl+Y"))
    row.edit.editingFinished.emit()
    assert changes == [("keys.inbox", "Ctrl+Y")]
    page.show_values({"keys.inbox": "Ctrl+Y"})
    row.reset.click()
    assert changes[-1] == ("keys.inbox", "Ctrl+I")


async def test_a_change_holds_at_once(host: InMemoryHost, theme: Theme, eventually: Eventually) -> None:
    host.answers["settings.get"] = lambda _: host.completed({"settings": [{"key": "keys.inbox", "value": "Ctrl+Y"}]})
    application = Application(theme, host)
    window = application.window
    try:
        application.open()
        await eventually(window.isActiveWindow)
        await eventually(lambda: window.shortcuts.keys()["inbox"] == "Ctrl+Y")
        QTest.keyClick(window, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
        await eventually(lambda: window.page() == "inbox")
        host.publish("settings_did_change", key="keys.runs", value="x")  # of a host that knows more keys
        host.publish("settings_did_change", key="keys.settings", value="Ctrl+U")
        QTest.keyClick(window, Qt.Key.Key_U, Qt.KeyboardModifier.ControlModifier)
        await eventually(lambda: window.page() == "settings")
    finally:
        await application.close()
    assert host.listeners == 0
