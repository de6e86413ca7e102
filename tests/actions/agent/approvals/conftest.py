"""A session's approvals on real files."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from actions.agent.approvals.audit import Audit
from actions.agent.approvals.rules import Rules
from actions.agent.approvals.runtime import Approvals
from actions.agent.approvals.state import ApprovalState
from tests.actions.agent.approvals.calls import SessionDesk


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[SessionDesk]:
    warnings: list[str] = []
    planning = [False]
    file = tmp_path / "state" / "approvals.jsonl"
    audit = Audit(file, delay=0.01)
    rules = Rules(tmp_path / "state" / "rules.json", warn=warnings.append)
    approvals = Approvals(state=ApprovalState(), rules=rules, audit=audit, planning=lambda: planning[0])
    desk = SessionDesk(approvals, audit, file, planning, warnings)
    approvals.watch(desk.events.append)
    yield desk
    approvals.end()
    await audit.close()
