"""Exactly once under crash: a process killed with SIGKILL at every point of approve -> execute -> record.

Whatever the point: what was to happen happened at most once, nothing that was stored is lost, and where it cannot be
known whether it happened, the outcome says so and it is not run again.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.actions.execution.house import quick_folder

ROOT = Path(__file__).parents[4]
pytestmark = pytest.mark.e2e


def crashes(scenario: str) -> list[dict[str, Any]]:
    """One record a kill point, the last one of the run that ended by itself."""
    with tempfile.TemporaryDirectory(dir=quick_folder()) as folder:
        command = [sys.executable, "-m", "tests.actions.execution.crash.driver", folder, scenario]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["at"] for record in found] == list(range(1, len(found) + 1))
    assert [record["killed"] for record in found] == [True] * (len(found) - 1) + [False]
    return found


def check_request(record: dict[str, Any]) -> None:
    """The promises, for one crash of a request that was there before it."""
    (before,), settled, after = record["rows"], record["after"]["settled"], record["after"]
    (then,), (finally_,) = settled["rows"], after["rows"]
    happened = record["effects"]
    match before["status"]:
        case "open":
            assert (happened, then["status"], settled["effects"]) == (0, "open", 0)
            assert (finally_["status"], after["effects"]) == ("executed", 1), "the new yes runs it"
        case "approved":
            assert happened == 0, "nothing happens before the claim is stored"
            assert (then["status"], settled["effects"]) == ("executed", 1), "the new host resumes it"
            assert after["again"] == {"outcome": "completed", "data": {"lines": 1}}
        case "executing":
            assert (then["status"], settled["effects"]) == ("outcome_unknown", happened), "never run again"
            assert after["again"]["code"] == "outcome_unknown"
        case "executed":
            assert (happened, then["status"], settled["effects"]) == (1, "executed", 1)
            assert after["again"] == {"outcome": "completed", "data": {"lines": 1}}
        case other:
            pytest.fail(f"a crash left the state {other}")
    assert after["effects"] <= 1
    assert finally_["id"] == before["id"]
    assert finally_["audited"] == 1, "one line in the audit, never two, never none"


@pytest.mark.timeout(300)
def test_approve_execute_record() -> None:
    found = crashes("approve")
    for record in found:
        check_request(record)
    seen = {record["rows"][0]["status"] for record in found}
    assert seen == {"open", "approved", "executing", "executed"}, "the points reach every state"
    cut_off = [r["effects"] for r in found if r["rows"][0]["status"] == "executing"]
    assert set(cut_off) == {0, 1}, "killed before the effect, and between effect and record"
    assert len(found) > 40


@pytest.mark.timeout(300)
def test_a_second_crash_while_the_first_is_settled() -> None:
    found = crashes("resume")
    for record in found:
        check_request(record)
    assert {record["rows"][0]["status"] for record in found} == {"approved", "executing", "executed"}


@pytest.mark.timeout(300)
def test_asking_leaves_a_whole_request_or_none() -> None:
    for record in crashes("ask"):
        assert record["effects"] == 0
        assert [row["status"] for row in record["rows"]] in ([], ["open"])
        (row,) = record["after"]["rows"]
        assert row["status"] == "executed"
        assert record["after"]["effects"] == 1
        assert not record["rows"] or record["rows"][0]["id"] == row["id"], "the same key names the same request"


@pytest.mark.timeout(300)
def test_a_call_with_a_key_runs_once_or_says_that_it_is_unknown() -> None:
    found = crashes("keyed")
    for record in found:
        again, happened = record["after"]["again"], record["effects"]
        assert record["after"]["effects"] <= 1
        if again["outcome"] == "completed":
            assert record["after"]["effects"] == 1
        else:
            assert again["code"] == "outcome_unknown"
            assert record["after"]["effects"] == happened, "it was not run again"
    assert {r["after"]["again"]["outcome"] for r in found} == {"completed", "failed"}
