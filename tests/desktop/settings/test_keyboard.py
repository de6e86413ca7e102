"""The settings by keyboard alone, and what they show while nothing is known."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.app.application import Application
from desktop.theme.theme import Theme
from tests.desktop.conftest import Eventually
from tests.desktop.host import InMemoryHost, failed
from tests.desktop.settings.test_actions_model import SURFACES

BINDING = {"id": "files@device", "server": "files", "target": "device", "enabled": True}
FILES = {
    "name": "files", "transport": "stdio", "scope": "device", "file": "/m.json", "line": 3, "enabled": True,
    "reason": "active_by_default", "command": "npx", "bindings": [BINDING], "content_hash": "h", "revision": "r",
}  # fmt: skip
ACTIONS = [{"id": f"note.{name}", "title": name, "effect": "write", "surfaces": SURFACES} for name in ("a", "b")]


async def test_pages_fields_and_choices_by_keyboard(host: InMemoryHost, theme: Theme, eventually: Eventually) -> None:
    host.answers["mcp.servers.list"] = lambda _: host.completed({"servers": [FILES], "revision": "r"})
    host.answers["settings.actions.get"] = lambda _: host.completed({"actions": ACTIONS})
    application = Application(theme, host)
    window, page = application.window, application.settings.actions_page
    try:
        application.open()
        await eventually(window.isActiveWindow)
        QTest.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
        await eventually(lambda: window.settings.current() == "general")
        for _ in range(3):
            QTest.keyClick(window.settings.list, Qt.Key.Key_Down)
        await eventually(lambda: application.settings.servers_page.model.rowCount() == 1)
        names: list[str] = []
        while (focus := window.focusWidget()) is not None and focus.accessibleName() not in names:
            names.append(focus.accessibleName() or getattr(focus, "text", str)())
            QTest.keyClick(focus, Qt.Key.Key_Tab)
        wanted = [
            "Pages of the settings",
            "Add a server",
            "Workspace",
            "MCP servers",
            "Servers",
            "Test",
            "Edit",
            "Remove",
        ]
        assert [name for name in names if name in wanted] == wanted
        window.settings.take_focus()
        QTest.keyClick(window.settings.list, Qt.Key.Key_Up)
        await eventually(lambda: page.model.rowCount() == 2 and page.table.isVisible())
        page.table.setFocus()
        QTest.keyClick(page.table, Qt.Key.Key_Down)
        QTest.keyClick(page.table, Qt.Key.Key_Return)
        assert QApplication.focusWidget() is page.detail.held
        QTest.keyClick(page.detail.held, Qt.Key.Key_Down)
        await eventually(lambda: host.called("settings.actions.set"))
        change = {"action_id": "note.b", "surface": "ui", "approval": "always"}
        assert host.called("settings.actions.set") == [change]
    finally:
        await application.close()
    assert host.listeners == 0


async def test_what_cannot_be_read_says_why(host: InMemoryHost, theme: Theme, eventually: Eventually) -> None:
    host.answers["workspace.list"] = lambda _: failed("The host is busy. Try again.")
    application = Application(theme, host)
    page = application.settings.servers_page
    try:
        application.open()
        application.window.show_page("settings")
        application.window.settings.open("mcp")
        assert page._empty._title.text() == "Loading…"
        await eventually(lambda: page._empty._hint.text() == "The host is busy. Try again.")
        application.open_pane("settings.nowhere")
        assert "settings.nowhere" in application.window.banner._text.text()
    finally:
        await application.close()
