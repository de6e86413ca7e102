"""What the host tells of, through the whole window over a host in memory."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from actions.catalog.notification import Notification
from desktop.app.application import Application
from desktop.i18n.catalogue import FOLDER
from desktop.notifications.toasts import Toast
from desktop.notifications.words import Wording, Words
from desktop.theme.theme import Theme
from tests.desktop.conftest import Eventually
from tests.desktop.host import NOW, InMemoryHost, request, session


class Desktop:
    """An outlet that shows what it is given, or nothing at all."""

    def __init__(self, *, able: bool = True) -> None:
        self.able = able
        self.shown: dict[str, tuple[Words, bool]] = {}
        self.click: Any = None

    def listen(self, clicked: Any) -> None:
        self.click = clicked

    async def show(self, id: str, words: Words, *, waits: bool) -> bool:
        if self.able:
            self.shown[id] = (words, waits)
        return self.able

    async def withdraw(self, id: str) -> None:
        self.shown.pop(id, None)

    async def close(self) -> None:
        self.shown.clear()


@pytest.fixture
def desktop() -> Desktop:
    return Desktop()


@pytest.fixture
async def app(theme: Theme, host: InMemoryHost, desktop: Desktop) -> AsyncIterator[Application]:
    host.sessions = {"s1": session("s1", title="First"), "s2": session("s2", title="Second", last_activity=1)}
    host.requests = {"r1": request("r1")}
    application = Application(theme, host, [desktop])
    application.open()
    yield application
    await application.close()
    assert (desktop.shown, host.listeners) == ({}, 0)


def tell(host: InMemoryHost, id: str = "n1", kind: str = "permission", **more: Any) -> None:
    given = {"session_id": "s2", "session_title": "Second", "provider_name": "Claude", "tool": "execute", **more}
    host.publish("notification", id=id, kind=kind, at=NOW, **given)


async def front(app: Application, eventually: Eventually, session_id: str = "s1") -> None:
    await eventually(lambda: app.window.sessions.session(session_id))
    app.sessions.open(session_id)
    await eventually(lambda: app.window.page() == "session" and app.sessions.current == session_id)


async def test_a_click_goes_to_the_exact_session(
    app: Application, host: InMemoryHost, desktop: Desktop, eventually: Eventually
) -> None:
    await front(app, eventually)
    app.window.show_page("inbox")
    tell(host)
    await eventually(lambda: desktop.shown)
    assert desktop.shown == {"n1": (Words("Second", "Claude asks for permission: run a command"), True)}
    desktop.click("n1")
    await eventually(lambda: (app.window.page(), app.sessions.current) == ("session", "s2"))
    await eventually(lambda: not desktop.shown)


async def test_one_of_no_session_leads_to_its_request(
    app: Application, host: InMemoryHost, desktop: Desktop, eventually: Eventually
) -> None:
    await front(app, eventually)
    named = {"en": "Stop a session", "zh": "停止会话"}
    tell(host, session_id=None, session_title="", provider_name="", tool=None, action=named, request_id="r1")
    await eventually(lambda: desktop.shown)
    assert desktop.shown["n1"][0] == Words("Sayso", "An editor asks for your say-so: Stop a session")
    desktop.click("n1")
    await eventually(lambda: app.window.page() == "inbox")


async def test_an_answer_and_a_look_take_it_back(
    app: Application, host: InMemoryHost, desktop: Desktop, eventually: Eventually
) -> None:
    await front(app, eventually)
    tell(host)
    tell(host, "n2", "done", tool=None)
    tell(host, "n3", "failed", tool=None, session_id="s1")
    await eventually(lambda: len(desktop.shown) == 2 + (not app.window.isActiveWindow()))
    host.publish("notification_did_end", id="n1")
    await eventually(lambda: "n1" not in desktop.shown)
    app.window.activateWindow()
    await eventually(app.window.isActiveWindow)
    app.sessions.open("s2")
    await eventually(lambda: not desktop.shown)


async def test_a_session_that_is_looked_at_is_not_told_of(
    app: Application, host: InMemoryHost, desktop: Desktop, eventually: Eventually
) -> None:
    await front(app, eventually, "s2")
    app.window.activateWindow()
    await eventually(app.window.isActiveWindow)
    tell(host)
    tell(host, "n2", "done", session_id="s1", session_title="First")
    await eventually(lambda: desktop.shown)
    assert list(desktop.shown) == ["n2"]


async def test_where_the_desktop_shows_none_the_window_does(
    app: Application, host: InMemoryHost, desktop: Desktop, eventually: Eventually
) -> None:
    desktop.able = False
    await front(app, eventually)
    app.window.session_page.composer.edit.setFocus()
    tell(host)
    tell(host, "n2", "question", session_title="Second\n<b>bold</b>")
    await eventually(lambda: len(app.window.toasts.texts()) == 2)
    assert app.window.toasts.texts() == [
        "Second: Claude asks for permission: run a command",
        "Second <b>bold</b>: Claude asks you a question",
    ]
    assert app.window.focusWidget() is app.window.session_page.composer.edit, "what is typed goes where it went"
    edge = max(toast.geometry().right() for toast in app.window.findChildren(Toast))
    app.window.resize(900, 600)
    toasts = sorted(app.window.findChildren(Toast), key=lambda toast: toast.y())
    assert not toasts[0].geometry().intersects(toasts[1].geometry())
    assert toasts[-1].geometry().right() != edge
    assert app.window.rect().contains(toasts[-1].geometry())
    QTest.keyClick(app.window, Qt.Key.Key_F9)
    assert app.window.focusWidget() is toasts[0].open
    QTest.keyClick(toasts[0].open, Qt.Key.Key_Escape)
    assert len(app.window.toasts.texts()) == 1
    QTest.keyClick(app.window, Qt.Key.Key_F9)
    QTest.keyClick(toasts[1].open, Qt.Key.Key_Return)
    await eventually(lambda: app.sessions.current == "s2")
    assert app.window.toasts.texts() == []


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ({"kind": "done"}, "Claude 已完成"),
        ({"kind": "done", "run": "review"}, "Claude 的审查已完成"),
        ({"kind": "failed", "run": "plan"}, "Claude 的计划失败了"),
        ({"kind": "plan"}, "Claude 有一份计划请你过目"),
        ({"kind": "permission", "action": {"en": "Stop a session", "zh": "停止会话"}}, "Claude 请你批准:停止会话"),
        ({"kind": "permission", "tool": "other"}, "Claude 请求许可:使用工具"),
    ],
)
def test_the_words_in_chinese(qapp: QApplication, told: dict[str, Any], text: str, monkeypatch: Any) -> None:
    translator = QTranslator()
    assert translator.load("sayso_zh_CN", str(FOLDER))
    qapp.installTranslator(translator)
    monkeypatch.setattr("desktop.notifications.words._chinese", lambda: True)
    try:
        given = {"id": "n", "session_id": "s", "session_title": "登录", "provider_name": "Claude", "at": NOW, **told}
        assert Wording().words(Notification.model_validate(given)) == Words("登录", text)
    finally:
        qapp.removeTranslator(translator)
