"""A session's worktree in its header, and what is to be known of its asking, through the whole window."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.app.application import Application
from desktop.app.backend import Outcome, Status
from desktop.theme.theme import Theme
from tests.desktop.conftest import Eventually
from tests.desktop.host import NOW, InMemoryHost, failed, request, session

TREE = {"id": "wtr_1", "branch": "sayso/fix", "base": "main", "repository": "/home/ada/shop", "state": "present"}


def status(*, clean: bool, possible: bool = True) -> Outcome:
    tree = {"path": "/t/fix", "place": "/t/fix", "workspace_id": "w", "base_commit": "c", "created": NOW, **TREE}
    words = "main moves forward to sayso/fix." if possible else "main has everything of sayso/fix already."
    merge = {
        "kind": "fast_forward" if possible else "up_to_date", "possible": possible, "into": "main", "into_path": "/s",
        "commits": 1, "files": 1, "added": 1, "deleted": 0, "names": [], "reason": words,
    }  # fmt: skip
    losses = "It can be removed; nothing would be lost." if clean else "It cannot be removed: 1 stash would be lost."
    data = {"worktree": tree, "clean": clean, "losses": [], "ignored": 0, "ignored_names": [], "merge": merge}
    return Outcome(Status.COMPLETED, {**data, "sessions": [], "summary": f"{losses} {words}"})


@pytest.fixture
async def app(theme: Theme, host: InMemoryHost, eventually: Eventually) -> AsyncIterator[Application]:
    host.sessions = {
        "s1": session("s1", worktree=TREE, workspace="/t/fix", workspace_id="w9", marks=["never_asks", "did_not_ask"]),
        "s2": session("s2", last_activity=1, workspace="/home/ada/shop", workspace_id="w2"),
    }
    host.answers["worktree.status"] = lambda _: status(clean=False)
    application = Application(theme, host)
    application.open()
    await eventually(lambda: application.sessions.current == "s1" and application.window.page() == "session")
    yield application
    await application.close()


def texts(app: Application) -> str:
    strip = app.window.session_page.worktree
    return " / ".join(label.text() for label in strip.findChildren(type(strip._title)) if not label.isHidden())


async def test_the_header_says_branch_and_marks_and_the_list_keeps_the_repository_together(app: Application) -> None:
    header = app.window.session_page.header
    assert (header.branch.isHidden(), header.branch.accessibleName()) == (
        False,
        "Worktree on sayso/fix: merge back, remove",
    )
    assert (header._mark.text(), header._mark.toolTip().count("\n")) == ("did not ask", 1)
    rows = [app.window.sessions.data(app.window.sessions.index(at)) for at in range(app.window.sessions.rowCount())]
    assert rows == ["shop", "Session s1", "Session s2"]
    app.sessions.open("s2")
    assert header.branch.isHidden()
    assert header._mark.isHidden()


async def test_it_is_looked_at_merged_and_asked_about_before_it_goes(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    page = app.window.session_page
    page.header.branch.setFocus()
    QTest.keyClick(page.header.branch, Qt.Key.Key_Space)
    await eventually(page.worktree.merge.isEnabled)
    assert "It cannot be removed: 1 stash would be lost." in texts(app)
    assert (page.worktree.merge.text(), page.worktree.remove.isEnabled()) == ("Merge into main", False)
    host.answers["worktree.merge"] = lambda _: Outcome(Status.COMPLETED, {"merge": {"into": "main"}})
    host.answers["worktree.status"] = lambda _: status(clean=True, possible=False)
    app.window.activateWindow()
    page.worktree.merge.setFocus()
    await eventually(page.worktree.merge.hasFocus)
    QTest.keyClick(page.worktree.merge, Qt.Key.Key_Space)
    await eventually(page.worktree.remove.isEnabled)
    assert page.worktree.remove.hasFocus(), "a key too many takes nothing away and closes nothing"
    assert host.called("worktree.merge") == [{"session_id": "s1"}]
    assert "main has everything of sayso/fix already." in texts(app)
    host.requests["a1"] = request("a1")
    host.answers["worktree.remove"] = lambda _: Outcome(Status.PENDING, approval_id="a1")
    page.worktree.remove.click()
    await eventually(lambda: app.window.page() == "inbox")
    gone = session("s1", worktree={**TREE, "state": "removed"}, state="stopped")
    host.answers["session.status.get"] = lambda _: Outcome(Status.COMPLETED, gone.model_dump(mode="json"))
    host.publish("worktrees_did_change", worktree_id="wtr_1", path="/t/fix", state="removed")
    await eventually(lambda: page.header.branch.toolTip() == "Its worktree was removed")
    assert not page.header.branch.isEnabled()
    assert page.worktree.isHidden()


async def test_a_refusal_stands_where_it_was_asked_in_the_words_of_the_host(
    app: Application, host: InMemoryHost, eventually: Eventually
) -> None:
    strip = app.window.session_page.worktree
    host.answers["worktree.merge"] = lambda _: failed("/t/fix has 1 changed file (a.py). Commit first.")
    strip.open()
    await eventually(strip.merge.isEnabled)
    strip.merge.click()
    await eventually(lambda: "Commit first." in texts(app))
    assert "main moves forward to sayso/fix." in texts(app)
    QTest.keyClick(strip.merge, Qt.Key.Key_Escape)
    assert strip.isHidden()
    host.answers["worktree.status"] = lambda _: failed("This worktree is gone. The folder /t/fix is not there.")
    strip.open()
    await eventually(lambda: "This worktree is gone." in texts(app))
    assert "Looking" not in texts(app)
    assert not strip.merge.isEnabled()


async def test_a_workspace_opens_by_its_newest_session(app: Application, eventually: Eventually) -> None:
    app.open_pane("workspace", "w2")
    await eventually(lambda: app.sessions.current == "s2")


async def test_an_answer_for_a_session_that_is_no_more_in_front_is_not_shown(app: Application) -> None:
    strip = app.window.session_page.worktree
    strip.open()
    app.sessions.open("s2")
    data: dict[str, Any] = dict(status(clean=True).data)
    strip.show_status("s1", data)
    assert strip.isHidden()
