"""A run in full: what it was about, what it found, and where that goes."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from PySide6.QtWidgets import QLabel, QPushButton

from desktop.app.application import Application
from desktop.runs.facts import Finding, read_findings, read_receipt
from desktop.theme.theme import Theme
from tests.desktop.conftest import Eventually
from tests.desktop.host import InMemoryHost, failed, run, session

SCOPE = {
    "change": "uncommitted", "base": "1a2b3c4d5e6f", "head": "1a2b3c4d5e6f", "branch": "main", "commits": 0,
    "files": 3, "added": 10, "deleted": 2, "staged": 1, "unstaged": 1, "untracked": 1,
}  # fmt: skip
RESULT = {
    "text": "Two things.",
    "findings": [
        {"file": "b.py", "line": 2, "severity": "note", "text": "Say why."},
        {"file": "a.py", "line": None, "severity": "error", "text": "It <b>loses</b> the last item."},
    ],
}


@pytest.fixture
async def app(theme: Theme, host: InMemoryHost, eventually: Eventually) -> AsyncIterator[Application]:
    host.sessions = {"s1": session("s1")}
    own = {"kind": "review", "state": "succeeded", "scope": SCOPE, "session_id": "s9"}
    host.runs = {
        "r1": run("r1", stale=True, head_now="fedcba987654", host_session_id="s1", result=RESULT, **own),
        "r2": run("r2", result={"text": "Fine.", "findings": []}, **own),
        "r3": run("r3", result={"text": "Hm.", "findings_problem": "there is no block of JSON in it"}, **own),
        "r4": run("r4", state="running", session_id="s8"),
    }
    application = Application(theme, host)
    application.open()
    await eventually(lambda: application.window.page() == "session")
    yield application
    await application.close()


async def shown(app: Application, eventually: Eventually, run_id: str) -> str:
    app.open_pane("run", run_id)
    detail = app.window.runs.detail
    await eventually(lambda: detail._run is not None and detail._run.id == run_id)
    await asyncio.sleep(0.05)  # new rows show themselves with the next turn of the loop
    return " / ".join(found.text() for found in detail.findChildren(QLabel) if found.isVisibleTo(detail))


async def test_receipt_stale_mark_and_findings(app: Application, eventually: Eventually) -> None:
    text = await shown(app, eventually, "r1")
    assert "Uncommitted changes on main at 1a2b3c4d: 3 files, +10 −2 (1 staged, 1 unstaged, 1 untracked)" in text
    assert "HEAD moved from 1a2b3c4d to fedcba98 since" in text
    assert text.index("It <b>loses</b> the last item.") < text.index("Say why."), "the gravest first"
    assert "2 findings" in text
    places = [place.toolTip().split("\n")[-1] for place in app.window.runs.detail.findings.findChildren(QPushButton)]
    assert places == ["Show it in the change"] * 2
    text = await shown(app, eventually, "r2")
    assert "Nothing was found" in text
    assert "HEAD moved" not in text
    assert "there is no block of JSON in it" in await shown(app, eventually, "r3")
    text = await shown(app, eventually, "r4")
    assert "found" not in text


async def test_findings_go_to_the_session_that_asked(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    await shown(app, eventually, "r1")
    host.answers["execution.run.findings.send"] = lambda _: failed("The session does not run.")
    detail = app.window.runs.detail
    detail.hand_over.click()
    await eventually(lambda: app.window.banner.text() == "The session does not run.")
    assert app.window.page() == "runs"
    del host.answers["execution.run.findings.send"]
    detail.hand_over.click()
    await eventually(lambda: (app.window.page(), app.sessions.current) == ("session", "s1"))
    assert host.called("execution.run.findings.send")[-1] == {"run_ids": ["r1"], "session_id": "s1"}
    await shown(app, eventually, "r2")
    assert detail.hand_over.isHidden(), "nothing to send, and nobody to send it to"


def test_a_branch_has_commits_and_a_stranger_has_nothing() -> None:
    receipt = read_receipt({**SCOPE, "change": "branch", "commits": 2, "head": None})
    assert receipt is not None
    assert (receipt.change, receipt.commits, receipt.head) == ("branch", 2, "")
    assert read_receipt({"anything": 1}) is None
    assert read_findings(None) is None
    assert read_findings({"findings": "none"}) is None
    assert read_findings({"findings": [{"file": "a"}, 7]}) == [Finding("a", None, "note", "")]
