"""What was shown when it was asked must still be so when it is approved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.running_host import RunningHost, running_host


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory):
    with running_host(tmp_path_factory.mktemp("stale") / "home") as running:
        yield running


def ask(host: RunningHost, action: str, **input: Any) -> str:
    answer = host.run(action, "voice", **input)
    assert answer["outcome"] == "pending", answer
    return answer["data"]["approval_id"]


@pytest.mark.parametrize(
    ("action", "more"),
    [("subagents.plan.start", {"instructions": "x"}), ("session.spawn_new", {"provider": "builtin"})],
)
def test_a_folder_that_was_made_anew_is_another_folder(host: RunningHost, tmp_path: Path, action: str, more: Any):
    place = tmp_path / "work"
    place.mkdir()
    approval = ask(host, action, workspace=str(place), **more)
    place.rename(tmp_path / "elsewhere")
    place.mkdir()
    answer = host.done("approval.request.decide", approval_id=approval, decision="approve")
    assert (answer["outcome"], answer["status"], answer["error"]["code"]) == ("failed", "stale", "stale")
    assert host.done("session.list")["sessions"] == []
    assert host.done("execution.run.list")["runs"] == []


def test_nobody_is_asked_about_what_has_no_place_to_run(host: RunningHost):
    assert host.run("subagents.plan.start", "voice", instructions="x")["error"]["code"] == "session_not_selected"
    assert host.run("session.spawn_new", "voice", provider="builtin")["error"]["code"] == "invalid_input"
    assert host.done("inbox.list")["rows"] == []
