"""What reviews found in the page of changes: at its lines, in its list, and on its way to the session."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.app.application import Application
from desktop.diff.unified import LineKind
from desktop.theme.theme import Theme
from tests.desktop.accessibility import unnamed
from tests.desktop.conftest import Eventually
from tests.desktop.diff.test_pane import change
from tests.desktop.host import NOW, InMemoryHost, failed, run, session

SCOPE = {"change": "uncommitted", "base": "1a2b3c4d5e6f", "head": "1a2b3c4d5e6f", "branch": "main", "files": 2}


def said(provider: str, text: str, line: int | None, severity: str = "error") -> dict[str, Any]:
    return {"provider": provider, "line": line, "severity": severity, "text": text}


def review(**changes: Any) -> dict[str, Any]:
    words = "The password is never checked."
    both = [said("claude", words, 7), said("codex", "Nobody checks the password.", 8, "warning")]
    return {
        "reviewers": [
            {"run_id": "r1", "provider": "claude", "state": "succeeded", "findings": 2},
            {"run_id": "r2", "provider": "codex", "state": "running"},
            {"run_id": "r3", "provider": "pi", "state": "failed", "problem": "It has no key."},
        ],
        "workspace": "/home/ada/sayso",
        "session_id": "s1",
        "scope": SCOPE,
        "findings": [
            {"id": "f1", "file": "b.py", "line": 7, "severity": "error", "text": words, "found_by": ["claude", "codex"],
             "said": both},
            {"id": "f2", "file": "far.py", "line": 3, "severity": "note", "text": "Old <b>code</b>.",
             "found_by": ["claude"], "said": [said("claude", "Old <b>code</b>.", 3, "note")]},
        ],
        "change": change("a.py") + change("b.py"),
        **changes,
    }  # fmt: skip


@pytest.fixture
async def app(theme: Theme, host: InMemoryHost, eventually: Eventually) -> AsyncIterator[Application]:
    host.sessions = {"s1": session("s1"), "s2": session("s2", last_activity=1)}
    result = {"text": "Hm.", "findings": [said("", "The password is never checked.", 7) | {"file": "b.py"}]}
    own = {"kind": "review", "state": "succeeded", "scope": SCOPE, "session_id": "s9", "result": result}
    host.runs = {"r1": run("r1", host_session_id="s1", **own), "r4": run("r4", **own)}
    host.answers["execution.run.findings.get"] = lambda _: host.completed(review())
    application = Application(theme, host)
    application.open()
    await eventually(lambda: application.window.page() == "session")
    application.open_pane("run", "r1")
    await eventually(lambda: application.window.runs.detail.run is not None)
    yield application
    await application.close()


async def opened(app: Application, eventually: Eventually) -> None:
    app.window.runs.detail.change.click()
    await eventually(lambda: app.window.diff.findings.isVisible())


async def test_findings_stand_at_their_lines_and_those_elsewhere_are_listed_apart(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    await opened(app, eventually)
    assert host.called("execution.run.findings.get") == [{"run_id": "r1", "with_change": True}]
    pane, panel = app.window.diff, app.window.diff.findings
    lines = pane.view.toPlainText().split("\n")
    at = next(row for row, line in enumerate(lines) if line.startswith("error · claude: The password"))
    drawn = " ".join(line.strip() for line in lines[at : at + pane.view.blockCount()] if not line.startswith("line"))
    assert drawn == "error · claude: The password is never checked. · codex: Nobody checks the password."
    assert lines[at - 1] == "line 7"
    assert pane.view.diff.lines[at].kind is LineKind.ERROR
    rows = [panel.list.item(row).text().split("\n") for row in range(panel.list.count())]
    assert rows == [
        ["b.py:7 · error", "The password is never checked.", "claude, codex", "codex: Nobody checks the password."],
        ["Not on a line of this change"],
        ["far.py:3 · note", "Old <b>code</b>.", "claude"],
    ]
    assert panel._who.text() == "claude: 2\ncodex is still reviewing\npi failed: It has no key."
    assert panel.stale.isHidden()
    assert unnamed(pane) == []
    pane.beside.click()
    lines = pane.view.toPlainText().split("\n")
    at = [row for row, line in enumerate(lines) if line == "line 7"][1]
    assert (lines[at + 1].split(":")[0], pane.old.diff.lines[at + 1].text) == ("error · claude", "")
    assert pane.old.blockCount() == pane.view.blockCount()
    with_title = pane._title.full()
    app.window.diff.left.emit()
    assert (app.window.page(), with_title) == ("runs", "What the reviews found")


async def test_a_finding_leads_to_its_line_from_the_run_and_from_the_list(
    app: Application, eventually: Eventually
) -> None:
    app.window.runs.detail.findings.place_asked.emit(app.window.runs.detail.findings._shown[0])
    pane = app.window.diff
    await eventually(lambda: pane.view.textCursor().block().text() == "line 7")
    assert pane.findings.current() == "f1"
    pane.go_to("a.py")
    pane.findings.list.setFocus()
    pane.findings.list.setCurrentRow(2)
    assert pane.view.textCursor().block().text() == "a.py", "one that is on no line leads nowhere"
    pane.findings.list.setCurrentRow(0)
    assert pane.view.textCursor().block().text() == "line 7"
    QTest.keyClick(pane.findings.list, Qt.Key.Key_Return)
    await eventually(pane.view.hasFocus)


async def test_only_what_is_chosen_goes_to_the_session(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    await opened(app, eventually)
    panel = app.window.diff.findings
    assert panel.send.text() == "Send 2 findings"
    panel.list.item(2).setCheckState(Qt.CheckState.Unchecked)
    assert panel.send.text() == "Send 1 finding"
    host.answers["execution.run.findings.send"] = lambda _: failed("The session does not run.")
    panel.send.click()
    await eventually(lambda: app.window.banner.text() == "The session does not run.")
    assert app.window.page() == "diff"
    del host.answers["execution.run.findings.send"]
    panel.send.click()
    await eventually(lambda: (app.window.page(), app.sessions.current) == ("session", "s1"))
    given = {"run_ids": ["r1"], "finding_ids": ["f1"], "session_id": "s1"}
    assert host.called("execution.run.findings.send") == [given, given]
    panel.all.click()
    panel.all.click()
    assert not panel.send.isEnabled()


async def test_it_goes_stale_and_grows_while_it_is_looked_at(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    await opened(app, eventually)
    pane, panel = app.window.diff, app.window.diff.findings
    panel.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    app.window.activateWindow()
    await eventually(panel.list.hasFocus)
    pane.comments.edit.setPlainText("half a remark")
    more = review(stale=True, head_now="fedcba98765")
    more["reviewers"][1] |= {"state": "succeeded", "findings": 0}
    host.answers["execution.run.findings.get"] = lambda _: host.completed(more)
    host.publish("run_did_change", run_id="r2", run=run("r2", kind="review").model_dump(mode="json"))
    await eventually(panel.stale.isVisible)
    assert panel.stale.text() == "Stale: HEAD moved from 1a2b3c4d to fedcba98 since. Lines may have moved."
    assert "codex: 0" in panel._who.text()
    assert panel.unchosen() == ["f1"]
    assert panel.list.hasFocus(), "whoever reads there goes on"
    assert pane.comments.edit.toPlainText() == "half a remark"


async def test_what_is_told_of_its_reviewers_is_seen_there(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    host.publish("run_did_change", run_id="r2", run=run("r2", session_id="s8", kind="review").model_dump(mode="json"))
    told = {"kind": "done", "at": NOW, "run": "review", "session_title": "Review", "provider_name": "Codex"}
    app.window.activateWindow()
    await eventually(app.window.isActiveWindow)
    host.publish("notification", id="n1", session_id="s8", **told)
    await eventually(lambda: app.window.toasts.texts())
    await opened(app, eventually)
    await eventually(lambda: not app.window.toasts.texts())
    host.publish("notification", id="n2", session_id="s8", **told)
    host.publish("notification", id="n3", session_id="s2", **told)
    await eventually(lambda: app.window.toasts.texts())
    assert len(app.window.toasts.texts()) == 1, "that of another session"


async def test_without_a_session_one_is_asked_for_and_a_change_that_is_gone_is_said(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    gone = review(session_id=None, change=None, change_problem="The change cannot be read any more: no repository")
    host.answers["execution.run.findings.get"] = lambda _: host.completed(gone)
    asked: list[Any] = []
    app.review._choose = lambda action_id, given: asked.append((action_id, dict(given)))
    await opened(app, eventually)
    pane, panel = app.window.diff, app.window.diff.findings
    assert pane._gone.isVisible()
    assert [panel.list.item(row).text().split("\n")[0] for row in range(panel.list.count())] == [
        "Not on a line of this change",
        "b.py:7 · error",
        "far.py:3 · note",
    ]
    assert panel.send.text() == "Send 2 findings to…"
    panel.send.click()
    assert asked == [("execution.run.findings.send", {"run_ids": ["r1"], "finding_ids": ["f1", "f2"]})]
    host.answers["execution.run.findings.get"] = lambda _: failed("There is no run.")
    app.review.open("r1")
    await eventually(lambda: pane._nothing.isVisible())
    assert not panel.isVisible()
