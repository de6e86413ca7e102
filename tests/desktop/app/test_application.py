"""The whole window over a host in memory: what the user does reaches the host, and what it says the screen."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from actions.catalog.form import spec_form
from actions.catalog.registry import load
from desktop.app.application import Application
from desktop.app.backend import Outcome, Status
from desktop.runs.model import RunListModel
from desktop.runs.pane import RunsPane
from desktop.runs.presenter import RunsPresenter
from desktop.status import Connection
from desktop.theme.theme import Theme
from desktop.transcript.model import Item, Kind, TranscriptModel
from desktop.transcript.view import TranscriptView
from tests.desktop.conftest import Eventually
from tests.desktop.host import InMemoryHost, event, failed, request, run, session


@pytest.fixture
async def app(theme: Theme, host: InMemoryHost) -> AsyncIterator[Application]:
    host.sessions = {"s1": session("s1", title="First"), "s2": session("s2", title="Second", last_activity=1)}
    host.transcripts = {"s1": [event(1, "user", "u", text="Hello"), event(2, "agent", "m", text="Hi")]}
    application = Application(theme, host)
    application.open()
    yield application
    await application.close()


async def test_the_newest_session_opens_with_its_transcript(app: Application, eventually: Eventually) -> None:
    await eventually(lambda: len(app.window.transcript) == 2)
    assert app.window.page() == "session"
    assert app.window.transcript[1].text == "Hi"


async def test_a_message_reaches_the_agent_and_its_answer_the_screen(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    await eventually(lambda: len(app.window.transcript) == 2)
    edit = app.window.session_page.composer.edit
    QTest.keyClicks(edit, "Go on")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    await eventually(lambda: host.called("session.message.send"))
    assert host.called("session.message.send") == [{"session_id": "s1", "message": "Go on"}]
    host.append("s1", event(3, "user", "u2", text="Go on"), event(4, "agent", "m2", text="Now "))
    host.append("s1", event(5, "agent", "m2", text="working"))
    await eventually(lambda: app.window.session_page.transcript.card(3))
    assert app.window.transcript[3].text == "Now working"


async def test_a_gap_in_the_events_is_read_again(app: Application, host: InMemoryHost, eventually: Eventually) -> None:
    await eventually(lambda: len(app.window.transcript) == 2)
    host.transcripts["s1"].append(event(3, "user", "u2", text="unseen"))
    host.append("s1", event(4, "agent", "m2", text="seen"))
    await eventually(lambda: len(app.window.transcript) == 4)
    assert [app.window.transcript[row].text for row in (2, 3)] == ["unseen", "seen"]


async def test_a_message_that_was_not_taken_is_given_back(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    await eventually(lambda: len(app.window.transcript) == 2)
    host.answers["session.message.send"] = lambda input: failed("The agent has ended.")
    edit = app.window.session_page.composer.edit
    QTest.keyClicks(edit, "Lost?")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    await eventually(lambda: app.window.banner.isVisible())
    assert app.window.banner.text() == "The agent has ended."
    assert edit.toPlainText() == "Lost?"


async def test_an_approval_is_answered_once_and_leaves_the_inbox(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    host.requests["a1"] = request("a1", title="Delete a session")
    host.publish("inbox_did_change")
    await eventually(lambda: app.window.requests.rowCount() == 1)
    app.open_pane("approval", "a1")
    approve = app.window.inbox.detail._buttons[0]
    await eventually(approve.isEnabled)
    QTest.mouseClick(approve, Qt.MouseButton.LeftButton)
    QTest.mouseClick(approve, Qt.MouseButton.LeftButton)
    await eventually(lambda: app.window.requests.rowCount() == 0)
    assert host.called("approval.request.decide") == [{"approval_id": "a1", "decision": "approve", "scope": "once"}]


async def test_a_permission_in_the_transcript_is_answered_by_its_option(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    await eventually(lambda: len(app.window.transcript) == 2)
    options = [{"id": "n", "name": "Reject", "kind": "reject_once"}, {"id": "y", "name": "Allow", "kind": "allow_once"}]
    host.append("s1", event(3, "permission", "p1", title="Run ls", options=options))
    await eventually(lambda: app.window.transcript[2].kind is Kind.PERMISSION)
    app.window.session_page.transcript.answered.emit("permission:p1", "n")
    await eventually(lambda: host.called("session.permission.respond"))
    assert host.called("session.permission.respond") == [
        {"session_id": "s1", "request_id": "p1", "decision": "deny", "option_id": "n"}
    ]


async def test_the_launcher_runs_an_action_and_shows_where_it_went(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    field = {"path": "text", "title": "Text", "type": "string", "widget": "text", "required": True, "flag": "text"}
    host.answers["action.spec.search"] = lambda input: Outcome(
        Status.COMPLETED, {"actions": [{"id": "x.start", "title": "Start"}]}
    )
    host.answers["action.spec.get"] = lambda input: Outcome(
        Status.COMPLETED, {"id": "x.start", "title": "Start", "effect": "external", "form": [field]}
    )
    host.answers["x.start"] = lambda input: Outcome(Status.PENDING, approval_id="a9")
    host.requests["a9"] = request("a9", title="Start it?")
    window = app.window
    QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    await eventually(lambda: window.launcher.hits.rowCount() == 1)
    QTest.keyClick(window.launcher.search, Qt.Key.Key_Return)
    await eventually(lambda: window.launcher.form.draft.fields)
    QTest.keyClicks(window.launcher.form.editor("text").control, "hello")
    window.launcher.run.click()
    await eventually(lambda: not window.launcher.isVisible())
    assert host.called("x.start") == [{"text": "hello"}]
    await eventually(lambda: window.page() == "inbox" and window.requests.rowCount() == 1)


async def test_an_action_of_the_launcher_is_about_the_session_in_front(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    spec = load().specs["session.title.set"]
    fields = [field.model_dump(mode="json") for field in spec_form(spec)]
    host.answers["action.spec.get"] = lambda input: Outcome(
        Status.COMPLETED, {"id": spec.id, "title": "Rename", "effect": "write", "form": fields}
    )
    await eventually(lambda: len(app.window.transcript) == 2)
    app.launcher.open_form(spec.id)
    await eventually(lambda: app.window.launcher.form.draft.fields)
    QTest.keyClicks(app.window.launcher.form.editor("title").control, "New name")
    app.window.launcher.run.click()
    await eventually(lambda: host.called(spec.id))
    assert host.called(spec.id) == [{"session_id": "s1", "title": "New name"}]


@pytest.mark.parametrize("effect", ["read", "write"])
async def test_the_launcher_says_what_came_of_an_action(
    app: Application, host: InMemoryHost, eventually: Eventually, effect: str
) -> None:
    host.answers["action.spec.get"] = lambda input: Outcome(
        Status.COMPLETED, {"id": "x.do", "title": "Do it", "effect": effect, "form": []}
    )
    host.answers["x.do"] = lambda input: Outcome(Status.COMPLETED, {"names": ["shop"]})
    launcher = app.window.launcher
    app.launcher.open_form("x.do")
    await eventually(lambda: launcher.summary() is not None)
    launcher.run.click()
    if effect == "read":
        await eventually(lambda: "shop" in launcher.page._result.toPlainText())
        assert launcher.isVisible()
    else:
        await eventually(lambda: app.window.banner.isVisible())
        assert app.window.banner.text() == "Done: Do it"
        assert not launcher.isVisible()


async def test_a_sent_message_is_shown_wherever_the_reader_was(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    view = app.window.session_page.transcript
    await eventually(lambda: len(app.window.transcript) == 2)
    host.append("s1", *(event(seq, "agent", f"m{seq}", text="word " * 200, turn=seq) for seq in range(3, 40)))
    await eventually(lambda: view.verticalScrollBar().maximum() > 0)
    view.follow = False
    view.verticalScrollBar().setValue(0)
    QTest.keyClicks(app.window.session_page.composer.edit, "Go on")
    QTest.keyClick(app.window.session_page.composer.edit, Qt.Key.Key_Return)
    await eventually(lambda: view.verticalScrollBar().value() == view.verticalScrollBar().maximum())


async def test_a_run_shows_its_result(app: Application, host: InMemoryHost, eventually: Eventually) -> None:
    host.runs["r1"] = run("r1")
    host.publish("run_did_change", run_id="r1")
    await eventually(lambda: app.window.run_list.rowCount() == 1)
    app.open_pane("run", "r1")
    host.runs["r1"] = run("r1", state="succeeded", result={"markdown": "# The plan"})
    host.publish("run_did_change", run_id="r1")
    await eventually(lambda: "The plan" in app.window.runs.detail.result.toPlainText())


async def test_a_lost_connection_is_said_and_mended(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    await eventually(lambda: len(app.window.transcript) == 2)
    host.change_connection(Connection.LOST)
    assert "Running sessions go on" in app.window.banner.text()
    host.sessions["s3"] = session("s3", title="Meanwhile")
    host.change_connection(Connection.CONNECTED, missed=True)
    assert not app.window.banner.isVisible()
    await eventually(lambda: app.window.sessions.session("s3"))


async def test_closing_the_window_ends_everything_of_it(theme: Theme, host: InMemoryHost) -> None:
    before = len(asyncio.all_tasks())
    for _ in range(3):
        application = Application(theme, host)
        application.open()
        await asyncio.sleep(0)
        application.window.close()
        await asyncio.wait_for(application.closed, 30)
        await application.close()
    assert host.listeners == 0
    assert len(asyncio.all_tasks()) == before


async def test_a_pane_opened_and_closed_100_times_leaves_nothing(
    qtbot: QtBot, theme: Theme, host: InMemoryHost
) -> None:
    before = len(asyncio.all_tasks())
    transcript = TranscriptModel([Item("a", Kind.USER, "Hello")])
    runs = RunListModel()
    for _ in range(100):
        presenter = RunsPresenter(host, RunsPane(theme, runs), runs, lambda message: None)
        presenter.refresh()
        view = TranscriptView(transcript, theme)
        await asyncio.sleep(0)
        view.close_view()
        view.deleteLater()
        await presenter.close()
        await presenter.close()
    assert host.listeners == 0
    assert transcript.listeners == 0
    assert len(asyncio.all_tasks()) == before
