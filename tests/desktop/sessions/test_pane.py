"""The list of sessions: filtered by words, archived ones apart, and the way back to the one before."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.app.application import Application
from desktop.theme.theme import Theme
from tests.desktop.conftest import Eventually
from tests.desktop.host import InMemoryHost, session


def names(application: Application) -> list[str]:
    return [entry.id for entry in application.window.sessions.listed()]


async def test_filter_archive_and_the_one_before(host: InMemoryHost, theme: Theme, eventually: Eventually) -> None:
    for number, title in enumerate(("Fix prices", "Write docs", "Add paging")):
        host.sessions[f"s{number}"] = session(f"s{number}", title=title, last_activity=100 - number)
    old = session("old", title="Old one", archived=True).model_dump(mode="json")
    everything = host._answer
    host.answers["session.list"] = lambda given: host.completed(
        {"sessions": [old]} if given.get("archived_only") else everything("session.list", given)
    )
    application = Application(theme, host)
    sidebar = application.window.sidebar
    try:
        application.open()
        await eventually(application.window.isActiveWindow)
        await eventually(lambda: names(application) == ["s0", "s1", "s2"])

        QTest.keyClick(application.window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
        assert sidebar.filter.hasFocus()
        QTest.keyClicks(sidebar.filter, "DOCS")
        assert names(application) == ["s1"]
        QTest.keyClick(sidebar.filter, Qt.Key.Key_Return)
        assert application.sessions.current == "s1"
        assert names(application) == ["s0", "s1", "s2"]  # and all are there again
        application.window.recent_asked.emit()
        assert application.sessions.current == "s0"
        QTest.keyClicks(sidebar.filter, "nothing")
        assert names(application) == []
        assert sidebar._empty.isVisible()
        QTest.keyClick(sidebar.filter, Qt.Key.Key_Escape)
        assert names(application) == ["s0", "s1", "s2"]

        sidebar.archived.click()
        await eventually(lambda: names(application) == ["old"])
        sidebar.archived.click()
        assert names(application) == ["s0", "s1", "s2"]
    finally:
        await application.close()
    assert host.listeners == 0
