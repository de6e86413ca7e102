"""The transcript of a run's own session beside its overview: live, and read only while it is looked at."""

from collections.abc import AsyncIterator

import pytest

from actions.catalog.views import RunState
from desktop.app.application import Application
from desktop.theme.theme import Theme
from desktop.transcript.model import Kind
from tests.desktop.conftest import Eventually
from tests.desktop.host import InMemoryHost, event, failed, run, session

OPTIONS = [
    {"id": "yes", "name": "Allow once", "kind": "allow_once"},
    {"id": "no", "name": "Reject", "kind": "reject_once"},
]


@pytest.fixture
async def app(theme: Theme, host: InMemoryHost, eventually: Eventually) -> AsyncIterator[Application]:
    host.sessions = {"s1": session("s1")}
    host.runs = {
        "live": run("live", session_id="s8", host_session_id="s1"),
        "done": run("done", state="succeeded", session_id="s9", result={"text": "Fine."}),
        "failed": run("failed", state="failed", error={"code": "failed", "message": "It is not installed."}),
    }
    host.transcripts["s8"] = [event(1, "user", "u", text="Plan it"), event(2, "agent", "a", text="I look.")]
    host.transcripts["s9"] = [event(1, "agent", "a", text="Done.")]
    application = Application(theme, host)
    application.open()
    await eventually(lambda: application.window.run_list.rowCount() == 3)
    yield application
    await application.close()


def said(app: Application) -> list[str]:
    model = app.window.runs.detail.transcript_model
    return [model[row].text for row in range(len(model))]


async def test_what_a_run_at_work_says_is_there_as_it_says_it(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    app.open_pane("run", "live")
    detail = app.window.runs.detail
    await eventually(lambda: said(app) == ["Plan it", "I look."])
    assert detail.transcript.isVisible()
    host.append("s8", event(3, "agent", "a", text=" And on."))
    await eventually(lambda: said(app) == ["Plan it", "I look. And on."])
    host.append("s1", event(1, "agent", "x", text="somebody else"))
    host.transcripts["s8"].append(event(4, "agent", "b", text="Missed."))
    host.append("s8", event(5, "agent", "c", text="Heard."))
    await eventually(lambda: said(app)[2:] == ["Missed.", "Heard."])
    host.append("s8", event(6, "permission", "p", title="make", options=OPTIONS))
    await eventually(lambda: detail.transcript_model[4].kind is Kind.PERMISSION)
    detail.transcript.answered.emit("permission:p", "yes")
    await eventually(lambda: host.called("session.permission.respond"))
    assert host.called("session.permission.respond") == [
        {"session_id": "s8", "request_id": "p", "option_id": "yes", "decision": "allow"}
    ]


async def test_a_run_that_ends_keeps_its_page_and_another_one_begins_with_its_own(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    app.open_pane("run", "live")
    detail = app.window.runs.detail
    await eventually(lambda: said(app) == ["Plan it", "I look."])
    ended = host.runs["live"].model_copy(update={"state": RunState.SUCCEEDED, "result": {"text": "A plan."}})
    host.publish("run_did_change", run_id="live", run=ended.model_dump(mode="json"))
    await eventually(lambda: detail.run == ended)
    assert detail.tabs.currentIndex() == 1, "nobody is taken away from what they read"
    app.open_pane("run", "done")
    await eventually(lambda: detail.run is not None and detail.run.id == "done")
    assert (detail.tabs.currentIndex(), detail.result.isVisible()) == (0, True)
    assert [given for given in host.called("session.transcript.get") if given["session_id"] == "s9"] == []
    detail.tabs.setCurrentIndex(1)
    await eventually(lambda: said(app) == ["Done."])


async def test_without_a_session_or_when_it_cannot_be_read_that_is_said(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    app.open_pane("run", "failed")
    detail = app.window.runs.detail
    detail.tabs.setCurrentIndex(1)
    await eventually(lambda: detail._note.isVisible() and "no session" in detail._note._title.text())
    host.answers["session.transcript.get"] = lambda _: failed("The database is busy.")
    app.open_pane("run", "done")
    detail.tabs.setCurrentIndex(1)
    await eventually(lambda: detail._note._hint.text() == "The database is busy.")
    del host.answers["session.transcript.get"]
    detail.tabs.setCurrentIndex(0)
    detail.tabs.setCurrentIndex(1)
    await eventually(lambda: said(app) == ["Done."])
