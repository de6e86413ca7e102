"""Plan runs with real agent processes."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import pytest

from actions.catalog.context import Caller
from actions.catalog.views import RunState, RunView
from actions.errors import ErrorCode, InvalidInput, SaysoError
from actions.runs.result import outcome
from actions.runs.service import RunService
from actions.sessions.turns import TurnResult
from tests.actions.runs.conftest import Runs


async def _start(runs: Runs, *providers: str, instructions: str = "meta please", host: str | None = None) -> list:
    started = await runs.service.start_plan(
        providers=providers, instructions=instructions, workspace=runs.workspace, host_session_id=host
    )
    return started.results


async def test_the_scout_plans_a_real_repository(runs: Runs) -> None:
    repo = runs.house.workspace
    (repo / "greet.py").write_text('def greet(name):\n    # TODO: politeness\n    return f"hi {name}"\n')
    (repo / "test_greet.py").write_text(
        "from greet import greet\n\ndef test_greet():\n    assert greet('a') == 'hi a'\n"
    )
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", str(repo)]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "start"]):
        await asyncio.to_thread(subprocess.run, [*git, *arguments], check=True)
    [start] = await _start(runs, "builtin", instructions="Make greet polite")
    assert start.ok
    run = await runs.service.wait(start.run_id, timeout_s=50)
    assert run.state == RunState.SUCCEEDED, run.error
    assert run.result is not None
    assert "greet.py" in run.result["text"]
    assert run.result["structured"]
    assert run.result["summary"]
    session = await runs.house.room.sessions.get(run.session_id or "")
    assert (session.kind, session.run_id, session.provider, session.mode) == ("run", run.id, "builtin", "plan")
    # A child session is not in the list of a person's own sessions, but can be read like any other.
    assert (await runs.house.room.sessions.list()).sessions == []
    assert await runs.house.events(session.id, "agent")
    status = await asyncio.to_thread(subprocess.run, [*git, "status", "--porcelain"], capture_output=True)
    assert status.stdout == b"", "a plan run changed the repository"


async def test_one_failure_does_not_fail_the_call(runs: Runs) -> None:
    good = runs.house.provider(name="good")
    bad = runs.house.provider("crash", name="bad")
    results = await _start(runs, good, bad, "unheard-of", instructions="hello")
    assert [(r.provider, r.ok) for r in results] == [("good", True), ("bad", False), ("unheard-of", False)]
    assert results[2].run_id is None
    assert results[2].error.code == "not_found"
    failed = await runs.service.get(results[1].run_id)
    assert failed.state == RunState.FAILED
    assert "left-pad" in (failed.error.message if failed.error else "")
    run = await runs.service.wait(results[0].run_id, timeout_s=30)
    assert run.state == RunState.SUCCEEDED


async def test_the_prompt_is_read_only_and_says_which_run_it_is(runs: Runs) -> None:
    provider = runs.house.provider(name="planner", plan_mode="plan")
    [start] = await _start(runs, provider, instructions="Split the parser")
    run = await runs.service.wait(start.run_id, timeout_s=30)
    prompt = (await runs.house.events(run.session_id or "", "user"))[0].data
    assert prompt["origin"] == "run"
    assert "Do not change, create or delete any file" in prompt["text"]
    assert "Split the parser" in prompt["text"]
    assert (await runs.house.room.sessions.get(run.session_id or "")).mode == "plan"


def test_what_a_turn_means_for_its_run() -> None:
    plan = {"summary": "Two steps", "steps": ["a", "b"]}
    state, result, error = outcome(TurnResult("end_turn", "# Plan\n\n1. a", plan))
    assert (state, error) == (RunState.SUCCEEDED, None)
    assert result == {"summary": "Two steps", "text": "# Plan\n\n1. a", "structured": plan}
    assert (outcome(TurnResult("end_turn", "# Plan\n\nFirst do a."))[1] or {})["summary"] == "First do a."
    assert outcome(TurnResult("end_turn", "  "))[0] == RunState.FAILED
    assert outcome(TurnResult("cancelled", "half"))[0] == RunState.CANCELLED
    assert outcome(TurnResult("interrupted", "half"))[0] == RunState.INTERRUPTED
    assert outcome(TurnResult("max_tokens", "half"))[0] == RunState.FAILED


async def test_a_wait_only_observes_and_a_stop_stops(runs: Runs) -> None:
    slow = await _run_that(runs, "slow")
    with pytest.raises(SaysoError) as late:
        await runs.service.wait(slow, timeout_s=0.2)
    assert late.value.code is ErrorCode.TIMEOUT
    assert (await runs.service.get(slow)).state == RunState.RUNNING
    run = await runs.service.stop(slow)
    assert run.state == RunState.CANCELLED
    assert (await runs.service.stop(slow)).state == RunState.CANCELLED
    assert [r.id for r in (await runs.service.list(status="cancelled")).runs] == [slow]


async def test_a_childs_permission_surfaces_at_the_root(runs: Runs) -> None:
    sessions = runs.house.room.sessions
    host = await runs.house.start()
    run_id = await _run_that(runs, "permission", host)
    run = await runs.service.get(run_id)
    await sessions.wait(run.session_id or "", until="attention", timeout_s=30)
    assert (await sessions.get(host)).waiting_for == 1
    await sessions.respond_permission(host, None, decision="allow", decided_by=Caller(present=True), surface="ui")
    run = await runs.service.wait(run_id, timeout_s=30)
    assert json.loads((run.result or {})["text"]) == {"outcome": "selected", "optionId": "go"}
    assert [r.id for r in (await runs.service.list(session_id=host)).runs] == [run_id]


async def test_an_agent_that_dies_interrupts_the_run(runs: Runs) -> None:
    run = await runs.service.wait(await _run_that(runs, "exit"), timeout_s=30)
    assert run.state == RunState.INTERRUPTED
    assert "exit code 7" in (run.error.message if run.error else "")


async def test_a_host_that_ends_marks_its_runs(runs: Runs) -> None:
    first = await _run_that(runs, "slow")
    await runs.service.close()
    assert (await runs.service.get(first)).state == RunState.INTERRUPTED
    changes = [data["run"]["state"] for kind, data in runs.house.published if kind == "run_did_change"]
    assert changes[0] == "queued"
    assert changes[-1] == "interrupted"


async def test_start_up_marks_runs_of_a_killed_host(runs: Runs) -> None:
    run_id = await _run_that(runs, "slow")
    room = runs.house.room
    fresh = RunService(
        runs.house.database,
        sessions=room.sessions,
        providers=room.providers,
        workspaces=room.workspaces,
        publish=lambda *_: None,
    )
    await fresh.reconcile()
    assert (await fresh.get(run_id)).state == RunState.INTERRUPTED
    await fresh.close()


async def test_nothing_to_do_is_refused_before_anything_starts(runs: Runs) -> None:
    with pytest.raises(InvalidInput):
        await _start(runs, instructions="x")
    with pytest.raises(InvalidInput):
        await _start(runs, "builtin", instructions="   ")
    assert (await runs.service.list()).runs == []


async def _run_that(runs: Runs, word: str, host: str | None = None) -> str:
    """A run whose agent does what ``word`` says: the scripted agent reads it from its environment."""
    name = runs.house.provider(f"always-{word}", name=f"does-{word}")
    [start] = await _start(runs, name, instructions="x", host=host)
    assert start.ok, start.error
    return start.run_id


async def test_a_run_is_stopped_at_once_while_its_agent_is_still_being_started(runs: Runs) -> None:
    argv = f'["{sys.executable}", "-c", "import time; time.sleep(600)"]'
    runs.house.paths.providers_file.write_text(f'[providers.slow]\nname = "Slow"\ncommand = {argv}\n')
    asked = asyncio.create_task(
        runs.service.start_plan(providers=["slow"], instructions="x", workspace=runs.workspace, host_session_id=None)
    )

    async def queued() -> list[RunView]:
        return (await runs.service.list()).runs

    [run] = await runs.house.eventually(queued)
    assert (run.state, run.session_id is not None) == (RunState.QUEUED, True), "its session can be looked at already"
    async with asyncio.timeout(30):
        stopped = await runs.service.stop(run.id)
        [start] = (await asked).results
    assert (stopped.state, stopped.error, stopped.session_id) == (RunState.CANCELLED, None, run.session_id)
    assert (start.ok, start.run_id, start.error.code if start.error else None) == (False, run.id, "cancelled")
    assert (await runs.house.room.sessions.get(run.session_id or "")).state == "stopped"
    assert runs.service.active == 0


async def test_a_run_whose_caller_leaves_before_it_began_is_cancelled(runs: Runs) -> None:
    argv = f'["{sys.executable}", "-c", "import time; time.sleep(600)"]'
    runs.house.paths.providers_file.write_text(f'[providers.slow]\nname = "Slow"\ncommand = {argv}\n')
    asked = asyncio.create_task(
        runs.service.start_plan(providers=["slow"], instructions="x", workspace=runs.workspace, host_session_id=None)
    )

    async def queued() -> list[RunView]:
        return (await runs.service.list()).runs

    [run] = await runs.house.eventually(queued)
    asked.cancel()
    await asyncio.wait({asked})
    assert (await runs.service.get(run.id)).state is RunState.CANCELLED
    assert runs.service.active == 0


BUSY = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    done = {"initialize": {"protocolVersion": 1, "agentCapabilities": {}}, "session/new": {"sessionId": "one"}}
    answer = {"jsonrpc": "2.0", "id": asked.get("id")}
    if asked.get("method") in done:
        print(json.dumps({**answer, "result": done[asked["method"]]}), flush=True)
    elif asked.get("method") == "session/prompt":
        data = {} if "final" in line else {"retryable": True}
        print(json.dumps({**answer, "error": {"code": -32603, "message": "Too busy", "data": data}}), flush=True)
"""


async def test_whether_to_try_again_is_the_providers_word(runs: Runs) -> None:
    script = runs.house.paths.providers_file.with_name("busy.py")
    script.write_text(BUSY)
    argv = f'["{sys.executable}", "{script}"]'
    runs.house.paths.providers_file.write_text(f'[providers.busy]\nname = "Busy"\ncommand = {argv}\n')
    for instructions, again in (("this", True), ("the final one", False)):
        [start] = await _start(runs, "busy", instructions=instructions)
        run = await runs.service.wait(start.run_id, timeout_s=30)
        assert (run.state, run.retryable) == (RunState.FAILED, again)
        assert "Too busy" in (run.error.message if run.error else "")
    assert len((await runs.service.list()).runs) == 2, "nothing was tried again by itself"
