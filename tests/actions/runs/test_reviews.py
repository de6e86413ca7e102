"""The findings of an order beside its change, with real agents and real repositories."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from actions.catalog.views import RunState
from actions.errors import InvalidInput
from tests.actions.runs.conftest import Runs
from tests.actions.runs.test_review import changed, git, review

__all__ = ["changed"]


async def test_the_reviews_of_one_order_are_shown_as_one_with_who_said_what(changed: Runs) -> None:
    names = [changed.house.provider("always-findings", name=name) for name in ("one", "two")]
    others = await review(changed, names[0], instructions="another order")
    first, second = await review(changed, *names)
    shown = await changed.service.findings(second.id, with_change=True)
    assert [(who.run_id, who.provider, who.state, who.findings) for who in shown.reviewers] == [
        (first.id, "one", RunState.SUCCEEDED, 1),
        (second.id, "two", RunState.SUCCEEDED, 1),
    ]
    assert others[0].id not in {who.run_id for who in shown.reviewers}
    [finding] = shown.findings
    assert (finding.file, finding.line, finding.found_by) == ("login.py", 2, ["one", "two"])
    assert [said.provider for said in finding.said] == ["one", "two"]
    assert shown.change is not None
    assert shown.change.startswith("diff --git a/login.py b/login.py")
    assert "\n+    breakpoint()\n" in shown.change
    assert (await changed.service.findings(second.id)).change is None


async def test_a_review_that_gave_no_list_says_why_beside_the_others(changed: Runs) -> None:
    good = changed.house.provider("always-findings", name="good")
    prose = changed.house.provider("always-prose", name="prose")
    run, _ = await review(changed, good, prose)
    shown = await changed.service.findings(run.id)
    by_name = {who.provider: who for who in shown.reviewers}
    assert (by_name["prose"].findings, by_name["prose"].problem) == (None, "there is no block of JSON in it")
    assert (by_name["good"].findings, by_name["good"].problem) == (1, None)
    assert len(shown.findings) == 1


async def test_a_branch_is_shown_as_it_was_reviewed_also_when_head_has_moved(changed: Runs) -> None:
    await git(changed, "switch", "-qc", "work")
    await git(changed, "commit", "-qam", "change")
    [run] = await review(changed, changed.house.provider("always-findings", name="one"), change="branch", base="main")
    (changed.house.workspace / "later.py").write_text("x = 1\n")
    await git(changed, "add", ".")
    await git(changed, "commit", "-qm", "later")
    shown = await changed.service.findings(run.id, with_change=True)
    assert shown.stale
    assert (shown.scope["head"], shown.head_now) == (
        await git(changed, "rev-parse", "HEAD~1"),
        await git(changed, "rev-parse", "HEAD"),
    )
    assert "breakpoint" in (shown.change or "")
    assert "later.py" not in (shown.change or "")


async def test_a_change_that_is_gone_is_said_and_the_findings_stay(changed: Runs) -> None:
    [run] = await review(changed, changed.house.provider("always-findings", name="one"))
    (changed.house.workspace / ".git").rename(changed.house.workspace / "was-git")
    shown = await changed.service.findings(run.id, with_change=True)
    assert shown.change is None
    assert (shown.change_problem or "").startswith("The change cannot be read any more: ")
    assert [(one.file, one.line) for one in shown.findings] == [("login.py", 2)]
    assert (shown.stale, (await changed.service.get(run.id)).stale) == (False, False), "nobody knows of another commit"


async def test_only_the_chosen_findings_are_sent(changed: Runs) -> None:
    [run] = await review(changed, "builtin")
    shown = await changed.service.findings(run.id)
    assert len(shown.findings) >= 2
    chosen, left = shown.findings[0], shown.findings[1]
    message = await changed.service.findings_message([run.id], only=[chosen.id])
    assert message.count == 1
    assert chosen.text in message.text
    assert left.text not in message.text
    with pytest.raises(InvalidInput, match="f_none"):
        await changed.service.findings_message([run.id], only=["f_none"])


async def test_who_looks_at_a_review_hears_at_once_that_head_has_moved(changed: Runs) -> None:
    before = await git(changed, "rev-parse", "HEAD")
    [run] = await review(changed, changed.house.provider("always-findings", name="one"))
    assert (await changed.service.list()).runs[0].stale is False
    changed.house.published.clear()
    await git(changed, "commit", "-qam", "on")
    after = await git(changed, "rev-parse", "HEAD")

    async def told() -> list[dict[str, Any]]:
        runs = [data["run"] for kind, data in changed.house.published if kind == "run_did_change"]
        return [shown for shown in runs if shown["id"] == run.id]

    [shown] = await changed.house.eventually(told)
    assert (shown["scope"]["head"], shown["head_now"], shown["stale"]) == (before, after, True)
    changed.house.published.clear()
    await git(changed, "reset", "-q", "--soft", "HEAD~1")
    [shown] = await changed.house.eventually(told)
    assert (shown["head_now"], shown["stale"]) == (before, False)


ODD = """
import json, os, sys
cwd = ""
def reply(asked, result):
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("method") == "initialize":
        reply(asked, {"protocolVersion": 1, "agentCapabilities": {}})
    elif asked.get("method") == "session/new":
        cwd = asked["params"]["cwd"]
        reply(asked, {"sessionId": "one"})
    elif asked.get("method") == "session/prompt":
        files = [file.replace("CWD", cwd) for file in sys.argv[1:]]
        words = {"line": 1, "severity": "note"}
        found = [{"file": file, "text": f"Number {at}.", **words} for at, file in enumerate(files)]
        text = "```json\\n" + json.dumps({"findings": found}) + "\\n```"
        said = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        update = {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "one", "update": said}}
        print(json.dumps(update), flush=True)
        reply(asked, {"stopReason": "end_turn"})
"""


async def test_a_file_is_the_same_however_an_agent_names_it(changed: Runs) -> None:
    sub = changed.house.workspace / "sub"
    sub.mkdir()
    (sub / "in.py").write_text("x = 1\n")
    (changed.house.workspace / "odd.py").write_text(ODD)
    names = {
        "from_top": ["sub/in.py", "login.py"],
        "from_here": ["in.py", "../login.py"],
        "absolute": ["CWD/in.py", "CWD/../login.py"],
        "windows": [r"sub\\in.py", r".\\login.py"],
    }
    rows = [
        f'[providers.{name}]\nname = "{name}"\ncommand = {[sys.executable, str(sub.parent / "odd.py"), *files]}\n'
        for name, files in names.items()
    ]
    changed.house.paths.providers_file.write_text("\n".join(rows).replace("'", '"').replace("\\\\\\\\", "\\\\"))
    started = await changed.service.start_review(
        providers=list(names), instructions="", workspace=str(sub), host_session_id=None
    )
    for start in started.results:
        await changed.service.wait(start.run_id or "", timeout_s=40)
    shown = await changed.service.findings(started.results[0].run_id or "")
    assert [(one.file, len(one.found_by)) for one in shown.findings] == [("login.py", 4), ("sub/in.py", 4)]
