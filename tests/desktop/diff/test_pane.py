"""A change in the window, and how an agent brings it there without taking the keyboard."""

from collections.abc import AsyncIterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.app.application import Application
from desktop.app.for_agents import ForAgents
from desktop.diff.pane import DiffPane
from desktop.theme.theme import Theme
from tests.desktop.conftest import Eventually
from tests.desktop.host import InMemoryHost, session


def change(name: str, lines: int = 40) -> str:
    added = "".join(f"+line {number}\n" for number in range(1, lines + 1))
    return f"diff --git a/{name} b/{name}\n--- /dev/null\n+++ b/{name}\n@@ -0,0 +1,{lines} @@\n{added}"


def test_files_lead_to_their_lines(qtbot: QtBot, theme: Theme) -> None:
    pane = DiffPane(theme)
    qtbot.addWidget(pane)
    pane.resize(700, 300)
    pane.show()
    diff = pane.show_diff("Rank", "Fix · Claude", change("a.py") + change("b <b>.py") + change("c.py"))
    assert [pane.files.item(row).text() for row in range(pane.files.count())] == ["a.py", "b <b>.py", "c.py"]
    assert (len(diff.files), diff.added, diff.deleted) == (3, 120, 0)
    pane.files.setFocus()
    QTest.keyClick(pane.files, Qt.Key.Key_Down)
    assert pane.view.firstVisibleBlock().text() == "b <b>.py"
    pane.go_to("c.py", 17)
    assert pane.view.textCursor().block().text() == "line 17"
    pane.go_to("nowhere.py")
    assert pane.view.textCursor().block().text() == "line 17"
    with qtbot.waitSignal(pane.left):
        QTest.keyClick(pane.view, Qt.Key.Key_Escape)


def test_only_the_names_of_files_are_strong_also_when_another_change_is_shown(qtbot: QtBot, theme: Theme) -> None:
    pane = DiffPane(theme)
    qtbot.addWidget(pane)
    for name in ("a.py", "b.py"):
        pane.show_diff(name, "", change(name, 3))
        pane.go_to(name)
    for at in range(5):
        cursor = QTextCursor(pane.view.document().findBlockByNumber(at))
        cursor.movePosition(QTextCursor.MoveOperation.Right)
        assert (cursor.charFormat().fontWeight() > 500) == (at == 0)


def test_one_file_needs_no_list_and_odd_ends_of_lines_stay_one_line(qtbot: QtBot, theme: Theme) -> None:
    pane = DiffPane(theme)
    qtbot.addWidget(pane)
    text = "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\r\n+b\x0cc\u2028d\u2029e\rf\n+g\n"
    diff = pane.show_diff("x", "", text)
    assert pane.view.blockCount() == len(diff.lines) == 5
    assert pane.files.isHidden() or pane.files.parentWidget().isHidden()
    pane.show_diff("nothing", "", "")
    assert pane.view.isHidden() or not pane.view.isVisibleTo(pane)


@pytest.fixture
async def app(theme: Theme, host: InMemoryHost, eventually: Eventually) -> AsyncIterator[Application]:
    host.sessions = {"s1": session("s1", title="Fix"), "s2": session("s2", last_activity=1)}
    application = Application(theme, host)
    application.open()
    await eventually(lambda: application.window.page() == "session")
    application.window.activateWindow()
    await eventually(application.window.isActiveWindow)
    yield application
    await application.close()


async def test_whoever_types_is_asked_and_whoever_does_not_is_shown(app: Application, eventually: Eventually) -> None:
    now = [100.0]
    agents = ForAgents(app.window, app.open_pane, clock=lambda: now[0])
    given = {"session_id": "s1", "title": "Rank", "diff": change("a.py"), "cut": True}
    edit = app.window.session_page.composer.edit
    edit.setFocus()
    await eventually(edit.hasFocus)
    QTest.keyClick(edit, Qt.Key.Key_X)
    assert await agents.answer_show_diff(given) == {"files": 1, "added": 40, "deleted": 0, "offered": True}
    assert (app.window.page(), edit.toPlainText()) == ("session", "x")
    assert app.window.toasts.texts() == ["Fix: Built-in agent shows you a change: Rank"]
    now[0] += 5
    assert (await agents.answer_show_diff(given))["offered"] is False
    assert app.window.page() == "diff"
    app.window.diff.left.emit()
    assert (app.window.page(), edit.toPlainText()) == ("session", "x"), "what was typed is still there"


async def test_a_pane_that_an_agent_opens_has_nothing_that_a_key_answers(app: Application) -> None:
    app.window.inbox.take_focus()
    assert await app.for_agents.answer_open({"session_id": "s1", "target": "inbox"}) == {
        "opened": "inbox",
        "offered": False,
    }
    assert app.window.page() == "inbox"
    assert not app.window.inbox.list.hasFocus()
    app.window.launcher.open()
    asked = {"session_id": "s1", "target": "session", "id": "s2"}
    assert (await app.for_agents.answer_open(asked))["offered"] is True
    assert app.window.toasts.texts() == ["Fix: Built-in agent wants to show you a session"]
