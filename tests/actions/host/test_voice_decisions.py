"""What a host takes for a decision by voice: a young read-back, where that is allowed, stored with what was heard."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.running_host import RunningHost, running_host

SCRIPTED = Path(__file__).parents[2] / "fixtures" / "agents" / "scripted.py"
HEARD = {"text": "approve the first request", "confidence": 0.934, "answer": "yes", "more": "is not kept"}


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    folder = tmp_path_factory.mktemp("voice-decisions")
    with running_host(folder / "home") as running:
        running.done("workspace.add", path=str(folder))
        yield running


def asked(host: RunningHost, surface: str = "ui") -> str:
    """A request that waits: of a person for somebody else, or of a voice command."""
    session = host.run("approval.request.create", surface, action_id="workspace.list", input={}, summary="x")
    assert session["ok"], session
    return str(session["data"]["approval_id"] if "approval_id" in session["data"] else session["data"]["id"])


def decided(host: RunningHost, request: str, **more: Any) -> dict[str, Any]:
    params = {
        "action": "approval.request.decide",
        "input": {"approval_id": request, "decision": "reject"},
        "surface": "voice",
        **more,
    }
    return host.call("execute", **params)


def test_a_read_back_counts_for_ten_seconds(host: RunningHost) -> None:
    request = asked(host)
    for missing in ({}, {"read_back": request}, {"read_back": request, "read_back_age_s": 10.0},
                    {"read_back": request, "read_back_age_s": -1}, {"read_back": "other", "read_back_age_s": 1},
                    {"read_back": request, "read_back_age_s": True}):  # fmt: skip
        refused = decided(host, request, **missing)
        assert refused["error"]["code"] == "present_user_required", missing
    taken = decided(host, request, read_back=request, read_back_age_s=9.9, heard=HEARD)
    assert taken["ok"], taken
    stored = _decision(host, request)
    assert stored["by"] == stored["surface"] == "voice"
    assert stored["heard"] == {"text": "approve the first request", "confidence": 0.934, "answer": "yes"}


def test_switched_off_only_a_commands_own_read_back_is_left(host: RunningHost) -> None:
    request = asked(host)
    host.done("settings.set", key="voice.approvals", value="false")
    try:
        refused = decided(host, request, read_back=request, read_back_age_s=1)
        assert "voice.approvals" in refused["error"]["message"]
        answer = host.run("session.permission.respond", "voice", session_id="ses_none", decision="allow")
        assert (answer["error"]["code"], "voice.approvals" in answer["error"]["message"]) == ("action_disabled", True)
    finally:
        host.done("settings.set", key="voice.approvals", value="true")
    assert decided(host, request, read_back=request, read_back_age_s=1)["ok"]


def _decision(host: RunningHost, request: str) -> dict[str, Any]:
    with closing(sqlite3.connect(host.home / "data" / "sayso.db")) as db:
        return json.loads(db.execute("SELECT decision FROM approvals WHERE id = ?", (request,)).fetchone()[0])
