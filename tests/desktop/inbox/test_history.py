"""What was decided, and who said so."""

from __future__ import annotations

from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from actions.catalog.views import ApprovalView, FieldRow
from desktop.inbox.history import HistoryPage
from desktop.inbox.model import InboxModel
from desktop.inbox.pane import InboxPane
from desktop.theme.theme import Theme
from tests.desktop.host import request


def approval(id: str, status: str, updated: int, **more: Any) -> ApprovalView:
    fields = [FieldRow(path="session_id", title="Session", value="Orchard")]
    given = {
        "action": "session.stop",
        "title": "Stop a session",
        "summary": "Stop a session: Orchard",
        "fields": fields,
    }
    return ApprovalView(id=id, status=status, input={}, surface="voice", asked_by="you", created=1, updated=updated,
                        **{**given, "fields": fields, **more})  # fmt: skip


HEARD = {"text": "stop the orchard session", "confidence": 0.934, "answer": "yes"}
BY_VOICE = {"by": "voice", "surface": "voice", "scope": "once", "heard": HEARD}


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> HistoryPage:
    result = HistoryPage(theme)
    qtbot.addWidget(result)
    return result


def test_the_newest_first_with_what_was_heard(page: HistoryPage) -> None:
    page.show_requests(
        [
            approval("a1", "executed", 1_000, decision=BY_VOICE),
            approval("a2", "rejected", 2_000, decision={"by": "user", "surface": "ui", "feedback": "not now"}),
            approval("a3", "open", 3_000),
            approval("a4", "failed", 500, decision={"by": "rule", "rule_id": "rul_7"},
                     execution={"error": {"message": "The agent is gone."}}),
        ]
    )  # fmt: skip
    tops = page._tops()
    assert [[top.text(at) for at in (1, 2)] for top in tops] == [
        ["rejected", "you, in the window"],
        ["approved and done", "you, by voice"],
        ["approved, then failed", "a rule"],
    ]
    below = [[top.child(at).text(0) for at in range(top.childCount())] for top in tops]
    assert below[0] == ["Asked by: you", "Session: Orchard", "Said with it: not now"]
    assert below[1] == ["Asked by: you", "Session: Orchard", "Heard: “stop the orchard session” (93 %)"]
    assert below[2][2:] == ["Rule: rul_7", "Failed with: The agent is gone."]
    tops[0].setExpanded(True)
    page.show_requests([approval("a2", "rejected", 2_000)])
    assert page._tops()[0].isExpanded(), "what is looked at stays open"


def test_what_waits_does_not_take_the_history_away_and_a_notice_does(qtbot: QtBot, theme: Theme) -> None:
    pane = InboxPane(theme, InboxModel())
    qtbot.addWidget(pane)
    pane.show()
    with qtbot.waitSignal(pane.history_asked):
        pane.past.click()
    pane.history.show_requests([approval("a1", "executed", 1_000, decision=BY_VOICE)])
    pane.model.show_rows([request("r1")])
    assert pane.history.isVisible()
    pane.open("r1")
    assert not pane.history.isVisible()
    assert pane.detail.isVisible()
