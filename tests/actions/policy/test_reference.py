"""docs/actions.md is what the catalog says."""

from __future__ import annotations

import re

from actions.catalog.registry import load
from actions.policy import reference


def test_the_page_is_up_to_date() -> None:
    text = reference.FILE.read_text(encoding="utf-8")
    assert text == reference.current(), "run: python -m actions.policy.reference"


def test_every_action_that_is_there_has_its_part_and_its_defaults() -> None:
    text = reference.current()
    assert re.findall(r"^### (.+)$", text, re.M) == sorted(spec.id for spec in load() if spec.implemented)
    send = text.split("### session.message.send\n")[1].split("\n### ")[0]
    assert "| window | voice | command line | hosted agent | editor (MCP) |" in send
    assert "Command: `sayso session send SESSION_ID MESSAGE`" in send
    assert '{"session_id": "{session_id}", "message": "Run the tests again."}' in send
    delete = text.split("### session.delete\n")[1].split("\n### ")[0]
    assert "Effect: `danger`." in delete
    assert "| asks | **asks** | runs | **asks**, found | **asks** |" in delete
