"""What reading commands answer, in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from voice.dialogue.answers import told

SESSIONS = {"sessions": [{"title": "Orchard", "state": "working"}, {"title": "payments", "state": "idle"}]}
RUN = {
    "kind": "review",
    "provider": "claude",
    "state": "succeeded",
    "result": {"summary": "Two things.", "findings": [1, 2]},
}
FINDINGS = {"findings": [{"severity": "error", "text": "off by one", "file": "a.py", "line": 3}]}


@pytest.mark.parametrize(
    ("action", "data", "language", "said"),
    [
        ("session.list", SESSIONS, "en", "2 sessions: Orchard (working), payments (idle)."),
        ("session.list", SESSIONS, "zh_CN", "2 个会话:Orchard (工作中)、payments (空闲)。"),
        ("session.list", {"sessions": []}, "en", "No sessions."),
        ("inbox.list", {"rows": [{"title": "Run a command", "session_title": "Orchard"}]}, "en",
         "1 request waits for you: Run a command Orchard."),
        ("inbox.list", {"rows": []}, "zh", "没有事项在等你。"),
        ("execution.run.get", RUN, "en", "review run by claude succeeded: Two things. 2 findings"),
        ("execution.run.get", {"kind": "plan", "provider": "p", "state": "running"}, "zh", "p 的计划运行进行中."),
        ("execution.run.findings.get", FINDINGS, "en", "1 finding: error: off by one (a.py:3)."),
        ("execution.run.list", {"runs": [RUN] * 7}, "en",
         "7 runs: " + ", ".join(["review run by claude succeeded"] * 5) + ", and 2 more."),
        ("session.pin", {"id": "x"}, "en", "Done."),
        ("session.pin", {"id": "x"}, "zh", "完成。"),
    ],
)  # fmt: skip
def test_an_answer(action: str, data: dict[str, Any], language: str, said: str) -> None:
    assert told(action, data, language) == said
