"""Resume, fork, delete, model, queue and what the window shows, through the whole window over a host in memory."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QToolButton

from desktop.app.application import Application
from desktop.app.backend import Outcome, Status
from desktop.sessions.menu import SessionMenu
from desktop.status import Connection
from desktop.theme.theme import Theme
from desktop.widgets.select import Select
from tests.desktop.conftest import Eventually
from tests.desktop.host import InMemoryHost, request, session

MODEL = {
    "id": "model",
    "name": "Model",
    "category": "model",
    "value": "small",
    "choices": [{"id": "small", "name": "Small"}, {"id": "large", "name": "Large"}],
}


@pytest.fixture
async def app(theme: Theme, host: InMemoryHost) -> AsyncIterator[Application]:
    host.sessions = {
        "s1": session("s1", title="First", forkable=True, options=[MODEL], model="small"),
        "s2": session("s2", title="Second", last_activity=1, state="stopped", resumable=True, reason="Stopped by you."),
    }
    application = Application(theme, host)
    application.open()
    yield application
    await application.close()


async def front(app: Application, eventually: Eventually, session_id: str = "s1") -> None:
    await eventually(lambda: app.window.sessions.session(session_id))
    app.sessions.open(session_id)
    await eventually(lambda: app.window.page() == "session" and app.sessions.current == session_id)


async def menu_of(app: Application, eventually: Eventually) -> dict[str, QAction]:
    more = app.window.session_page.header.more
    more.setFocus()
    QTest.keyClick(more, Qt.Key.Key_Space)
    menu = await eventually(lambda: next((m for m in app.window.findChildren(SessionMenu) if m.isVisible()), None))
    assert isinstance(menu, QMenu)
    found = {action.text(): action for action in menu.actions()}
    menu.close()
    return found


async def test_the_menu_opens_by_keyboard_and_forks(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    await front(app, eventually)
    fork = session("s3", title="First (fork)")

    def forked(_: Any) -> Outcome:
        host.sessions["s3"] = fork
        return Outcome(Status.COMPLETED, fork.model_dump(mode="json"))

    host.answers["session.fork"] = forked
    (await menu_of(app, eventually))["Fork"].trigger()
    await eventually(lambda: app.sessions.current == "s3")
    assert host.called("session.fork") == [{"session_id": "s1"}]


async def test_deleting_shows_the_request_and_then_another_session(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    await front(app, eventually)
    host.requests["a1"] = request("a1")
    host.answers["session.delete"] = lambda _: Outcome(Status.PENDING, approval_id="a1")
    (await menu_of(app, eventually))["Delete for good…"].trigger()
    await eventually(lambda: app.window.page() == "inbox")
    assert host.called("session.delete") == [{"session_id": "s1"}]
    host.publish("session_did_change", session_id="s1", deleted=True)
    await eventually(lambda: app.sessions.current == "s2")


async def test_a_session_at_rest_offers_to_be_resumed(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    await front(app, eventually, "s2")
    note = app.window.session_page.note
    assert not note.isHidden()
    resume = next(b for b in note.findChildren(QPushButton) if b.text() == "Resume")
    resume.setFocus()
    QTest.keyClick(resume, Qt.Key.Key_Return)
    await eventually(lambda: host.called("session.resume") == [{"session_id": "s2"}])
    view = session("s2", title="Second", state="idle")
    host.publish("session_did_change", session_id="s2", session=view.model_dump(mode="json"))
    await eventually(note.isHidden)


async def test_a_model_is_shown_once_the_host_said_so(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    await front(app, eventually)
    choice = next(
        s for s in app.window.session_page.header.findChildren(Select) if s.accessibleName() == "Session model"
    )
    assert (choice.isVisible(), choice.currentText()) == (True, "Small")
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Down)
    choice.activated.emit(1)
    await eventually(lambda: host.called("session.model.set"))
    assert host.called("session.model.set")[0] == {"session_id": "s1", "model_id": "large"}
    assert choice.currentText() == "Small"
    view = host.sessions["s1"].model_copy(update={"model": "large"})
    host.publish("session_did_change", session_id="s1", session=view.model_dump(mode="json"))
    await eventually(lambda: choice.currentText() == "Large")
    await front(app, eventually, "s2")
    assert not choice.isVisible()


async def test_the_queue_is_edited_where_it_is_shown(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    await front(app, eventually)
    queue = [{"id": "m1", "text": "one"}, {"id": "m2", "text": "two"}]
    view = session("s1", state="working", queue=queue, last_activity=10**15)
    host.publish("session_did_change", session_id="s1", session=view.model_dump(mode="json"))
    panel = app.window.session_page.composer.queue
    await eventually(panel.isVisible)
    for name in ("Move up: two", "Send now: two", "Drop: one"):
        next(b for b in panel.findChildren(QToolButton) if b.accessibleName() == name).click()
    await eventually(lambda: len(host.called("session.queue.edit")) == 3)
    own = {"session_id": "s1"}
    assert host.called("session.queue.edit") == [
        {**own, "message_id": "m2", "operation": "move", "position": 0},
        {**own, "message_id": "m2", "operation": "send_now"},
        {**own, "message_id": "m1", "operation": "drop"},
    ]


async def test_the_host_knows_what_the_window_shows(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    await front(app, eventually)
    await eventually(lambda: host.shown and host.shown[-1][0] == "s1")
    app.window.show_page("inbox")
    await eventually(lambda: host.shown[-1][0] is None)
    app.sessions.open("s2")
    await eventually(lambda: host.shown[-1][0] == "s2")
    told = len(host.shown)
    host.change_connection(Connection.LOST)
    host.change_connection(Connection.CONNECTED)
    await eventually(lambda: len(host.shown) > told)
    app.window.showMinimized()
    await eventually(lambda: host.shown[-1] == (None, False))


async def test_the_list_has_the_menu_under_its_key(app: Application, eventually: Eventually) -> None:
    await front(app, eventually)
    view = app.window.sidebar.list
    view.setFocus()
    view.customContextMenuRequested.emit(view.rect().bottomRight())  # the menu key, outside every row
    menu = await eventually(lambda: next((m for m in app.window.findChildren(SessionMenu) if m.isVisible()), None))
    assert isinstance(menu, SessionMenu)
    menu.close()
    assert QApplication.activePopupWidget() is None


async def test_a_session_that_is_still_being_read_does_not_come_back_to_the_front(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    await front(app, eventually)
    app.sessions.open("s2")
    app.window.show_page("inbox")
    await eventually(lambda: any(asked["session_id"] == "s2" for asked in host.called("session.transcript.get")))
    await eventually(lambda: len(app.sessions.tasks) == 0)
    assert app.window.page() == "inbox"
