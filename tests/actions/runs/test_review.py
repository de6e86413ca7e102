"""Review and delegate runs with real agent processes and real repositories."""

from __future__ import annotations

import asyncio
import subprocess

import pytest

from actions.catalog.views import RunState, RunView
from actions.errors import ErrorCode, InvalidInput, SaysoError
from tests.actions.runs.conftest import Runs


async def git(runs: Runs, *arguments: str) -> str:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", runs.workspace, *arguments]
    done = await asyncio.to_thread(subprocess.run, command, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
async def changed(runs: Runs) -> Runs:
    """A repository with one commit and one uncommitted change."""
    (runs.house.workspace / "login.py").write_text("def login(user):\n    return user.password == given\n")
    (runs.house.workspace / ".gitignore").write_text("pids\n")
    for arguments in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "start"]):
        await git(runs, *arguments)
    (runs.house.workspace / "login.py").write_text("def login(user):\n    breakpoint()\n    return user\n")
    return runs


async def review(runs: Runs, *providers: str, **options: str) -> list[RunView]:
    given = {"instructions": "", "host_session_id": None, **options}
    started = await runs.service.start_review(providers=providers, workspace=runs.workspace, **given)
    assert all(start.ok and start.scope for start in started.results), started
    return [await runs.service.wait(start.run_id or "", timeout_s=40) for start in started.results]


async def test_several_providers_review_one_scope(changed: Runs) -> None:
    one, two = (
        changed.house.provider("always-findings", name="one"),
        changed.house.provider("always-findings", name="two"),
    )
    runs = await review(changed, one, two)
    head = await git(changed, "rev-parse", "HEAD")
    for run in runs:
        assert run.state is RunState.SUCCEEDED
        scope = run.scope or {}
        assert (scope["change"], scope["head"], scope["files"], scope["unstaged"]) == ("uncommitted", head, 1, 1)
        assert (run.result or {})["findings"] == [
            {"file": "login.py", "line": 2, "severity": "error", "text": "The password is never checked.", "rule": ""}
        ]
    message = await changed.service.findings_message([run.id for run in runs])
    assert message.notes == []
    assert message.text.endswith("- [error] `login.py:2`: The password is never checked. (found by one, two)")


async def test_an_agent_that_forgets_the_form_is_asked_once_more(changed: Runs) -> None:
    [run] = await review(changed, changed.house.provider("always-mends", name="mends"))
    result = run.result or {}
    assert [row["line"] for row in result["findings"]] == [2]
    assert result["text"].startswith("Looks fine to me."), "the first answer is the review"
    asked = await changed.house.events(run.session_id or "", "user")
    assert len(asked) == 2
    assert "findings: Field required" in asked[1].data["text"]


async def test_an_agent_that_never_gives_the_form_is_kept_as_text(changed: Runs) -> None:
    [run] = await review(changed, changed.house.provider("always-prose", name="prose"))
    assert run.state is RunState.SUCCEEDED
    result = run.result or {}
    assert result["text"] == "Looks fine to me."
    assert "findings" not in result
    assert result["findings_problem"] == "there is no block of JSON in it"
    assert len(await changed.house.events(run.session_id or "", "user")) == 2
    with pytest.raises(SaysoError) as nothing:
        await changed.service.findings_message([run.id])
    assert nothing.value.code is ErrorCode.EMPTY_SCOPE


async def test_the_prompt_says_how_to_see_the_change(changed: Runs) -> None:
    provider = changed.house.provider("always-findings", name="reader", plan_mode="plan")
    [run] = await review(changed, provider, instructions="look at the password")
    text = (await changed.house.events(run.session_id or "", "user"))[0].data["text"]
    assert "`git diff HEAD` (1 file, 2 lines added, 1 deleted)" in text
    assert "Above all: look at the password" in text
    session = await changed.house.room.sessions.get(run.session_id or "")
    assert (session.mode, session.title) == ("plan", "Review: look at the password")


async def test_nothing_to_review_makes_no_run(changed: Runs) -> None:
    await git(changed, "checkout", "-q", "--", ".")
    with pytest.raises(SaysoError) as nothing:
        await changed.service.start_review(
            providers=["builtin"], instructions="", workspace=changed.workspace, host_session_id=None
        )
    assert nothing.value.code is ErrorCode.EMPTY_SCOPE
    assert (await changed.service.list()).runs == []


async def test_a_review_goes_stale_when_head_moves(changed: Runs) -> None:
    [run] = await review(changed, changed.house.provider("always-findings", name="one"))
    assert run.stale is False
    assert (await changed.service.get(run.id)).stale is False
    await git(changed, "commit", "-qam", "on")
    assert (await changed.service.get(run.id)).stale is True
    assert [r.stale for r in (await changed.service.list()).runs] == [True]


async def test_findings_of_a_stale_review_say_so_and_from_where_to_where(changed: Runs) -> None:
    before = await git(changed, "rev-parse", "HEAD")
    [run] = await review(changed, changed.house.provider("always-findings", name="one"))
    await git(changed, "commit", "-qam", "on")
    after = await git(changed, "rev-parse", "HEAD")
    message = await changed.service.findings_message([run.id, run.id])
    note = f"The review by one is stale: HEAD moved from {before[:10]} to {after[:10]} since."
    assert (message.notes, message.count) == ([note], 1)
    assert note in message.text
    assert message.text.index(note) < message.text.index("login.py:2")


async def test_a_branch_review_names_its_commits(changed: Runs) -> None:
    base = await git(changed, "rev-parse", "HEAD")
    await git(changed, "switch", "-qc", "work")
    await git(changed, "commit", "-qam", "change")
    [run] = await review(changed, changed.house.provider("always-findings", name="one"), change="branch", base="main")
    head = await git(changed, "rev-parse", "HEAD")
    scope = run.scope or {}
    assert (scope["base"], scope["head"], scope["branch"], scope["commits"]) == (base, head, "work", 1)
    text = (await changed.house.events(run.session_id or "", "user"))[0].data["text"]
    assert f"`git diff {base} {head}`" in text


async def test_the_scout_reviews_a_real_change(changed: Runs) -> None:
    [run] = await review(changed, "builtin")
    assert run.state is RunState.SUCCEEDED, run.error
    result = run.result or {}
    assert ("login.py", 2, "error", "debug-leftover") in {
        (row["file"], row["line"], row["severity"], row["rule"]) for row in result["findings"]
    }
    assert await git(changed, "status", "--porcelain") == "M login.py"


async def test_a_delegate_works_and_says_which_files_it_changed(changed: Runs) -> None:
    provider = changed.house.provider("always-edits", name="worker", plan_mode="plan")
    started = await changed.service.start_delegate(
        providers=[provider], instructions="Mend it", workspace=changed.workspace, host_session_id=None
    )
    run = await changed.service.wait(started.results[0].run_id or "", timeout_s=30)
    assert run.state is RunState.SUCCEEDED
    assert (run.result or {})["files"] == ["a.py"], "a failed edit changed nothing"
    session = await changed.house.room.sessions.get(run.session_id or "")
    assert session.mode != "plan"
    with pytest.raises(InvalidInput, match="only reviews have findings"):
        await changed.service.findings_message([run.id])
